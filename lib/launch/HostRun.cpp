//===- HostRun.cpp - Statements -------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/HostRun.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace cpasync;

/// Ways that are told apart, and rounds of a loop.
static constexpr unsigned MaxWays = 16, MaxRounds = 64;
/// Rounds that may differ if it is not known how many there are.
static constexpr unsigned MaxOpenRounds = 3;

bool HostRun::isSpent() {
  const bool Is = ++Steps > MaxSteps || Nested >= MaxNested;
  IsCutShort |= Is;
  return Is;
}

void HostRun::follow(const FunctionDecl *Root) {
  if (Followed.contains(Root))
    return;
  Steps = 0;
  enter(Root, {HostWorld()}, HostWorld());
  AllSteps += Steps;
  // Once is enough, also if that was not all of it.
  if (!Followed.insert(Root).second)
    return;
  for (const FunctionDecl *Callee : Facts.leadingCallees(Root))
    if (AllSteps < MaxAllSteps)
      follow(Callee);
}

void HostRun::add(Worlds &To, HostWorld World) {
  if (llvm::is_contained(To, World))
    return;
  if (To.size() < MaxWays)
    To.push_back(std::move(World));
  else
    To.back().join(World);
}

void HostRun::add(Worlds &To, Worlds More) {
  for (HostWorld &World : More)
    add(To, std::move(World));
}

void HostRun::Ways::addExits(Ways Of) {
  add(Break, std::move(Of.Break));
  add(Continue, std::move(Of.Continue));
  add(Return, std::move(Of.Return));
}

HostRun::Ways HostRun::run(const Stmt *S, Worlds In) {
  Ways R;
  R.Next = std::move(In);
  if (R.Next.empty() || !Facts.matters(S, Stack.back()))
    return R;
  if (isSpent())
    return {};
  const llvm::SaveAndRestore Deeper(Nested, Nested + 1);
  if (const auto *E = dyn_cast<Expr>(S)) {
    R.Next = runEffects(E, R.Next);
    return R;
  }
  if (const auto *If = dyn_cast<IfStmt>(S))
    return runIf(If, R.Next);
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return runSwitch(Switch, R.Next);
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    R = run(For->getInit(), std::move(R.Next));
    const Expr *Forever = For->getCond();
    return Forever ? runLoop(Forever, For->getBody(), For->getInc(),
                             std::move(R.Next), /*BodyFirst=*/false)
                   : runLoop(nullptr, For->getBody(), For->getInc(),
                             std::move(R.Next), /*BodyFirst=*/true);
  }
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return runLoop(While->getCond(), While->getBody(), nullptr,
                   std::move(R.Next), /*BodyFirst=*/false);
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return runLoop(Do->getCond(), Do->getBody(), nullptr, std::move(R.Next),
                   /*BodyFirst=*/true);
  if (const auto *Each = dyn_cast<CXXForRangeStmt>(S))
    return runEach(Each, std::move(R.Next));
  if (const auto *Try = dyn_cast<CXXTryStmt>(S))
    return run(Try->getTryBlock(), std::move(R.Next));
  if (isa<BreakStmt>(S))
    std::swap(R.Next, R.Break);
  else if (isa<ContinueStmt>(S))
    std::swap(R.Next, R.Continue);
  else if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    Worlds Returning = std::move(R.Next);
    R.Next.clear();
    for (HostWorld &World : Returning)
      if (!Return->getRetValue())
        add(R.Return, std::move(World));
      else
        for (auto &[After, Value] :
             evaluate(Return->getRetValue(), std::move(World))) {
          if (const VarDecl *V = Return->getNRVOCandidate())
            Value.BuiltIn = V;
          After.Returned = std::move(Value);
          add(R.Return, std::move(After));
        }
  } else if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Decls->decls())
      if (const auto *V = dyn_cast<VarDecl>(D))
        R.Next = declare(V, R.Next);
  } else {
    for (const Stmt *Child : S->children()) {
      Ways Part = run(Child, std::move(R.Next));
      R.Next = std::move(Part.Next);
      R.addExits(std::move(Part));
    }
  }
  return R;
}

