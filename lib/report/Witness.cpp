//===- Witness.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Witness.h"
#include "lib/report/Elements.h"
#include "lib/report/PathNotes.h"
#include "lib/report/PipelineNotes.h"
#include "lib/state/MemoizedCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// True if the operand is what a caller passed: a parameter, a template
// parameter, or the size of one.
static bool comesFromCaller(const Expr *E, const ParmVarDecl *&Parm,
                            unsigned &TemplateIndex) {
  TemplateIndex = ~0u;
  // IgnoreParenCasts() would look through the parameter itself.
  while (true) {
    if (const auto *P = dyn_cast<ParenExpr>(E))
      E = P->getSubExpr();
    else if (const auto *C = dyn_cast<CastExpr>(E))
      E = C->getSubExpr();
    else if (const auto *F = dyn_cast<FullExpr>(E))
      E = F->getSubExpr();
    else
      break;
  }
  if (const auto *N = dyn_cast<SubstNonTypeTemplateParmExpr>(E)) {
    TemplateIndex = N->getIndex();
    return true;
  }
  if (const auto *U = dyn_cast<UnaryExprOrTypeTraitExpr>(E))
    return U->isArgumentType() &&
           U->getArgumentType()->getAs<SubstTemplateTypeParmType>();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    Parm = dyn_cast<ParmVarDecl>(D->getDecl());
    return Parm;
  }
  return llvm::any_of(E->children(), [&](const Stmt *C) {
    const auto *X = dyn_cast_if_present<Expr>(C);
    return X && comesFromCaller(X, Parm, TemplateIndex);
  });
}

SourceLocation Witness::operandLoc(const State &S, const Expr *Operand,
                                   SourceLocation Fallback) {
  const SourceManager &SM = Ctx.getSourceManager();
  SourceLocation Loc = Fallback;
  for (size_t I = S.Frames.size(); I-- > 1;) {
    const ParmVarDecl *Parm = nullptr;
    unsigned Index = ~0u;
    if (!Operand || !comesFromCaller(Operand, Parm, Index))
      return Loc;
    // A lambda has it from the function around it.
    if (Parm && Parm->getDeclContext() != S.Frames[I].Fn->decl())
      continue;
    Loc = SM.getExpansionLoc(S.Frames[I].CallLoc);
    const auto *Call = dyn_cast_if_present<CallExpr>(S.Frames[I].Call);
    Operand = nullptr;
    if (!Call)
      return Loc;
    const bool HasObject =
        isa<CXXOperatorCallExpr>(Call) &&
        isa_and_present<CXXMethodDecl>(Call->getCalleeDecl());
    const unsigned At =
        Parm ? Parm->getFunctionScopeIndex() + HasObject : Call->getNumArgs();
    if (At < Call->getNumArgs()) {
      Operand = Call->getArg(At);
    } else if (const auto *D =
                   dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenCasts());
               D && Index < D->getNumTemplateArgs()) {
      const TemplateArgument &A = D->getTemplateArgs()[Index].getArgument();
      if (A.getKind() == TemplateArgument::Expression)
        Operand = A.getAsExpr();
    }
  }
  return Loc;
}

// How many groups the wait may leave: those committed between the group and
// the wait.
static int64_t largestCount(const Finding &F,
                            llvm::ArrayRef<const TraceNode *> Steps,
                            EventId Wait) {
  int64_t Commits = 0, BeforeWait = 0;
  for (const TraceNode *X : Steps) {
    if (X->K == TraceStep::Kind::Committed && has(X, F.Thread))
      ++Commits;
    if (X->Event == Wait)
      BeforeWait = Commits;
  }
  return std::max<int64_t>(0, BeforeWait - 1); // the first is its own
}

