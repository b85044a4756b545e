//===- Loops.cpp - Iterations, until they repeat --------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop has settled when the state at its head is what it was one and two
// periods ago, but for numbers that grow steadily: periods are skipped until a
// comparison would come out otherwise, or the path ends if none ever does.
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Loops.h"
#include "lib/engine/Executor.h"
#include "lib/engine/SteadyStates.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// A ring of S slots repeats after S iterations, and has to be seen repeating
// twice. Rings in public code have at most 8 slots; with two groups a stage and
// a phase bit that makes 32 visits.
static constexpr unsigned MaxPeriod = 16;
// As many rounds keep the conditions that their accesses hang on.
static constexpr unsigned RoundsApart = 2;
// Visits of a loop that only adds to what is in flight, before its growth
// counts as steady: more than a ring has slots.
static constexpr unsigned MinGrowingVisits = 10;
// Loops whose bound is known and that never repeat (tables, shuffles) are run.
static constexpr unsigned MaxVisits = 4096;

// Of rounds that nobody knows the number of: more than a kernel can do.
static constexpr int64_t MaxSkipped = int64_t(1) << 28;
/// Accesses that iterations which are skipped may leave behind.
static constexpr int64_t MaxRepeated = 1 << 18;
// With an unknown bound every visit forks; rings settle within a few periods,
// and more where each item of a list may have another number of tiles.
static constexpr unsigned MaxForkingVisits = 64, MaxVisitsWithTables = 256;

static SourceLocation placeOf(const State &S, const CFGBlock *Head) {
  const Stmt *T = FunctionInfo::loopStmt(Head);
  return T ? T->getBeginLoc() : S.frame().Fn->decl()->getLocation();
}

// What the frame's own variable holds; unknown if it is no local of it.
static Value valueOf(const State &S, const VarDecl *Var) {
  for (const auto &[O, Bytes] : S.Mem.entries())
    if (Var && O->Origin == Var && O->K == Object::Kind::Local &&
        O->Call == S.frame().Number && Bytes->size() == 1 &&
        Bytes->front().Offset == 0)
      return Bytes->front().V;
  return Value::unknown();
}

Step Loops::visitLoopHead(State &S, const CFGBlock *B) {
  if (S.Loops.empty() || S.Loops.back().Depth != S.depth() ||
      S.Loops.back().Head != B) {
    LoopVisit New;
    New.Depth = S.depth();
    New.Head = B;
    New.GivenEnd = Interp.From.endsAsGiven(S, B);
    S.Loops.push_back(std::move(New));
  }
  Reads.forgetLost(S);
  LoopVisit &Loop = S.Loops.back();
  ++Loop.Visits;
  Loop.Newest =
      S.Loops.size() > 1 ? S.Loops[S.Loops.size() - 2].Newest : nullptr;
  const unsigned Max = !Loop.OpenEnd       ? MaxVisits
                       : S.hangsOnTables() ? MaxVisitsWithTables
                                           : MaxForkingVisits;
  if (Loop.Visits - Loop.Counted > Max) {
    noteUnsettled(S);
    Run.CutShort = true;
    Run.gap(placeOf(S, B), "loop does not settle within " +
                               std::to_string(Max) + " iterations");
    return Step::PathEnds;
  }
  if (Loop.Visits > RoundsApart)
    Names.forgetOlderConditions(S);
  // By the names that roles had in common nothing moves on as it did before;
  // what tables hold for items still to come goes by them alone.
  const bool InRoles =
      Symbols::hasRoles(S) || (Loop.InRoles && S.hangsOnTables());
  if (std::exchange(Loop.InRoles, InRoles) && !InRoles)
    Loop.History.clear();
  if (Loop.InRoles)
    Rounds.moveOn(S);
  else
    Names.widen(S);
  if (skipRounds(S, B) == Step::PathEnds)
    return Step::PathEnds;
  beginRound(S, B);
  LoopVisit &Now = S.Loops.back();
  const Spot Here = Reads.newSpot();
  Reads.notePassed(S, Here);
  Now.History.push_back(
      std::make_shared<const LoopVisit::Snapshot>(LoopVisit::Snapshot{
          S.Mem, S.Copies, S.Condition, S.Stopped, S.Compared, Here}));
  if (Now.History.size() > 3 * MaxPeriod)
    Now.History.erase(Now.History.begin());
  return Step::Continue;
}

void Loops::noteUnsettled(const State &S) {
  for (const LoopVisit &Loop : S.Loops)
    if (Loop.Forked)
      Interp.Known.FoundUnsettled.insert(Loop.Head);
}

// The one number that all who run now have; null: it is not known, or they have
// several.
const Int *Loops::numberOfAll(const State &S, Value Of) {
  if (!Of.isInt() || !Of.I->isKnown())
    return nullptr;
  const PerThread &Numbers = *Of.I->base();
  const int64_t Number = Numbers[L.first(S.Active)];
  for (unsigned T = 0; T < Shape.threads() && !Of.I->isConstant(); ++T)
    if ((*S.Active)[T] && Numbers[T] != Number)
      return nullptr;
  return V.constant(Number);
}

