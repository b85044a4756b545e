//===- Witness.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

SourceLocation Executor::userLoc(const State &S, SourceLocation Loc) {
  const SourceManager &SM = Ctx.getSourceManager();
  for (size_t I = S.Frames.size(); I-- > 1;) {
    bool System = SM.isInSystemHeader(SM.getExpansionLoc(Loc));
    if (!System && !P.isThinWrapper(S.Frames[I].Fn->decl()))
      break;
    Loc = S.Frames[I].CallLoc;
  }
  return SM.getExpansionLoc(Loc);
}

// True if the operand is what a caller passed: a parameter, a template
// parameter, or the size of one.
static bool comesFromCaller(const Expr *E, const ParmVarDecl *&Parm,
                            unsigned &TemplateIndex) {
  TemplateIndex = ~0u;
  if (!E)
    return false;
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

SourceLocation Executor::operandLoc(const State &S, const Expr *Operand,
                                    SourceLocation Fallback) {
  const SourceManager &SM = Ctx.getSourceManager();
  SourceLocation Loc = Fallback;
  for (size_t I = S.Frames.size(); I-- > 1;) {
    const ParmVarDecl *Parm = nullptr;
    unsigned Index = ~0u;
    if (!Operand || !comesFromCaller(Operand, Parm, Index))
      return Loc;
    Loc = SM.getExpansionLoc(S.Frames[I].CallLoc);
    const auto *Call = dyn_cast_if_present<CallExpr>(S.Frames[I].Call);
    Operand = nullptr;
    if (!Call)
      return Loc;
    if (Parm && Parm->getFunctionScopeIndex() < Call->getNumArgs()) {
      Operand = Call->getArg(Parm->getFunctionScopeIndex());
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

// The place that one edit would repair: two findings with one are the same.
static SourceLocation editPlace(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::ReadInFlight:
    switch (F.Cause) {
    case InFlightCause::NeverWaited:
      return F.CommitLoc.isValid() ? F.CommitLoc : F.ReadLoc;
    case InFlightCause::Divergent:
    case InFlightCause::OtherKind:
      return F.CommitLoc.isValid() ? F.CommitLoc : F.WaitLoc;
    case InFlightCause::NotCommitted:
    case InFlightCause::WaitBeforeCommit:
    case InFlightCause::WaitTooWeak:
      return F.WaitLoc;
    }
    break;
  case FindingKind::ReadBeforeCopy:
    return F.ReadLoc;
  case FindingKind::BadOperand:
  case FindingKind::WaitCountRange:
    return F.OperandLoc;
  case FindingKind::Misaligned:
  case FindingKind::WrongSpace:
    return F.CopyLoc;
  case FindingKind::UnsynchronizedRead:
    return F.WaitLoc.isValid() ? F.WaitLoc : F.ReadLoc;
  case FindingKind::Overwrite:
    if (F.Overwritten == OverwriteCause::BulkReadOtherKind)
      return F.CommitLoc.isValid() ? F.CommitLoc : F.WaitLoc;
    if (F.Overwritten != OverwriteCause::InFlight && F.BarrierLoc.isValid())
      return F.BarrierLoc;
    return F.CopyLoc.isValid() ? F.CopyLoc : F.WriteLoc;
  }
  return F.CopyLoc;
}

void Executor::report(State &S, Finding F) {
  F.PathLength = S.Length;
  if (Shape.Assumed && UsedThreadIndex && F.Thread >= 0)
    F.Trace.insert(F.Trace.begin(), {TraceStep::Kind::AssumedThreads,
                                     S.Frames[0].Fn->decl()->getLocation(), "",
                                     int64_t(Shape.threads())});
  // The same fact once; the shortest path makes the clearest witness.
  for (Finding &Old : *Findings)
    if (Old.Kind == F.Kind && Old.Cause == F.Cause && Old.Rule == F.Rule &&
        Old.Overwritten == F.Overwritten && Old.ByStore == F.ByStore &&
        Old.IsSource == F.IsSource && editPlace(Old) == editPlace(F)) {
      mergeRepairs(Old, F);
      if (F.PathLength < Old.PathLength)
        Old = std::move(F);
      return;
    }
  Findings->push_back(std::move(F));
}

void Executor::addBranches(const State &S, Finding &F) {
  llvm::SmallVector<const TraceNode *, 2> Branches;
  for (const TraceNode *N = S.Trace; N && Branches.size() < 2; N = N->Prev)
    if (N->K == TraceStep::Kind::BranchTaken)
      Branches.push_back(N);
  for (const TraceNode *N : llvm::reverse(Branches))
    F.Trace.push_back({N->K, N->Loc, "", 0, N->Flag});
}

bool Executor::isUnconditional(const TraceNode *N) {
  for (; N; N = N->Prev)
    if (N->K == TraceStep::Kind::BranchTaken)
      return false;
  return true;
}

void Executor::reportReadInFlight(State &S, EventId Copy, EventId Read,
                                  const Overlap &Clash,
                                  const BlockCopies::ThreadClass &Class,
                                  int GroupIndex) {
  const Event &Issued = Events[Copy], &R = Events[Read];
  int Issuer = Clash.Other;
  Finding F;
  F.Kind = FindingKind::ReadInFlight;
  F.Object = Issued.Bytes->Obj->Name.str();
  F.CopyLoc = Issued.Loc;
  F.ReadLoc = R.Loc;
  F.Copied = Issued.Bytes->Size;
  F.Thread = Issuer;
  F.Reader = Clash.Thread;
  F.Byte = Clash.Byte;

  // The path since the copy was issued, newest first.
  llvm::SmallVector<const TraceNode *, 16> Path;
  const TraceNode *N = S.Trace;
  for (; N; N = N->Prev) {
    if (N->Event == Copy && N->K == TraceStep::Kind::CopyIssued)
      break;
    Path.push_back(N);
  }
  const TraceNode *IssueNode = N;
  auto Has = [](const TraceNode *X, int T) {
    return X->Mask && (*X->Mask)[T] != 0;
  };

  EventId CommitEvent = 0, WaitEvent = 0;
  if (GroupIndex < 0) {
    WaitEvent = Class.Queue.openLastWait();
    F.Cause =
        WaitEvent ? InFlightCause::NotCommitted : InFlightCause::NeverWaited;
  } else {
    const Group &G = Class.Queue.groups()[GroupIndex];
    CommitEvent = G.Commit;
    F.NewerGroups = Class.Queue.groups().size() - 1 - GroupIndex;
    if (G.LastWait) {
      WaitEvent = G.LastWait;
      F.Cause = InFlightCause::WaitTooWeak;
    } else if (G.EarlyWait) {
      WaitEvent = G.EarlyWait;
      F.Cause = InFlightCause::WaitBeforeCommit;
    }
  }
  if (CommitEvent)
    F.CommitLoc = Events[CommitEvent].Loc;
  if (WaitEvent) {
    F.WaitLoc = Events[WaitEvent].Loc;
    F.Value = Events[WaitEvent].N;
  }

  // A commit or wait of the other kind of group in the place of the right one.
  auto OfCommit = llvm::find_if(
      Path, [&](const TraceNode *X) { return X->Event == CommitEvent; });
  llvm::ArrayRef<const TraceNode *> BeforeCommit(Path);
  if (CommitEvent && OfCommit != Path.end())
    BeforeCommit = BeforeCommit.drop_front(OfCommit - Path.begin());
  const TraceNode *OtherCommit = commitOfOtherKind(BeforeCommit, Issuer, false);
  const TraceNode *OtherWait = CommitEvent && !WaitEvent
                                   ? waitOfOtherKind(Path, Issuer, false)
                                   : nullptr;

  // A commit or wait that other issuers of this copy executed and the witness
  // did not, or a branch that differs by thread around one.
  const TraceNode *Excluding = nullptr;
  for (const TraceNode *X : Path) {
    bool Orders = X->K == TraceStep::Kind::Committed ||
                  X->K == TraceStep::Kind::Waited ||
                  X->K == TraceStep::Kind::WaitedAll;
    if (Orders && !Has(X, Issuer) &&
        !LanesContext::isEmpty(L.both(X->Mask, Issued.Bytes->Mask)))
      Excluding = X;
    if (X->K == TraceStep::Kind::BranchTaken && X->Divergent && X->N)
      Excluding = X;
  }
  // Lanes of its warp that committed more often: the newest such commit.
  if (!Excluding && GroupIndex >= 0) {
    const int Warp = Issuer / 32 * 32;
    const int End = std::min<int>(Warp + 32, Shape.threads());
    std::vector<int64_t> Commits(End - Warp);
    for (const TraceNode *X = S.Trace; X; X = X->Prev)
      if (X->K == TraceStep::Kind::Committed)
        for (int T = Warp; T < End; ++T)
          Commits[T - Warp] += Has(X, T);
    int Mate = llvm::max_element(Commits) - Commits.begin() + Warp;
    if (Commits[Mate - Warp] > Commits[Issuer - Warp])
      for (const TraceNode *X = S.Trace; X && !Excluding; X = X->Prev)
        if (X->K == TraceStep::Kind::Committed && !Has(X, Issuer) &&
            Has(X, Mate))
          Excluding = X;
  }
  if (Excluding) {
    F.Cause = InFlightCause::Divergent;
    bool IsCommit = Excluding->K == TraceStep::Kind::Committed;
    bool IsBranch = Excluding->K == TraceStep::Kind::BranchTaken;
    F.CommitLoc = IsCommit || IsBranch ? Excluding->Loc : SourceLocation();
    F.WaitLoc = IsCommit || IsBranch ? SourceLocation() : Excluding->Loc;
  }

  if (const TraceNode *Wrong = OtherCommit ? OtherCommit : OtherWait) {
    F.Cause = InFlightCause::OtherKind;
    F.CommitLoc = OtherCommit ? Wrong->Loc : SourceLocation();
    F.WaitLoc = OtherCommit ? SourceLocation() : Wrong->Loc;
  }

  // How many groups the wait may leave: those committed between the group and
  // the wait.
  if (F.Cause == InFlightCause::WaitTooWeak) {
    int64_t Commits = 0;
    bool BeforeWait = false;
    for (const TraceNode *X : Path) {
      BeforeWait |= X->Event == WaitEvent;
      if (BeforeWait && X->K == TraceStep::Kind::Committed && Has(X, Issuer))
        ++Commits;
    }
    F.Limit = std::max<int64_t>(0, Commits - 1); // the first is its own
  }

  offerRepair(F, WaitEvent, R.Bytes, Class, GroupIndex, S);

  F.OnEveryPath =
      isUnconditional(S.Trace) && Issued.May.empty() && R.May.empty();

  // In execution order.
  auto Add = [&](TraceStep::Kind K, SourceLocation Loc, std::string Name = "",
                 int64_t Num = 0, bool Flag = false) {
    F.Trace.push_back({K, Loc, std::move(Name), Num, Flag});
  };
  int ReadIteration = -1;
  for (const TraceNode *X = S.Trace; X; X = X->Prev)
    if (X->K == TraceStep::Kind::Iteration && !S.Loops.empty()) {
      ReadIteration = X->N;
      break;
    }
  F.Iteration = ReadIteration;
  if (IssueNode)
    Add(TraceStep::Kind::CopyIssued, IssueNode->Loc, F.Object);
  bool SeenCommit = false;
  unsigned Branches = 0;
  for (const TraceNode *X : llvm::reverse(Path)) {
    switch (X->K) {
    case TraceStep::Kind::Committed:
      if (!Has(X, Issuer)) {
        if (X == Excluding)
          Add(TraceStep::Kind::CommitSkipped, X->Loc);
        break;
      }
      if (CommitEvent && X->Event == CommitEvent && !SeenCommit) {
        SeenCommit = true;
        Add(TraceStep::Kind::Committed, X->Loc);
      }
      break;
    case TraceStep::Kind::Waited:
      if (X->Event == WaitEvent || X == Excluding)
        if (F.Trace.empty() || F.Trace.back().K != TraceStep::Kind::Waited ||
            F.Trace.back().Loc != X->Loc)
          Add(TraceStep::Kind::Waited, X->Loc, "", X->N);
      break;
    case TraceStep::Kind::BulkCommitted:
    case TraceStep::Kind::BulkWaited:
      if (X == OtherCommit || X == OtherWait)
        Add(X->K, X->Loc);
      break;
    case TraceStep::Kind::WaitedAll:
      if (X == Excluding)
        Add(TraceStep::Kind::WaitedAll, X->Loc);
      break;
    case TraceStep::Kind::BranchTaken:
      if (++Branches <= 3)
        Add(TraceStep::Kind::BranchTaken, X->Loc, "", 0, X->Flag);
      break;
    default:
      break;
    }
  }
  if (ReadIteration >= 0)
    for (const TraceNode *X = S.Trace; X; X = X->Prev)
      if (X->K == TraceStep::Kind::Iteration) {
        Add(TraceStep::Kind::Iteration, userLoc(S, X->Loc), "", ReadIteration);
        break;
      }
  Add(TraceStep::Kind::Read, F.ReadLoc, F.Object);
  report(S, std::move(F));
}

void Executor::reportReadBeforeCopy(State &S, EventId Read, EventId Copy,
                                    const Overlap &Clash) {
  const Event &Issued = Events[Copy], &R = Events[Read];
  Finding F;
  F.Kind = FindingKind::ReadBeforeCopy;
  F.Object = Issued.Bytes->Obj->Name.str();
  F.CopyLoc = Issued.Loc;
  F.ReadLoc = R.Loc;
  F.Copied = Issued.Bytes->Size;
  F.Thread = Clash.Other;
  F.Reader = Clash.Thread;
  F.Byte = Clash.Byte;
  F.OnEveryPath = isUnconditional(S.Trace);
  F.Trace.push_back({TraceStep::Kind::Read, R.Loc, F.Object});
  F.Trace.push_back({TraceStep::Kind::CopyOfLaterSlot, Issued.Loc, F.Object});
  report(S, std::move(F));
}
