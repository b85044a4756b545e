//===- Effects.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Expressions.h"
#include "lib/source/FunctionInfo.h"
#include "lib/source/Nesting.h"
#include "lib/source/ParseErrors.h"
#include "lib/source/Spellings.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

Program::Program(ASTContext &Ctx) : Ctx(Ctx), Layout(Ctx), Virtual(Ctx) {}
Program::~Program() = default;

const Spellings &Program::spellings() {
  if (!Written)
    Written = std::make_unique<Spellings>(*this);
  return *Written;
}

const FunctionInfo &Program::function(const FunctionDecl *F) {
  std::unique_ptr<FunctionInfo> &Info = Functions[F];
  if (!Info) {
    auto New = std::make_unique<FunctionInfo>(*this, F);
    // The constructor may have added functions: look the slot up again.
    return *(Functions[F] = std::move(New));
  }
  return *Info;
}

// Of a destructor, the types of the members and bases that are destroyed too.
static void forEachPart(const FunctionDecl *F,
                        llvm::function_ref<void(QualType)> Do) {
  const auto *D = dyn_cast<CXXDestructorDecl>(F);
  if (!D)
    return;
  for (const FieldDecl *Field : D->getParent()->fields())
    Do(Field->getType());
  for (const CXXBaseSpecifier &Base : D->getParent()->bases())
    Do(Base.getType());
}

bool Program::isTooDeep(const FunctionDecl *Body) {
  const auto [I, New] = TooDeep.try_emplace(Body, false);
  return New ? TooDeep[Body] = isNestedTooDeeply(Body->getBody()) : I->second;
}

unsigned Program::effects(const FunctionDecl *F) {
  const ApiKind K = R.api(F);
  if (K != ApiKind::None)
    return effectsOf(K);
  const FunctionDecl *Body = nullptr;
  const auto Overriders = Virtual.overridersOf(F);
  if (!F->hasBody(Body) && Overriders.empty()) {
    if (failedTemplate(F))
      return EffectMemory | EffectUnknown;
    // An unknown function can reach memory only through what it is given.
    unsigned E = EffectNone;
    for (const ParmVarDecl *P : F->parameters())
      E |= P->getType()->isPointerType()     ? EffectMemory
           : P->getType()->isReferenceType() ? EffectReferred
                                             : EffectNone;
    return E;
  }
  return Effects.of(Body ? Body : F->getCanonicalDecl(), [&] {
    unsigned E = Body ? effectsOfBody(Body) : EffectNone;
    for (const CXXMethodDecl *Other : Overriders)
      E |= effects(Other);
    return E;
  });
}

unsigned Program::effectsOfBody(const FunctionDecl *Body) {
  if (isTooDeep(Body))
    forPartsFirst(Body->getBody(), [&](const Stmt *S) { effects(S); });
  unsigned E = effects(Body->getBody());
  if (const auto *C = dyn_cast<CXXConstructorDecl>(Body))
    for (const CXXCtorInitializer *Init : C->inits())
      E |= effects(Init->getInit());
  forEachPart(Body, [&](QualType T) {
    if (const CXXDestructorDecl *D = destructorOf(T))
      E |= effects(D);
  });
  return E;
}

const CXXDestructorDecl *Program::destructorOf(QualType T) {
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  if (!R || R->isDependentType() || R->hasTrivialDestructor() ||
      Ctx.getSourceManager().isInSystemHeader(R->getLocation()))
    return nullptr;
  const CXXDestructorDecl *D = R->getDestructor();
  const FunctionDecl *Body = nullptr;
  return D && D->hasBody(Body) && (effects(Body) || stores(Body))
             ? cast<CXXDestructorDecl>(Body)
             : nullptr;
}

unsigned Program::effects(const Stmt *S) {
  return S ? Effects.of(S, [&] { return computeEffects(S); }) : EffectNone;
}

// A variable of the function itself: nothing other threads can see.
static bool isRegister(const Expr *E, ASTContext &Ctx) {
  E = E->IgnoreParenCasts();
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      return (V->hasLocalStorage() && !V->getType()->isReferenceType() &&
              !V->getType()->isPointerType()) ||
             V->isConstexpr();
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return !M->isArrow() && !M->getType()->isPointerType() &&
           isRegister(M->getBase(), Ctx);
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return !A->getType()->isPointerType() && isRegister(A->getBase(), Ctx);
  return false;
}

static const FunctionDecl *namedFunction(const Stmt *S) {
  const auto *D = dyn_cast<DeclRefExpr>(S);
  return D ? dyn_cast<FunctionDecl>(D->getDecl()) : nullptr;
}

static bool isThis(const Expr *E) {
  return isa<CXXThisExpr>(E->IgnoreParenCasts());
}

