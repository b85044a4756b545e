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
//
// So are, where no counter makes every round another, numbers that a round
// moves on by what the kernel was given, a tile by the number of blocks: all
// that move by the same keep their distances, and what was decided about one is
// decided about its name.
//
// Of a number that gets a name this is kept: how it differs from thread to
// thread, what it is a multiple of, and its bounds as far as they are near
// zero.
//
//===----------------------------------------------------------------------===//

#include "lib/state/MemoizedCalls.h"
#include "lib/state/Symbols.h"
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

const Int *Symbols::symbolFor(CellRef At, Uniformity Same) {
  // Apart from the bytes of kernel parameters, which have symbols too.
  constexpr int64_t Held = int64_t(1) << 40;
  return V.symbol(At.first, Held + At.second, Same);
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

void Symbols::keepBounds(State &S, Value Val, Interval Known,
                         llvm::ArrayRef<FactId> Because) {
  if (!Val.isInt() || Val.I->isKnown())
    return;
  auto AtLeast = [&](const Int *X, int64_t Lo) {
    if (Lo < -MaxKeptBound)
      return;
    const Int *Below =
        V.isNegative(V.sub(X, V.constant(std::min(Lo, MaxKeptBound))));
    const Truth Now = S.Condition.decide(V, Below);
    if (PerThreadContext::isEmpty(L.either(Now.True, Now.False)))
      S.Condition.assume(V, Below, false, L.all(), Because);
  };
  AtLeast(Val.I, Known.Lo);
  if (Known.Hi <= MaxKeptBound)
    AtLeast(V.sub(V.constant(0), Val.I), -Known.Hi);
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
        C.V = named({O, C.Offset}, C.V);
        keepBounds(S, C.V, Known, Because);
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
  if (!Now.V.I || Now.V.I->isKnown() ||
      (ButSteadily && Loop.History.size() < MinRounds))
    return false;
  // Where global data lies matters for its alignment only.
  if (!ButSteadily && Now.V.isPtr() && !Now.V.Obj->isShared())
    return false;
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
        PutIn(Old->V.I) == PutIn(Now.V.I)) // decided in between
      return false;
    Earlier.push_back(Old->V);
  }
  if (ButSteadily)
    return true;
  auto Growth = [&](Value Later, Value Before) {
    return asIn(V, inFull(V.sub(Later.I, Before.I)), S.Active);
  };
  const Int *Last = Growth(Now.V, Earlier[0]);
  return Loop.History.size() < MinRounds
             ? !isStable(Last) // no two rounds add the same
             : Last != Growth(Earlier[0], Earlier[1]);
}

// What a cell held before; null if it was not there, or held something else.
static const Int *heldBefore(const Memory &Mem, const Object *O,
                             const Cell &Now) {
  const Contents *Then = Mem.find(O);
  if (!Then)
    return nullptr;
  const Cell *Old = llvm::find_if(*Then, [&](const Cell &X) {
    return X.Offset == Now.Offset && X.Size == Now.Size;
  });
  return Old != Then->end() && Old->V.K == Now.V.K && Old->V.Obj == Now.V.Obj
             ? Old->V.I
             : nullptr;
}

// Rows that warps share out: each begins with its own.
static bool isUniformButForBase(ValueContext &V, const Int *I) {
  return V.sub(I, V.known(I->base()))->isUniform();
}

llvm::SmallVector<Symbols::MovedCell, 4>
Symbols::movedByGiven(const State &S, const LoopVisit &Loop,
                      bool BesideCounters) {
  llvm::SmallVector<MovedCell, 4> Moved;
  const auto &H = Loop.History;
  for (const auto &[O, Bytes] : S.Mem.entries()) {
    if (H.back()->Mem.find(O) == Bytes)
      continue;
    for (const Cell &C : *Bytes) {
      const Int *Old = heldBefore(H.back()->Mem, O, C);
      // Where global data lies matters for its alignment only.
      if (!Old || !C.V.I || (C.V.isPtr() && !C.V.Obj->isShared()))
        continue;
      const Int *By = asIn(V, inFull(V.sub(C.V.I, Old)), S.Active);
      if (By->isConstant(0))
        continue;
      // Beside a counter every round is another, whatever this is called; what
      // goes to and fro is no counter.
      if (By->isKnown() && !BesideCounters) {
        const Int *Older =
            H.size() > 1 ? heldBefore(H[H.size() - 2]->Mem, O, C) : nullptr;
        if (!Older || V.sub(Old, Older) == By)
          return {};
      } else if (isStable(By) && By->isUniform() &&
                 (C.V.I->isUniform() || (Unsettled.contains(Loop.Head) &&
                                         isUniformButForBase(V, C.V.I)))) {
        Moved.push_back({{O, C.Offset}, C.V.I, By});
      }
    }
  }
  return Moved;
}

