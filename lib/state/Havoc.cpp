//===- Havoc.cpp ----------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A symbol stands for what one expression gave when it was last evaluated. When
// it is evaluated again, what was computed from the number before and is still
// held somewhere gets a name of its own: that of the place which holds it.
//
// The same is done at the head of a loop to numbers that never repeat. A
// persistent kernel starts each round (a tile, a slice, a work item) from
// numbers that it computes from those of the round before; without names the
// loop would never show one state twice.
// So are numbers that move on by what the kernel was given (MovingOn.cpp).
//
// Of a number that gets a name this is kept: how it differs from thread to
// thread, what it is a multiple of, and its bounds as far as they are near
// zero.
//
//===----------------------------------------------------------------------===//

#include "lib/state/MemoizedCalls.h"
#include "lib/state/Symbols.h"
#include "lib/values/BoundedCounts.h"
#include "lib/values/Bounds.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;
using namespace cpasync;

// Rounds that are looked at before a number counts as one that never repeats.
static constexpr unsigned MinRounds = 3;

static int64_t commonDivisor(const PerThread *X, unsigned Threads,
                             int64_t With) {
  for (unsigned T = 0, N = X->isUniform() ? 1 : Threads; T < N; ++T)
    With = std::gcd(With, (*X)[T]);
  return With;
}

Symbols::Pattern Symbols::patternOf(const Int *I) {
  const bool Uniform = llvm::all_of(I->terms(), [](const Int::Term &T) {
    return T.A->isUniform() && T.Coefficient->isUniform();
  });
  int64_t Step = 0;
  for (const Int::Term &T : I->terms())
    Step = commonDivisor(T.Coefficient, L.threads(), Step);
  if (!Uniform)
    return {L.uniform(0), commonDivisor(I->base(), L.threads(), Step),
            I->sharing()};
  const int64_t First = (*I->base())[0];
  return {L.apply(LaneOp::Sub, I->base(), L.uniform(First)),
          std::gcd(Step, First), Uniformity::Block};
}

Symbols::Pattern Symbols::common(Pattern A, Pattern B) {
  if (A.Base == B.Base)
    return {A.Base, std::gcd(A.Step, B.Step), std::min(A.Same, B.Same)};
  int64_t Step = std::gcd(A.Step, B.Step);
  for (const PerThread *Base : {A.Base, B.Base})
    Step = commonDivisor(Base, L.threads(), Step);
  return {L.uniform(0), Step, Uniformity::Thread};
}

// Apart from the bytes of kernel parameters, which have symbols too.
static constexpr int64_t Held = int64_t(1) << 40;

const Int *Symbols::symbolFor(CellRef At, Uniformity Same) {
  return V.symbol(At.first, Held + At.second, Same);
}

const Int *Symbols::nameOfItem(ValueContext &V, CellRef At) {
  constexpr int64_t OfItem = int64_t(1) << 42;
  return V.symbol(At.first, OfItem + At.second, Uniformity::Block);
}

bool Symbols::isOfPlace(const Atom *Symbol) {
  return Symbol->Kind == Atom::Op::Symbol && Symbol->Number >= Held;
}

Value Symbols::named(CellRef At, Value Val) {
  Pattern P = patternOf(Val.I);
  auto [I, New] = Patterns.try_emplace(At, P);
  if (!New)
    P = I->second = common(P, I->second);
  const Int *Number =
      V.add(V.known(P.Base), V.mul(V.constant(P.Step), symbolFor(At, P.Same)));
  return Val.isPtr() ? Value::pointer(Val.Obj, Number) : Value::integer(Number);
}

// The least of a tile's length and what is left is no more than that length.
Interval Symbols::inAnyRound(const Int *I) {
  const Atom *A = asAtom(I);
  return A && A->Kind != Atom::Op::Symbol ? PathCondition().bounds(V, I)
                                          : Interval{};
}