unsigned Program::effectsOfAccess(const Expr *Place) {
  while (Place->isGLValue() && isa<CastExpr, ParenExpr>(Place))
    Place = isa<CastExpr>(Place) ? cast<CastExpr>(Place)->getSubExpr()
                                 : cast<ParenExpr>(Place)->getSubExpr();
  if (!Place->isGLValue() || isa<MaterializeTemporaryExpr>(Place) ||
      isRegister(Place, Ctx))
    return EffectNone;
  if (const auto *M = dyn_cast<MemberExpr>(Place);
      M && !M->isArrow() && isa<FieldDecl>(M->getMemberDecl()) &&
      !M->getMemberDecl()->getType()->isReferenceType())
    return effectsOfAccess(M->getBase());
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(Place))
    if (const Expr *Array = A->getBase()->IgnoreParenImpCasts();
        Array->getType()->isArrayType())
      return effectsOfAccess(Array);
  if (const auto *U = dyn_cast<UnaryOperator>(Place);
      U && U->getOpcode() == UO_Deref && isThis(U->getSubExpr()))
    return EffectReferred;
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(Place))
    return effectsOfAccess(C->getTrueExpr()) |
           effectsOfAccess(C->getFalseExpr());
  return effects(Place) & EffectsOfAccesses;
}

// Of reading or writing what a name stands for, if it is a reference.
unsigned Program::effectsOfReferred(const DeclRefExpr *Name) {
  const ValueDecl *D = Name->getDecl();
  if (const auto *B = dyn_cast<BindingDecl>(D))
    D = B->getDecomposedDecl();
  const auto *V = dyn_cast_if_present<VarDecl>(D);
  if (!V || !V->getType()->isReferenceType())
    return EffectNone;
  const QualType T = V->getType()->getPointeeType();
  if (T->isFunctionType() || isHollow(T))
    return EffectNone;
  unsigned E = EffectMemory;
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    E = Globals.isGiven(P) ? EffectNone : EffectReferred;
  } else if (V->getInit() && Followed.insert(V).second) {
    // One that is bound to itself stands for nothing.
    E = effectsOfAccess(V->getInit());
    Followed.erase(V);
  }
  // Whoever calls a lambda does not choose what it has captured.
  return (E & EffectReferred) && Name->refersToEnclosingVariableOrCapture()
             ? EffectMemory
             : E;
}

static bool capturesThis(const FunctionDecl *F) {
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  return M && M->getParent()->isLambda() &&
         llvm::any_of(M->getParent()->captures(),
                      [](const LambdaCapture &C) { return C.capturesThis(); });
}

// Calls reach what they are given by reference, and \p Object, which they may
// be given a pointer to; null: none.
unsigned Program::effectsOfCall(const FunctionDecl *Callee,
                                llvm::ArrayRef<const Expr *> Given,
                                const Expr *Object) {
  unsigned E = effects(Callee);
  if (!(E & EffectReferred))
    return E;
  E &= ~EffectReferred;
  if (capturesThis(Callee))
    E |= EffectMemory;
  for (const Expr *A : Given)
    if (A->isGLValue())
      E |= effectsOfAccess(A);
  if (Object && Object->isGLValue())
    E |= effectsOfAccess(Object);
  else if (Object && Object->getType()->isPointerType() &&
           !Globals.isGlobal(Object))
    E |= isThis(Object) ? EffectReferred : EffectMemory;
  return E;
}

static bool isUnreachable(const Stmt *S) {
  const auto *C = dyn_cast_if_present<CallExpr>(S);
  return C && C->getBuiltinCallee() == Builtin::BI__builtin_unreachable;
}

/// A side of a condition, or what follows a label.
static bool endsUnreachable(const Stmt *Side) {
  const auto *Block = dyn_cast_if_present<CompoundStmt>(Side);
  return isUnreachable(Block && !Block->body_empty() ? Block->body_back()
                                                     : Side);
}

// That the end of a function is never come to says nothing of what it was
// given; that a side of a condition is not, does.
static bool mayStop(Recognizer &R, const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    return !If->isConstexpr() &&
           (endsUnreachable(If->getThen()) || endsUnreachable(If->getElse()));
  if (const auto *Case = dyn_cast<SwitchCase>(S))
    return endsUnreachable(Case->getSubStmt());
  return R.stopsKernel(S) && !isUnreachable(S);
}

