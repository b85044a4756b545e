//===- Divisors.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/Divisors.h"
#include <numeric>

using namespace cpasync;

/// Multiples are not larger: pieces of shared memory are not.
static constexpr int64_t MaxDivisor = 65536;

void Divisors::note(const Int *I, Of Which) {
  for (const Int::Term &T : I->terms()) {
    const Atom &A = *T.A;
    const bool IsShift = A.Kind == Atom::Op::Shr;
    if ((IsShift || A.Kind == Atom::Op::Div) && A.B->isConstant())
      divide(A.A,
             IsShift ? int64_t(1) << (A.B->constant() & 31) : A.B->constant(),
             Which);
    for (const Int *Operand : {A.A, A.B, A.C})
      if (Operand)
        note(Operand, Which);
  }
}

int64_t Divisors::of(const Atom *Number) const {
  const auto I = By.find(Number);
  return I == By.end() ? 1 : I->second;
}

// Not what is taken off, as the rounds so far are of a length, nor how often
// something is taken.
void Divisors::divide(const Int *Dividend, int64_t N, Of Which) {
  if (Which == Of::Alone) {
    if (Dividend->terms().size() == 1 &&
        Dividend == Dividend->terms()[0].A->Alone)
      divide(Dividend->terms()[0].A, N);
    return;
  }
  for (const Int::Term &T : Dividend->terms()) {
    if (T.Coefficient->min() < 0 || T.A->Kind == Atom::Op::Mul)
      continue;
    if (T.A->isName())
      divide(T.A, N);
    else
      for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
        if (Operand)
          divide(Operand, N, Which);
  }
}

void Divisors::divide(const Atom *Number, int64_t N) {
  int64_t &Known = By.try_emplace(Number, 1).first->second;
  if (N > 0 && std::lcm(Known, N) <= MaxDivisor)
    Known = std::lcm(Known, N);
}
