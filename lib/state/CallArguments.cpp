//===- CallArguments.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/CallArguments.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

// The place of X in List, where it is put if it is not there; no pointer is an
// odd number.
template <typename T>
static uint64_t numberOf(llvm::SmallVectorImpl<const T *> &List, const T *X) {
  const auto *Known = llvm::find(List, X);
  const uint64_t Number = Known - List.begin();
  if (Known == List.end())
    List.push_back(X);
  return 2 * Number + 1;
}

CallArguments::CallArguments(const void *Call, Value This,
                             llvm::ArrayRef<Value> Args) {
  Fingerprint F;
  F.add(Call);
  add(F, This);
  for (const Value &A : Args)
    add(F, A);
  Digest = F.digest();
}

void CallArguments::read(unsigned Which, const Contents *Bytes) {
  Fingerprint F;
  F.add(Digest.first);
  F.add(Digest.second);
  if (Bytes) {
    F.add(uint64_t(1));
    F.addList(*Bytes, [&](const Cell &C) {
      F.add(uint64_t(C.Offset));
      F.add(uint64_t(C.Size));
      add(F, C.V);
    });
  } else { // a kernel's parameter has names of its own for what it holds
    const Object *O = Reached[Which];
    F.add(O->Call == 0 ? O : nullptr);
  }
  Digest = F.digest();
}

void CallArguments::add(Fingerprint &F, Value X) {
  F.add(uint64_t(X.K));
  addNumber(F, X.I);
  if (!X.isPtr())
    return;
  if (X.Obj->K != Object::Kind::Local) {
    F.add(X.Obj);
    return;
  }
  F.add(numberOf(Reached, X.Obj));
  F.add(uint64_t(X.Obj->Size));
}

void CallArguments::addNumber(Fingerprint &F, const Int *I) {
  if (!I || I->isKnown() || isChosen(I)) {
    HasChoice |= I && !I->isConstant();
    F.add(I);
    return;
  }
  F.add(numberOf(Open, I));
}
