//===- RowPitch.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/RowPitch.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

bool RowPitches::Row::contains(const Places &Begins) const {
  return llvm::all_of(Begins,
                      [&](int64_t At) { return (At - Begin) % Pitch == 0; });
}

void RowPitches::add(Array Of, const Places &Begins, int64_t Pitch) {
  const Key K = keyOf(Of);
  const Row New{Pitch, Begins.front() % Pitch};
  if (!New.contains(Begins) || !Known[K].insert(New).second)
    return;
  Late |= llvm::any_of(Asked[K], [&](const Open &O) {
    return O.Unit < Pitch && O.Far >= Pitch && New.contains(O.Begins);
  });
}

int64_t RowPitches::lengthAt(Array Of, const Places &Begins, int64_t Unit,
                             int64_t Far) {
  const Key K = keyOf(Of);
  for (const Row &R : Known[K])
    if (R.Pitch > Unit && R.contains(Begins))
      return R.Pitch;
  std::vector<Open> &List = Asked[K];
  const auto Old = llvm::find_if(List, [&](const Open &O) {
    return O.Begins == Begins && O.Unit == Unit;
  });
  if (Old == List.end())
    List.push_back({Begins, Unit, Far});
  else
    Old->Far = std::max(Old->Far, Far);
  return 0;
}

RowPitches RowPitches::forNextRun() const {
  RowPitches R;
  R.Known = Known;
  return R;
}
