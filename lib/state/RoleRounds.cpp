//===- RoleRounds.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/RoleRounds.h"
#include "lib/state/LocalUses.h"
#include "lib/state/MemoizedCalls.h"
#include "lib/values/Bounds.h"
#include "lib/values/Substitution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace cpasync;

/// Items that one role is ahead of another: more than a ring has slots.
static constexpr int64_t MaxBehind = 32;

static bool hasOpenSides(const Context &C) {
  return llvm::any_of(C.Splits, [](const Split &X) {
    return X.MayCondition || X.hasSideToRun();
  });
}

// Somewhere from here on is a loop.
static bool hasLoopAhead(const Context &C) {
  return llvm::any_of(C.Frames, [](const Frame &F) {
    llvm::SmallPtrSet<const CFGBlock *, 32> Seen;
    llvm::SmallVector<const CFGBlock *, 32> Work = {F.Block};
    while (!Work.empty()) {
      const CFGBlock *B = Work.pop_back_val();
      if (!B || !Seen.insert(B).second)
        continue;
      if (F.Fn->loop(B))
        return true;
      Work.append(B->succ_begin(), B->succ_end());
    }
    return false;
  });
}

std::optional<RoleRounds::Walk> RoleRounds::walkOf(const State &S) {
  const Memory &Before = S.Loops.back().History.back()->Mem;
  for (const auto &[O, Bytes] : S.Mem.entries()) {
    if (Before.find(O) == Bytes || !usesLocal(S, O))
      continue;
    for (const Cell &C : *Bytes) {
      const CellRef At(O, C.Offset);
      const Int *Old = Symbols::heldAt(Before, At);
      if (!C.V.isInt() || !Old || Old == C.V.I)
        continue;
      // Others have a number of their own there.
      if (!C.V.I->isUniform() && llvm::any_of(S.Stopped, [&](const Context &X) {
            return usesLocal(X, O);
          }))
        continue;
      const Int *Now = asIn(V, C.V.I, S.Active);
      const Int *By = asIn(V, V.sub(C.V.I, Old), S.Active);
      if (const auto Known = Steps.find(At); Known != Steps.end())
        By = Known->second;
      // Where it is a number by now, so is the item.
      if (S.Condition.simplify(V, By, S.Active)->isKnown() || !isStable(By) ||
          !By->isUniform() || !Now->isUniform())
        continue;
      const auto *Pivot = llvm::find_if(Now->terms(), [&](const Int::Term &T) {
        return T.A->Kind == Atom::Op::Symbol && !dependsOn(By, T.A) &&
               (T.Coefficient->isUniform(1) || T.Coefficient->isUniform(-1));
      });
      if (Pivot == Now->terms().end())
        continue;
      Steps.try_emplace(At, By);
      return Walk{At, Now, By, Pivot};
    }
  }
  return std::nullopt;
}

std::optional<int64_t> RoleRounds::itemsBehind(const Walk &W, const Int *X) {
  const Int *D = V.sub(W.Now, X);
  if (D->isConstant(0))
    return 0;
  const Int::Term &First = W.By->terms().front();
  const auto *T = llvm::find_if(
      D->terms(), [&](const Int::Term &Y) { return Y.A == First.A; });
  if (T == D->terms().end() || !T->Coefficient->isUniform())
    return std::nullopt;
  const int64_t Items = T->Coefficient->min() / First.Coefficient->min();
  const bool IsIt =
      std::abs(Items) <= MaxBehind && V.mul(V.constant(Items), W.By) == D;
  return IsIt ? std::optional(Items) : std::nullopt;
}

// What only happens to be as far away stays where it is.
bool RoleRounds::mayMove(const Walk &W, CellRef At) {
  if (!W.Pivot->A->Stable)
    return true;
  // What has no name is no variable.
  const Object *O = At.first;
  const auto *Var =
      O->K == Object::Kind::Local && !O->Name.empty()
          ? dyn_cast<VarDecl>(static_cast<const Decl *>(O->Origin))
          : nullptr;
  return Var && (Var->getType()->isRecordType() || !Changes.never(Var));
}

