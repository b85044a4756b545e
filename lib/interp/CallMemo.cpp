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
// could depend on: the function, the threads that run it, its arguments, what
// the objects hold that these lead to, and what the path has decided if any of
// these numbers is not known and the call asked for a decision. Objects count
// by what they hold, not by where they are, so that the same call from
// elsewhere is the same call.
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
#include <optional>

using namespace clang;
using namespace cpasync;

// Functions that never could be remembered are not asked again after so many
// calls.
static constexpr unsigned MaxFruitless = 16;
// Results that are kept; then all are forgotten.
static constexpr unsigned MaxResults = 1 << 17;

namespace {
/// What a call could depend on, and the locals that it can reach.
class Arguments {
public:
  Arguments(const Memory &Mem, Fingerprint &F) : Mem(Mem), F(F) {}

  void add(Value X) {
    F.add(uint64_t(X.K));
    F.add(X.I);
    HasUnknowns |= X.I && !X.I->isKnown();
    if (!X.isPtr())
      return;
    if (X.Obj->K != Object::Kind::Local) {
      F.add(X.Obj);
      return;
    }
    const auto *Known = llvm::find(Reached, X.Obj);
    F.add(uint64_t(Known - Reached.begin()));
    if (Known == Reached.end())
      Reached.push_back(X.Obj);
  }
  /// What those objects hold.
  void addContents() {
    for (size_t I = 0; I < Reached.size(); ++I) {
      const Object *O = Reached[I];
      const Contents *Bytes = Mem.find(O);
      F.add(uint64_t(O->Size));
      if (!Bytes) { // a kernel's parameter has names of its own for them
        F.add(O->Call == 0 ? O : nullptr);
        HasUnknowns |= O->Call == 0;
        continue;
      }
      F.add(uint64_t(1));
      F.addList(*Bytes, [&](const Cell &C) {
        F.add(uint64_t(C.Offset));
        F.add(uint64_t(C.Size));
        add(C.V);
      });
    }
  }

  llvm::SmallVector<const Object *, 8> Reached;
  bool HasUnknowns = false;

private:
  const Memory &Mem;
  Fingerprint &F;
};
} // namespace

using PlaceList = llvm::SmallVectorImpl<std::pair<unsigned, unsigned>>;

/// What \p Cells are where the arguments lead to \p Reached.
static llvm::SmallVector<Cell, 8>
moved(llvm::ArrayRef<Cell> Cells, const PlaceList &Places,
      llvm::ArrayRef<const Object *> Reached) {
  llvm::SmallVector<Cell, 8> Bytes(Cells.begin(), Cells.end());
  for (auto [At, Which] : Places)
    Bytes[At].V.Obj = Reached[Which];
  return Bytes;
}

/// Takes \p Cells with the places in them; false if one is not among those that
/// the arguments lead to.
static bool keep(llvm::ArrayRef<Cell> Cells,
                 llvm::ArrayRef<const Object *> Reached,
                 llvm::SmallVectorImpl<Cell> &Bytes, PlaceList &Places) {
  for (const Cell &C : Cells) {
    if (C.V.isPtr() && C.V.Obj->K == Object::Kind::Local) {
      const auto *Known = llvm::find(Reached, C.V.Obj);
      if (Known == Reached.end())
        return false;
      Places.push_back({Bytes.size(), Known - Reached.begin()});
    }
    Bytes.push_back(C);
  }
  return true;
}

/// What the call \p Number left changed of what was there before; none if that
/// cannot be said.
static std::optional<std::vector<ChangedObject>>
changes(llvm::ArrayRef<Memory::Entry> Before, llvm::ArrayRef<Memory::Entry> Now,
        llvm::ArrayRef<const Object *> Reached, unsigned Number) {
  std::vector<ChangedObject> Changes;
  const auto IsOfCall = [&](const Object *O) {
    return O->Call >= Number && O->Call / CallsPerRole == Number / CallsPerRole;
  };
  const auto Add = [&](const Object *O, const Contents *C) {
    const auto *Known = llvm::find(Reached, O);
    if (Known == Reached.end())
      return false;
    ChangedObject &New = Changes.emplace_back();
    New.Which = Known - Reached.begin();
    New.Holds = C != nullptr;
    return !C || keep(*C, Reached, New.Bytes, New.Places);
  };
  const auto *Old = Before.begin(), *New = Now.begin();
  while (Old != Before.end() || New != Now.end()) {
    const bool Gone = New == Now.end() ||
                      (Old != Before.end() && Old->first->Id < New->first->Id);
    const bool Added = Old == Before.end() ||
                       (New != Now.end() && New->first->Id < Old->first->Id);
    const Memory::Entry &E = Gone ? *Old : *New;
    const bool Same = !Gone && !Added && Old->second == New->second;
    if (!Same && !IsOfCall(E.first) && !Add(E.first, Gone ? nullptr : E.second))
      return std::nullopt;
    Old += !Added;
    New += !Gone;
  }
  return Changes;
}

// What the call does from here on will be remembered.
void CallMemo::record(State &S, RecordedCall &New) {
  New.Asked = S.Condition.timesAsked();
  New.Moment = Run.Facts.nextMoment();
  New.Begun = Run.Effects.now();
  New.Compared = Comparisons.compared().size();
  New.Taped = tape().size();
  New.Inner = Inner.size();
  New.Steps = Run.Steps;
  New.Counted = Counted;
  New.Touched = S.Mem.watch();
  New.Before.assign(S.Mem.entries().begin(), S.Mem.entries().end());
  New.ThreadIndexUses = Run.ThreadIndexUses;
}

