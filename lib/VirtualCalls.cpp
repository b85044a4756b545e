//===- VirtualCalls.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VirtualCalls.h"
#include "Executor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace cpasync;

/// Bytes; devices have 64-bit addresses.
static constexpr int64_t HiddenPointerSize = 8;

namespace {
class MethodVisitor : public RecursiveASTVisitor<MethodVisitor> {
public:
  explicit MethodVisitor(llvm::function_ref<void(const CXXMethodDecl *)> Do)
      : Do(Do) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitCXXMethodDecl(CXXMethodDecl *M) {
    Do(M->getCanonicalDecl());
    return true;
  }

private:
  llvm::function_ref<void(const CXXMethodDecl *)> Do;
};
} // namespace

llvm::ArrayRef<const CXXMethodDecl *>
VirtualCalls::overridersOf(const FunctionDecl *F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (!Method || !Method->isVirtual())
    return {};
  if (!std::exchange(IsFilled, true)) {
    auto Add = [&](const CXXMethodDecl *Base, const CXXMethodDecl *By,
                   auto &Self) -> void {
      for (const CXXMethodDecl *Over : Base->overridden_methods()) {
        Over = Over->getCanonicalDecl();
        if (!llvm::is_contained(Overriders[Over], By))
          Overriders[Over].push_back(By);
        Self(Over, By, Self);
      }
    };
    MethodVisitor([&](const CXXMethodDecl *M) {
      Add(M, M, Add);
    }).TraverseAST(Ctx);
  }
  const auto I = Overriders.find(Method->getCanonicalDecl());
  return I == Overriders.end() ? llvm::ArrayRef<const CXXMethodDecl *>()
                               : I->second;
}

const CXXMethodDecl *VirtualCalls::openCallee(const CallExpr *Call) {
  const auto *M = dyn_cast_if_present<CXXMethodDecl>(Call->getDirectCallee());
  if (!M || !M->isVirtual() || M->hasAttr<FinalAttr>() ||
      M->getParent()->isEffectivelyFinal())
    return nullptr;
  const auto *Member =
      dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParenImpCasts());
  return Member && Member->hasQualifier() ? nullptr : M;
}

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
void Executor::setClass(State &S) {
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
        storeBytes(S, offsetBy(This, V.constant(At)), HiddenPointerSize, To,
                   nullptr);
      });
}

const CXXMethodDecl *Executor::finalOverrider(State &S, const CXXMethodDecl *M,
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
  This = offsetBy(This, V.sub(V.constant(*At), Hidden->V.I));
  return Runs;
}