void Witness::tellFlight(Finding &F, const State &S, const FlightPath &P) {
  using Kind = TraceStep::Kind;
  const TraceNode *Commit = nullptr, *Wait = nullptr;
  for (const TraceNode *X : P.Steps) {
    if (!Commit && P.Commit && X->Event == P.Commit && has(X, F.Thread))
      Commit = X;
    // The newest, but for a wait that came before the commit.
    bool TooEarly = F.Cause == InFlightCause::WaitBeforeCommit && Commit;
    if (P.Wait && X->Event == P.Wait && !TooEarly)
      Wait = X;
  }
  std::vector<ToldStep> Steps;
  auto Add = [&](const TraceNode *X, TraceStep Step) {
    Steps.push_back({std::move(Step), X->InLoop, X});
  };
  if (P.Issue)
    Add(P.Issue, {Kind::CopyIssued, P.Issue->Loc, F.Object});
  if (Commit)
    Add(Commit, {Kind::Committed, Commit->Loc});
  if (Wait && Wait != P.Excluding)
    Add(Wait, {Wait->K, Wait->Loc, "", Wait->N});
  if (!P.Wait)
    for (const TraceNode *Early : llvm::reverse(P.Steps))
      if ((Early->K == Kind::WaitedEarly || Early->K == Kind::TriedOnce) &&
          has(Early, F.Reader)) {
        Add(Early, {Early->K, Early->Loc, "", Early->N, Early->Flag});
        break;
      }
  const TraceNode *X = P.Excluding;
  if (X && X->K != Kind::BranchTaken) {
    std::string Threads = threadRanges(X->Mask, Shape);
    bool IsCommit = X->K == Kind::Committed;
    Add(X, {IsCommit ? Kind::CommitSkipped : Kind::WaitSkipped, X->Loc,
            std::move(Threads)});
    if (const TraceNode *Left =
            FlightPaths::leavingBefore(X, P.Issue, S.Trace, F.Thread))
      Add(Left,
          {Kind::Left, Left->Loc, threadRanges(Left->Mask, Shape), Left->N});
  }
  if (const TraceNode *Wrong = P.OtherKind)
    Add(Wrong, {Wrong->K, Wrong->Loc});
  // A missing commit is missed first where the copy is issued; the newest
  // decision counts for what came too late.
  bool Uncommitted = !Commit && Wait;
  const TraceNode *Cutoff =
      F.Cause == InFlightCause::WaitBeforeCommit ? nullptr : Wait;
  Decisions Told = decisionsFor(P.Issue, P.Steps, Cutoff, Uncommitted);
  if (X && X->K == Kind::BranchTaken && !llvm::is_contained(Told, X)) {
    llvm::erase_if(Told, [&](const TraceNode *O) { return O->Loc == X->Loc; });
    Told.push_back(X);
  }
  const TraceNode *Loop = S.Loops.empty() ? nullptr : S.Loops.back().Newest;
  if (!F.OnEveryPath && Told.empty() && !Loop)
    Told = decisionsAround({P.Issue, S.Within});
  for (const TraceNode *N : Told)
    addDecision(Steps, N);
  Steps.push_back({{Kind::Read, F.At.Read, F.Object}, Loop, nullptr});
  tell(F, std::move(Steps), S.Trace, EffectGroup, Run.callsAround(S));
}

// A story takes time in proportion to the path. The same two places clash for
// every tile and on every path of a wrong loop; the first few tell enough.
static constexpr unsigned MaxTellings = 100;

bool Witness::isToldOften(const State &S, const ClashKind &This, bool Now) {
  unsigned &Count = Findings.Tellings[This];
  Count += Now;
  if (Count <= MaxTellings)
    return false;
  Run.CutShort |=
      Run.Shared.History.IsPossible != nullptr; // those told may be refuted
  // Who committed or waited where others did not is found by telling only.
  if (This.What.first == FindingKind::ReadInFlight && S.Trace &&
      S.Trace->Uneven)
    Run.gap(This.Second, "a clash here was found more than " +
                             std::to_string(MaxTellings) +
                             " times; another cause of it may be missing");
  return true;
}

