//===- CallMemo.cpp - Calls that are run once -----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layout algebra is most of what a kernel written with templates runs: small
// functions that compute an index from tuples of numbers, again and again with
// the same ones. What such a call returned is remembered by everything that it
// could depend on: the function, its arguments, what the objects hold that
// these lead to, and only if it asked for it, who runs it, how shared memory is
// divided, what the path has decided and which numbers those are that nobody
// knows. Most calls do no more with such a number than to hand it on: what they
// gave holds for any. Objects count by what they hold, not by where they are,
// so that the same call from elsewhere is the same call.
//
// A call may change what its arguments lead to, read and write shared memory
// and run loops: what it did of that is written on a tape, and done again,
// access by access, where the call is made again. If an access meets anything
// that has to be told, the call is run instead. Nothing else may happen in it:
// no copy, no order between threads, no decision of a path, no name for
// something unknown.
//
// What other kernels have remembered saves time, and nothing else: where a run
// ends for its number of steps may not hang on who was run before, in which
// process.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/CallMemo.h"
#include "lib/interp/Interpreter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

using namespace clang;
using namespace cpasync;

// Functions that never could be remembered are not asked again after so many
// calls.
static constexpr unsigned MaxFruitless = 16;
// Calls of a run in a generation; then those of the one before are forgotten,
// and what other runs have made.
static constexpr unsigned MaxCalls = 1 << 17;
// To find what a call gave, and to hand it on, is work for so many.
static constexpr unsigned StepsToFind = 4;
// Of what tells what they hang on.
static constexpr unsigned MaxNodes = 8 * MaxCalls;

/// What \p Bytes are for what is \p Given.
static llvm::SmallVector<Cell, 8> moved(const KeptBytes &Bytes,
                                        const CallArguments &Given) {
  llvm::SmallVector<Cell, 8> Cells(Bytes.Cells.begin(), Bytes.Cells.end());
  for (auto [At, Which] : Bytes.Places)
    Cells[At].V.Obj = Given.Reached[Which];
  for (auto [At, Which] : Bytes.Numbers)
    Cells[At].V.I = Given.Open[Which];
  return Cells;
}

/// Takes \p Cells with the places in them; false if one is not among those that
/// the arguments lead to.
static bool keep(llvm::ArrayRef<Cell> Cells,
                 llvm::ArrayRef<const Object *> Reached, KeptBytes &Bytes) {
  for (const Cell &C : Cells) {
    if (C.V.isPtr() && C.V.Obj->K == Object::Kind::Local) {
      const auto *Known = llvm::find(Reached, C.V.Obj);
      if (Known == Reached.end())
        return false;
      Bytes.Places.push_back({Bytes.Cells.size(), Known - Reached.begin()});
    }
    Bytes.Cells.push_back(C);
  }
  return true;
}

/// Notes which numbers in \p Bytes are of \p Open; false if there is another
/// that is not a constant.
static bool findNumbers(KeptBytes &Bytes, llvm::ArrayRef<const Int *> Open) {
  for (size_t At = 0; At < Bytes.Cells.size(); ++At) {
    const Int *I = Bytes.Cells[At].V.I;
    if (!I || I->isConstant())
      continue;
    const auto *Which = llvm::find(Open, I);
    if (Which == Open.end())
      return false;
    Bytes.Numbers.push_back({At, Which - Open.begin()});
  }
  return true;
}

/// \p O is a local of the call \p Number or of one that it made.
static bool isOfCall(const Object *O, unsigned Number) {
  return O->Call >= Number && O->Call / CallsPerRole == Number / CallsPerRole;
}

/// What the call \p Number left changed of what was there before; none if that
/// cannot be said.
static std::optional<std::vector<ChangedObject>>
changes(llvm::ArrayRef<Memory::Entry> Before, llvm::ArrayRef<Memory::Entry> Now,
        llvm::ArrayRef<const Object *> Reached, unsigned Number) {
  std::vector<ChangedObject> Changes;
  const auto Add = [&](const Object *O, const Contents *C) {
    const auto *Known = llvm::find(Reached, O);
    if (Known == Reached.end())
      return false;
    ChangedObject &New = Changes.emplace_back();
    New.Which = Known - Reached.begin();
    New.Holds = C != nullptr;
    return !C || keep(*C, Reached, New.Bytes);
  };
  const auto *Old = Before.begin(), *New = Now.begin();
  while (Old != Before.end() || New != Now.end()) {
    const bool Gone = New == Now.end() ||
                      (Old != Before.end() && Old->first->Id < New->first->Id);
    const bool Added = Old == Before.end() ||
                       (New != Now.end() && New->first->Id < Old->first->Id);
    const Memory::Entry &E = Gone ? *Old : *New;
    const bool Same = !Gone && !Added && Old->second == New->second;
    if (!Same && !isOfCall(E.first, Number) &&
        !Add(E.first, Gone ? nullptr : E.second))
      return std::nullopt;
    Old += !Added;
    New += !Gone;
  }
  return Changes;
}

