//===- CanonicalStates.cpp - What a path needs no more --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two paths that decided something about a number which nothing holds any more
// have the same future. Forgetting such decisions where paths meet is what lets
// them meet: a kernel with ten conditions on loaded data has not 1024 ends. So
// is forgetting what locals hold that nobody reads again, and writing what is
// decided as the number that it is: a count of rounds left is zero after the
// loop, however many there were.
//
//===----------------------------------------------------------------------===//

#include "lib/engine/CanonicalStates.h"
#include "lib/engine/Executor.h"
#include "lib/state/LocalUses.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;
using namespace cpasync;

// A kernel that asks twice for what its parameters say writes the expression
// down twice only if it is short, else it keeps the result.
static constexpr unsigned MaxAskedAgain = 8;
// What is known of a table, of items that some threads have not come to yet.
static constexpr int MaxTableFacts = 64;
// Bytes: no copy asks for more.
static constexpr int64_t LargestAlignment = 16;

namespace {
/// The symbols that integers are computed from, and the operations on them.
class UsedSymbols {
public:
  void add(const Int *I) {
    if (!I || I->isKnown() || !Seen.insert(I).second)
      return;
    for (const Int::Term &T : I->terms()) {
      Live.insert(T.A);
      for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
        add(Operand);
    }
  }
  void add(const Memory &Mem) {
    for (const auto &[O, Bytes] : Mem.entries())
      for (const Cell &C : *Bytes)
        add(C.V.I);
  }
  void add(const EventTable &Events, EventId Id) {
    if (!Done.insert(Id).second)
      return;
    const Event &E = Events[Id];
    if (E.Bytes)
      add(E.Bytes->Offset);
    for (const auto &[Condition, Holds] : E.May)
      add(Condition);
  }
  void add(const EventTable &Events, const BlockCopies &Copies,
           bool WithUnordered = true) {
    for (const BlockCopies::ThreadClass &C : Copies.classes())
      for (const GroupQueue *Q : {&C.Queue, &C.Bulk, &C.Wgmma}) {
        for (EventId Id : Q->open())
          add(Events, Id);
        for (const Group &G : Q->groups())
          for (EventId Id : G.Copies)
            add(Events, Id);
      }
    if (WithUnordered)
      Copies.unordered().anyWithUnknowns([&](const Access &A) {
        add(Events, A.Event);
        return false;
      });
    for (EventId B : Copies.history().blindReads())
      add(Events, B);
  }
  void add(const EventTable &Events, const Context &C) {
    for (const Frame &F : C.Frames) {
      add(F.This.I);
      for (const auto &[E, V] : F.Temps)
        add(V.I);
    }
    for (const auto &[Condition, Holds] : C.May)
      add(Condition);
    for (const Split &S : C.Splits) {
      add(S.MayCondition);
      for (const auto &Side : {S.Start, S.First})
        if (Side) {
          add(Side->Mem);
          add(Events, Side->Copies);
        }
    }
  }
  /// It was computed from a symbol that nothing holds any more.
  bool isGone(const Int *I) const {
    return llvm::any_of(I->terms(), [&](const Int::Term &T) {
      if (T.A->isName())
        return !T.A->Stable && !Live.contains(T.A);
      return llvm::any_of(std::array{T.A->A, T.A->B, T.A->C},
                          [&](const Int *X) { return X && isGone(X); });
    });
  }
  /// Nothing else can ever be compared with \p I.
  bool isDead(const Int *I) const {
    return llvm::any_of(I->terms(), [&](const Int::Term &T) {
      if (T.A->Kind == Atom::Op::Symbol)
        return !T.A->Stable && !Live.contains(T.A);
      if (T.A->Kind == Atom::Op::Load)
        return !Live.contains(T.A) && (!HasRoles || isDead(T.A->A));
      // Loops ask for the slot of what they count in every round.
      const bool IsSlot = T.A->Kind == Atom::Op::Rem && T.A->B->isConstant();
      const bool IsAskedByOthers = HasRoles && isFromTable(T.A->Alone);
      if (I->weight() > MaxAskedAgain && !IsSlot && !IsAskedByOthers &&
          !Live.contains(T.A))
        return true;
      return llvm::any_of(std::array{T.A->A, T.A->B, T.A->C},
                          [&](const Int *X) { return X && isDead(X); });
    });
  }