// What the copy missed: the group it was in, if any, and its wait.
void Witness::findCause(Finding &F, FlightPath &Path, const GroupQueue &Queue,
                        int GroupIndex) {
  if (GroupIndex < 0) {
    Path.Wait = Queue.openLastWait();
    F.Cause =
        Path.Wait ? InFlightCause::NotCommitted : InFlightCause::NeverWaited;
  } else {
    const Group &G = Queue.groups()[GroupIndex];
    if (!G.Alone)
      Path.Commit = G.Commit;
    // Those that the wait could leave: others were committed after it.
    F.NewerGroups = llvm::count_if(
        Queue.groups().drop_front(GroupIndex + 1),
        [&](const Group &X) { return X.LastWait == G.LastWait; });
    // A wait for another phase leaves what it was not meant for.
    if (G.LastWait && Events[G.LastWait].OfPhase) {
      F.Cause = InFlightCause::NeverWaited;
    } else if (G.LastWait) {
      Path.Wait = G.LastWait;
      F.Cause = InFlightCause::WaitTooWeak;
    } else if (G.EarlyWait) {
      Path.Wait = G.EarlyWait;
      F.Cause = InFlightCause::WaitBeforeCommit;
    }
  }
  if (Path.Commit)
    F.At.Commit = Events[Path.Commit].Loc;
  if (Path.Wait) {
    F.At.Wait = Events[Path.Wait].Loc;
    F.Value = Events[Path.Wait].N;
  }
  if (const TraceNode *X = Path.Excluding) {
    F.Cause = Flights.isCommittedByWarp(Path, F.Thread)
                  ? InFlightCause::Entangled
                  : InFlightCause::Divergent;
    F.Split = Flights.divergenceAt(X, F.Thread);
    // A branch keeps threads from what they have not run yet.
    const bool IsWait = X->K == TraceStep::Kind::BranchTaken
                            ? Path.Commit != 0
                            : X->K != TraceStep::Kind::Committed;
    F.At.Commit = IsWait ? SourceLocation() : X->Loc;
    F.At.Wait = IsWait ? X->Loc : SourceLocation();
  }
}

// A commit or wait of the other kind of group in the place of the right one.
void Witness::findOtherKind(Finding &F, FlightPath &Path) {
  llvm::SmallVector<const TraceNode *, 16> NewestFirst(
      llvm::reverse(Path.Steps));
  llvm::ArrayRef<const TraceNode *> BeforeCommit(NewestFirst);
  auto OfCommit = llvm::find_if(
      NewestFirst, [&](const TraceNode *X) { return X->Event == Path.Commit; });
  if (Path.Commit && OfCommit != NewestFirst.end())
    BeforeCommit = BeforeCommit.drop_front(OfCommit - NewestFirst.begin());
  const TraceNode *OtherCommit =
      FlightPaths::commitOfOtherKind(BeforeCommit, F.Thread, /*Bulk=*/false);
  Path.OtherKind = OtherCommit;
  if (!OtherCommit && Path.Commit && !Path.Wait)
    Path.OtherKind =
        FlightPaths::waitOfOtherKind(NewestFirst, F.Thread, /*Bulk=*/false);
  if (const TraceNode *Wrong = Path.OtherKind) {
    F.Cause = InFlightCause::OtherKind;
    F.At.Commit = OtherCommit ? Wrong->Loc : SourceLocation();
    F.At.Wait = OtherCommit ? SourceLocation() : Wrong->Loc;
  }
}

