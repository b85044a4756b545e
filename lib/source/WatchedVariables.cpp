//===- WatchedVariables.cpp -----------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/WatchedVariables.h"
#include "lib/source/DeviceFunctions.h"
#include "lib/source/Expressions.h"
#include "lib/source/FunctionInfo.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// Through an object of this type another can be got at.
static bool holdsPlaces(QualType T) {
  while (const auto *A = T->getAsArrayTypeUnsafe())
    T = A->getElementType();
  if (T->isPointerType() || T->isReferenceType())
    return true;
  const auto *R = T->getAsCXXRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  if (!R)
    return false;
  auto Holds = [](QualType M) { return holdsPlaces(M); };
  return R->isLambda() ||
         llvm::any_of(
             R->fields(),
             [&](const FieldDecl *F) { return Holds(F->getType()); }) ||
         llvm::any_of(R->bases(), [&](const CXXBaseSpecifier &B) {
           return Holds(B.getType());
         });
}

static const FunctionDecl *calleeOf(const Stmt *S) {
  if (const auto *C = dyn_cast<CallExpr>(S))
    return C->getDirectCallee();
  if (const auto *C = dyn_cast<CXXConstructExpr>(S))
    return C->getConstructor();
  return nullptr;
}

// What a call runs: a body, or any that overrides the method.
static const FunctionDecl *runBy(const Stmt *S) {
  const FunctionDecl *Callee = calleeOf(S), *Body = bodyOf(Callee);
  const auto *M = dyn_cast_if_present<CXXMethodDecl>(Callee);
  return !Body && M && M->isVirtual() ? M->getCanonicalDecl() : Body;
}

/// Finds what is watched because something else is. What is watched once stays
/// so: whatever a name leads to is looked at when the name is new.
class WatchedVariables::Spreading {
public:
  Spreading(WatchedVariables &W, llvm::ArrayRef<Name> Roots) : W(W) {
    for (const Step &S : W.Steps) {
      Mentions List;
      if (S.IsCopy) {
        W.addCopied(S.From, List);
      } else {
        W.addMentions(S.From, List);
        Referring[S.To].push_back(&S);
      }
      for (const Mention &M : List)
        if (M.Callee)
          needs(M.Callee).Steps.push_back(&S);
        else
          Users[M.Variable].Steps.push_back(&S);
    }
    // What somebody copies to through a name is where the name refers to.
    for (Name Root : Roots) {
      watch(Root);
      fill(Root);
    }
    while (!ToDo.empty()) {
      const Followers Next = std::move(ToDo.back());
      ToDo.pop_back();
      for (const FunctionDecl *F : Next.Bodies)
        touch(F);
      for (const Step *S : Next.Steps) {
        watch(S->To);
        if (S->IsCopy)
          fill(S->To);
      }
    }
    for (const auto &[F, Of] : Functions)
      W.Outside.try_emplace(F, false);
  }

private:
  /// What is touched because something is.
  struct Followers {
    llvm::SmallVector<const Step *, 2> Steps;
    llvm::SmallVector<const FunctionDecl *, 2> Bodies;
  };

  /// The function's entry, with all that its body mentions.
  Followers &needs(const FunctionDecl *F) {
    if (auto I = Functions.find(F); I != Functions.end())
      return I->second;
    llvm::SmallVector<const FunctionDecl *, 8> New = {F};
    Functions.try_emplace(F);
    while (!New.empty()) {
      const FunctionDecl *Body = New.pop_back_val();
      Mentions List;
      W.mentionsFromOutside(Body, List);
      for (const Mention &M : List) {
        if (!M.Callee) {
          Users[M.Variable].Bodies.push_back(Body);
          continue;
        }
        const auto [Of, IsNew] = Functions.try_emplace(M.Callee);
        Of->second.Bodies.push_back(Body);
        if (IsNew)
          New.push_back(M.Callee);
      }
    }
    return Functions.find(F)->second;
  }
  void watch(Name N) {
    if (!W.Watched.insert(N).second)
      return;
    if (auto I = Users.find(N); I != Users.end())
      ToDo.push_back(std::move(I->second));
  }
  void touch(const FunctionDecl *F) {
    if (!W.Outside.try_emplace(F, true).second)
      return;
    ToDo.push_back(std::move(Functions.find(F)->second));
  }
  void fill(Name N) {
    llvm::SmallVector<Name, 8> New = {N};
    while (!New.empty()) {
      const Name Next = New.pop_back_val();
      if (!Filled.insert(Next).second)
        continue;
      for (const Step *S : Referring.lookup(Next)) {
        const size_t Before = New.size();
        W.placesOf(S->From, New);
        for (Name Place : llvm::ArrayRef(New).drop_front(Before))
          watch(Place);
      }
    }
  }

