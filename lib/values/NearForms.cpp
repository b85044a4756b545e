//===- NearForms.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/NearForms.h"

using namespace cpasync;

std::optional<Additions> cpasync::additions(const Int *Form, const Int *Of,
                                            int Sign) {
  const size_t Long = Form->terms().size(), Short = Of->terms().size();
  if (Long > Short + MaxAdded || Short > Long + 1)
    return std::nullopt;
  Additions Found;
  bool IsClose = false, IsPart = true;
  auto X = Form->terms().begin(), XEnd = Form->terms().end();
  auto Y = Of->terms().begin(), YEnd = Of->terms().end();
  while (X != XEnd || Y != YEnd) {
    const bool HasX = X != XEnd && (Y == YEnd || X->A->Id <= Y->A->Id),
               HasY = Y != YEnd && (X == XEnd || Y->A->Id <= X->A->Id);
    const Atom *A = HasX ? X->A : Y->A;
    const __int128 Times =
        (HasX ? static_cast<__int128>(X++->Coefficient->min()) : 0) -
        (HasY ? Sign * static_cast<__int128>(Y++->Coefficient->min()) : 0);
    if (HasX && HasY && Times == 0) {
      IsClose = true;
      continue;
    }
    IsPart &= !HasY;
    if ((!IsPart && !Found.empty()) || Found.size() == MaxAdded ||
        Times != static_cast<int64_t>(Times))
      return std::nullopt;
    Found.push_back({A, static_cast<int64_t>(Times)});
  }
  return IsClose && !Found.empty() ? std::optional(std::move(Found))
                                   : std::nullopt;
}