void Witness::reportReadInFlight(State &S, EventId Copy, EventId Read,
                                 const Overlap &Clash,
                                 const BlockCopies::ThreadClass &Class,
                                 int GroupIndex) {
  if (Run.Replay.fail())
    return;
  const Group *Of =
      GroupIndex < 0 ? nullptr : &Class.Queue.groups()[GroupIndex];
  const bool Now = !ReadLiveness::isHeldBack(S, Read, /*AtRead=*/true);
  if (Now && !Told.insert({Copy, Read, Of ? Of->Commit : 0,
                           !Of            ? Class.Queue.openLastWait()
                           : Of->LastWait ? Of->LastWait
                                          : Of->EarlyWait,
                           S.Trace ? S.Trace->Decided : nullptr})
                  .second)
    return;
  const Event &Issued = Events[Copy], &R = Events[Read];
  Findings.ReadInFlight |= Now && !S.GaveUpOn.isPtr();
  ClashKind This = {Issued.Loc, R.Loc};
  const EventId Late = Of ? Of->LastWait : 0,
                Wait = Late ? Late
                       : Of ? Of->EarlyWait
                            : Class.Queue.openLastWait();
  if (Of)
    This.Commit = Events[Of->Commit].Loc;
  if (Wait)
    This.Wait = Events[Wait].Loc;
  This.What = {FindingKind::ReadInFlight, Late != 0};
  This.SameThread = Clash.Thread == Clash.Other;
  if (isToldOften(S, This, Now))
    return;
  Finding F;
  F.Kind = FindingKind::ReadInFlight;
  F.Object = Run.nameOf(Issued.Bytes->Obj).str();
  F.At.Copy = Issued.Loc;
  F.At.Read = R.Loc;
  F.Copied = Issued.Bytes->Size;
  F.Thread = Clash.Other;
  F.Reader = Clash.Thread;
  F.Byte = Clash.Byte;
  Elements(Run).nameNow(F, S, R.Bytes, F.Reader);
  if (!S.Loops.empty())
    F.Path.Iteration = S.Loops.back().Newest->N;

  FlightPath Path = Flights.flightPath(S, Copy, F.Thread, GroupIndex >= 0);
  if (Of && Of->Alone) // it waits for no commit
    Path.Excluding = nullptr;
  findCause(F, Path, Class.Queue, GroupIndex);
  // It fills a slot that another copy was still to fill: the wait is right for
  // that one.
  if (F.Cause == InFlightCause::WaitTooWeak && Issued.Overran)
    return;
  if (F.Cause == InFlightCause::WaitTooWeak)
    F.Limit = largestCount(F, Path.Steps, Path.Wait);

  if (!Of || !Of->Alone)
    findOtherKind(F, Path);

  if (!Of || !Of->Alone) { // another wait would be for others
    Fixes.offerRepair(F, Path, R.Bytes, Class, GroupIndex, S);
    Fixes.offerCommit(F, S, Path);
    Fixes.offerInsertion(F, S, Path, R.Bytes);
  }
  F.OnEveryPath =
      isUnconditional(S.Trace) && Issued.May.empty() && R.May.empty();
  tellFlight(F, S, Path);
  PipelineNotes(Run).record(F, S, F.Thread, {Path.Issue, Read});
  Findings.noteDecisions(S, F, Copy, F.Thread, Read, F.Reader);
  if (Issued.Shared) // which of them copies it is not said
    F.Thread = F.Path.Around.Owner = -1;
  Reads.reportOfRead(S, std::move(F), Read, Copy, /*AtRead=*/true);
}

void Witness::reportReadBeforeCopy(State &S, EventId Read, EventId Copy,
                                   const Overlap &Clash) {
  const Event &Issued = Events[Copy], &R = Events[Read];
  Finding F;
  F.Kind = FindingKind::ReadBeforeCopy;
  F.Object = Run.nameOf(Issued.Bytes->Obj).str();
  F.At.Copy = Issued.Loc;
  F.At.Read = R.Loc;
  F.Copied = Issued.Bytes->Size;
  F.Thread = Clash.Other;
  F.Reader = Clash.Thread;
  F.Byte = Clash.Byte;
  Elements(Run).nameNow(F, S, R.Bytes, F.Thread); // as the copy does
  F.OnEveryPath = isUnconditional(S.Trace);
  const TraceNode *First = nullptr;
  for (const TraceNode *N = S.Trace; N; N = N->Prev)
    if (N->Event == Read && N->K == TraceStep::Kind::Read)
      First = N;
  const TraceNode *InLoop = S.Trace->InLoop; // the copy is its newest step
  if (First)
    F.Path.Iteration = First->InLoop ? First->InLoop->N : -1;
  std::vector<ToldStep> Steps;
  Steps.push_back({{TraceStep::Kind::Read, R.Loc, F.Object},
                   First ? First->InLoop : nullptr,
                   First});
  Steps.push_back({{TraceStep::Kind::CopyOfLaterSlot, Issued.Loc, F.Object},
                   InLoop,
                   S.Trace});
  if (!F.OnEveryPath && !InLoop)
    for (const TraceNode *N : decisionsAround({First, S.Within}))
      addDecision(Steps, N);
  tell(F, std::move(Steps), S.Trace, EffectGroup | EffectCopy,
       Run.callsAround(S));
  PipelineNotes(Run).record(F, S, F.Thread,
                            {First, Copy, TraceStep::Kind::CopyIssued});
  Reads.reportOfRead(S, std::move(F), Read, Copy, /*AtRead=*/false);
}