std::optional<int64_t> RoleRounds::farthestBehind(const State &S,
                                                  const Walk &W) {
  if (hasOpenSides(S))
    return std::nullopt;
  int64_t Most = 0;
  for (const Context &C : S.Stopped) {
    if (hasOpenSides(C))
      return std::nullopt;
    bool GoesAlong = false;
    for (const auto &[O, Bytes] : S.Mem.entries())
      for (const Cell &X : *Bytes) {
        if (!X.V.isInt() || !usesLocal(C, O))
          continue;
        const auto Items = itemsBehind(W, asIn(V, X.V.I, C.Active));
        if (!Items || !mayMove(W, {O, X.Offset}))
          continue;
        GoesAlong = true;
        Most = std::max(Most, *Items);
      }
    if (!GoesAlong && hasLoopAhead(C))
      return std::nullopt;
  }
  return Most;
}

int64_t RoleRounds::tellsOf(const Int *I, const Atom *Item, const Int *By) {
  const Int::Term &First = By->terms().front();
  int64_t Most = INT64_MIN, Times = 0, More = 0;
  for (const Int::Term &T : I->terms()) {
    if (T.A == Item && T.Coefficient->isUniform())
      Times = T.Coefficient->min() * First.Coefficient->min();
    else if (T.A == First.A && T.Coefficient->isUniform())
      More = T.Coefficient->min();
    for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
      if (Operand && dependsOn(Operand, Item))
        Most = std::max(Most, tellsOf(Operand, Item, By));
  }
  return Times ? std::max(Most, -More / Times) : Most;
}

// It hangs on what a table holds for an item.
static bool hasLoadOf(const Int *I, const Atom *Item) {
  return llvm::any_of(I->terms(), [&](const Int::Term &T) {
    return (T.A->Kind == Atom::Op::Load && dependsOn(T.A->A, Item)) ||
           llvm::any_of(std::array{T.A->A, T.A->B, T.A->C},
                        [&](const Int *X) { return X && hasLoadOf(X, Item); });
  });
}

void RoleRounds::imply(const State &S, const Walk &W, const Int *Of,
                       int64_t Behind, Moving &M) {
  const Atom *Pivot = W.Pivot->A;
  const int64_t Sign = W.Pivot->Coefficient->min();
  const Int *Then =
      replaced(V, Of, Pivot,
               V.add(Pivot->Alone, V.mul(V.constant(Sign * Behind), W.By)));
  Moving::Implied Next{nullptr, false, {}};
  const Interval Is = S.Condition.bounds(V, Then, Next.Because);
  if (Is.Lo > 0 || Is.Hi <= 0) {
    Next.Condition =
        V.isNegative(V.sub(V.constant(0), replaced(V, Then, Pivot, M.Was)));
    Next.Holds = Is.Lo > 0;
    M.Next.push_back(std::move(Next));
  }
}

RoleRounds::Moving RoleRounds::inTermsOf(const State &S, const Walk &W,
                                         const Int *Item) {
  const Atom *Pivot = W.Pivot->A;
  const Int *Apart = V.sub(Item, W.Now);
  const Int *Was = V.add(Pivot->Alone, W.Pivot->Coefficient->isUniform(1)
                                           ? Apart
                                           : V.sub(V.constant(0), Apart));
  Moving M;
  M.Was = Was;
  for (const auto &[O, Bytes] : S.Mem.entries())
    for (const Cell &C : *Bytes) {
      const CellRef At(O, C.Offset);
      if (C.V.I && dependsOn(C.V.I, Pivot) && At != W.At &&
          (mayMove(W, At) || hasLoadOf(C.V.I, Pivot)))
        M.Cells.emplace_back(At, replaced(V, C.V.I, Pivot, Was));
    }
  // How many there have been since the first is of no use.
  auto IsOnlyOfItems = [&](const Int *Form) {
    return llvm::all_of(Form->terms(), [&](const Int::Term &T) {
      return T.A == asAtom(Item) ||
             llvm::any_of(W.By->terms(),
                          [&](const Int::Term &X) { return X.A == T.A; });
    });
  };
  auto IsOfNow = [&](const Int *I) {
    return tellsOf(I, asAtom(Item), W.By) <= 0 && !IsOnlyOfItems(I);
  };
  for (const PathCondition::Bound &B : S.Condition.bounds()) {
    if (!dependsOn(B.Form, Pivot))
      continue;
    const Int *Form = replaced(V, B.Form, Pivot, Was);
    if (IsOfNow(Form))
      M.Bounds.push_back({Form, B.Range, B.Lo, B.Hi});
    else if (!IsOnlyOfItems(Form))
      imply(S, W, B.Form, tellsOf(Form, asAtom(Item), W.By), M);
  }
  for (const PathCondition::Choice &C : S.Condition.choices())
    if (dependsOn(C.Condition, Pivot) && !C.OnlyIn)
      if (const Int *Is = replaced(V, C.Condition, Pivot, Was); IsOfNow(Is))
        M.Choices.push_back({Is, C.Holds, nullptr, C.Fact});
  return M;
}

