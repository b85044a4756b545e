//===- Revalidation.cpp - Running again from where reads began ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first run of a kernel keeps checkpoints of its paths (Checkpoints.h) and
// finds reads that race. The second begins at the checkpoints before those
// reads and watches where their values go. A path ends at the barrier after
// which none of them can matter: from there on it is one of the first run.
//
// Statements that only matter now were not run before the checkpoint: what a
// local would hold from them is not known, and so counts as used if it might be
// a value that was read. If a finding was confirmed and such a local asked for,
// the kernel has to be run again from its beginning.
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Executor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

bool Executor::hasOpenReads(const State &S) {
  return !Followed.empty() && S.Copies.unordered().any([&](const Access &A) {
    const Event &E = Events[A.Event];
    return E.K == Event::Kind::Read && Followed.count(E.Loc);
  });
}

void Executor::setCheckpoint(State &S) {
  S.Checkpoint.reset();
  S.Passed.clear();
  auto New = std::make_shared<State>(S);
  auto Forget = [](Context &C) {
    for (LoopVisit &Loop : C.Loops)
      Loop.History.clear();
  };
  Forget(*New);
  llvm::for_each(New->Stopped, Forget);
  S.Checkpoint = std::move(New);
}

Executor::Step Executor::passCheckpoint(State &S) {
  if (Watched.empty()) {
    if (!hasOpenReads(S))
      setCheckpoint(S);
    return Step::Continue;
  }
  if (!FromCheckpoints || hasOpenReads(S))
    return Step::Continue;
  if (hasNothingToConfirm(S))
    return Step::PathEnds;
  if (S.Stopped.empty() && S.Splits.empty()) {
    S.Copies = BlockCopies(L, Run.Written);
    S.Copies.unknownStore(); // no read is blind
    S.OnlyUses = true;
    interrupt(S);
    P.watchOnlyUses(true);
  }
  return Step::Continue;
}

bool Executor::hasNothingToConfirm(State &S) {
  forgetLost(S);
  return S.Mem.unused().reads().empty();
}

void Executor::notePassed(State &S, Spot Here) {
  if (Watched.empty() && hasOpenReads(S))
    S.Passed.push_back(Here);
}

void Executor::noteEnd(State &S, Spot Before) {
  if (Watched.empty() && hasOpenReads(S))
    Doubtful.addEnd(Before, S.Checkpoint, S.Passed);
}

bool Executor::isDoubtful(EventId Read) const {
  return Watched.empty() && Followed.count(Events[Read].Loc);
}

void Executor::noteDoubt(State &S, EventId Read) {
  if (!isDoubtful(Read))
    return;
  Doubted.insert(Events[Read].Loc);
  Doubtful.add(S.Checkpoint, S.Passed);
}

void Executor::noteMissed(const Object *Local, QualType T) {
  if (Local->Name.empty() || P.isPayload(T))
    return;
  const auto *Var = static_cast<const VarDecl *>(Local->Origin);
  const auto *In =
      dyn_cast_if_present<FunctionDecl>(Var->getParentFunctionOrMethod());
  MissedValue |=
      Interrupted.contains(In) && !P.function(In).isAlwaysRelevant(Var);
}

void Executor::interrupt(const State &S) {
  auto Add = [&](const Context &C) {
    for (const Frame &F : C.Frames)
      Interrupted.insert(F.Fn->decl());
  };
  Add(S);
  llvm::for_each(S.Stopped, Add);
}

void Executor::watchReads(const FunctionDecl *Root, Reads ToWatch,
                          llvm::ArrayRef<Finding> ToConfirm) {
  llvm::SmallVector<const void *, 8> Variables;
  for (const auto &[Loc, Targets] : ToWatch)
    Variables.append(Targets.begin(), Targets.end());
  P.watch(Root, Variables);
  Watched = std::move(ToWatch);
  Unconfirmed = ToConfirm.vec();
}

bool Executor::confirm(const FunctionDecl *Root,
                       llvm::ArrayRef<Finding> ToConfirm,
                       KernelReport &ToReport, std::vector<Finding> &Found) {
  const std::vector<Checkpoints::Checkpoint> Starts = Doubtful.starts();
  if (HangsOnReads || Starts.empty())
    return false;
  Reads ToWatch;
  for (SourceLocation Loc : Doubted)
    ToWatch[Loc] = Followed[Loc];
  watchReads(Root, std::move(ToWatch), ToConfirm);
  Run.Report = &ToReport;
  Findings = &Found;
  FromCheckpoints = true;
  Known = Known.forLastRun();
  Met.forgetAll();
  Tellings.clear();
  Steps = 0;
  Forks = 1; // other paths may come by
  // What calls gave without what is run now.
  MemoizedCalls Others = std::exchange(Run.Shared.Calls, MemoizedCalls());
  Recordings.clear();
  for (const Checkpoints::Checkpoint &Start : Starts) {
    State Path = *Start;
    interrupt(Path);
    Path.Copies.meet(Run.Written, BlockCopies::SinceMeeting::None);
    if (alreadySeen(Path, Doubtful.newSpot()))
      continue;
    Work.push_back(std::move(Path));
    runPaths();
  }
  Run.Shared.Calls = std::move(Others);
  Recordings.clear();
  return !MissedValue || Unconfirmed.size() == ToConfirm.size();
}
