//===- LoadedNumbers.cpp - Integers from memory that is not known ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An integer that was loaded goes by a name, which is that of the expression:
// it stands for something else when the expression is evaluated again.
//
// What some threads load from a table that nobody writes to, others may load as
// well, each in its own time, and so they may what all load before a loop: a
// producer and its consumers go through one list, and do as many rounds for an
// item as it says. That is a number of the table's, the same for all who look
// there (Atom::Op::Load).
//
//===----------------------------------------------------------------------===//

#include "lib/inference/Tables.h"
#include "lib/interp/Interpreter.h"
#include "lib/interp/Storage.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using namespace cpasync;

// The bits of a __half2 as one integer, by which it is copied: no number.
static bool areBitsOfPayload(Program &P, const Expr *Loaded) {
  const auto *Place =
      Loaded ? dyn_cast<UnaryOperator>(Loaded->IgnoreParenImpCasts()) : nullptr;
  if (!Place || Place->getOpcode() != UO_Deref)
    return false;
  const auto *As =
      dyn_cast<ExplicitCastExpr>(Place->getSubExpr()->IgnoreParenImpCasts());
  const QualType T = As ? As->getSubExpr()->getType() : QualType();
  return As && T->isPointerType() && T->getPointeeType()->isRecordType() &&
         P.isPayload(T->getPointeeType());
}

const Int *Storage::loadFromTable(State &S, const Expr *E, Value From) {
  const Int *At = From.I ? asIn(V, From.I, S.Active) : nullptr;
  const bool MayBeAskedAgain = S.Active != L.all() || S.Loops.empty();
  if (!MayBeAskedAgain || !At || !At->isUniform() ||
      At->weight() > Int::MaxWeight || !isTable(From.Obj, E))
    return nullptr;
  const QualType T = E->getType();
  const int Bits = static_cast<int>(Run.Ctx.getIntWidth(T));
  const Int *Held = V.load(
      From.Obj, At, T->isUnsignedIntegerOrEnumerationType() ? Bits : -Bits);
  Run.Shared.Origins.named(Held, {nullptr, E, T});
  return Held;
}

Value Storage::loadedSymbol(State &S, const Expr *E, Value From) {
  if (areBitsOfPayload(P, E))
    return Value::unknown();
  if (const Int *Held = loadFromTable(S, E, From))
    return Value::integer(Held);
  Value Loaded =
      Names.freshSymbol(S, E, From.I ? From.I->sharing() : Uniformity::Thread);
  Interp.Leaving.noteLoad(Loaded.I, From.I);
  return Loaded;
}