  /// Threads that are elsewhere may look at a table, too.
  bool HasRoles = false;

private:
  llvm::DenseSet<const Int *> Seen;
  llvm::DenseSet<const Atom *> Live;
  llvm::DenseSet<EventId> Done;
};
} // namespace

void CanonicalStates::forgetDeadLocals(State &S) {
  const Frame &F = S.frame();
  // What one side of such a branch left is still to be put beside the other's,
  // if anybody asks for it behind them.
  llvm::SmallVector<const CFGBlock *, 2> Joins;
  for (const Split &X : S.Splits)
    if (X.MayCondition && S.Frames[X.Depth].Number == F.Number)
      Joins.push_back(X.Join);
  // Temporaries live for as long as something refers to them.
  llvm::SmallPtrSet<const Object *, 8> Referred;
  auto Refer = [&](Value X) {
    if (X.isPtr() && X.Obj->K == Object::Kind::Local)
      Referred.insert(X.Obj);
  };
  for (const auto &[O, Bytes] : S.Mem.entries())
    for (const Cell &C : *Bytes)
      Refer(C.V);
  auto ReferTo = [&](const Frame &X) {
    Refer(X.This);
    for (const auto &[E, Held] : X.Temps)
      Refer(Held);
  };
  ReferTo(F);
  for (const Context &C : S.Stopped)
    for (const Frame &X : C.Frames)
      ReferTo(X);
  S.Mem.eraseIf([&](const Object *O) {
    if (O->K != Object::Kind::Local || O->Call != F.Number)
      return false;
    if (O->Name.empty() && O->Origin != F.Fn->decl())
      return Joins.empty() && !Referred.contains(O);
    if (!llvm::all_of(Joins,
                      [&](auto *B) { return F.Fn->isDead(O->Origin, B); }))
      return false;
    return PerThreadContext::isEmpty(threadsThatUse(S, L, O));
  });
}

// Gives the numbers that locals hold as \p New says.
template <typename Fn>
static void rewrite(ValueContext &V, Memory &Mem, Fn New) {
  llvm::SmallVector<Memory::Entry, 4> Changed;
  for (const auto &[O, Bytes] : Mem.entries()) {
    llvm::SmallVector<Cell, 8> Cells;
    for (size_t I = 0; I < Bytes->size(); ++I) {
      const Value Old = (*Bytes)[I].V;
      const Int *Now = Old.I && !Old.I->isConstant() ? New(O, Old) : Old.I;
      if (Now != Old.I && Cells.empty())
        Cells.assign(Bytes->begin(), Bytes->end());
      if (Now != Old.I)
        Cells[I].V.I = Now;
    }
    if (!Cells.empty())
      Changed.push_back({O, V.contents(Cells)});
  }
  for (const auto &[O, Bytes] : Changed)
    Mem.set(O, Bytes);
}

// The length of a tile that is known to be a whole one, in every round. The
// other side of a condition that nobody knows has it as it was.
void CanonicalStates::putInChosen(State &S) {
  if (S.May.empty())
    rewrite(V, S.Mem, [&](const Object *, Value X) {
      return X.isInt() && isChosen(X.I) ? asChosen(V, S.Condition, X.I) : X.I;
    });
}

void CanonicalStates::forgetOtherThreads(State &S) {
  if (S.Active == L.all() || !S.May.empty())
    return;
  const PerThread *Living = Run.livingThreads(S);
  rewrite(V, S.Mem, [&](const Object *O, Value X) {
    if (X.I->isUniform() || O->K != Object::Kind::Local || O->Name.empty())
      return X.I;
    return asIn(V, X.I, L.both(Living, threadsThatUse(S, L, O)));
  });
}

