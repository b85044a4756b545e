//===- Extremes.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile and its halo, cut off at the ends of an image: from max(Y - 1, 0) to
// min(Y + 17, Height) there are no more than 18 rows, whatever Y is. The least
// of two is no more than either.
//
//===----------------------------------------------------------------------===//

#include "lib/values/Bounds.h"
#include <array>

using namespace cpasync;

Interval cpasync::cutOff(ValueContext &V, FactTable *Facts, const Int *Form,
                         Interval R,
                         llvm::function_ref<Interval(const Int *)> BoundsOf) {
  if (Form->terms().size() < 2)
    return R;
  for (const Int::Term &T : Form->terms()) {
    if (T.A->Kind != Atom::Op::Min && T.A->Kind != Atom::Op::Max)
      continue;
    const int64_t Times = T.Coefficient->min();
    const bool IsAbove = (T.A->Kind == Atom::Op::Min) == (Times > 0);
    for (const Int *One : std::array{T.A->A, T.A->B}) {
      const Int *With =
          V.add(Form, V.mul(V.sub(One, T.A->Alone), V.constant(Times)));
      if (With->terms().size() > Form->terms().size())
        continue;
      FactTable::Turn Part(Facts, 1);
      const Interval Of = BoundsOf(With);
      if (IsAbove && Of.Hi < R.Hi)
        R.Hi = Of.Hi;
      else if (!IsAbove && Of.Lo > R.Lo)
        R.Lo = Of.Lo;
      else
        Part.dismiss();
    }
  }
  return R;
}