bool HostRun::decide(const Expr *Condition, const Worlds &In, Worlds &Yes,
                     Worlds &No) {
  bool IsKnown = true;
  for (const HostWorld &World : In) {
    const Outcomes Values =
        Condition ? evaluate(Condition, World) : Outcomes{{World, {}}};
    for (const auto &[After, Value] : Values) {
      const std::optional<int64_t> Number = Value.number();
      IsKnown = IsKnown && Number.has_value();
      if (Number.value_or(1))
        add(Yes, After);
      if (!Number.value_or(0))
        add(No, After);
    }
  }
  return IsKnown;
}

HostRun::Ways HostRun::runIf(const IfStmt *S, const Worlds &In) {
  Ways R = run(S->getInit(), In);
  if (const VarDecl *V = S->getConditionVariable())
    R.Next = declare(V, R.Next);
  Worlds Yes, No;
  decide(S->getCond(), R.Next, Yes, No);
  R = run(S->getThen(), std::move(Yes));
  Ways Else = run(S->getElse(), std::move(No));
  add(R.Next, std::move(Else.Next));
  R.addExits(std::move(Else));
  return R;
}

/// What \p Label, a statement of a switch's body, is for, and whether it is for
/// all others, too.
static llvm::SmallVector<const CaseStmt *> casesOf(const Stmt *Label,
                                                   bool &IsDefault) {
  llvm::SmallVector<const CaseStmt *> Cases;
  for (; const auto *X = dyn_cast<SwitchCase>(Label); Label = X->getSubStmt())
    if (const auto *Case = dyn_cast<CaseStmt>(X))
      Cases.push_back(Case);
    else
      IsDefault = true;
  return Cases;
}

bool HostRun::isCase(const Stmt *Label, std::optional<int64_t> Value) {
  bool IsDefault = false;
  return llvm::any_of(casesOf(Label, IsDefault), [&](const CaseStmt *Case) {
    const auto Is = Constants.integer(Case->getLHS());
    return !Value || !Is || int64Of(*Is) == *Value;
  });
}

HostRun::Ways HostRun::runSwitch(const SwitchStmt *S, const Worlds &In) {
  Ways R = run(S->getInit(), In);
  if (const VarDecl *V = S->getConditionVariable())
    R.Next = declare(V, R.Next);
  const auto *Body = dyn_cast<CompoundStmt>(S->getBody());
  if (!Body)
    return R;
  const Worlds Before = std::exchange(R.Next, {});
  for (const HostWorld &World : Before)
    for (const auto &[After, Value] : evaluate(S->getCond(), World)) {
      const auto Number = Value.number();
      const bool IsOther =
          !Number || llvm::none_of(Body->body(), [&](const Stmt *Label) {
            return isCase(Label, Number);
          });
      Worlds Running;
      bool HasDefault = false;
      for (const Stmt *Child : Body->body()) {
        bool IsDefault = false;
        casesOf(Child, IsDefault);
        HasDefault |= IsDefault;
        if (isCase(Child, Number) || (IsDefault && IsOther))
          add(Running, After);
        Ways Part = run(Child, std::move(Running));
        Running = std::move(Part.Next);
        add(R.Next, std::exchange(Part.Break, {}));
        R.addExits(std::move(Part));
      }
      add(R.Next, std::move(Running));
      if (IsOther && !HasDefault)
        add(R.Next, After);
    }
  return R;
}