  WatchedVariables &W;
  llvm::DenseSet<Name> Filled;
  llvm::DenseMap<Name, Followers> Users;
  llvm::DenseMap<const FunctionDecl *, Followers> Functions;
  llvm::DenseMap<Name, llvm::SmallVector<const Step *, 2>> Referring;
  std::vector<Followers> ToDo;
};

WatchedVariables::WatchedVariables(Program &P, const FunctionDecl *Kernel,
                                   llvm::ArrayRef<const void *> Roots)
    : P(P), Roots(Roots.begin(), Roots.end()) {
  collect(Kernel);
  const Spreading All(*this, Roots);
}

void WatchedVariables::add(const Expr *From, Name To, QualType T) {
  Steps.push_back({From, To, !holdsPlaces(T)});
}

void WatchedVariables::collect(const FunctionDecl *F) {
  F = bodyOf(F);
  if (!F || !Collected.insert(F).second)
    return;
  collect(F, F->getBody());
  if (const auto *C = dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *Init : C->inits()) {
      collect(F, Init->getInit());
      add(Init->getInit(), F->getBody(),
          Init->isAnyMemberInitializer() ? Init->getAnyMember()->getType()
                                         : Init->getInit()->getType());
    }
}

void WatchedVariables::collect(const FunctionDecl *F, const Stmt *S) {
  if (!S)
    return;
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *X : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(X); V && V->hasInit())
        add(V->getInit(), V, V->getType());
  } else if (const auto *B = dyn_cast<BinaryOperator>(S);
             B && B->getOpcode() == BO_Assign) {
    llvm::SmallVector<Name, 2> To;
    placesOf(B->getLHS(), To);
    for (Name Place : To)
      add(B->getRHS(), Place, B->getLHS()->getType());
  } else if (const auto *R = dyn_cast<ReturnStmt>(S); R && R->getRetValue()) {
    add(R->getRetValue(), F, F->getReturnType());
  } else if (isa<CXXThisExpr>(S)) {
    BodyOfThis[S] = F->getBody();
  } else if (const auto *C = dyn_cast<CXXMemberCallExpr>(S)) {
    llvm::SmallVector<const Expr *, 4> Args(C->arguments());
    collectCall(C, C->getMethodDecl(), C->getImplicitObjectArgument(), Args);
  } else if (const auto *C = dyn_cast<CallExpr>(S)) {
    llvm::SmallVector<const Expr *, 4> Args(C->arguments());
    const auto *M = dyn_cast_if_present<CXXMethodDecl>(C->getDirectCallee());
    const bool IsOfFirst =
        isa<CXXOperatorCallExpr>(C) && M && M->isInstance() && !Args.empty();
    const Expr *This = IsOfFirst ? Args[0] : nullptr;
    if (IsOfFirst)
      Args.erase(Args.begin());
    collectCall(C, C->getDirectCallee(), This, Args);
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
    llvm::SmallVector<const Expr *, 4> Args(C->arguments());
    collectCall(nullptr, C->getConstructor(), nullptr, Args);
  } else if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
    collect(dyn_cast<FunctionDecl>(D->getDecl())); // called through a pointer
  }
  if (!isa<LambdaExpr>(S))
    for (const Stmt *Child : S->children())
      collect(F, Child);
}

void WatchedVariables::collectCall(const Expr *E, const FunctionDecl *Callee,
                                   const Expr *This,
                                   llvm::ArrayRef<const Expr *> Args) {
  if (!Callee || P.recognizer().api(Callee) != ApiKind::None)
    return;
  const auto *M = dyn_cast<CXXMethodDecl>(Callee);
  if (This && M &&
      (M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator()) &&
      !Args.empty()) {
    llvm::SmallVector<Name, 2> To;
    placesOf(This, To);
    for (Name Place : To)
      add(Args[0], Place, This->getType());
  }
  auto Collect = [&](const FunctionDecl *F) {
    const FunctionDecl *Body = bodyOf(F);
    if (!Body)
      return;
    for (const auto &[Parm, Arg] : llvm::zip(Body->parameters(), Args))
      add(Arg, Parm, Parm->getType());
    if (This)
      Steps.push_back({This, Body->getBody(), /*IsCopy=*/false});
    collect(Body);
  };
  Collect(Callee);
  llvm::for_each(P.virtualCalls().overridersOf(Callee), Collect);
}