unsigned Program::computeEffects(const Stmt *S) {
  unsigned E = mayStop(R, S) ? EffectStop : EffectNone;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    E |= R.inlineAsm(A).Effects;
  } else if (const auto *C = dyn_cast<CallExpr>(S)) {
    const auto *M = dyn_cast<CXXMemberCallExpr>(C);
    if (const FunctionDecl *Callee = C->getDirectCallee())
      E |= effectsOfCall(Callee, {C->getArgs(), C->getNumArgs()},
                         M ? M->getImplicitObjectArgument() : nullptr);
    else if (!C->isTypeDependent())
      E |= EffectMemory;
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
    E |= effectsOfCall(C->getConstructor(), {C->getArgs(), C->getNumArgs()},
                       /*Object=*/nullptr);
  } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(S)) {
    // Of an array, what names it tells.
    if (!A->getBase()->IgnoreParenImpCasts()->getType()->isArrayType() &&
        !Globals.isGlobal(A->getBase()))
      E |= EffectMemory;
  } else if (const auto *U = dyn_cast<UnaryOperator>(S)) {
    if (U->getOpcode() == UO_Deref &&
        !isa<CXXThisExpr>(U->getSubExpr()->IgnoreParenCasts()) &&
        !Globals.isGlobal(U->getSubExpr()))
      E |= EffectMemory;
  } else if (const auto *M = dyn_cast<MemberExpr>(S)) {
    const bool OfThis = M->isArrow() && isThis(M->getBase());
    if ((M->isArrow() && !OfThis) ||
        M->getMemberDecl()->getType()->isReferenceType())
      E |= EffectMemory;
    else if (OfThis && isa<FieldDecl>(M->getMemberDecl()) &&
             !isHollow(M->getType()))
      E |= EffectReferred;
  } else if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
    if (D->getDecl()->hasAttr<CUDASharedAttr>())
      E |= EffectMemory | EffectShared;
    E |= effectsOfReferred(D);
    // What is named here may be called through a pointer.
    if (const FunctionDecl *F = namedFunction(S))
      E |= effects(F);
  } else if (isa<RecoveryExpr>(S)) {
    E |= EffectUnknown;
  }
  if (const auto *L = dyn_cast<LambdaExpr>(S)) {
    for (const Expr *Init : L->capture_inits())
      E |= effects(Init);
    return E;
  }
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const Decl *X : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(X))
        if (const CXXDestructorDecl *Dtor = destructorOf(typeOfObject(V)))
          E |= effects(Dtor);
  // Temporaries end somewhere, whoever gets them. Templates have expressions
  // that are of no type yet.
  if (const auto *New = dyn_cast<Expr>(S); New && New->isPRValue() &&
                                           !New->getType().isNull() &&
                                           New->getType()->isRecordType())
    if (const CXXDestructorDecl *Dtor = destructorOf(New->getType()))
      E |= effects(Dtor);
  for (const Stmt *Child : S->children())
    E |= effects(Child);
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(S))
    E |= effects(D->getExpr());
  return E;
}

namespace {
// Counts what a thin wrapper may have one of.
unsigned countOperations(Program &P, const Stmt *S, bool &HasLoop) {
  if (!S || !P.effects(S))
    return 0;
  HasLoop |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
  if (const auto *A = dyn_cast<GCCAsmStmt>(S))
    return P.recognizer().inlineAsm(A).Effects != EffectNone;
  unsigned N = 0;
  if (const auto *C = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *F = C->getDirectCallee())
      if (P.effects(F) & (EffectCopy | EffectGroup | EffectBarrier))
        N = P.recognizer().api(F) != ApiKind::None || P.isThinWrapper(F) ? 1
                                                                         : 2;
  for (const Stmt *Child : S->children())
    N += countOperations(P, Child, HasLoop);
  return N;
}
} // namespace

bool Program::isThinWrapper(const FunctionDecl *F) {
  const FunctionDecl *Body = nullptr;
  if (F->hasAttr<CUDAGlobalAttr>() || !F->hasBody(Body) || isTooDeep(Body))
    return false;
  auto [I, New] = ThinWrappers.try_emplace(Body, false);
  if (!New)
    return I->second;
  bool HasLoop = false;
  unsigned N = countOperations(*this, Body->getBody(), HasLoop);
  return ThinWrappers[Body] = N == 1 && !HasLoop;
}

// The lvalue is part of a payload that is written as something else:
// `*(unsigned *)&Half`.
static bool isInPayload(Program &P, const Expr *E) {
  bool Dereferenced = false;
  while (true) {
    QualType T = E->getType();
    if (const Type *Inner =
            Dereferenced ? T->getPointeeOrArrayElementType() : nullptr;
        P.isPayload(Inner ? QualType(Inner, 0) : T))
      return true;
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      E = C->getSubExpr();
    } else if (const auto *Paren = dyn_cast<ParenExpr>(E)) {
      E = Paren->getSubExpr();
    } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      E = A->getBase();
      Dereferenced = true;
    } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
      E = M->getBase();
      Dereferenced = M->isArrow();
    } else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U &&
               (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf)) {
      E = U->getSubExpr();
      Dereferenced = U->getOpcode() == UO_Deref;
    } else {
      return false;
    }
  }
}

