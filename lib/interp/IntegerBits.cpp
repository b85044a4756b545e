//===- IntegerBits.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/IntegerBits.h"
#include "lib/interp/MatrixDescriptors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace cpasync;

/// Bits of an integer, and of a byte.
static constexpr unsigned Width = 64, BitsOfByte = 8;
/// Bits of the address in a matrix descriptor.
static constexpr unsigned AddressBits = 14;

static int64_t maskOf(unsigned Count) {
  return int64_t((uint64_t(1) << Count) - 1);
}

/// Of a matrix descriptor: its address goes with the bits that it lies in.
static const Int *bitsOfDescriptor(ValueContext &V, const Int *I, unsigned Low,
                                   unsigned Count) {
  PerThreadContext &L = V.lanes();
  const PerThread *Mask = L.uniform(maskOf(Count));
  if (Low >= AddressBits)
    // What is added to an address stays below the fields.
    return V.known(L.apply(
        LaneOp::And, L.apply(LaneOp::AShr, I->base(), L.uniform(Low)), Mask));
  if (Low != 0 || Count < AddressBits)
    return nullptr;
  const Int *R = V.known(L.apply(LaneOp::And, I->base(), Mask));
  for (const Int::Term &T : I->terms())
    R = V.add(R, V.mul(V.known(T.Coefficient), T.A->Alone));
  return R;
}

static bool isNeverNegative(const Int *I) {
  return I->base()->min() >= 0 &&
         llvm::all_of(I->terms(), [](const Int::Term &T) {
           return T.Coefficient->min() >= 0 && T.A->Range.Lo >= 0;
         });
}

/// It has no bits from \p Low on; of what is not negative.
static bool isBelow(const Int *I, unsigned Low) {
  const int64_t End = Low < Width - 1 ? int64_t(1) << Low : INT64_MAX;
  int64_t Most = I->base()->max();
  for (const Int::Term &T : I->terms()) {
    int64_t Part = 0;
    if (llvm::MulOverflow(T.Coefficient->max(), T.A->Range.Hi, Part) ||
        llvm::AddOverflow(Most, Part, Most))
      return false;
  }
  return Most < End;
}

/// \p I, which is not negative, without what has no bits from \p Low on.
static const Int *multipleIn(ValueContext &V, const Int *I, unsigned Low) {
  PerThreadContext &L = V.lanes();
  const PerThread *Below = L.uniform(maskOf(Low));
  const Int *Rest = V.known(L.apply(LaneOp::And, I->base(), Below));
  for (const Int::Term &T : I->terms())
    if (!L.apply(LaneOp::And, T.Coefficient, Below)->isUniform(0))
      Rest = V.add(Rest, V.mul(V.known(T.Coefficient), T.A->Alone));
  return isBelow(Rest, Low) ? V.sub(I, Rest) : I;
}

const Int *cpasync::bitsFrom(ValueContext &V, const Int *I, unsigned Low,
                             unsigned Count) {
  if (Count >= Width)
    return I;
  if (holdsDescriptorAddress(I))
    return bitsOfDescriptor(V, I, Low, Count);
  // A quotient is that of the bits below only of what is not negative.
  if (Low != 0 && !I->isKnown() && !isNeverNegative(I))
    return nullptr;
  if (Low != 0)
    I = V.apply(Atom::Op::Shr, multipleIn(V, I, Low), V.constant(Low));
  if (isNeverNegative(I) && isBelow(I, Count))
    return I;
  return V.apply(Atom::Op::And, I, V.constant(maskOf(Count)));
}

static const Int *shifted(ValueContext &V, const Int *I, unsigned By) {
  return By == 0 ? I : V.apply(Atom::Op::Shl, I, V.constant(By));
}

const Int *cpasync::withBits(ValueContext &V, const Int *I, const Int *New,
                             unsigned Low, unsigned Count) {
  const Int *Out = bitsFrom(V, I, Low, Count), *In = bitsFrom(V, New, 0, Count);
  if (!Out || !In || (Low != 0 && holdsDescriptorAddress(In)))
    return nullptr;
  return V.add(V.sub(I, shifted(V, Out, Low)), shifted(V, In, Low));
}

Cell cpasync::partOf(ValueContext &V, const Cell &Of, int64_t Offset,
                     int64_t End) {
  Cell Part{Offset, End - Offset, Value::unknown()};
  if (!Of.V.isInt() || Of.Size > int64_t(Width / BitsOfByte))
    return Part;
  if (const Int *Bits =
          bitsFrom(V, Of.V.I, unsigned(Offset - Of.Offset) * BitsOfByte,
                   unsigned(Part.Size) * BitsOfByte))
    Part.V = Value::integer(Bits);
  return Part;
}

const Int *cpasync::bytesIn(ValueContext &V, const Contents &Bytes,
                            int64_t Offset, int64_t Size) {
  const int64_t End = Offset + Size;
  const Int *Whole = nullptr;
  int64_t Next = Offset; // before it, all is known
  for (const Cell &C : Bytes) {
    if (C.Offset + C.Size <= Offset || C.Offset >= End)
      continue;
    const int64_t From = std::max(C.Offset, Offset);
    const Cell Part = partOf(V, C, From, std::min(C.Offset + C.Size, End));
    if (From != Next || !Part.V.isInt())
      return nullptr;
    const unsigned Low = unsigned(From - Offset) * BitsOfByte;
    if (Low != 0 && holdsDescriptorAddress(Part.V.I))
      return nullptr;
    const Int *In = shifted(V, Part.V.I, Low);
    Whole = Whole ? V.add(Whole, In) : In;
    Next = From + Part.Size;
  }
  return Next == End ? Whole : nullptr;
}