const Int *Symbols::heldAt(const Memory &Mem, CellRef At) {
  const Contents *Bytes = Mem.find(At.first);
  if (!Bytes)
    return nullptr;
  const Cell *Held = llvm::find_if(
      *Bytes, [&](const Cell &C) { return C.Offset == At.second; });
  return Held == Bytes->end() ? nullptr : Held->V.I;
}

void Symbols::hold(Memory &Mem, CellRef At, const Int *I) {
  const Contents &Old = *Mem.find(At.first);
  llvm::SmallVector<Cell, 8> New(Old.begin(), Old.end());
  for (Cell &C : New)
    if (C.Offset == At.second)
      C.V.I = I;
  Mem.set(At.first, V.contents(New));
}

bool Symbols::keepsDistance(const State &S, const MovedCell &A, CellRef B,
                            const Int *Distance) {
  return llvm::any_of(S.Loops.back().History, [&](const auto &Then) {
    const Int *X = heldAt(Then->Mem, A.At), *Y = heldAt(Then->Mem, B);
    return X && Y && V.sub(Y, X) == Distance;
  });
}

// Roles that wait for each other go through rounds of the same numbers: each in
// its own time, and a name for one would tell nothing of the other's. Who comes
// last has rounds left that the other has decided.
bool Symbols::hasRoles(const State &S) {
  return !S.Copies.phases().empty() &&
         (S.Role != 0 || !S.Stopped.empty() ||
          llvm::any_of(S.Splits, [](const Split &X) {
            return X.Other && X.Frames && !X.MayCondition;
          }));
}

void Symbols::moveOn(State &S, llvm::SmallVectorImpl<MovedCell> &Moved) {
  llvm::SmallVector<MovedCell, 4> Left(Moved.begin(), Moved.end());
  Moved.clear();
  while (!Left.empty()) {
    const MovedCell Leader = Left.front();
    std::vector<CellRef> Together = {Leader.At};
    if (moveOn(S, Leader, Together,
               [&](CellRef At, int64_t Times, const Int *Rest) {
                 return Times == 1 && keepsDistance(S, Leader, At, Rest);
               }))
      llvm::copy_if(Left, std::back_inserter(Moved), [&](const MovedCell &M) {
        return llvm::is_contained(Together, M.At);
      });
    llvm::erase_if(Left, [&](const MovedCell &M) {
      return llvm::is_contained(Together, M.At);
    });
  }
}

void Symbols::name(State &S, CellRef At) {
  const Int *Full = heldAt(S.Mem, At);
  if (!Full)
    return;
  std::vector<CellRef> Together = {At};
  moveOn(S, {At, Full, V.constant(0)}, Together,
         [](CellRef, int64_t Times, const Int *) { return Times == 1; });
  if (const Atom *Name = asAtom(heldAt(S.Mem, At)))
    InFull[Name] = Full;
}

const Int *Symbols::inFull(const Int *I) const {
  for (const Int::Term &T : I->terms())
    if (const Int *Full = InFull.lookup(T.A);
        Full && T.Coefficient->isUniform())
      I = V.add(
          I, V.mul(V.constant(T.Coefficient->min()), V.sub(Full, T.A->Alone)));
  return I;
}

// What a number was that many rounds ago, at least: true in all later ones, and
// another fact in each.
static bool tellsOfOldRounds(ValueContext &V, const Int *Rest, const Int *By) {
  if (Rest->isKnown() || By->isKnown())
    return false;
  const int64_t Of = By->terms()[0].Coefficient->min();
  const auto *Same = llvm::find_if(Rest->terms(), [&](const Int::Term &T) {
    return T.A == By->terms()[0].A && T.Coefficient->isUniform();
  });
  if (Same == Rest->terms().end() || Same->Coefficient->min() % Of != 0)
    return false;
  const int64_t Rounds = Same->Coefficient->min() / Of;
  return std::abs(Rounds) > 1 &&
         V.sub(Rest, V.mul(V.constant(Rounds), By))->isConstant();
}

