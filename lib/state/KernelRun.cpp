//===- KernelRun.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/KernelRun.h"
#include "lib/state/MemoizedCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

KernelRun::KernelRun(Program &P, const AnalysisOptions &Options,
                     SharedValues &Shared)
    : P(P), Ctx(P.context()), Options(Options), Shared(Shared),
      Shape(Shared.Shape), V(Shared.V), L(V.lanes()), Blocks(V, Shape),
      Footprints(V), Written(Footprints), MaxSteps(Options.StepBudget) {
  L.setInStep(Options.LanesApart ? 1 : WarpThreads);
}

bool KernelRun::decided(State &S, const Int *Condition, bool Holds,
                        const PerThread *Where, SourceLocation Loc) {
  Shared.History.decide(S.Decided, Condition, Holds, Where, Loc);
  return !Shared.History.IsPossible || !S.Decided ||
         Shared.History.IsPossible(S.Decided->Number);
}

const PastDecision *KernelRun::decidedUnder(const PastDecision *Newest,
                                            llvm::ArrayRef<MayCondition> May,
                                            int Thread, SourceLocation Loc) {
  if (May.empty())
    return Newest;
  std::vector<int64_t> One(L.threads(), Thread < 0);
  if (Thread >= 0)
    One[Thread] = 1;
  for (const auto &[Condition, Holds] : May)
    if (Thread >= 0 || Condition->isUniform())
      Shared.History.decide(Newest, Condition, Holds, L.perThread(One), Loc);
  return Newest;
}

void KernelRun::guessOrder(State &S) {
  S.OrderIsGuessed = true;
  Report->OrderIsGuessed = true;
}

void KernelRun::gap(SourceLocation Loc, std::string Reason) {
  if (Replay.fail() || IsAside)
    return;
  Effects.note();
  AnalysisGap G{Ctx.getSourceManager().getExpansionLoc(Loc), std::move(Reason)};
  if (!llvm::is_contained(Report->Gaps, G))
    Report->Gaps.push_back(std::move(G));
}

void KernelRun::gap(const State &S, SourceLocation Loc, std::string Reason) {
  const bool IsTheirs = Ctx.getSourceManager().isInSystemHeader(Loc);
  gap(IsTheirs ? userLoc(S, Loc) : Loc, std::move(Reason));
}

Site KernelRun::siteOf(const State &S, const void *Op, SourceLocation At) {
  const SourceManager &SM = Ctx.getSourceManager();
  SourceLocation Loc = At;
  size_t I = S.depth();
  for (; I > 0; --I) {
    bool System = SM.isInSystemHeader(SM.getExpansionLoc(Loc));
    if (!System && !P.isThinWrapper(S.Frames[I].Fn->decl()))
      break;
    Loc = S.Frames[I].CallLoc;
  }
  return {Op, At, SM.getExpansionLoc(Loc), I};
}

UserPlace KernelRun::userStatement(const State &S) const {
  const SourceManager &SM = Ctx.getSourceManager();
  size_t I = S.Frames.size() - 1;
  const Frame &Top = S.Frames[I];
  if (!Top.Block || Top.Element == 0 || Top.Element > Top.Block->size())
    return {};
  auto Element = (*Top.Block)[Top.Element - 1].getAs<CFGStmt>();
  const Stmt *St = Element ? Element->getStmt() : nullptr;
  SourceLocation At = St ? St->getBeginLoc() : SourceLocation();
  // As userLoc() does.
  for (; St && I > 0; --I) {
    if (!SM.isInSystemHeader(SM.getExpansionLoc(At)) &&
        !P.isThinWrapper(S.Frames[I].Fn->decl()))
      break;
    St = S.Frames[I].Call;
    At = S.Frames[I].CallLoc;
  }
  return {St, S.Frames[I].Fn->decl()};
}

void KernelRun::notePlace(const State &S, SourceLocation Loc) {
  if (const UserPlace Now = userStatement(S); Now.In)
    Places[Loc] = Now;
}

