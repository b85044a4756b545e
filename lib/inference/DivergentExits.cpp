//===- DivergentExits.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/DivergentExits.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;
using namespace cpasync;

void DivergentExits::noteLoad(const Int *Symbol, const Int *From) {
  LoadedFrom[Symbol->terms()[0].A] = From;
}

unsigned DivergentExits::effectsIn(const CFGBlock *B) {
  unsigned Found = EffectNone;
  for (const CFGElement &E : *B)
    if (auto S = E.getAs<CFGStmt>())
      Found |= P.effects(S->getStmt());
    else if (auto Init = E.getAs<CFGInitializer>())
      Found |= P.effects(Init->getInitializer()->getInit());
  return Found;
}

unsigned DivergentExits::effectsFrom(const CFGBlock *B) {
  auto [I, New] = EffectsFrom.try_emplace(B, EffectNone);
  if (!New)
    return I->second;
  unsigned Found = EffectNone;
  llvm::DenseSet<const CFGBlock *> Seen = {B};
  llvm::SmallVector<const CFGBlock *, 16> Work = {B};
  while (!Work.empty()) {
    const CFGBlock *X = Work.pop_back_val();
    Found |= effectsIn(X);
    for (const CFGBlock *S : X->succs())
      if (S && Seen.insert(S).second)
        Work.push_back(S);
  }
  return EffectsFrom[B] = Found;
}

unsigned DivergentExits::effectsToEnd(const Context &C, const CFGBlock *B) {
  unsigned Found = effectsFrom(B);
  for (const Frame &F : llvm::ArrayRef(C.Frames).drop_back()) {
    for (unsigned I = F.Element; I < F.Block->size(); ++I)
      if (auto S = (*F.Block)[I].getAs<CFGStmt>())
        Found |= P.effects(S->getStmt());
    for (const CFGBlock *S : F.Block->succs())
      if (S)
        Found |= effectsFrom(S);
  }
  return Found;
}

const PerThread *DivergentExits::threadsWithCopies(const State &S) {
  const PerThread *R = L.none();
  for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
    auto Counts = [&](EventId Copy) {
      return !S.Copies.notes().isBlamed(Copy);
    };
    if (llvm::any_of(C.Queue.open(), Counts) ||
        llvm::any_of(C.Queue.groups(), [&](const Group &G) {
          return llvm::any_of(G.Copies, Counts);
        }))
      R = L.either(R, C.Mask);
  }
  return R;
}

namespace {
/// What a number is made of that differs by thread.
struct Differences {
  llvm::SmallVector<const PerThread *, 2> Known;
  llvm::SmallVector<const Atom *, 2> Symbols;
  void add(const Int *I) {
    if (!I)
      return;
    auto Add = [&](const PerThread *X) {
      if (!X->isUniform() && !llvm::is_contained(Known, X))
        Known.push_back(X);
    };
    Add(I->base());
    for (const Int::Term &T : I->terms()) {
      Add(T.Coefficient);
      if (T.A->Kind == Atom::Op::Symbol && !T.A->isUniform() &&
          !llvm::is_contained(Symbols, T.A))
        Symbols.push_back(T.A);
      for (const Int *Operand : {T.A->A, T.A->B, T.A->C})
        add(Operand);
    }
  }
};

/// Conditions that another one is put together from, and whether it is more
/// likely to hold if they do.
using Parts = llvm::SmallVector<std::pair<const Int *, bool>, 4>;
void collectParts(const Int *C, bool Holds, Parts &To) {
  const Atom *A = C->terms().size() == 1 ? C->terms()[0].A : nullptr;
  if (!A || C != A->Alone) {
    To.push_back({C, Holds});
    return;
  }
  switch (A->Kind) {
  case Atom::Op::LAnd:
  case Atom::Op::LOr:
    collectParts(A->A, Holds, To);
    collectParts(A->B, Holds, To);
    return;
  case Atom::Op::Any:
    collectParts(A->A, Holds, To);
    return;
  case Atom::Op::Eq:
    if (A->A->terms().size() == 1 && A->A == A->A->terms()[0].A->Alone &&
        A->A->terms()[0].A->Range == Interval{0, 1}) {
      collectParts(A->A, !Holds, To);
      return;
    }
    break;
  default:
    break;
  }
  To.push_back({C, Holds});
}
} // namespace

