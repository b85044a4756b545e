//===- HostFacts.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/HostFacts.h"
#include "lib/launch/TensorMaps.h"
#include "lib/source/Expressions.h"
#include "lib/source/Nesting.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;
using namespace cpasync;

const FunctionDecl *cpasync::definitionOf(const FunctionDecl *F) {
  const FunctionDecl *Body = nullptr;
  return F && F->hasBody(Body) ? Body : F;
}

/// A launcher: it keeps a cudaLaunchConfig_t, also called cudaLaunchConfig_st.
static bool holdsConfig(const RecordDecl *Class) {
  return llvm::any_of(Class->fields(), [](const FieldDecl *F) {
    const RecordDecl *R = F->getType()->getAsRecordDecl();
    return R && R->getIdentifier() &&
           R->getName().starts_with("cudaLaunchConfig_");
  });
}

bool cpasync::isOnHeap(const FunctionDecl *F) {
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  const auto *Class =
      M ? dyn_cast<ClassTemplateSpecializationDecl>(M->getParent()) : nullptr;
  if (!Class || !Class->isInStdNamespace())
    return false;
  return llvm::any_of(
      Class->getTemplateArgs().asArray(), [](const TemplateArgument &A) {
        const CXXRecordDecl *R = A.getKind() == TemplateArgument::Type
                                     ? A.getAsType()->getAsCXXRecordDecl()
                                     : nullptr;
        return R && R->isInStdNamespace() && R->getIdentifier() &&
               R->getName() == "allocator";
      });
}

const Expr *cpasync::objectOf(const CallExpr *E) {
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E))
    return M->getImplicitObjectArgument();
  return isa<CXXOperatorCallExpr>(E) && E->getNumArgs() &&
                 isa_and_present<CXXMethodDecl>(E->getDirectCallee())
             ? E->getArg(0)
             : nullptr;
}

llvm::ArrayRef<const Expr *> cpasync::boundArguments(const CallExpr *E) {
  const llvm::ArrayRef<const Expr *> All(E->getArgs(), E->getNumArgs());
  return isa<CXXOperatorCallExpr>(E) && objectOf(E) ? All.drop_front() : All;
}

bool cpasync::givesAway(QualType Type) {
  const QualType Pointee = Type->getPointeeType();
  return !Pointee.isNull() && !Pointee.isConstQualified() &&
         !Pointee->isFunctionType();
}

static llvm::ArrayRef<const Expr *> argumentsFrom(const CallExpr *E,
                                                  unsigned First) {
  return llvm::ArrayRef<const Expr *>(E->getArgs(), E->getNumArgs())
      .drop_front(First);
}