void Loops::beginRound(State &S, const CFGBlock *B) {
  LoopVisit &Loop = S.Loops.back();
  const Stmt *T = FunctionInfo::loopStmt(B);
  TraceNode Round{TraceStep::Kind::Iteration};
  Round.N = Loop.Skipped ? -1 : int64_t(Loop.Visits) - 1;
  Round.Effects = T ? P.effects(T) : ~0u;
  const LoopVariable Counter = Variables.of(T);
  if (const Int *Now = numberOfAll(S, valueOf(S, Counter.Var))) {
    Round.Name = Run.nameOf(Counter.Var);
    Round.Source = Value::integer(Now);
    Round.Flag = Counter.ChangesInBody;
  }
  Memo.iteration(S, Run.siteOf(S, T, placeOf(S, B)), Round);
  Loop.Newest = S.Trace;
}

Step Loops::skipRounds(State &S, const CFGBlock *B) {
  LoopVisit &Loop = S.Loops.back();
  for (unsigned Period = 1;
       Period <= MaxPeriod && 2 * Period <= Loop.History.size(); ++Period) {
    std::optional<int64_t> Skip = periodsToSkip(Loop, S, Period);
    if (!Skip)
      continue;
    if (*Skip < 0 || *Skip >= 2)
      Run.Effects.note(); // what is in flight has a say in it
    Run.Written.noteGrowth(
        Loop.History[Loop.History.size() - Period]->Copies.history().written(),
        S.Copies.history().written());
    if (*Skip < 0) { // nothing new can happen in it
      const LoopVisit::Snapshot Once =
          *Loop.History[Loop.History.size() - Period];
      if (!Loop.Skipped && S.Copies == Once.Copies &&
          countsForLater(S, Once, B)) {
        skipPeriods(
            S, Once,
            Names.freshName(S, B, 0, Uniformity::Block, {1, MaxSkipped}));
        S.Loops.back().Skipped = true;
        S.Loops.back().History.clear();
        break;
      }
      const Spot Before = Once.Here;
      Reads.noteEnd(S, Before);
      Interp.Met.repeat(Before, S);
      return Step::PathEnds;
    }
    if (*Skip >= 2) {
      LoopVisit::Snapshot Before = *Loop.History[Loop.History.size() - Period];
      if (const int64_t Each =
              S.Copies.unordered().size() - Before.Copies.unordered().size();
          Each > 0)
        Skip = std::min<int64_t>(*Skip, 2 + MaxRepeated / Each);
      skipPeriods(S, Before, V.constant(*Skip - 1));
      if (S.Copies != Before.Copies)
        S.Copies.repeatAccesses(Footprints, V, Events, Before.Copies,
                                *Skip - 1);
      S.Loops.back().Visits += (*Skip - 1) * Period;
      S.Loops.back().History.clear();
    }
    break;
  }
  return Step::Continue;
}

bool Loops::addsAccesses(const LoopVisit &Loop, const State &S,
                         unsigned Period) {
  const auto &H = Loop.History;
  if (H.size() < 2 * MaxPeriod)
    return false;
  const BlockCopies &Once = H[H.size() - Period]->Copies,
                    &Twice = H[H.size() - 2 * Period]->Copies;
  return Twice.unordered().size() < Once.unordered().size() &&
         S.Copies.equalButUnordered(Once) && Once.equalButUnordered(Twice);
}

bool Loops::alwaysGrew(const LoopVisit &Loop, unsigned Period) {
  const auto &H = Loop.History;
  for (size_t I = 2 * Period; I < H.size(); ++I)
    if (!BlockCopies::growSteadily(V, Events, H[I - 2 * Period]->Copies,
                                   H[I - Period]->Copies, H[I]->Copies))
      return false;
  return true;
}

