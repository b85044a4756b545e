//===- CallTape.cpp - What a call did to shared memory --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step is done again where the call is made again, in the state of then. What
// it meets there may be new: if anything would have to be told, nothing of the
// call is done again and it is run, frames and all.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/CallMemo.h"
#include "lib/interp/Interpreter.h"

using namespace clang;
using namespace cpasync;

std::vector<TapeStep> &CallMemo::tape() {
  if (Run.Effects.anySince(std::exchange(TapedSince, Run.Effects.now()))) {
    Tape.clear();
    Inner.clear();
    ReadLocals.clear();
  }
  return Tape;
}

TraceNode TapeStep::round() const {
  TraceNode Round{TraceStep::Kind::Iteration};
  Round.N = N;
  Round.Effects = Effects;
  Round.Name = Counter;
  Round.Source = P;
  Round.Flag = ChangesInBody;
  return Round;
}

std::vector<CallStep> cpasync::stepsOfCall(llvm::ArrayRef<TapeStep> Tape,
                                           size_t Depth) {
  std::vector<CallStep> Steps;
  llvm::DenseMap<const TraceNode *, int> Numbers;
  for (const TapeStep &T : Tape) {
    const auto Loop = Numbers.find(T.Loop);
    Steps.push_back({T, /*Inside=*/T.Where.Frame >= Depth,
                     Loop == Numbers.end() ? -1 : Loop->second});
    Steps.back().Step.Depth -= Depth - 1;
    Steps.back().Step.Loop = Steps.back().Step.Node = nullptr;
    if (T.Node)
      Numbers[T.Node] = Steps.size() - 1;
  }
  return Steps;
}

bool CallMemo::replay(State &S, const Expr *Call,
                      llvm::ArrayRef<CallStep> CallSteps) {
  if (CallSteps.empty())
    return true;
  const BlockCopies Copies = S.Copies;
  const TraceNode *Trace = S.Trace;
  const unsigned Length = S.Length;
  const PerThread *Active = S.Active;
  const SideEffects::Mark Before = Run.Effects.now();
  const size_t Taped = tape().size();
  // Loops that calls before have left are still there.
  const TraceNode *Around = nullptr;
  for (const LoopVisit &Loop : S.Loops)
    if (Loop.Depth <= S.depth())
      Around = Loop.Newest;
  const Site Caller = Run.siteOf(S, Call, Call->getBeginLoc());
  const CallChain *Calls = Run.callsAround(S);
  std::vector<const TraceNode *> Nodes(CallSteps.size());
  std::optional<CallReplay::Scope> Again(Run.Replay);
  for (size_t I = 0; I < CallSteps.size() && !Run.Replay.hasFailed(); ++I) {
    const auto &[T, Inside, Loop] = CallSteps[I];
    S.Active = T.Active;
    Again->step(Loop < 0 ? Around : Nodes[Loop], T.Depth,
                Run.Shared.Chains.movedTo(Calls, T.Calls, T.Depth));
    Site Where = T.Where;
    Where.Frame = Inside ? S.depth() + T.Depth : Caller.Frame;
    if (!Inside)
      Where.Loc = Caller.Loc;
    LoadedParts Parts;
    switch (T.K) {
    case TapeStep::Kind::Read:
      Accesses.sharedRead(S, Where, T.P, T.N, T.Followed ? &Parts : nullptr,
                          T.Whole);
      break;
    case TapeStep::Kind::Store:
      Accesses.sharedWrite(S, Where, T.P, T.N);
      break;
    case TapeStep::Kind::AtomicStore:
      Accesses.atomicStore(S, Where, T.P, T.N);
      break;
    case TapeStep::Kind::Iteration:
      iteration(S, Where, T.round());
      break;
    }
    Nodes[I] = S.Trace;
  }
  Again.reset();
  S.Active = Active;
  if (!Run.Replay.hasFailed() && !Run.Effects.anySince(Before))
    return true;
  S.Copies = Copies;
  S.Trace = Trace;
  S.Length = Length;
  if (!Run.Effects.anySince(Before))
    Tape.erase(Tape.begin() + Taped, Tape.end());
  return false;
}

void CallMemo::noteStep(const State &S, TapeStep Step) {
  Step.Active = S.Active;
  Step.Depth = S.depth() + Run.Replay.depth();
  Step.Loop = Run.loopAround(S);
  Step.Calls = Run.callsAround(S);
  tape().push_back(Step);
}

void CallMemo::iteration(State &S, const Site &Where, TraceNode Round) {
  TapeStep Taped{TapeStep::Kind::Iteration, Where};
  Taped.P = Round.Source;
  Taped.N = Round.N;
  Taped.Effects = Round.Effects;
  Taped.Counter = Round.Name;
  Taped.ChangesInBody = Round.Flag;
  noteStep(S, Taped);
  Round.Loc = Where.Loc;
  Run.trace(S, Round);
  Tape.back().Node = S.Trace;
}