void Symbols::keepBounds(State &S, Value Val, Interval Known, Interval Always,
                         llvm::ArrayRef<FactId> Because) {
  if (!Val.isInt() || Val.I->isKnown())
    return;
  auto AtLeast = [&](const Int *X, int64_t Lo) {
    assumeIfOpen(V, S.Condition, V.isNegative(V.sub(X, V.constant(Lo))), false,
                 Because);
  };
  if (Known.Lo >= -MaxKeptBound)
    AtLeast(Val.I, std::max(std::min(Known.Lo, MaxKeptBound), Always.Lo));
  if (Known.Hi <= MaxKeptBound || Always.Hi <= MaxTile)
    AtLeast(V.sub(V.constant(0), Val.I),
            -(Known.Hi <= MaxKeptBound ? Known.Hi : Always.Hi));
}

llvm::SmallVector<const Atom *, 8>
Symbols::rename(State &S, llvm::ArrayRef<CellRef> Held, const Atom *Gone) {
  std::set<CellRef> Cells;
  llvm::SmallVector<const Atom *, 8> Work, Renamed;
  auto Take = [&](CellRef At) {
    if (Cells.insert(At).second)
      for (Uniformity Same :
           {Uniformity::Block, Uniformity::Warp, Uniformity::Thread})
        Work.push_back(symbolFor(At, Same)->terms()[0].A);
  };
  if (Gone)
    Work.push_back(Gone);
  for (CellRef At : Held)
    Take(At);
  // A function that is called twice in one expression may give two numbers.
  std::vector<std::pair<Value *, const Int *>> Temps;
  auto TakeTemp = [&](const Expr *E, Value &X, unsigned Frame) {
    constexpr int64_t OfTemp = int64_t(1) << 41;
    if (llvm::any_of(Temps, [&](const auto &T) { return T.first == &X; }))
      return;
    const Pattern P = patternOf(X.I);
    const Int *Name = V.symbol(E, OfTemp + Frame, P.Same);
    Work.push_back(Name->terms()[0].A);
    Temps.emplace_back(&X,
                       V.add(V.known(P.Base), V.mul(V.constant(P.Step), Name)));
  };
  const PathCondition Before = S.Condition;
  while (!Work.empty()) {
    const Atom *A = Work.pop_back_val();
    Renamed.push_back(A);
    S.Condition.forget(A);
    Run.Shared.History.renew(S.Decided, A);
    if (A->symbols() & SourceSymbols) {
      llvm::erase_if(S.Renewed, [&](const auto &R) { return R.first == A; });
      S.Renewed.push_back({A, S.Trace});
    }
    if (HeldSymbols.contains(A))
      S.Copies.forget(
          Footprints, Run.Written, Events, A, ForgottenCondition,
          [&](EventId Id) { return Exclusive.mayHaveDone(Before, Id); });
    for (const auto &[O, Bytes] : S.Mem.entries())
      for (const Cell &C : *Bytes)
        if (dependsOn(C.V.I, A))
          Take({O, C.Offset});
    for (Frame &F : S.Frames)
      for (auto &[E, X] : F.Temps)
        if (dependsOn(X.I, A))
          TakeTemp(E, X, F.Number);
  }
  for (const auto &[X, Name] : Temps)
    X->I = Name;
  if (Cells.empty())
    return Renamed;
  Memory Mem = S.Mem;
  for (const auto &[O, Bytes] : S.Mem.entries()) {
    llvm::SmallVector<Cell, 8> New(Bytes->begin(), Bytes->end());
    bool Changed = false;
    for (Cell &C : New)
      if (C.V.I && Cells.count({O, C.Offset})) {
        llvm::SmallVector<FactId, 4> Because;
        const Interval Known = Before.bounds(V, C.V.I, Because);
        const Interval Always = inAnyRound(C.V.I);
        C.V = named({O, C.Offset}, C.V);
        keepBounds(S, C.V, Known, Always, Because);
        Changed = true;
      }
    if (Changed)
      Mem.set(O, V.contents(New));
  }
  S.Mem = std::move(Mem);
  return Renamed;
}