LaunchCall cpasync::launchOf(const CallExpr *E) {
  if (const auto *K = dyn_cast<CUDAKernelCallExpr>(E)) {
    // The grid, then the block; before them, two more arguments where device
    // code launches, as every lambda may.
    const CallExpr *Config = K->getConfig();
    if (!Config)
      return {};
    llvm::SmallVector<const Expr *, 2> Dims;
    llvm::copy_if(Config->arguments(), std::back_inserter(Dims),
                  [](const Expr *A) { return A->getType()->isRecordType(); });
    return Dims.size() == 2 ? LaunchCall{E->getCallee(), Dims[1], nullptr,
                                         argumentsFrom(E, 0), nullptr}
                            : LaunchCall{};
  }
  const FunctionDecl *F = E->getDirectCallee();
  if (!F || !F->getIdentifier() || E->getNumArgs() < 2)
    return {};
  const llvm::StringRef Name = F->getName();
  if (Name == "cudaLaunchKernelEx")
    return {E->getArg(1), nullptr, E->getArg(0), argumentsFrom(E, 2), nullptr};
  if (Name == "cudaLaunchKernelExC" && E->getNumArgs() > 2)
    return {E->getArg(1), nullptr, E->getArg(0), {}, E->getArg(2)};
  if (E->getNumArgs() > 3 &&
      (Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel"))
    return {E->getArg(0), E->getArg(2), nullptr, {}, E->getArg(3)};
  return {};
}

/// The variable that \p E is, is a part of, points into, or is the address of;
/// of the members of an object, \p Method that is called on it.
static const Decl *baseOf(const Expr *E, const FunctionDecl *Method) {
  while (E) {
    E = withoutCopies(E)->IgnoreParenCasts();
    if (const auto *M = dyn_cast<MemberExpr>(E))
      E = isa<FieldDecl>(M->getMemberDecl()) ? M->getBase() : nullptr;
    else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      E = A->getBase();
    else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && (U->getOpcode() == UO_AddrOf || U->getOpcode() == UO_Deref))
      E = U->getSubExpr();
    else if (const auto *B = dyn_cast<BinaryOperator>(E);
             B && B->isAdditiveOp() && B->getType()->isPointerType())
      E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
    else if (const auto *D = dyn_cast<DeclRefExpr>(E))
      return isa<VarDecl>(D->getDecl()) ? D->getDecl() : nullptr;
    else
      return isa<CXXThisExpr>(E) ? Method : nullptr;
  }
  return nullptr;
}

void cpasync::forEachChanged(const Stmt *S, const FunctionDecl *Method,
                             llvm::function_ref<void(const Decl *)> Do) {
  auto Change = [&](const Expr *E) {
    if (const Decl *D = baseOf(E, Method))
      Do(D);
  };
  auto Give = [&](const FunctionDecl *To,
                  llvm::ArrayRef<const Expr *> Arguments) {
    for (const auto &[I, Argument] : llvm::enumerate(Arguments))
      if (givesAway(To && I < To->getNumParams()
                        ? To->getParamDecl(I)->getType()
                        : Argument->getType()))
        Change(Argument);
  };
  if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    if (B->isAssignmentOp())
      Change(B->getLHS());
  } else if (const auto *U = dyn_cast<UnaryOperator>(S)) {
    if (U->isIncrementDecrementOp())
      Change(U->getSubExpr());
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
    Give(C->getConstructor(), {C->getArgs(), C->getNumArgs()});
  } else if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = C->getDirectCallee();
    Give(F, boundArguments(C));
    const auto *M = dyn_cast_if_present<CXXMethodDecl>(F);
    if (const Expr *Object = objectOf(C); Object && M && !M->isConst())
      Change(Object);
  }
}

namespace {
/// What is read once of the whole file.
struct Reading {
  /// The value of From may go into To.
  struct Flow {
    const Decl *To, *From;
  };
  struct Use {
    const FunctionDecl *By;
    const Decl *Of;
  };
  std::vector<Flow> Flows;
  std::vector<const Decl *> Seeds;
  std::vector<const Decl *> Maps; ///< seeds if tensor maps are encoded
  bool EncodesMaps = false;
  std::vector<Use> Calls, Changes;
  std::vector<const FunctionDecl *> Launching; ///< in the order of the file
};

class HostReader : public RecursiveASTVisitor<HostReader> {
  using Base = RecursiveASTVisitor<HostReader>;

public:
  explicit HostReader(Reading &R) : R(R) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *D) {
    const auto *Context = dyn_cast_if_present<DeclContext>(D);
    if (Context && (isa<FunctionDecl>(D) || isa<CXXRecordDecl>(D)) &&
        Context->isDependentContext())
      return true;
    const FunctionDecl *Outer = Current;
    if (const auto *F = dyn_cast_if_present<FunctionDecl>(D)) {
      if (F->doesThisDeclarationHaveABody() && isNestedTooDeeply(F->getBody()))
        return true;
      if (isOnHeap(F))
        return true;
      Current = F;
    } else if (const auto *V = dyn_cast_if_present<VarDecl>(D)) {
      if (V->getInit() && isNestedTooDeeply(V->getInit()))
        return true;
    }
    const bool Result = Base::TraverseDecl(D);
    Current = Outer;
    return Result;
  }
  bool TraverseLambdaExpr(LambdaExpr *E) {
    const FunctionDecl *Outer = Current;
    Current = E->getCallOperator();
    bool Result = true;
    if (const FunctionTemplateDecl *T = E->getDependentCallOperator()) {
      for (FunctionDecl *Instance : T->specializations())
        Result = Result && TraverseDecl(Instance);
    } else {
      Result = Base::TraverseLambdaExpr(E);
    }
    Current = Outer;
    return Result;
  }