const PerThread *DivergentExits::classesOf(const Atom *Symbol) {
  std::vector<int64_t> Class(L.threads());
  const Int *From = LoadedFrom.lookup(Symbol);
  if (!From || llvm::any_of(From->terms(), [](const Int::Term &T) {
        return !T.A->isUniform();
      })) {
    if (Symbol->Same != Uniformity::Warp)
      return nullptr;
    for (unsigned T = 0; T < L.threads(); ++T)
      Class[T] = T / WarpThreads * WarpThreads;
    return L.perThread(Class);
  }
  std::map<std::vector<int64_t>, unsigned> First;
  for (unsigned T = 0; T < L.threads(); ++T) {
    std::vector<int64_t> Address = {(*From->base())[T]};
    for (const Int::Term &Term : From->terms())
      Address.push_back((*Term.Coefficient)[T]);
    Class[T] = First.try_emplace(std::move(Address), T).first->second;
  }
  return L.perThread(Class);
}

/// Threads with the same key go the same way.
static bool isSameInEach(const PerThread *Key, const PerThread *X,
                         unsigned Threads) {
  std::map<int64_t, int64_t> Values;
  for (unsigned T = 0; T < Threads; ++T)
    if (Values.try_emplace((*Key)[T], (*X)[T]).first->second != (*X)[T])
      return false;
  return true;
}

/// Known numbers of the threads less one that is the same for all.
static bool isOfKnownAndUniform(const Int *I) {
  return !I->base()->isUniform() && llvm::all_of(I->terms(), [](auto &T) {
    return T.A->isUniform() && T.Coefficient->isUniform();
  });
}

bool DivergentExits::isBound(const Int *C) {
  Parts All;
  collectParts(C, true, All);
  return llvm::all_of(All, [](const auto &Part) {
    const Int *X = Part.first;
    const Atom *A = X->terms().size() == 1 ? X->terms()[0].A : nullptr;
    return X->isUniform() || (A && X == A->Alone && A->Kind == Atom::Op::Lt &&
                              isOfKnownAndUniform(A->A));
  });
}

std::optional<DivergentExits::DivergentExit>
DivergentExits::partingOf(const Int *C) {
  const Atom *A = C->terms().size() == 1 ? C->terms()[0].A : nullptr;
  const bool IsLess = A && C == A->Alone && A->Kind == Atom::Op::Lt;
  const bool IsEqual = A && C == A->Alone && A->Kind == Atom::Op::Eq;
  const Int *Compared = IsLess || IsEqual ? A->A : C;
  Differences D;
  D.add(Compared);
  if (D.Symbols.empty()) {
    if ((!IsLess && !IsEqual) || !isOfKnownAndUniform(Compared))
      return std::nullopt;
    return DivergentExit{C, Compared->base(),
                         IsLess ? DivergentExit::Kind::UpToBound
                                : DivergentExit::Kind::One};
  }
  if (D.Symbols.size() != 1)
    return std::nullopt;
  const PerThread *Classes = classesOf(D.Symbols.front());
  if (!Classes || !llvm::all_of(D.Known, [&](const PerThread *X) {
        return isSameInEach(Classes, X, L.threads());
      }))
    return std::nullopt;
  return DivergentExit{C, Classes, DivergentExit::Kind::Any};
}

