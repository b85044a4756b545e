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
    const int64_t Size = T->isIntegralOrEnumerationType() ? P.sizeOf(T) : 8;
    Store.storeBytes(S, To, Size, Value::pointer(V.object(O), V.constant(0)),
                     nullptr);
  } else if (T->isIntegralOrEnumerationType()) {
    Interval Range;
    if (T->isUnsignedIntegerType() || T->isBooleanType())
      Range.Lo = 0;
    if (T->isBooleanType())
      Range.Hi = 1;
    Store.storeBytes(
        S, To, P.sizeOf(T),
        Value::integer(
            V.symbol(What, 0, IsKernel ? Uniformity::Block : Uniformity::Thread,
                     Range, /*Stable=*/true)),
        nullptr);
  }
}

// What the constructor is to do comes before the first statement of the root.
void Executor::makeObject(State &S) {
  const FunctionDecl *Root = S.frame().Fn->decl();
  const CXXRecordDecl *Class = classOfRoot(Root);
  if (!Class || !P.layouts().isKnown(Class))
    return;
  const CXXConstructorDecl *Maker = constructorOfRoot(Class);
  const int64_t Size = P.sizeOf(Ctx.getCanonicalTagType(Class));
  if (!Maker && holdsArrays(Class)) {
    Object O{Interp.Known.Shared.contains(Class) ? Object::Kind::Shared
                                                 : Object::Kind::Opaque};
    O.Origin = Class;
    O.Name = Run.nameOf(Class);
    O.Size = Size;
    S.frame().This = Value::pointer(V.object(O), V.constant(0));
    return;
  }
  const Object *O = Run.local(S, Class, Run.nameOf(Class), Size);
  const Value This = Value::pointer(O, V.constant(0));
  S.frame().This = This;
  if (!Maker) {
    for (const FieldDecl *F : Class->fields()) {
      const Value To = Store.memberOf(S, This, F);
      if (const Expr *Init = F->getInClassInitializer())
        Store.initialise(S, To, Init, F->getType());
      else
        give(S, To, F, F->getType());
    }
  } else if (Frames.canFollow(S, Maker, Root->getLocation())) {
    Frames.beginFrame(S, Maker, /*Call=*/nullptr, Root->getLocation(), This);
    for (const ParmVarDecl *Parm : Maker->parameters())
      give(S, Parm);
    Frames.enterFrame(S);
  }
}
