//===- MatrixDescriptors.cpp ----------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/MatrixDescriptors.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

/// Of the address, in a descriptor.
static constexpr int64_t AddressField = int64_t(1) << 14;

/// Number of the symbol for where an object begins, which is its origin.
static constexpr int64_t Beginning = INT64_MIN;

/// Threads that do not run what computes it have none.
static const Int::Term *beginningIn(const Int *I) {
  const auto *T = llvm::find_if(I->terms(), [](const Int::Term &X) {
    return X.A->Kind == Atom::Op::Symbol && X.A->Number == Beginning &&
           X.Coefficient->min() >= 0 && X.Coefficient->max() == AddressField;
  });
  return T == I->terms().end() ? nullptr : T;
}

const Int *cpasync::descriptorAddress(ValueContext &V, Value Place) {
  const Int *Begins = V.symbol(Place.Obj, Beginning, Uniformity::Block,
                               {0, AddressField}, /*Stable=*/true);
  return V.add(V.mul(V.constant(AddressField), Begins),
               V.apply(Atom::Op::Div, Place.I, V.constant(DescriptorUnit)));
}

bool cpasync::holdsDescriptorAddress(const Int *I) {
  return beginningIn(I) != nullptr;
}

const Int *cpasync::withDescriptorFields(ValueContext &V, const Int *A,
                                         const Int *B,
                                         const PerThread *Active) {
  if (!holdsDescriptorAddress(A))
    std::swap(A, B);
  if (!holdsDescriptorAddress(A) || holdsDescriptorAddress(B))
    return nullptr;
  // Fields that were there before are known: no bit may be in both.
  PerThreadContext &L = V.lanes();
  const auto HaveNone = [&](const PerThread *X, const PerThread *Bits) {
    const PerThread *Common = L.apply(LaneOp::And, X, Bits);
    return L.blend(Active, Common, L.none())->isUniform(0);
  };
  const auto IsAbove = [&](const PerThread *X) {
    return HaveNone(X, L.uniform(AddressField - 1));
  };
  if (!IsAbove(B->base()) || !HaveNone(A->base(), B->base()) ||
      llvm::any_of(B->terms(),
                   [&](const Int::Term &T) { return !IsAbove(T.Coefficient); }))
    return nullptr;
  return V.add(A, B);
}

Value cpasync::placeOfDescriptor(ValueContext &V, const Int *Descriptor) {
  const Int::Term *Begins = beginningIn(Descriptor);
  if (!Begins)
    return Value::unknown();
  PerThreadContext &L = V.lanes();
  const Int *Units = V.known(
      L.apply(LaneOp::And, Descriptor->base(), L.uniform(AddressField - 1)));
  for (const Int::Term &T : Descriptor->terms()) {
    const PerThread *Rest =
        L.apply(LaneOp::And, T.Coefficient, L.uniform(AddressField - 1));
    if (&T != Begins && !Rest->isUniform(0))
      Units = V.add(Units, V.mul(V.known(Rest), T.A->Alone));
  }
  return Value::pointer(static_cast<const Object *>(Begins->A->Origin),
                        V.mul(Units, V.constant(DescriptorUnit)));
}