// Where to begin: in the middle of those that copy, and not where warps end, so
// that threads which read the copies of others, whichever, find one that is
// gone. A bound is tried near both ends as well.
std::vector<DivergentExits::Choices>
DivergentExits::choices(const DivergentExit &P, const PerThread *Open,
                        const PerThread *Copying, bool TrueLeaves) {
  std::set<int64_t> Keys, Copies;
  for (unsigned T = 0; T < L.threads(); ++T)
    if ((*Open)[T]) {
      Keys.insert((*P.Key)[T]);
      if ((*Copying)[T])
        Copies.insert((*P.Key)[T]);
    }
  if (Keys.size() < 2 || Copies.empty())
    return {};
  const std::vector<int64_t> All(Keys.begin(), Keys.end());
  auto IndexOf = [&](size_t N) -> size_t {
    const int64_t Key = *std::next(Copies.begin(), N);
    return llvm::lower_bound(All, Key) - All.begin();
  };
  auto Where = [&](auto Leaves) {
    std::vector<int64_t> Mask(L.threads());
    for (unsigned T = 0; T < L.threads(); ++T)
      Mask[T] = (*Open)[T] && Leaves((*P.Key)[T]) == TrueLeaves;
    return L.perThread(Mask);
  };
  auto FromMiddle = [&](size_t Middle, auto Add) {
    for (size_t Away = 0; Away < All.size(); ++Away) {
      if (Middle + Away < All.size())
        Add(Middle + Away);
      if (Away && Away <= Middle)
        Add(Middle - Away);
    }
  };
  std::vector<Choices> R;
  const size_t Half = Copies.size() / 2;
  auto Low = [&](size_t I) {
    if (I + 1 < All.size())
      R.back().push_back(Where([&](int64_t Key) { return Key <= All[I]; }));
  };
  auto High = [&](size_t I) {
    if (I > 0)
      R.back().push_back(Where([&](int64_t Key) { return Key >= All[I]; }));
  };
  const size_t Upper = std::min(Half + 1, Copies.size() - 1);
  switch (P.K) {
  case DivergentExit::Kind::UpToBound:
    if (TrueLeaves)
      for (size_t Middle : {IndexOf(Half), All.size() - 2, IndexOf(0)}) {
        R.emplace_back();
        FromMiddle(Middle, Low);
      }
    else
      for (size_t Middle :
           {IndexOf(Upper), size_t(1), IndexOf(Copies.size() - 1)}) {
        R.emplace_back();
        FromMiddle(Middle, High);
      }
    break;
  case DivergentExit::Kind::One:
    R.emplace_back();
    FromMiddle(IndexOf(Half), [&](size_t I) {
      R.back().push_back(
          Where([&](int64_t Key) { return (Key == All[I]) == TrueLeaves; }));
    });
    break;
  case DivergentExit::Kind::Any:
    R.emplace_back();
    Low(std::min(IndexOf(Half), All.size() - 2));
    R.emplace_back();
    High(std::max(IndexOf(Upper), size_t(1)));
    break;
  }
  return R;
}

// Where it is known already, it has to be so.
static bool assumeIn(ValueContext &V, PathCondition &Path, const Int *C,
                     bool Holds, const PerThread *Where) {
  PerThreadContext &L = V.lanes();
  const Truth Known = Path.decide(V, C);
  if (!PerThreadContext::isEmpty(
          L.both(Where, Holds ? Known.False : Known.True)))
    return false;
  Where = L.except(Where, Holds ? Known.True : Known.False);
  return PerThreadContext::isEmpty(Where) || Path.assume(V, C, Holds, Where);
}

std::optional<PathCondition> DivergentExits::pathWith(const State &S,
                                                      const DivergentExit &How,
                                                      const PerThread *True,
                                                      const PerThread *False,
                                                      const PerThread *Stay) {
  PathCondition Path = S.Condition;
  if (How.K != DivergentExit::Kind::Any)
    return assumeIn(V, Path, How.Condition, true, True) &&
                   assumeIn(V, Path, How.Condition, false, False)
               ? std::optional(Path)
               : std::nullopt;
  const Truth Before = Path.decide(V, How.Condition);
  if (!Path.assumeOnlyIn(V, How.Condition, L.either(True, Before.True)))
    return std::nullopt;
  // Those who are gone never ask again.
  return !Stay || Path.assume(V, How.Condition, Stay == True, Stay)
             ? std::optional(Path)
             : std::nullopt;
}

// `if (threadIdx.x >= Rows && IsLast) return;` is two conditions, and behind
// the first both sides may still come to a barrier.
std::optional<DivergentExits::Exit>
DivergentExits::exitOf(const State &S, const Expr *Condition,
                       const CFGBlock *OnTrue, const CFGBlock *OnFalse) {
  auto Stays = [&](const CFGBlock *B) {
    return (effectsToEnd(S, B) & EffectBarrier) != 0;
  };
  auto Copies = [&](const CFGBlock *B) {
    return (effectsToEnd(S, B) & EffectCopy) != 0 &&
           Tiles.asksAgain(S.frame().Fn->decl(), Condition);
  };
  const bool TrueStays = Stays(OnTrue);
  if (TrueStays != Stays(OnFalse)) {
    const CFGBlock *Leaves = TrueStays ? OnFalse : OnTrue;
    return Exit{!TrueStays,
                !(effectsToEnd(S, Leaves) & ~EffectStop),
                Copies(TrueStays ? OnTrue : OnFalse),
                {}};
  }
  if (!TrueStays)
    return std::nullopt;
  for (const bool Side : {true, false}) {
    const CFGBlock *B = Side ? OnTrue : OnFalse;
    const CFGBlock *const Other = Side ? OnFalse : OnTrue;
    Exit Found{Side, /*AtOnce=*/false, Copies(Other), {}};
    llvm::SmallPtrSet<const CFGBlock *, 4> Seen;
    while (isa_and_present<IfStmt, BinaryOperator>(B->getTerminatorStmt()) &&
           B->getLastCondition() && !effectsIn(B) && Seen.insert(B).second) {
      const CFGBlock *Holds = *B->succ_begin(), *Fails = *B->succ_rbegin();
      if (!Holds || !Fails)
        break;
      const bool HoldsStays = Stays(Holds), FailsStays = Stays(Fails);
      const bool OnHolds =
          HoldsStays == FailsStays ? Fails == Other : FailsStays;
      Found.If.push_back({B->getLastCondition(), OnHolds});
      if (HoldsStays != FailsStays)
        return Found;
      if ((Holds == Other) == (Fails == Other))
        break;
      B = OnHolds ? Holds : Fails;
    }
  }
  return std::nullopt;
}