  bool VisitVarDecl(VarDecl *V) {
    if (!isa<ParmVarDecl>(V) && V->getInit())
      exchange(V, V->getInit(), givesAway(V->getType()));
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *S) {
    if (Current && S->getRetValue())
      flow(Current, S->getRetValue());
    return true;
  }
  bool VisitStmt(Stmt *S) {
    forEachChanged(S, Current,
                   [&](const Decl *D) { R.Changes.push_back({Current, D}); });
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->isAssignmentOp())
      if (const Decl *D = baseOf(E->getLHS(), Current))
        flow(D, E->getRHS());
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    if (const LaunchCall Launch = launchOf(E)) {
      if (Current && (R.Launching.empty() || R.Launching.back() != Current))
        R.Launching.push_back(Current);
      for (const Expr *Part : {Launch.Kernel, Launch.Block, Launch.Config})
        if (Part)
          forEachRead(Part, [&](const Decl *D) { R.Seeds.push_back(D); });
      for (const Expr *Argument : Launch.Arguments)
        if (holdsTensorMap(Argument->getType()))
          forEachRead(Argument, [&](const Decl *D) { R.Maps.push_back(D); });
      forEachRead(Launch.Packed, [&](const Decl *D) { R.Maps.push_back(D); });
      return true;
    }
    if (const EncodingCall Of = encodingOf(E)) {
      R.EncodesMaps = true;
      if (const Decl *Map = baseOf(Of.Map, Current))
        for (const Expr *Part :
             {Of.ElementType, Of.Rank, Of.Box, Of.Strides, Of.Interleave})
          flow(Map, Part);
      return true;
    }
    const FunctionDecl *F = definitionOf(E->getDirectCallee());
    if (!F)
      return true;
    const Expr *Object = objectOf(E);
    const auto Operator = dyn_cast<CXXOperatorCallExpr>(E);
    if (Operator && Operator->getOperator() == OO_Equal && Object)
      if (const Decl *D = baseOf(Object, Current))
        flow(D, E->getArg(1));
    if (!F->hasBody() || isOnHeap(F))
      return true;
    if (Current)
      R.Calls.push_back({Current, F});
    if (Object)
      exchange(F, Object, !cast<CXXMethodDecl>(F)->isConst());
    for (const auto &[I, Argument] : llvm::enumerate(boundArguments(E)))
      if (I < F->getNumParams())
        exchange(F->getParamDecl(I), Argument,
                 givesAway(F->getParamDecl(I)->getType()));
    return true;
  }
  bool VisitCXXConstructorDecl(CXXConstructorDecl *C) {
    for (const CXXCtorInitializer *Init : C->inits())
      if (Init->getInit() && holdsConfig(C->getParent()))
        flow(C, Init->getInit());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    const auto *C = cast<CXXConstructorDecl>(definitionOf(E->getConstructor()));
    for (const auto &[P, Argument] : llvm::zip(C->parameters(), E->arguments()))
      exchange(P, Argument, givesAway(P->getType()));
    return true;
  }

private:
  void forEachRead(const Stmt *S, llvm::function_ref<void(const Decl *)> Do) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
      if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl()))
        Do(definitionOf(F));
      else if (isa<VarDecl>(D->getDecl()))
        Do(D->getDecl());
    } else if (const auto *M = dyn_cast<MemberExpr>(S)) {
      if (const auto *F = dyn_cast<FunctionDecl>(M->getMemberDecl()))
        Do(definitionOf(F));
      else if (isa<VarDecl>(M->getMemberDecl()))
        Do(M->getMemberDecl());
    } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
      if (holdsConfig(C->getConstructor()->getParent()))
        Do(definitionOf(C->getConstructor()));
    } else if (isa<CXXThisExpr>(S)) {
      if (Current)
        Do(Current);
    } else if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(S)) {
      forEachRead(Default->getExpr(), Do);
    }
    for (const Stmt *Child : S->children())
      forEachRead(Child, Do);
  }
  void flow(const Decl *To, const Expr *From) {
    forEachRead(From, [&](const Decl *D) { R.Flows.push_back({To, D}); });
  }
  /// \p Inside stands for \p Argument, while a function runs or for good.
  void exchange(const Decl *Inside, const Expr *Argument, bool Back) {
    flow(Inside, Argument);
    if (const Decl *D = Back ? baseOf(Argument, Current) : nullptr)
      R.Flows.push_back({D, Inside});
  }

  Reading &R;
  const FunctionDecl *Current = nullptr;
};
} // namespace