bool CallMemo::recallCall(State &S, const FunctionDecl *Callee,
                          const Expr *Call, llvm::ArrayRef<Value> Args,
                          Value This) {
  const size_t Depth = S.Frames.size();
  if (Recordings.size() <= Depth)
    Recordings.resize(Depth + 1);
  RecordedCall &New = Recordings[Depth];
  New.Fruitless = nullptr;
  if (!isa<CallExpr>(Call) ||
      (P.effects(Callee) & ~(EffectsOfAccesses | EffectStop)))
    return false;
  unsigned &InVain = Fruitless[Callee];
  if (InVain >= MaxFruitless)
    return false;
  Fingerprint F;
  F.add(Callee);
  F.add(S.Active);
  F.add(Run.livingThreads(S));
  F.add(uint64_t(InBounds::hangsOnUnknowns(S)));
  F.add(Bounds.Divided.hash());
  Arguments Given(S.Mem, F);
  Given.add(This);
  for (const Value &A : Args)
    Given.add(A);
  Given.addContents();
  UnusedReads &Unused = S.Mem.unused();
  if (llvm::any_of(Given.Reached,
                   [&](const Object *O) { return Unused.isHeldBy(O); }))
    return false; // what it uses has to be seen
  const Fingerprint::Digest Key = F.digest();
  auto Known = Run.Shared.Calls.Results.find(Key);
  const auto None = Run.Shared.Calls.Results.end();
  Fingerprint::Digest OnPath = Key;
  if (Given.HasUnknowns && (Known == None || Known->second.HangsOnPath)) {
    S.Condition.addTo(F);
    OnPath = F.digest();
    if (Known != None)
      Known = Run.Shared.Calls.Results.find(OnPath);
  }
  if (Known != None && Known->second.HasFollowedReads &&
      !CallsOfThisRun.contains(Known->first))
    Known = None; // of a run before
  ++InVain;
  if (Known == None) {
    New.Fruitless = &InVain;
    New.Key = Key;
    New.OnPath = OnPath;
    New.Reached = std::move(Given.Reached);
    record(S, New);
    return false;
  }
  const CallResult &R = Known->second;
  if (!countAndReplay(S, Call, Known->first, R))
    return false;
  InVain = 0;
  for (const ChangedObject &C : R.Changes) {
    const Object *O = Given.Reached[C.Which];
    if (C.Holds)
      S.Mem.set(O, V.contents(moved(C.Bytes, C.Places, Given.Reached)));
    else
      S.Mem.erase(O);
  }
  Run.ThreadIndexUses += R.UsesThreadIndex;
  if (OnPath != Key)
    ++S.Condition.timesAsked(); // the caller hangs on it too
  S.Condition.use(R.UsedFacts);
  for (const Int *Difference : R.Compared)
    Comparisons.note(S, Difference);
  Frames.finishCall(
      S, Call, Callee,
      R.Holds ? V.contents(moved(R.Bytes, R.Places, Given.Reached)) : nullptr);
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
  if (!CallsOfThisRun.insert(Key).second)
    return Times * R.Steps.size();
  NewHere.push_back(Key);
  unsigned Sum = R.Cost + (Times - 1) * R.Steps.size();
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
  Fruitless.clear();
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
  CallResult R;
  if (Touched < Done.Number) {
    auto Changes =
        changes(Call.Before, S.Mem.entries(), Call.Reached, Done.Number);
    if (!Changes)
      return;
    R.Changes = std::move(*Changes);
  }
  R.Holds = Returned != nullptr;
  if (Returned && !keep(*Returned, Call.Reached, R.Bytes, R.Places))
    return;
  R.Compared.assign(Comparisons.compared().begin() + Call.Compared,
                    Comparisons.compared().end());
  R.Steps = stepsOfCall(llvm::ArrayRef(tape()).drop_front(Call.Taped),
                        S.Frames.size());
  *Call.Fruitless = 0;
  R.UsesThreadIndex = Call.ThreadIndexUses != Run.ThreadIndexUses;
  if (CallsOfThisRun.size() >= MaxResults) {
    Run.Shared.Calls.Results.clear();
    Run.Shared.Calls.BytesOfSteps = 0;
    CallsOfThisRun.clear();
  }
  const bool HangsOnPath =
      Call.OnPath != Call.Key && Call.Asked != S.Condition.timesAsked();
  if (HangsOnPath) {
    Run.Shared.Calls.Results[Call.Key].HangsOnPath = true;
    R.UsedFacts = S.Condition.usedSince(Call.Moment);
  }
  const Fingerprint::Digest Key = HangsOnPath ? Call.OnPath : Call.Key;
  R.HasFollowedReads =
      llvm::any_of(R.Steps, [](const CallStep &C) { return C.Step.Followed; });
  R.Cost = Run.Steps - Call.Steps - (Counted - Call.Counted);
  Counted += R.Cost;
  R.Inner = countEach(llvm::MutableArrayRef(Inner).drop_front(Call.Inner));
  Inner.resize(Call.Inner);
  Inner.push_back(Key);
  CallsOfThisRun.insert(Key);
  const size_t Bytes = R.Steps.size() * sizeof(CallStep) +
                       R.Inner.size() * sizeof(R.Inner.front());
  if (Run.Shared.Calls.Results.try_emplace(Key, std::move(R)).second)
    Run.Shared.Calls.BytesOfSteps += Bytes;
}