// What is held elsewhere: bytes that a phase lacks, and what threads that have
// stopped were about to use.
static void rewriteOthers(State &S,
                          llvm::function_ref<const Int *(const Int *)> New) {
  for (PhaseBarrier &B : S.Copies.phases())
    if (B.Bytes)
      B.Bytes = New(B.Bytes);
  for (Context &C : S.Stopped)
    for (Frame &F : C.Frames)
      for (auto &[E, Held] : F.Temps)
        if (Held.I)
          Held.I = New(Held.I);
}

bool RoleRounds::hasName(const Walk &W) {
  const auto Known = Named.find(W.By);
  return Known != Named.end() && W.Now == Symbols::nameOfItem(V, Known->second);
}

void RoleRounds::rename(State &S, const Walk &W) {
  const Atom *Pivot = W.Pivot->A;
  // What the item is called until it has its name, and after that to whoever
  // asks what the path did.
  const Int *Item = V.symbol(this, 0, Uniformity::Block);
  Moving M = inTermsOf(S, W, Item);
  PathHistory &History = Run.Shared.History;
  auto Tell = [&](const Int *Is) {
    History.decide(S.Decided, V.isZero(V.sub(Item, Is)), true, L.all(), {});
  };
  History.renew(S.Decided, asAtom(Item));
  Tell(W.Now);
  for (const auto &[At, Is] : M.Cells)
    Symbols::hold(V, S.Mem, At, Is);
  rewriteOthers(
      S, [&](const Int *I) { return replaced(V, I, W.Pivot->A, M.Was); });
  Symbols::hold(V, S.Mem, W.At, Item);
  llvm::SmallVector<FactId, 4> Because;
  const bool IsIndex = S.Condition.bounds(V, W.Now, Because).Lo >= 0;
  const Int *Now =
      Symbols::nameOfItem(V, Named.try_emplace(W.By, W.At).first->second);
  const auto Renamed = Names.rename(S, {}, asAtom(Now));
  Symbols::hold(V, S.Mem, W.At, Now);
  Tell(Now);
  auto WithName = [&](const Int *I) -> const Int * {
    const bool IsStale = llvm::any_of(
        Renamed, [&](const Atom *Old) { return dependsOn(I, Old); });
    return IsStale ? nullptr : replaced(V, I, asAtom(Item), Now);
  };
  for (const auto &[At, Is] : M.Cells)
    if (const Int *I = WithName(Is))
      Symbols::hold(V, S.Mem, At, I);
  rewriteOthers(S, [&](const Int *I) {
    const Int *New = WithName(I);
    return New ? New : I;
  });
  const Atom *Step = W.By->terms().front().A;
  S.Condition.forgetIf([&](const Int *I) {
    return I == Now || hasLoadOf(I, Pivot) ||
           (dependsOn(I, Pivot) && dependsOn(I, Step));
  });
  if (IsIndex)
    assumeIfOpen(V, S.Condition, V.isNegative(Now), false, Because);
  for (const PathCondition::Bound &B : M.Bounds)
    if (const Int *Form = WithName(B.Form))
      assumeIfOpen(V, S.Condition, Form, B);
  for (const Moving::Implied &X : M.Next)
    if (const Int *Is = WithName(X.Condition))
      assumeIfOpen(V, S.Condition, Is, X.Holds, X.Because);
  for (const PathCondition::Choice &C : M.Choices)
    if (const Int *Is = WithName(C.Condition))
      assumeIfOpen(V, S.Condition, Is, C.Holds, C.Fact);
}

void RoleRounds::moveOn(State &S) {
  const LoopVisit &Loop = S.Loops.back();
  if (Loop.History.empty() ||
      llvm::any_of(S.Splits, [](const Split &X) { return X.MayCondition; }))
    return;
  // Whoever is last is the one that all others are ahead of. What accesses know
  // of an item goes by no new name: they would be anywhere, and the loop might
  // not settle.
  if (const auto W = walkOf(S);
      W && !hasName(*W) && (S.hangsOnTables() || !Names.isHeld(W->Pivot->A)))
    if (const auto Behind = farthestBehind(S, *W); Behind && *Behind <= 0)
      rename(S, *W);
}