// In a lambda: part of a variable that belongs to the function around it.
static bool isCaptured(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return isCaptured(M->getBase());
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    return isCaptured(A->getBase());
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D && D->refersToEnclosingVariableOrCapture();
}

unsigned Program::stores(const Stmt *S) {
  // Zero if what is written at E is of no use for an address.
  auto Written = [&](const Expr *E,
                     unsigned AsWhat = StoresNumbers) -> unsigned {
    if ((isRegister(E, Ctx) && !isCaptured(E)) ||
        (isPayload(E->getType()) && !Compared.isOne(E)))
      return 0;
    return isInPayload(*this, E) ? StoresUnknown : AsWhat;
  };
  if (!S || isa<LambdaExpr>(S))
    return 0;
  unsigned Found = 0;
  if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    if (B->isAssignmentOp())
      Found |= Written(B->getLHS());
  } else if (const auto *U = dyn_cast<UnaryOperator>(S)) {
    if (U->isIncrementDecrementOp())
      Found |= Written(U->getSubExpr());
  } else if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    bool Followed = llvm::any_of(R.inlineAsm(A).Ops, [](const PtxOp &Op) {
      return Op.Kind != PtxOpKind::Other &&
             !(Op.Kind == PtxOpKind::Compute && computesPayload(*Op.Inst));
    });
    for (unsigned I = 0; I < A->getNumOutputs(); ++I)
      Found |= Written(A->getOutputExpr(I),
                       Followed ? StoresNumbers : StoresUnknown);
  } else if (const auto *C = dyn_cast<CallExpr>(S)) {
    // A function that is called through a pointer is judged where it is named.
    if (const FunctionDecl *F = C->getDirectCallee())
      Found |= stores(F);
  } else if (const FunctionDecl *F = namedFunction(S)) {
    Found |= stores(F);
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(S)) {
    if (!C->getConstructor()->isTrivial())
      Found |= stores(C->getConstructor());
  }
  for (const Stmt *Child : S->children())
    Found |= stores(Child);
  return Found;
}

static bool returnsOnlyThis(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return true;
  if (const auto *R = dyn_cast<ReturnStmt>(S)) {
    const auto *Deref = dyn_cast_if_present<UnaryOperator>(R->getRetValue());
    return Deref && Deref->getOpcode() == UO_Deref &&
           isa<CXXThisExpr>(Deref->getSubExpr()->IgnoreParenImpCasts());
  }
  return llvm::all_of(S->children(), returnsOnlyThis);
}

bool Program::returnsThis(const FunctionDecl *F) {
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  const FunctionDecl *Body = nullptr;
  if (!M || !M->isInstance() || !F->getReturnType()->isReferenceType() ||
      !F->hasBody(Body) || isTooDeep(Body))
    return false;
  auto [I, New] = ReturnThis.try_emplace(Body, false);
  if (New)
    I->second = returnsOnlyThis(Body->getBody());
  return I->second;
}

unsigned Program::stores(const FunctionDecl *F) {
  const FunctionDecl *Body = nullptr;
  if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && M->isTrivial()) {
    QualType T = Ctx.getCanonicalTagType(M->getParent());
    bool Assigns =
        M->isCopyAssignmentOperator() || M->isMoveAssignmentOperator();
    return Assigns && !isHollow(T) && !isPayload(T) ? StoresNumbers : 0;
  }
  const auto Overriders = Virtual.overridersOf(F);
  if (!F->hasBody(Body) && Overriders.empty())
    return llvm::any_of(F->parameters(),
                        [](const ParmVarDecl *P) {
                          QualType T = P->getType();
                          return (T->isPointerType() || T->isReferenceType()) &&
                                 !T->getPointeeType().isConstQualified();
                        })
               ? StoresNumbers
               : 0;
  if (Body && isTooDeep(Body))
    return StoresNumbers | StoresUnknown;
  return Stores.of(Body ? Body : F->getCanonicalDecl(), [&] {
    unsigned Found = Body ? storesOfBody(Body) : 0;
    for (const CXXMethodDecl *Other : Overriders)
      Found |= stores(Other);
    return Found;
  });
}

unsigned Program::storesOfBody(const FunctionDecl *Body) {
  unsigned Found = stores(Body->getBody());
  if (const auto *C = dyn_cast<CXXConstructorDecl>(Body))
    for (const CXXCtorInitializer *Init : C->inits())
      Found |= stores(Init->getInit());
  forEachPart(Body, [&](QualType T) {
    if (const CXXDestructorDecl *D = destructorOf(T))
      Found |= stores(D);
  });
  return Found;
}