void WatchedVariables::placesOf(const Expr *E,
                                llvm::SmallVectorImpl<Name> &To) const {
  E = withoutCasts(E);
  if (const VarDecl *V = variableBehind(E))
    To.push_back(V);
  else if (isa<CXXThisExpr>(E))
    To.push_back(BodyOfThis.lookup(E));
  else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    placesOf(A->getBase(), To);
  else if (const auto *M = dyn_cast<MemberExpr>(E))
    placesOf(M->getBase(), To);
  else if (const auto *U = dyn_cast<UnaryOperator>(E))
    placesOf(U->getSubExpr(), To);
  else if (const auto *M = dyn_cast<CXXMemberCallExpr>(E))
    placesOf(M->getImplicitObjectArgument(), To);
  else if (isa<CallExpr, AbstractConditionalOperator, BinaryOperator>(E))
    for (const Stmt *Child : E->children())
      if (const auto *Part = dyn_cast_if_present<Expr>(Child);
          Part && (Part->isGLValue() || holdsPlaces(Part->getType())))
        placesOf(Part, To);
}

void WatchedVariables::addCopied(const Expr *E, Mentions &To) const {
  E = withoutCasts(E);
  if (E->isGLValue()) {
    addMentions(E, To);
  } else if (const auto *C = dyn_cast<CallExpr>(E)) {
    To.push_back({C, nullptr});
    if (const FunctionDecl *Body = bodyOf(C->getDirectCallee()))
      To.push_back({Body, nullptr});
  } else if (isa<AbstractConditionalOperator, CXXConstructExpr, InitListExpr>(
                 E)) {
    for (const Stmt *Child : E->children())
      if (const auto *Part = dyn_cast_if_present<Expr>(Child))
        addCopied(Part, To);
  }
}

WatchedVariables::Mention WatchedVariables::mentionOf(const Stmt *S) const {
  if (const VarDecl *V = variableBehind(S))
    return {V, nullptr};
  if (isa<CXXThisExpr>(S))
    return {BodyOfThis.lookup(S), nullptr};
  if (const FunctionDecl *F = runBy(S))
    return {nullptr, F};
  return {S, nullptr};
}

// Calls \p Do with the parts of \p S that run with it, until it says yes.
static bool anyPart(const Stmt *S, llvm::function_ref<bool(const Stmt *)> Do) {
  if (const auto *L = dyn_cast<LambdaExpr>(S))
    return llvm::any_of(L->capture_inits(), Do);
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
    return Do(D->getExpr());
  return llvm::any_of(S->children(), Do);
}

bool WatchedVariables::mayTouch(const Stmt *S) const {
  if (!S)
    return false;
  if (auto I = Touches.find(S); I != Touches.end())
    return I->second;
  const Mention M = mentionOf(S);
  const bool Found =
      (M.Callee ? touchesFromOutside(M.Callee)
                : Watched.contains(M.Variable)) ||
      anyPart(S, [&](const Stmt *Part) { return mayTouch(Part); });
  return Touches[S] = Found;
}

void WatchedVariables::addMentions(const Expr *E, Mentions &To) const {
  llvm::SmallDenseSet<Name, 16> Known;
  auto Find = [&](const Stmt *S, auto &Self) -> bool {
    if (!S)
      return false;
    const Mention M = mentionOf(S);
    // Of plain expressions only the roots are watched.
    const bool MayBeWatched = M.Variable != S || Roots.contains(S);
    if (MayBeWatched && Known.insert(M.Callee ? M.Callee : M.Variable).second)
      To.push_back(M);
    return anyPart(S, [&](const Stmt *Part) { return Self(Part, Self); });
  };
  Find(E, Find);
}

// Other than by what it is given: what a lambda has captured, for one.
void WatchedVariables::mentionsFromOutside(const FunctionDecl *F,
                                           Mentions &To) const {
  llvm::SmallDenseSet<Name, 16> Known;
  auto Find = [&](const Stmt *S, auto &Self) -> void {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (const VarDecl *V = variableBehind(S)) {
      if (V->getParentFunctionOrMethod() != F && Known.insert(V).second)
        To.push_back({V, nullptr});
      return;
    }
    if (const FunctionDecl *Callee = runBy(S);
        Callee && Known.insert(Callee).second)
      To.push_back({nullptr, Callee});
    for (const Stmt *Child : S->children())
      Self(Child, Self);
  };
  Find(F->getBody(), Find);
  for (const CXXMethodDecl *Other : P.virtualCalls().overridersOf(F))
    if (const FunctionDecl *Body = bodyOf(Other))
      To.push_back({nullptr, Body});
}

bool WatchedVariables::touchesFromOutside(const FunctionDecl *F) const {
  if (const auto I = Outside.find(F); I != Outside.end())
    return I->second;
  return OutsideOfOthers.of(F, [&] {
    Mentions List;
    mentionsFromOutside(F, List);
    return llvm::any_of(List, [&](const Mention &M) {
      return M.Callee ? touchesFromOutside(M.Callee)
                      : Watched.contains(M.Variable);
    });
  });
}