// What the call does from here on will be remembered.
void CallMemo::record(State &S, RecordedCall &New) {
  New.Asked = S.Condition.timesAsked();
  New.PartsAsked = Bounds.TimesAsked;
  New.ThreadsAsked = Run.ThreadUses.Running;
  New.NumbersUsed = V.Uses.Times;
  New.Active = S.Active;
  New.Living = Run.livingThreads(S);
  New.Parts = Bounds.parts(S);
  S.Mem.logTo(ReadLocals);
  New.Moment = Run.Facts.nextMoment();
  New.Begun = Run.Effects.now();
  New.Compared = Comparisons.compared().size();
  New.Taped = tape().size();
  New.Inner = Inner.size();
  ReadLocals.push_back(nullptr); // what is asked for next counts
  New.Read = ReadLocals.size();
  New.Steps = Run.Steps;
  New.Counted = Counted;
  New.Touched = S.Mem.watch();
  New.Before.assign(S.Mem.entries().begin(), S.Mem.entries().end());
  New.ThreadIndexUses = Run.ThreadUses.Index;
}

Fingerprint::Digest CallMemo::keyOf(const State &S, const CallArguments &Given,
                                    uint8_t On, const PerThread *Active,
                                    const PerThread *Living, uint64_t Parts) {
  if (!On)
    return Given.digest();
  Fingerprint F;
  F.add(Given.digest().first);
  F.add(Given.digest().second);
  F.add(uint64_t(On));
  if (On & HangsOnPath)
    S.Condition.addTo(F);
  if (On & HangsOnParts)
    F.add(Parts);
  if (On & HangsOnThreads) {
    F.add(Active);
    F.add(Living);
  }
  if (On & HangsOnNumbers)
    F.addList(Given.Open, [&](const Int *I) { F.add(I); });
  return F.digest();
}

CallMemo::Result CallMemo::find(State &S, CallArguments &Given,
                                llvm::SmallVectorImpl<unsigned> &Read) {
  const MemoizedCalls &Calls = Run.Shared.Calls;
  const Result None = Calls.Results.end();
  for (;;) {
    const auto Node = Calls.Nodes.find(Given.digest());
    if (Node == Calls.Nodes.end())
      return None;
    const auto [Reads, On] = Node->second;
    if (Reads != CallNode::Nothing) {
      Given.read(Reads, S.Mem.peek(Given.Reached[Reads]));
      Read.push_back(Reads);
      continue;
    }
    const auto Known = Calls.Results.find(
        keyOf(S, Given, On, S.Active, Run.livingThreads(S), Bounds.parts(S)));
    return Known != None && Known->second.HasFollowedReads &&
                   !isOfThisRun(Known->first)
               ? None // of a run before
               : Known;
  }
}

CallNode *CallMemo::nodeOf(RecordedCall &Call, unsigned Number) {
  llvm::SmallSetVector<const Object *, 8> Asked;
  for (const Object *O : llvm::ArrayRef(ReadLocals).drop_front(Call.Read))
    if (O && !isOfCall(O, Number))
      Asked.insert(O);
  ReadLocals.resize(Call.Read);
  llvm::append_range(ReadLocals, Asked); // whoever calls has asked, too
  CallArguments &Given = Call.Given;
  auto Read = [&](unsigned Which) {
    const Object *O = Given.Reached[Which];
    const auto Held = llvm::lower_bound(
        Call.Before, O->Id,
        [](const Memory::Entry &E, unsigned Id) { return E.first->Id < Id; });
    Given.read(Which, Held != Call.Before.end() && Held->first == O
                          ? Held->second
                          : nullptr);
    Asked.remove(O);
  };
  for (;;) {
    CallNode &Node = Run.Shared.Calls.Nodes[Given.digest()];
    if (Node.Reads == CallNode::Nothing) {
      if (Asked.empty())
        return &Node;
      const auto *Which = llvm::find(Given.Reached, Asked.front());
      if (Which == Given.Reached.end())
        return nullptr;
      Node = {unsigned(Which - Given.Reached.begin())};
    }
    Read(Node.Reads);
  }
}