/// Adds to \p Set what \p Edges lead to from it.
static void close(llvm::DenseSet<const Decl *> &Set,
                  llvm::ArrayRef<std::pair<const Decl *, const Decl *>> Edges) {
  llvm::DenseMap<const Decl *, llvm::SmallVector<const Decl *, 2>> Next;
  for (const auto &[From, To] : Edges)
    Next[From].push_back(To);
  std::vector<const Decl *> Work(Set.begin(), Set.end());
  while (!Work.empty()) {
    const Decl *D = Work.back();
    Work.pop_back();
    for (const Decl *To : Next.lookup(D))
      if (Set.insert(To).second)
        Work.push_back(To);
  }
}

/// \p D belongs to \p F, and nobody else sees it.
static bool isLocalOf(const Decl *D, const FunctionDecl *F) {
  const auto *V = dyn_cast<VarDecl>(D);
  return V && F && V->hasLocalStorage() && V->getDeclContext() == F &&
         !givesAway(V->getType());
}

HostFacts::HostFacts(ASTContext &Ctx) {
  Reading R;
  HostReader(R).TraverseAST(Ctx);
  if (R.Launching.empty())
    return;
  std::vector<std::pair<const Decl *, const Decl *>> Sources, Callers;
  for (const Reading::Flow &X : R.Flows)
    Sources.emplace_back(X.To, X.From);
  for (const Reading::Use &X : R.Calls)
    Callers.emplace_back(X.Of, X.By);
  Wanted.insert(R.Seeds.begin(), R.Seeds.end());
  if (R.EncodesMaps)
    Wanted.insert(R.Maps.begin(), R.Maps.end());
  close(Wanted, Sources);

  llvm::DenseSet<const Decl *> Leading(R.Launching.begin(), R.Launching.end());
  close(Leading, Callers);
  Active = Leading;
  for (const Reading::Use &X : R.Changes) {
    Assigned.insert(X.Of);
    if (X.By && Wanted.contains(X.Of) && !isLocalOf(X.Of, X.By))
      Active.insert(X.By);
  }
  close(Active, Callers);

  llvm::DenseSet<const Decl *> Called;
  for (const Reading::Use &X : R.Calls) {
    Called.insert(X.Of);
    const auto *Of = cast<FunctionDecl>(X.Of);
    if (Leading.contains(Of) && !llvm::is_contained(Leads[X.By], Of))
      Leads[X.By].push_back(Of);
  }
  llvm::SetVector<const FunctionDecl *> Found;
  for (const Reading::Use &X : R.Calls)
    if (Leading.contains(X.By) && !Called.contains(X.By))
      Found.insert(X.By);
  Found.insert(R.Launching.begin(), R.Launching.end());
  Roots = Found.takeVector();
}

llvm::ArrayRef<const FunctionDecl *>
HostFacts::leadingCallees(const FunctionDecl *F) const {
  const auto At = Leads.find(F);
  return At == Leads.end() ? llvm::ArrayRef<const FunctionDecl *>()
                           : At->second;
}

bool HostFacts::matters(const Stmt *S, const FunctionDecl *F) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (auto I = Matters.find(S); I != Matters.end())
    return I->second;
  bool Found = isa<ReturnStmt, BreakStmt, ContinueStmt>(S);
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *Callee = C->getDirectCallee();
    Found =
        launchOf(C) ||
        (Callee && (Callee->isNoReturn() || isActive(definitionOf(Callee))));
  } else if (const auto *D = dyn_cast<DeclStmt>(S)) {
    Found =
        llvm::any_of(D->decls(), [&](const Decl *X) { return isWanted(X); });
  }
  if (!Found)
    forEachChanged(S, F, [&](const Decl *D) { Found |= isWanted(D); });
  Found = Found || llvm::any_of(S->children(),
                                [&](const Stmt *X) { return matters(X, F); });
  return Matters[S] = Found;
}
