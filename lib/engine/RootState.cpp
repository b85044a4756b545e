//===- RootState.cpp - Where a root begins --------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nobody in the file calls is given numbers and memory that are not known.
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Executor.h"
#include "lib/source/RootObject.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using namespace cpasync;

State Executor::initialState(const FunctionDecl *Root) {
  State S(L, Run.Written);
  S.Condition = PathCondition(&Run.Facts);
  Frame F;
  F.Fn = &P.function(Root);
  S.Frames.push_back(std::move(F));
  for (const ParmVarDecl *Parm : Root->parameters())
    give(S, Parm);
  for (const DecidedNumber &N : Interp.Known.Numbers)
    S.Condition.assume(V, V.isZero(V.sub(N.symbol(V), V.constant(N.Is))), true,
                       L.all());
  // As numbers: what a type makes of a symbol is not known.
  if (!Interp.Known.Numbers.empty()) {
    Memory Mem = S.Mem;
    for (const auto &[O, Bytes] : S.Mem.entries()) {
      llvm::SmallVector<Cell, 8> Cells(Bytes->begin(), Bytes->end());
      for (Cell &C : Cells)
        C.V = Run.simplify(S, C.V);
      Mem.set(O, V.contents(Cells));
    }
    S.Mem = std::move(Mem);
  }
  return S;
}

void Executor::give(State &S, const ParmVarDecl *Parm) {
  const QualType T = Parm->getType();
  const Object *Slot = Run.local(S, Parm, Run.nameOf(Parm), P.sizeOf(T));
  give(S, Value::pointer(Slot, V.constant(0)), Parm, T);
}

void Executor::give(State &S, Value To, const NamedDecl *What, QualType T) {
  const bool IsShared = Interp.Known.Shared.contains(What);
  const bool IsKernel = S.Frames[0].Fn->decl()->hasAttr<CUDAGlobalAttr>();
  if (IsShared || T->isPointerType() || T->isReferenceType()) {
    // Kernels are given global memory; other roots may be given any.
    Object O{IsShared   ? Object::Kind::Shared
             : IsKernel ? Object::Kind::Global
                        : Object::Kind::Opaque};
    O.Origin = What;
    O.Name = Run.nameOf(What);
    const QualType Of = T->getPointeeType();
    O.IsReadOnly = !Of.isNull() && Of.isConstQualified();
    const int64_t Size = T->isIntegralOrEnumerationType() ? P.sizeOf(T) : 8;
    Store.storeBytes(S, To, Size, Value::pointer(V.object(O), V.constant(0)),
                     nullptr);
  } else if (T->isIntegralOrEnumerationType()) {
    Interval Range;
    if (T->isUnsignedIntegerType() || T->isBooleanType())
      Range.Lo = 0;
    if (T->isBooleanType())
      Range.Hi = 1;
    const Int *Given =
        V.symbol(What, 0, IsKernel ? Uniformity::Block : Uniformity::Thread,
                 Range, /*Stable=*/true);
    Run.Shared.Origins.named(Given, {What, nullptr, T});
    Store.storeBytes(S, To, P.sizeOf(T), Value::integer(Given), nullptr);
  }
}

// What constructors are to do comes before the first statement of the root.
void Executor::makeObjects(State &S) {
  const FunctionDecl *Root = S.frame().Fn->decl();
  llvm::SmallVector<std::pair<const CXXConstructorDecl *, Value>, 2> ToMake;
  for (const ParmVarDecl *Parm : madeForRoot(Root)) {
    const CXXRecordDecl *Class = classOf(Parm);
    if (!P.layouts().isKnown(Class))
      continue;
    const bool IsReference = Parm->getType()->isReferenceType();
    const Object *Slot = Run.local(S, Parm, Run.nameOf(Parm), 0);
    const Object *O = IsReference
                          ? Run.local(S, Class, Run.nameOf(Parm),
                                      P.sizeOf(Ctx.getCanonicalTagType(Class)))
                          : Slot;
    const Value Made = Value::pointer(O, V.constant(0));
    if (IsReference)
      Store.storeBytes(S, Value::pointer(Slot, V.constant(0)), 8, Made,
                       nullptr);
    ToMake.emplace_back(constructorOfRoot(Class), Made);
  }
  if (const CXXRecordDecl *Class = classOfRoot(Root);
      Class && P.layouts().isKnown(Class)) {
    S.frame().This = objectOf(S, Class);
    if (const CXXConstructorDecl *Maker = constructorOfRoot(Class))
      ToMake.emplace_back(Maker, S.frame().This);
  }
  for (const auto &[Maker, Made] : ToMake) {
    if (!Frames.canFollow(S, Maker, Root->getLocation()))
      continue;
    Frames.beginFrame(S, Maker, /*Call=*/nullptr, Root->getLocation(), Made);
    for (const ParmVarDecl *Parm : Maker->parameters())
      give(S, Parm);
    Frames.enterFrame(S);
  }
}

// Without a constructor it holds what it is given.
Value Executor::objectOf(State &S, const CXXRecordDecl *Class) {
  const int64_t Size = P.sizeOf(Ctx.getCanonicalTagType(Class));
  const bool HasMaker = constructorOfRoot(Class) != nullptr;
  if (holdsArrays(Class)) {
    Object O{Interp.Known.Shared.contains(Class) ? Object::Kind::Shared
                                                 : Object::Kind::Opaque};
    O.Origin = Class;
    O.Name = Run.nameOf(Class);
    O.Size = Size;
    return Value::pointer(V.object(O), V.constant(0));
  }
  const Value This = Value::pointer(
      Run.local(S, Class, Run.nameOf(Class), Size), V.constant(0));
  if (HasMaker)
    return This;
  for (const FieldDecl *F : Class->fields()) {
    const Value To = Store.memberOf(S, This, F);
    if (const Expr *Init = F->getInClassInitializer())
      Store.initialise(S, To, Init, F->getType());
    else
      give(S, To, F, F->getType());
  }
  return This;
}