bool Symbols::neverRepeats(const State &S, const Object *O, const Cell &Now,
                           bool ButSteadily) {
  const LoopVisit &Loop = S.Loops.back();
  auto PutIn = [&](const Int *I) {
    return asIn(V, S.Condition.simplify(V, I, S.Active), S.Active);
  };
  auto AreEqual = [&](const Int *X, const Int *Y) {
    X = PutIn(X);
    Y = PutIn(Y);
    return X == Y || S.Condition.bounds(V, V.sub(X, Y)) == Interval{0, 0};
  };
  if (!Now.V.I || Now.V.I->isKnown() ||
      (ButSteadily && Loop.History.size() < MinRounds))
    return false;
  // Where global data lies matters for its alignment only.
  if (!ButSteadily && Now.V.isPtr() && !Now.V.Obj->isShared())
    return false;
  auto HasName = [&](const Int *I) {
    return llvm::any_of(
        std::array{Uniformity::Block, Uniformity::Warp, Uniformity::Thread},
        [&](Uniformity Same) {
          return dependsOn(I, asAtom(symbolFor({O, Now.Offset}, Same)));
        });
  };
  llvm::SmallVector<Value, 2 * MinRounds> Earlier;
  for (const auto &Then : llvm::reverse(Loop.History)) {
    const Contents *Bytes = Then->Mem.find(O);
    const Cell *Old = Bytes ? llvm::find_if(*Bytes,
                                            [&](const Cell &C) {
                                              return C.Offset == Now.Offset &&
                                                     C.Size == Now.Size;
                                            })
                            : nullptr;
    if (!Bytes || Old == Bytes->end() || Old->V == Now.V ||
        Old->V.K != Now.V.K || Old->V.Obj != Now.V.Obj || !Old->V.I ||
        AreEqual(Old->V.I, Now.V.I) ||            // decided in between
        (HasName(Now.V.I) && !HasName(Old->V.I))) // or named
      return false;
    Earlier.push_back(Old->V);
  }
  if (ButSteadily)
    return true;
  // First it is seen whether the loop settles with what is known of each round.
  const bool WithEnds = Unsettled.contains(Loop.Head);
  auto Uncut = [&](const Int *I) { return WithEnds ? I : withoutEnds(V, I); };
  auto Growth = [&](Value Later, Value Before) {
    return asIn(V, inFull(V.sub(Uncut(Later.I), Uncut(Before.I))), S.Active);
  };
  const Int *Last = Growth(Now.V, Earlier[0]);
  return Loop.History.size() < MinRounds
             ? !isStable(Last) // no two rounds add the same
             : Last != Growth(Earlier[0], Earlier[1]);
}

void Symbols::widen(State &S) {
  const LoopVisit &Loop = S.Loops.back();
  if (!Loop.Forked || Loop.History.empty() ||
      llvm::any_of(S.Splits, [](const Split &X) { return X.MayCondition; }))
    return;

  nameCounters(S);
  if (Loop.History.empty())
    return;
  auto Moved = movedByGiven(S, Loop, /*BesideCounters=*/false);
  moveOn(S, Moved);
  auto IsAmong = [](llvm::ArrayRef<MovedCell> Those, CellRef At) {
    return llvm::any_of(Those, [&](const MovedCell &M) { return M.At == At; });
  };
  std::vector<CellRef> &Found = NeverRepeat[{Loop.Head, S.frame().Number}];
  auto Find = [&](bool ButSteadily) {
    for (const auto &[O, Bytes] : S.Mem.entries())
      for (const Cell &C : *Bytes)
        if (!llvm::is_contained(Found, CellRef(O, C.Offset)) &&
            !IsAmong(Moved, {O, C.Offset}) &&
            neverRepeats(S, O, C, ButSteadily))
          Found.push_back({O, C.Offset});
  };
  Find(/*ButSteadily=*/false);
  if (Found.empty())
    return;
  // What grows by a constant does not stand in the way of an end by itself, but
  // it does beside the others.
  Find(/*ButSteadily=*/true);
  // They go by other names in any case: what is known of them goes along where
  // it can.
  auto Too = movedByGiven(S, Loop, /*BesideCounters=*/true);
  llvm::erase_if(Too, [&](const MovedCell &M) {
    return IsAmong(Moved, M.At) || !llvm::is_contained(Found, M.At);
  });
  moveOn(S, Too);
  std::vector<CellRef> Others;
  llvm::copy_if(Found, std::back_inserter(Others), [&](CellRef At) {
    return !IsAmong(Moved, At) && !IsAmong(Too, At);
  });
  rename(S, Others);
}