bool Symbols::moveOn(
    State &S, const MovedCell &Leader, std::vector<CellRef> &Together,
    llvm::function_ref<bool(CellRef, int64_t, const Int *)> GoesAlong) {
  // What is known of the number by a symbol in it is known of its name too.
  const auto *Pivot = llvm::find_if(Leader.Now->terms(), [&](const auto &T) {
    return !dependsOn(Leader.By, T.A);
  });
  if (Pivot == Leader.Now->terms().end())
    return false;
  const int64_t Factor = Pivot->Coefficient->min();
  const Atom *A = Pivot->A;
  auto Without = [&](const Int *I) -> std::pair<int64_t, const Int *> {
    const auto *T =
        llvm::find_if(I->terms(), [&](const Int::Term &X) { return X.A == A; });
    if (T == I->terms().end() || !T->Coefficient->isUniform() ||
        T->Coefficient->min() % Factor != 0)
      return {0, nullptr};
    const int64_t Times = T->Coefficient->min() / Factor;
    const Int *Rest = V.sub(I, V.mul(V.constant(Times), Leader.Now));
    if (dependsOn(Rest, A))
      return {0, nullptr};
    return {Times, Rest};
  };
  llvm::SmallVector<MovedFact, 4> Moving;
  for (const PathCondition::Bound &B : S.Condition.bounds())
    if (const auto [Times, Rest] = Without(B.Form);
        Rest && !tellsOfOldRounds(V, Rest, Leader.By))
      Moving.push_back({Times, Rest, B});
  llvm::SmallVector<std::tuple<CellRef, int64_t, const Int *>, 4> Apart;
  for (const auto &[O, Bytes] : S.Mem.entries())
    for (const Cell &C : *Bytes) {
      const CellRef At(O, C.Offset);
      if (At == Leader.At || !C.V.I || !dependsOn(C.V.I, A))
        continue;
      const auto [Times, Rest] = Without(C.V.I);
      if (Rest && GoesAlong(At, Times, Rest)) {
        Apart.push_back({At, Times, Rest});
        Together.push_back(At);
      }
    }

  const auto Renamed = rename(S, Leader.At);
  const auto IsStale = [&](const Int *Rest) {
    return llvm::any_of(Renamed,
                        [&](const Atom *Old) { return dependsOn(Rest, Old); });
  };
  const Int *Now = heldAt(S.Mem, Leader.At);
  for (const auto &[At, Times, Rest] : Apart) {
    if (IsStale(Rest))
      continue;
    hold(S.Mem, At, V.add(V.mul(V.constant(Times), Now), Rest));
  }
  llvm::erase_if(Moving, [&](const MovedFact &F) { return IsStale(F.Rest); });
  assumeMoved(S, Now, Moving);
  return true;
}

void Symbols::assumeMoved(State &S, const Int *Now,
                          llvm::SmallVectorImpl<MovedFact> &Moving) {
  auto Assume = [&](const Int *Condition, FactId Because) {
    const Truth Known = S.Condition.decide(V, Condition);
    if (PerThreadContext::isEmpty(L.either(Known.True, Known.False)))
      S.Condition.assume(V, Condition, false, L.all(), Because);
  };
  // What has fewer terms says more: the others may follow from it.
  llvm::sort(Moving, [](const MovedFact &X, const MovedFact &Y) {
    return std::pair(X.Rest->terms().size(), X.Of.Form->id()) <
           std::pair(Y.Rest->terms().size(), Y.Of.Form->id());
  });
  for (const MovedFact &F : Moving) {
    const Int *Form = V.add(V.mul(V.constant(F.Times), Now), F.Rest);
    const Interval Range = F.Of.Range;
    if (Range.Lo != INT64_MIN)
      Assume(V.isNegative(V.sub(Form, V.constant(Range.Lo))), F.Of.Lo);
    if (Range.Hi != INT64_MAX)
      Assume(V.isNegative(V.sub(V.constant(Range.Hi), Form)), F.Of.Hi);
  }
}

void Symbols::widen(State &S) {
  const LoopVisit &Loop = S.Loops.back();
  if (!Loop.Forked || Loop.History.empty() ||
      llvm::any_of(S.Splits, [](const Split &X) { return X.MayCondition; }) ||
      hasRoles(S))
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
