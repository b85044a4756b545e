//===- ForgottenTargets.cpp - What somebody may have changed --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that is not known may write to whatever it is given: to a member,
// or an array of a class, and not to the members beside it.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Interpreter.h"
#include "lib/interp/Storage.h"
#include "lib/source/Expressions.h"
#include "clang/AST/Decl.h"

using namespace clang;
using namespace cpasync;

void Storage::forgetTarget(State &S, Value P) {
  Run.Effects.note();
  if (!P.isPtr())
    return;
  if (P.Obj->isShared() || P.Obj->K == Object::Kind::Opaque)
    S.Copies.history().storeAnywhere(Run.Written);
  else
    S.Mem.set(P.Obj, V.contents({}));
}

void Storage::forgetTarget(State &S, Value To, QualType Pointee) {
  const bool IsVariable = To.isPtr() && To.Obj->K == Object::Kind::Local &&
                          !To.Obj->Name.empty() && To.I && To.I->isConstant();
  const auto *Var =
      IsVariable ? dyn_cast<VarDecl>(static_cast<const Decl *>(To.Obj->Origin))
                 : nullptr;
  const Contents *Old = Var ? S.Mem.find(To.Obj) : nullptr;
  if (!Old)
    return forgetTarget(S, To);
  Run.Effects.note();
  const auto [Begin, Size] =
      P.layouts().reachedFrom(typeOfObject(Var), To.I->constant(), Pointee);
  llvm::SmallVector<Cell, 8> Kept;
  for (const Cell &C : *Old)
    if (C.Offset + C.Size <= Begin || C.Offset >= Begin + Size)
      Kept.push_back(C);
  S.Mem.set(To.Obj, V.contents(Kept));
}