HostRun::Ways HostRun::runLoop(const Expr *Condition, const Stmt *Body,
                               const Expr *Step, Worlds In, bool BodyFirst) {
  Ways R;
  if (In.empty())
    return R;
  const HostWorld Before = In.front();
  unsigned Open = 0;
  for (unsigned Round = 0; Round < MaxRounds && !In.empty(); ++Round) {
    Worlds Enter;
    if (BodyFirst && Round == 0)
      Enter = In;
    else if (!decide(Condition, In, Enter, R.Next) && ++Open == MaxOpenRounds)
      for (HostWorld &World : Enter)
        World.join(In.front());
    Ways Of = run(Body, std::move(Enter));
    add(R.Next, std::move(Of.Break));
    add(R.Return, std::move(Of.Return));
    add(Of.Next, std::move(Of.Continue));
    if (Step)
      Of.Next = runEffects(Step, Of.Next);
    // Nothing new, or more than is told apart.
    llvm::erase_if(Of.Next, [&](const HostWorld &World) {
      return Open && llvm::is_contained(In, World);
    });
    In = std::move(Of.Next);
    if (Open > MaxOpenRounds)
      break;
  }
  // It goes on for longer: with what no round changes.
  IsCutShort |= !In.empty() && Open == 0;
  for (HostWorld &World : In) {
    World.join(Before);
    add(R.Next, std::move(World));
  }
  return R;
}

const InitListExpr *HostRun::listOf(const Expr *E) {
  while (E) {
    E = E->IgnoreUnlessSpelledInSource();
    if (const auto *L = dyn_cast<InitListExpr>(E))
      return L;
    if (const auto *L = dyn_cast<CXXStdInitializerListExpr>(E))
      E = L->getSubExpr();
    else if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      E = V ? V->getAnyInitializer() : nullptr;
    } else
      return nullptr;
  }
  return nullptr;
}

HostRun::Ways HostRun::runEach(const CXXForRangeStmt *S, Worlds In) {
  const InitListExpr *List = listOf(S->getRangeInit());
  const VarDecl *Element = S->getLoopVariable();
  if (!List || List->getNumInits() > MaxElements) {
    for (HostWorld &World : In)
      World.write({Element, {}}, {});
    return runLoop(nullptr, S->getBody(), nullptr, std::move(In),
                   /*BodyFirst=*/false);
  }
  Ways R;
  for (const Expr *Init : List->inits()) {
    Worlds Enter;
    for (const HostWorld &World : In)
      for (auto &[After, Value] : evaluate(Init, World)) {
        After.write({Element, {}}, std::move(Value));
        add(Enter, std::move(After));
      }
    Ways Of = run(S->getBody(), std::move(Enter));
    add(R.Next, std::move(Of.Break));
    add(R.Return, std::move(Of.Return));
    add(Of.Next, std::move(Of.Continue));
    In = std::move(Of.Next);
  }
  add(R.Next, std::move(In));
  return R;
}

HostRun::Worlds HostRun::runEffects(const Expr *E, const Worlds &In) {
  if (!Facts.matters(E, Stack.back()))
    return In;
  Worlds R;
  for (const HostWorld &World : In)
    for (Outcome &Of : evaluate(E, World))
      add(R, std::move(Of.World));
  return R;
}

HostRun::Worlds HostRun::declare(const VarDecl *V, const Worlds &In) {
  Worlds R;
  const Expr *Init = V->getInit();
  for (HostWorld World : In) {
    if (Facts.isWanted(V))
      World.write({V, {}}, {}); // it may name itself
    const auto Place = V->getType()->isReferenceType() && Init
                           ? placeOf(Init, World)
                           : std::nullopt;
    const bool IsLooked =
        Init && (Facts.isWanted(V) || Facts.matters(Init, Stack.back()));
    Outcomes Values = Place      ? Outcomes{{World, HostValue::address(*Place)}}
                      : IsLooked ? evaluate(Init, World)
                                 : Outcomes{{World, {}}};
    for (auto &[After, Value] : Values) {
      if (Facts.isWanted(V))
        After.write({V, {}}, std::move(Value));
      add(R, std::move(After));
    }
  }
  return R;
}