uint8_t CallMemo::hungOn(const State &S, const RecordedCall &Call,
                         CallResult &R) const {
  uint8_t On = 0;
  // What it asked for may have been of its numbers, or of who runs it.
  if (Call.Asked != S.Condition.timesAsked())
    On |= HangsOnPath | HangsOnNumbers | HangsOnThreads;
  if (Call.PartsAsked != Bounds.TimesAsked)
    On |= HangsOnParts | HangsOnNumbers | HangsOnThreads;
  if (Call.ThreadsAsked != Run.ThreadUses.Running || Call.Given.HasChoice)
    On |= HangsOnThreads;
  if (Call.NumbersUsed != V.Uses.Times)
    On |= HangsOnNumbers | HangsOnThreads;
  const auto &Open = Call.Given.Open;
  const bool IsOfGiven = findNumbers(R.Bytes, Open) &&
                         llvm::all_of(R.Changes, [&](ChangedObject &C) {
                           return findNumbers(C.Bytes, Open);
                         });
  if (!IsOfGiven || !R.Steps.empty())
    On |= HangsOnNumbers | HangsOnThreads;
  return On;
}

bool CallMemo::leadsToUnused(const State &S, const CallArguments &Given) {
  CallArguments All = Given;
  for (unsigned I = 0; I < All.Reached.size(); ++I)
    All.read(I, S.Mem.peek(All.Reached[I]));
  return llvm::any_of(
      All.Reached, [&](const Object *O) { return S.Mem.unused().isHeldBy(O); });
}

bool CallMemo::recallCall(State &S, const FunctionDecl *Callee,
                          const Expr *Call, llvm::ArrayRef<Value> Args,
                          Value This) {
  const size_t Depth = S.Frames.size();
  if (Recordings.size() <= Depth)
    Recordings.resize(Depth + 1);
  RecordedCall &New = Recordings[Depth];
  New.Fruitless = nullptr;
  if (!isa<CallExpr>(Call) || Reads.followsSums() ||
      (P.effects(Callee) & ~(EffectsOfAccesses | EffectStop)))
    return false;
  unsigned &InVain = Fruitless[Callee];
  if (InVain >= MaxFruitless)
    return false;
  CallArguments Given(Callee, This, Args);
  UnusedReads &Unused = S.Mem.unused();
  if (Unused.any() && leadsToUnused(S, Given))
    return false; // what it uses has to be seen
  New.Given = Given;
  llvm::SmallVector<unsigned, 8> Read;
  const auto Known = find(S, Given, Read);
  ++InVain;
  if (Known == Run.Shared.Calls.Results.end()) {
    New.Fruitless = &InVain;
    record(S, New);
    return false;
  }
  const CallResult &R = Known->second;
  if (!countAndReplay(S, Call, Known->first, R))
    return false;
  InVain = 0;
  // The caller hangs on it too.
  S.Condition.timesAsked() += (R.On & HangsOnPath) != 0;
  Bounds.TimesAsked += (R.On & HangsOnParts) != 0;
  Run.ThreadUses.Running += (R.On & HangsOnThreads) != 0;
  V.Uses.Times += (R.On & HangsOnNumbers) != 0;
  for (unsigned Which : Read)
    ReadLocals.push_back(Given.Reached[Which]);
  for (const ChangedObject &C : R.Changes) {
    const Object *O = Given.Reached[C.Which];
    if (C.Holds)
      S.Mem.set(O, V.contents(moved(C.Bytes, Given)));
    else
      S.Mem.erase(O);
  }
  Run.ThreadUses.Index += R.UsesThreadIndex;
  S.Condition.use(R.UsedFacts);
  for (const Int *Difference : R.Compared)
    Comparisons.note(S, Difference);
  Frames.finishCall(S, Call, Callee,
                    R.Holds ? V.contents(moved(R.Bytes, Given)) : nullptr);
  if (Unused.any()) {
    const Object *Result =
        Run.local(S, Call, "", P.sizeOf(Callee->getReturnType()));
    Unused.erase([&](const Object *O) { return O == Result; });
  }
  return true;
}

unsigned
CallMemo::stepsOf(Fingerprint::Digest Key, unsigned Times,
                  llvm::SmallVectorImpl<Fingerprint::Digest> &NewHere) {
  const auto Known = Run.Shared.Calls.Results.find(Key);
  if (Known == Run.Shared.Calls.Results.end())
    return 0;
  const CallResult &R = Known->second;
  const unsigned Again = R.Steps.size() + StepsToFind;
  if (!noteCall(Key))
    return Times * Again;
  NewHere.push_back(Key);
  unsigned Sum = R.Cost + (Times - 1) * Again;
  for (auto [Each, N] : R.Inner)
    Sum += stepsOf(Each, N, NewHere);
  return Sum;
}