// Where global data lies matters for its alignment, for what each thread finds
// there, and where threads copy to one place from different ones.
// Slots and phases are all that hangs on how often a persistent kernel has gone
// round its ring; where as many tiles as a table says come between two rounds,
// no loop that a counter could get a name in repeats.
const Contents *CanonicalStates::roundOf(const Object *O, const Contents &C) {
  if (O->K != Object::Kind::Local || O->Name.empty() || C.size() != 1)
    return nullptr;
  const Cell &Counted = C.front();
  const auto *Var = dyn_cast<VarDecl>(static_cast<const Decl *>(O->Origin));
  if (!Var || !Counted.V.isInt() || !Counted.V.I->isKnown())
    return nullptr;
  const auto [I, New] = Rings.try_emplace(Var);
  if (New)
    I->second = CounterUses::ofRing(Run.P, Var);
  const auto [Period, First] = I->second;
  if (Period <= 1)
    return nullptr;
  llvm::SmallVector<int64_t, 0> Rounds;
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    const int64_t N = (*Counted.V.I->base())[T];
    Rounds.push_back(N < First ? N : First + (N - First) % Period);
  }
  Cell Round = Counted;
  Round.V.I = V.known(L.perThread(Rounds));
  return V.contents(Round);
}

const Contents *CanonicalStates::essence(const State &S, Memory::Entry E,
                                         bool InLists) {
  const auto [O, C] = E;
  // What a kernel was given is known as long as nothing is stored there.
  if (C->empty())
    return llvm::is_contained(S.Frames[0].Fn->decl()->parameters(), O->Origin)
               ? C
               : nullptr;
  if (InLists)
    if (const Contents *Round = roundOf(O, *C))
      return Round;
  auto [I, New] = Essences.try_emplace(C, C);
  if (!New)
    return I->second;
  auto IsGlobal = [](const Cell &X) {
    return X.V.isPtr() && X.V.Obj->K == Object::Kind::Global && X.V.I &&
           !X.V.I->isConstant();
  };
  if (llvm::none_of(*C, IsGlobal))
    return C;
  llvm::SmallVector<Cell, 8> Cells(C->begin(), C->end());
  for (Cell &X : Cells)
    if (IsGlobal(X)) {
      const Symbols::Pattern P = Names.patternOf(X.V.I);
      X.V.I = V.add(V.known(P.Base),
                    V.mul(V.constant(std::gcd(P.Step, LargestAlignment)),
                          V.symbol(this, 0, P.Same)));
    }
  return Essences[C] = V.contents(Cells);
}

void CanonicalStates::putInDecided(State &S) {
  if (S.Condition.choices().empty() &&
      llvm::none_of(S.Condition.bounds(), [](const PathCondition::Bound &B) {
        return B.Range.isPoint();
      }))
    return;
  rewrite(V, S.Mem, [&](const Object *, Value X) {
    return X.I->isKnown() || isStable(X.I)
               ? X.I
               : S.Condition.simplify(V, X.I, L.all());
  });
  for (PhaseBarrier &B : S.Copies.phases())
    if (B.Bytes && !B.Bytes->isKnown())
      B.Bytes = S.Condition.simplify(V, B.Bytes, L.all());
}

bool CanonicalStates::isInUnsettled(const State &S) const {
  return llvm::any_of(S.Loops, [&](const LoopVisit &Loop) {
    return Interp.Known.Unsettled.contains(Loop.Head);
  });
}

void CanonicalStates::forgetDeadConditions(State &S) {
  if (S.Condition.bounds().empty() && S.Condition.choices().empty())
    return;
  putInDecided(S);
  UsedSymbols Live;
  Live.HasRoles =
      S.Active != L.all() && llvm::count_if(S.Condition.bounds(), [](auto &B) {
                               return isFromTable(B.Form);
                             }) <= MaxTableFacts;
  Live.add(S.Mem);
  Live.add(Events, S);
  for (const Context &C : S.Stopped)
    Live.add(Events, C);
  S.Copies.forgetUndone([&](EventId Id) {
    return llvm::any_of(
               Events[Id].May,
               [&](const MayCondition &C) { return Live.isGone(C.first); }) &&
           PerThreadContext::isEmpty(
               Detect.Exclusive.mayHaveDone(S.Condition, Id));
  });
  // Where warps go round by themselves, what was accessed is never ordered, and
  // each round would have been another: what was not done is forgotten by now,
  // the rest may have been.
  Live.add(Events, S.Copies, /*WithUnordered=*/!isInUnsettled(S));
  S.Condition.forgetIf([&](const Int *I) { return Live.isDead(I); });
}