const CallChain *KernelRun::callsAround(const State &S, size_t Frame) {
  const auto &Of = S.Frames[Frame];
  if (Frame > 0 && !Of.Calls.Chain)
    Of.Calls.Chain = Shared.Chains.get(
        {callsAround(S, Frame - 1), Of.Fn->decl(), Of.Call, Of.CallLoc});
  return Of.Calls.Chain;
}

const CallChain *KernelRun::callsAround(const State &S) {
  return Replay.isActive() ? Replay.calls() : callsAround(S, S.depth());
}

llvm::StringRef KernelRun::nameOf(const NamedDecl *D) {
  if (const auto *Several = dyn_cast<DecompositionDecl>(D))
    D = Several->bindings()[0];
  return D->getIdentifier() ? D->getName() : llvm::StringRef();
}

llvm::StringRef KernelRun::nameOf(const Object *O) const {
  return O->K == Object::Kind::Dynamic ? DynamicName : O->Name;
}

static bool isUneven(const TraceNode &N) {
  switch (N.K) {
  case TraceStep::Kind::Committed:
  case TraceStep::Kind::Waited:
  case TraceStep::Kind::WaitedAll:
    return !N.Mask->isUniform(1);
  case TraceStep::Kind::BranchTaken:
    return N.isDivergent() && (N.Effects & EffectGroup);
  case TraceStep::Kind::BulkCommitted:
  case TraceStep::Kind::BulkWaited:
  case TraceStep::Kind::MatricesCommitted:
  case TraceStep::Kind::MatricesWaited:
    return true;
  default:
    return false;
  }
}

void KernelRun::trace(State &S, TraceNode N) {
  const bool IsTaped = N.K == TraceStep::Kind::Iteration ||
                       N.K == TraceStep::Kind::Read ||
                       N.K == TraceStep::Kind::Stored;
  if (!IsTaped)
    Effects.note();
  if (N.K == TraceStep::Kind::Waited || N.K == TraceStep::Kind::Barrier)
    notePlace(S, N.Loc);
  N.Prev = S.Trace;
  N.Within = S.Within;
  N.Calls = callsAround(S);
  if (!N.InLoop)
    N.InLoop = loopAround(S);
  N.Place = ++S.Length;
  if (S.Trace) {
    N.Decided = S.Trace->Decided;
    N.Copied = S.Trace->Copied;
  }
  N.Uneven = (S.Trace && S.Trace->Uneven) || isUneven(N);
  TraceNodes.push_back(N);
  TraceNode &Added = TraceNodes.back();
  if (Added.isDecision())
    Added.Decided = &Added;
  if (N.K == TraceStep::Kind::CopyIssued) {
    Added.Copied = &Added;
    S.CopiedWithin = S.Within;
  }
  S.Trace = &Added;
}

const Object *KernelRun::local(State &S, const void *Origin,
                               llvm::StringRef Name, int64_t Size,
                               int64_t Number) {
  Object O{Object::Kind::Local};
  O.Origin = Origin;
  O.Call = S.frame().Number;
  O.Number = Number;
  O.Name = Name;
  O.Size = Size;
  return V.object(O);
}

Value KernelRun::simplify(const State &S, Value Val) {
  if (Val.I && !Val.I->isKnown())
    Val.I = S.Condition.simplify(V, Val.I, S.Active);
  return Val;
}

static const PerThread *livingThreadsOf(const Context &C) {
  for (const Split &Sp : C.Splits) {
    const FunctionInfo *Fn = C.Frames[Sp.Depth].Fn;
    if (Sp.Depth == 0 && Sp.Join == &Fn->cfg()->getExit() && !Sp.MayCondition &&
        !Sp.Other)
      continue; // those threads have left the kernel
    return Sp.JoinMask;
  }
  return C.Active;
}

const PerThread *KernelRun::livingThreads(const State &S) {
  const PerThread *R = livingThreadsOf(S);
  for (const Context &C : S.Stopped)
    R = L.either(R, livingThreadsOf(C));
  return R;
}