std::optional<int64_t> Loops::periodsToSkip(const LoopVisit &Loop,
                                            const State &S, unsigned Period) {
  const auto &H = Loop.History;
  const auto &Once = *H[H.size() - Period], &Twice = *H[H.size() - 2 * Period];
  if (!S.sameOthers(Once.Stopped) || !S.sameOthers(Twice.Stopped))
    return std::nullopt;
  auto PlaceOf = [](const Comparison *C) { return C ? C->Place : 0; };
  const bool ComparesAsMuch = PlaceOf(S.Compared) - PlaceOf(Once.Compared) ==
                              PlaceOf(Once.Compared) - PlaceOf(Twice.Compared);
  if (!Loop.Forked && !ComparesAsMuch)
    return std::nullopt;
  bool Repeats = S.Copies == Once.Copies && Once.Copies == Twice.Copies;
  // Slots look like steps of a constant until the ring wraps.
  if (!Repeats && (Loop.Visits < MinGrowingVisits ||
                   (!Loop.Forked && !addsAccesses(Loop, S, Period))))
    return std::nullopt;
  if ((!Repeats && !BlockCopies::growSteadily(V, Events, Twice.Copies,
                                              Once.Copies, S.Copies)) ||
      !growsSteadily(V, Twice.Condition, Once.Condition, S.Condition,
                     S.Active) ||
      !growsSteadily(V, Twice.Mem, Once.Mem, S.Mem))
    return std::nullopt;
  // Known comparisons can change their outcome only if known numbers grow.
  auto KnownGrows = [&] {
    for (size_t I = 0; I < S.Mem.entries().size(); ++I) {
      const Contents &Now = *S.Mem.entries()[I].second,
                     &Then = *Once.Mem.entries()[I].second;
      for (size_t J = 0; J < Now.size(); ++J)
        if (Now[J].V != Then[J].V && Now[J].V.I && Now[J].V.I->isKnown())
          return true;
    }
    return false;
  };
  if (Loop.Forked && !KnownGrows())
    return -1;
  if (!ComparesAsMuch)
    return std::nullopt;
  // The comparisons of the last period beside those of the two before: what is
  // computed from numbers that grow steadily need not, such as a square.
  const auto *Thrice =
      H.size() >= 3 * Period ? &*H[H.size() - 3 * Period] : nullptr;
  const bool IsSeenThrice =
      Thrice && PlaceOf(Twice.Compared) - PlaceOf(Thrice->Compared) ==
                    PlaceOf(Once.Compared) - PlaceOf(Twice.Compared);
  int64_t Skip = -1;
  const Comparison *Older = Twice.Compared;
  for (const Comparison *New = S.Compared, *Old = Once.Compared;
       New != Once.Compared; New = New->Prev, Old = Old->Prev) {
    const Int *Before = IsSeenThrice ? Older->Difference : nullptr;
    if (IsSeenThrice)
      Older = Older->Prev;
    if (New->Difference == Old->Difference)
      continue;
    const Int *D = V.sub(New->Difference, Old->Difference);
    if (!D->isKnown() || (Before && V.sub(Old->Difference, Before) != D))
      return std::nullopt;
    for (unsigned T = 0; T < Shape.threads(); ++T) {
      int64_t Growth = (*D->base())[T], Now = (*New->Difference->base())[T];
      bool Away = (Now > 0) == (Growth > 0) && Now != 0;
      if (Growth != 0 && !Away) {
        int64_t N = Now == 0 ? 0 : (std::abs(Now) - 1) / std::abs(Growth);
        Skip = Skip < 0 ? N : std::min(Skip, N);
      }
      if (D->isConstant() && New->Difference->isConstant())
        break;
    }
  }
  // A loop that is known to end does not go on for ever.
  if ((Skip < 0 && !Loop.Forked) || (Skip >= 2 && !IsSeenThrice))
    return std::nullopt;
  // Accesses can be added up; anything else that grows cannot be skipped over,
  // only cut short for good. An index that is taken apart by division runs
  // straight for a while only: it has to do so in all that is remembered. Who
  // skips nothing, as in the last rounds, need not know.
  if (!Repeats && Skip >= 0 &&
      !(addsAccesses(Loop, S, Period) &&
        (Skip < 2 || alwaysGrew(Loop, Period))))
    return std::nullopt;
  return Skip;
}

// A number that grew is needed behind the loop: how far it came may decide
// there what no round decides. Within another loop, whose rounds begin with
// what this one leaves, places in a ring would not be known any more.
bool Loops::countsForLater(const State &S, const LoopVisit::Snapshot &Once,
                           const CFGBlock *Head) {
  if (S.Loops.size() > 1 || Head->succ_size() != 2)
    return false;
  const CFGBlock *Behind = *(Head->succ_begin() + 1);
  return Behind && llvm::any_of(S.Mem.entries(), [&](const Memory::Entry &E) {
           const Contents *Then = Once.Mem.find(E.first);
           return E.second != Then && Then && E.second->size() == 1 &&
                  E.second->front().V.I && E.second->front().V.I->isKnown() &&
                  E.first->K == Object::Kind::Local &&
                  E.first->Call == S.frame().Number &&
                  !S.frame().Fn->isDead(E.first->Origin, Behind);
         });
}

void Loops::skipPeriods(State &S, const LoopVisit::Snapshot &Before,
                        const Int *N) {
  Memory Mem = S.Mem;
  for (size_t I = 0; I < S.Mem.entries().size(); ++I) {
    const auto &[O, Now] = S.Mem.entries()[I];
    const Contents &Then = *Before.Mem.entries()[I].second;
    if (Now == &Then)
      continue;
    llvm::SmallVector<Cell, 8> Later(Now->begin(), Now->end());
    for (size_t J = 0; J < Later.size(); ++J) {
      const Int *D = difference(V, Then[J].V, Later[J].V);
      if (D && !D->isConstant(0))
        Later[J].V.I = V.add(Later[J].V.I, V.mul(D, N));
    }
    Mem.set(O, V.contents(Later));
  }
  S.Mem = std::move(Mem);
}
