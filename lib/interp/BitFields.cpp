//===- BitFields.cpp - Members that are bits of others --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/IntegerBits.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/Decl.h"

using namespace clang;
using namespace cpasync;

/// Bytes, and bits of one.
static constexpr int64_t MaxBytes = 8, Byte = 8;

namespace {
/// Where a bit-field lies: in bytes that begin Before bytes before the one that
/// it begins in.
struct Bits {
  int64_t Before = 0, Bytes = 0;
  unsigned Low = 0, Count = 0; ///< in those
};
} // namespace

/// With its neighbours, if these fit into an integer.
static Bits placeOf(Layouts &Of, const FieldDecl *F) {
  const auto Offset = [&](const FieldDecl *X) {
    return Of.bitOffsetOf(X).value_or(0); // its own place is known, too
  };
  const int64_t At = Offset(F), Count = F->getBitWidthValue();
  int64_t Begin = At, End = At;
  bool IsBefore = true;
  for (const FieldDecl *X : F->getParent()->fields()) {
    IsBefore &= X != F;
    const bool IsBits = X->isBitField() && !X->isZeroLengthBitField();
    const int64_t Here = Offset(X);
    if (!IsBits && !IsBefore)
      break;
    if (!IsBits)
      Begin = At;
    else if (IsBefore)
      Begin = std::min(Begin, Here);
    else
      End = Here + X->getBitWidthValue();
  }
  const auto Lies = [&](int64_t From, int64_t To) {
    From -= From % Byte;
    return Bits{At / Byte - From / Byte, (To - From + Byte - 1) / Byte,
                unsigned(At - From), unsigned(Count)};
  };
  const Bits Together = Lies(Begin, End);
  return Together.Bytes <= MaxBytes ? Together : Lies(At, At + Count);
}

static bool holdsSome(const Contents &Of, int64_t Begin, int64_t Size) {
  return llvm::any_of(Of, [&](const Cell &C) {
    return C.Offset < Begin + Size && Begin < C.Offset + C.Size;
  });
}

Value Storage::loadBitField(State &S, Value Place, const FieldDecl *F) {
  const Contents *Bytes = contentsOf(S, Place.Obj);
  const Bits At = placeOf(P.layouts(), F);
  if (!Bytes || !Place.I || !Place.I->isConstant() || At.Bytes > MaxBytes)
    return Value::unknown();
  const Int *Around =
      bytesIn(V, *Bytes, Place.I->constant() - At.Before, At.Bytes);
  const Int *Is = Around ? bitsFrom(V, Around, At.Low, At.Count) : nullptr;
  if (!Is)
    return Value::unknown();
  const bool IsSigned = F->getType()->isSignedIntegerOrEnumerationType();
  return Value::integer(IsSigned ? V.cast(Is, -int(At.Count)) : Is);
}

void Storage::storeMember(State &S, Value To, const FieldDecl *F, Value Val,
                          const Stmt *At) {
  if (!F->isBitField() || !To.isPtr() || To.Obj->K != Object::Kind::Local) {
    store(S, To, Val, F->getType(), At);
    return;
  }
  const Bits Field = placeOf(P.layouts(), F);
  const Contents *Bytes = contentsOf(S, To.Obj);
  const Int *New = nullptr;
  if (Val.isInt() && To.I && To.I->isConstant() && Field.Bytes <= MaxBytes) {
    // Nobody may ask for what nobody has set.
    const int64_t Begin = To.I->constant() - Field.Before;
    const Int *Around = Bytes && holdsSome(*Bytes, Begin, Field.Bytes)
                            ? bytesIn(V, *Bytes, Begin, Field.Bytes)
                            : V.constant(0);
    if (Around)
      New = withBits(V, Around, Val.I, Field.Low, Field.Count);
  }
  storeBytes(S, Math.offsetBy(To, V.constant(-Field.Before)), Field.Bytes,
             New ? Value::integer(New) : Value::unknown(), At);
}
