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

#include "lib/state/ReadLiveness.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

bool ReadLiveness::hasOpenReads(const State &S) {
  return !Followed.empty() && S.Copies.unordered().any([&](const Access &A) {
    const Event &E = Events[A.Event];
    return E.K == Event::Kind::Read && Followed.count(E.Loc);
  });
}

void ReadLiveness::setCheckpoint(State &S) {
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

Step ReadLiveness::passCheckpoint(State &S) {
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
    S.Copies.history().storeAnywhere(Run.Written); // no read is blind
    S.OnlyUses = true;
    interrupt(S);
    P.watchBesides(Program::Matters::Nothing);
  }
  return Step::Continue;
}

bool ReadLiveness::hasNothingToConfirm(State &S) {
  forgetLost(S);
  return S.Mem.unused().reads().empty();
}

void ReadLiveness::notePassed(State &S, Spot Here) {
  if (Watched.empty() && hasOpenReads(S))
    S.Passed.push_back(Here);
}

void ReadLiveness::noteEnd(State &S, Spot Before) {
  if (Watched.empty() && hasOpenReads(S))
    Doubtful.addEnd(Before, S.Checkpoint, S.Passed);
}

bool ReadLiveness::isDoubtful(EventId Read) const {
  return Watched.empty() && Followed.count(Events[Read].Loc);
}

void ReadLiveness::noteDoubt(State &S, EventId Read) {
  if (!isDoubtful(Read))
    return;
  Doubted.insert(Events[Read].Loc);
  Doubtful.add(S.Checkpoint, S.Passed);
}

void ReadLiveness::noteMissed(const Object *Local, QualType T) {
  if (Local->Name.empty() || P.isPayload(T))
    return;
  const auto *Var = static_cast<const VarDecl *>(Local->Origin);
  const auto *In =
      dyn_cast_if_present<FunctionDecl>(Var->getParentFunctionOrMethod());
  MissedValue |=
      Interrupted.contains(In) && !P.function(In).isAlwaysRelevant(Var);
}

void ReadLiveness::interrupt(const State &S) {
  auto Add = [&](const Context &C) {
    for (const Frame &F : C.Frames)
      Interrupted.insert(F.Fn->decl());
  };
  Add(S);
  llvm::for_each(S.Stopped, Add);
}

void ReadLiveness::watchReads(const FunctionDecl *Root, ReadPlaces ToWatch,
                              llvm::ArrayRef<Finding> ToConfirm) {
  llvm::SmallVector<const void *, 8> Variables;
  for (const auto &[Loc, Targets] : ToWatch)
    Variables.append(Targets.begin(), Targets.end());
  P.watch(Root, Variables);
  Watched = std::move(ToWatch);
  Findings.Unconfirmed = ToConfirm.vec();
}

void ReadLiveness::watchDoubted(const FunctionDecl *Root,
                                llvm::ArrayRef<Finding> ToConfirm) {
  ReadPlaces ToWatch;
  for (SourceLocation Loc : Doubted)
    ToWatch[Loc] = Followed[Loc];
  watchReads(Root, std::move(ToWatch), ToConfirm);
  FromCheckpoints = true;
}

std::vector<Checkpoints::Checkpoint> ReadLiveness::starts() const {
  return HangsOnReads ? std::vector<Checkpoints::Checkpoint>()
                      : Doubtful.starts();
}