void Witness::reportUncommitted(State &S) {
  const FunctionDecl *Kernel = S.frame().Fn->decl();
  if (!Kernel->hasAttr<CUDAGlobalAttr>())
    return; // others may commit
  for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
    const PerThread *Ends = L.both(C.Mask, S.Active);
    for (EventId Copy : C.Queue.open()) {
      const Event &Issued = Events[Copy];
      const PerThread *Threads =
          L.both(Ends, Exclusive.mayHaveDone(S.Condition, Copy));
      if (PerThreadContext::isEmpty(Threads))
        continue;
      Finding F;
      F.Kind = FindingKind::UncommittedAtEnd;
      F.Object = Run.nameOf(Issued.Bytes->Obj).str();
      F.At.Copy = Issued.Loc;
      F.Copied = Issued.Bytes->Size;
      F.Thread = L.first(Threads);
      F.OnEveryPath = isUnconditional(S.Trace) && Issued.May.empty();
      FlightPath Path =
          Flights.flightPath(S, Copy, F.Thread, /*Committed=*/false);
      std::vector<ToldStep> Steps;
      if (Path.Issue)
        Steps.push_back({{TraceStep::Kind::CopyIssued, F.At.Copy, F.Object},
                         Path.Issue->InLoop,
                         Path.Issue});
      for (const TraceNode *N : decisionsFor(Path.Issue, Path.Steps, nullptr,
                                             /*First=*/true))
        addDecision(Steps, N);
      const SourceLocation End =
          Ctx.getSourceManager().getExpansionLoc(Kernel->getEndLoc());
      Steps.push_back({{TraceStep::Kind::KernelEnd, End}, nullptr, nullptr});
      PipelineNotes(Run).record(F, S, F.Thread, {Path.Issue});
      F.Thread = -1; // all of them
      tell(F, std::move(Steps), S.Trace, EffectGroup | EffectCopy,
           Run.callsAround(S));
      Findings.add(S, std::move(F));
    }
  }
}

void Witness::tellCalls(Finding &F, const State &S) {
  for (size_t I = 1; I < S.Frames.size(); ++I) {
    SourceLocation Call =
        Ctx.getSourceManager().getExpansionLoc(S.Frames[I].CallLoc);
    if (Call == F.At.Copy)
      break;
    F.Trace.push_back({TraceStep::Kind::CalledFrom, Call,
                       S.Frames[I].Fn->decl()->getNameAsString()});
  }
}

void Witness::tellWayToCopy(Finding &F, const State &S) {
  std::vector<ToldStep> Steps;
  if (!F.OnEveryPath) {
    constexpr unsigned Max = 2; // which of them shifted the address is open
    Decisions Told = decisionsAround(S.Within);
    llvm::erase_if(Told, [](const TraceNode *N) { return !N->May; });
    Told.append(newestDecisions(S.Trace, Max));
    for (const TraceNode *N : Told)
      addDecision(Steps, N);
  }
  const TraceNode *Loop = S.Loops.empty() ? nullptr : S.Loops.back().Newest;
  Steps.push_back(
      {{TraceStep::Kind::CopyIssued, F.At.Copy, F.Object}, Loop, nullptr});
  tell(F, std::move(Steps), S.Trace, EffectCopy, Run.callsAround(S));
}