bool CallMemo::countAndReplay(State &S, const Expr *Call,
                              Fingerprint::Digest Key, const CallResult &R) {
  llvm::SmallVector<Fingerprint::Digest> NewHere;
  const unsigned Steps = stepsOf(Key, 1, NewHere);
  if (Run.Steps + Steps > Run.MaxSteps || !replay(S, Call, R.Steps)) {
    for (const Fingerprint::Digest &Each : NewHere)
      CallsOfThisRun.erase(Each);
    return false;
  }
  Run.Steps += Steps;
  Counted += Steps;
  Inner.push_back(Key);
  return true;
}

void CallMemo::reset() {
  Recordings.clear();
  CallsOfThisRun.clear();
  OlderCalls.clear();
  Fruitless.clear();
}

bool CallMemo::noteCall(Fingerprint::Digest Key) {
  return CallsOfThisRun.insert(Key).second && !OlderCalls.erase(Key);
}

void CallMemo::forgetOldest() {
  OlderCalls = std::exchange(CallsOfThisRun, {});
  MemoizedCalls &Calls = Run.Shared.Calls;
  if (Calls.Nodes.size() > MaxNodes) // found again
    Calls.Nodes.clear();
  for (auto I = Calls.Results.begin(), E = Calls.Results.end(); I != E; ++I)
    if (!OlderCalls.contains(I->first)) {
      Calls.BytesOfSteps -= I->second.bytes();
      Calls.Results.erase(I);
    }
}

/// The \p Calls, each once, and how often it is there.
static std::vector<std::pair<Fingerprint::Digest, unsigned>>
countEach(llvm::MutableArrayRef<Fingerprint::Digest> Calls) {
  llvm::sort(Calls);
  std::vector<std::pair<Fingerprint::Digest, unsigned>> Counts;
  for (const Fingerprint::Digest &Each : Calls)
    if (!Counts.empty() && Counts.back().first == Each)
      ++Counts.back().second;
    else
      Counts.push_back({Each, 1});
  return Counts;
}

void CallMemo::rememberCall(State &S, const Frame &Done,
                            const Contents *Returned) {
  RecordedCall &Call = Recordings[S.Frames.size()];
  if (!Call.Fruitless)
    return;
  const unsigned Touched = S.Mem.unwatch(Call.Touched);
  if (Run.Effects.anySince(Call.Begun))
    return;
  CallNode *Node = nodeOf(Call, Done.Number);
  if (!Node)
    return;
  CallResult R;
  const auto &Reached = Call.Given.Reached;
  if (Touched < Done.Number) {
    auto Changes = changes(Call.Before, S.Mem.entries(), Reached, Done.Number);
    if (!Changes)
      return;
    R.Changes = std::move(*Changes);
  }
  R.Holds = Returned != nullptr;
  if (Returned && !keep(*Returned, Reached, R.Bytes))
    return;
  R.Compared.assign(Comparisons.compared().begin() + Call.Compared,
                    Comparisons.compared().end());
  R.Steps = stepsOfCall(llvm::ArrayRef(tape()).drop_front(Call.Taped),
                        S.Frames.size());
  *Call.Fruitless = 0;
  R.UsesThreadIndex = Call.ThreadIndexUses != Run.ThreadUses.Index;
  R.On = Node->On |= hungOn(S, Call, R);
  if (R.On & HangsOnPath)
    R.UsedFacts = S.Condition.usedSince(Call.Moment);
  const Fingerprint::Digest Key =
      keyOf(S, Call.Given, R.On, Call.Active, Call.Living, Call.Parts);
  R.HasFollowedReads =
      llvm::any_of(R.Steps, [](const CallStep &C) { return C.Step.Followed; });
  R.Cost = Run.Steps - Call.Steps - (Counted - Call.Counted);
  Counted += R.Cost;
  R.Inner = countEach(llvm::MutableArrayRef(Inner).drop_front(Call.Inner));
  Inner.resize(Call.Inner);
  Inner.push_back(Key);
  noteCall(Key);
  if (CallsOfThisRun.size() >= MaxCalls)
    forgetOldest();
  const size_t Bytes = R.bytes();
  if (Run.Shared.Calls.Results.try_emplace(Key, std::move(R)).second)
    Run.Shared.Calls.BytesOfSteps += Bytes;
}