// Without those that leave, as many are no longer there as a phase expects.
bool DivergentExits::areMissed(const State &S, const PerThread *Leaving) {
  const auto Threads = int64_t(L.count(S.Active));
  return !PerThreadContext::isEmpty(Leaving) &&
         llvm::any_of(S.Copies.phases(), [&](const PhaseBarrier &B) {
           return B.At.Init.isValid() && B.Expects - B.Arrived == Threads;
         });
}

std::vector<DivergentExits::Way>
DivergentExits::waysToPart(const State &S, const Int *C, const PerThread *Open,
                           const Exit &To, const PerThread *Leaving) {
  std::vector<Way> Ways;
  const bool TrueLeaves = To.OnTrue, AtOnce = To.AtOnce;
  const PerThread *Copying =
      L.both(L.both(Open, Leaving), threadsWithCopies(S));
  const bool BeforeCopies =
      PerThreadContext::isEmpty(Copying) &&
      (To.OthersCopy || areMissed(S, L.both(Open, Leaving)));
  if (BeforeCopies)
    Copying = L.both(Open, Leaving);
  if (S.Parted || PerThreadContext::isEmpty(Copying) || !S.May.empty())
    return Ways;

  auto Try = [&](const DivergentExit &How, const PerThread *PartOpen,
                 const PerThread *True, bool PartLeaves) {
    const PerThread *False = L.except(PartOpen, True);
    std::optional<PathCondition> Path = pathWith(S, How, True, False,
                                                 !AtOnce      ? nullptr
                                                 : PartLeaves ? False
                                                              : True);
    if (!Path)
      return false;
    Truth Known = Path->decide(V, C);
    const PerThread *Rest = L.except(Open, L.either(Known.True, Known.False));
    if (!PerThreadContext::isEmpty(Rest)) {
      const bool SomeFalse =
          !PerThreadContext::isEmpty(L.both(Open, Known.False));
      if (!Path->assume(V, C, SomeFalse, Rest))
        return false;
      Known = Path->decide(V, C);
    }
    const PerThread *OfTrue = L.both(S.Active, Known.True),
                    *OfFalse = L.both(S.Active, Known.False);
    const PerThread *Leave = TrueLeaves ? OfTrue : OfFalse,
                    *Stay = TrueLeaves ? OfFalse : OfTrue;
    if (L.either(OfTrue, OfFalse) != S.Active ||
        PerThreadContext::isEmpty(L.both(Leave, Copying)) ||
        PerThreadContext::isEmpty(Stay))
      return false;
    if (llvm::none_of(Ways, [&](const Way &W) { return W.True == OfTrue; }))
      Ways.push_back({std::move(*Path), OfTrue, OfFalse});
    return true;
  };

  Parts All;
  collectParts(C, true, All);
  for (const auto &[Part, Holds] : All) {
    const std::optional<DivergentExit> How = partingOf(Part);
    if (!How || (BeforeCopies && How->K != DivergentExit::Kind::UpToBound))
      continue;
    const bool PartLeaves = Holds == TrueLeaves; // where it is true
    const Truth Before = S.Condition.decide(V, Part);
    const PerThread *PartOpen =
        L.except(Open, L.either(Before.True, Before.False));
    for (const Choices &Some : choices(*How, PartOpen, Copying, PartLeaves)) {
      for (const PerThread *True : Some)
        if (Try(*How, PartOpen, True, PartLeaves))
          break;
      if (BeforeCopies)
        break;
    }
    if (!Ways.empty())
      break;
  }
  return Ways;
}
