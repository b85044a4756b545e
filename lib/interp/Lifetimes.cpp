//===- Lifetimes.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Lifetimes.h"
#include "lib/interp/Interpreter.h"
#include "lib/source/Expressions.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// Bytes; devices have 64-bit addresses.
static constexpr int64_t HiddenPointerSize = 8;

// Calls \p Do with every base of \p Class that has a hidden pointer, itself
// included, and where it begins.
static void forEachPolymorphic(
    const CXXRecordDecl *Class, int64_t At, Layouts &Layout,
    llvm::function_ref<void(const CXXRecordDecl *, int64_t)> Do) {
  if (!Class || !Class->isPolymorphic())
    return;
  Do(Class, At);
  for (const CXXBaseSpecifier &B : Class->bases()) {
    const CXXRecordDecl *Base = B.getType()->getAsCXXRecordDecl();
    if (B.isVirtual() || !Base)
      continue;
    Base = Base->getDefinition();
    if (const auto Offset = Layout.offsetOf(Base, Class))
      forEachPolymorphic(Base, At + *Offset, Layout, Do);
  }
}

// As compilers do it: while a constructor or destructor runs, and after it, the
// hidden pointers at the beginning of the object and of its bases say what
// class it is of.
void Lifetimes::setClass(State &S) {
  const Frame &F = S.frame();
  const FunctionDecl *D = F.Fn->decl();
  const Value This = F.This;
  if (!isa<CXXConstructorDecl, CXXDestructorDecl>(D) || !This.isPtr() ||
      This.Obj->K != Object::Kind::Local || !This.I)
    return;
  const CXXRecordDecl *Class = cast<CXXMethodDecl>(D)->getParent();
  forEachPolymorphic(
      Class, 0, P.layouts(), [&](const CXXRecordDecl *, int64_t At) {
        Object Hidden{Object::Kind::Class};
        Hidden.Origin = Class;
        const Value To = Value::pointer(V.object(Hidden), V.constant(At));
        Store.storeBytes(S, Math.offsetBy(This, V.constant(At)),
                         HiddenPointerSize, To, nullptr);
      });
}

const CXXMethodDecl *Lifetimes::finalOverrider(State &S, const CXXMethodDecl *M,
                                               Value &This) {
  if (P.virtualCalls().overridersOf(M).empty())
    return M; // whatever it is, that does not change this
  const Contents *Bytes = This.isPtr() && This.I && This.I->isConstant()
                              ? S.Mem.find(This.Obj)
                              : nullptr;
  if (!Bytes)
    return nullptr;
  const auto *Hidden = llvm::find_if(*Bytes, [&](const Cell &C) {
    return C.Offset == This.I->constant() && C.V.isPtr() &&
           C.V.Obj->K == Object::Kind::Class;
  });
  if (Hidden == Bytes->end())
    return nullptr;
  const auto *Class = static_cast<const CXXRecordDecl *>(Hidden->V.Obj->Origin);
  const auto *Runs = M->getCorrespondingMethodInClass(Class);
  if (!Runs)
    return nullptr;
  // From here to the whole object, and from there to the part it is of.
  std::optional<int64_t> At;
  forEachPolymorphic(Class, 0, P.layouts(),
                     [&](const CXXRecordDecl *Base, int64_t Offset) {
                       if (Base == Runs->getParent()->getDefinition() && !At)
                         At = Offset;
                     });
  if (!At)
    return nullptr;
  This = Math.offsetBy(This, V.sub(V.constant(*At), Hidden->V.I));
  return Runs;
}

void Lifetimes::destroy(State &S, Value Object, QualType T,
                        SourceLocation Loc) {
  const CXXDestructorDecl *D = P.destructorOf(T);
  if (!D)
    return;
  if (!Frames.canFollow(S, D, Loc)) {
    Frames.leaveOut(D);
    return;
  }
  Frames.beginFrame(S, D, /*Call=*/nullptr, Loc, Object);
  Frames.enterFrame(S);
}

Value Lifetimes::temporary(State &S, const CXXBindTemporaryExpr *B) {
  const Expr *E = withoutCasts(B);
  return Value::pointer(Run.local(S, E, "", P.sizeOf(E->getType())),
                        V.constant(0));
}

void Lifetimes::noteMade(State &S, const Expr *Maker) {
  auto &Made = S.frame().Made;
  auto I = llvm::find_if(Made, [&](const auto &M) { return M.first == Maker; });
  if (I == Made.end())
    I = Made.insert(Made.end(), {Maker, L.none()});
  const bool IsSure = I->second && S.May.empty();
  I->second = IsSure ? L.either(I->second, S.Active) : nullptr;
}
