//===- PureCalls.cpp - Calls that only compute, run once ------------------===//
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
// Only calls are remembered during which nothing else happened: no access that
// others can see, no decision, no loop, no name for something unknown, no write
// to what was there before.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// Functions that never were pure are not asked again after so many calls.
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

bool Executor::recallCall(State &S, const FunctionDecl *Callee,
                          const Expr *Call, llvm::ArrayRef<Value> Args,
                          Value This) {
  const size_t Depth = S.Frames.size();
  if (Recordings.size() <= Depth)
    Recordings.resize(Depth + 1);
  PureCall &New = Recordings[Depth];
  New.Fruitless = nullptr;
  if (!isa<CallExpr>(Call) || (P.effects(Callee) & ~EffectMemory))
    return false;
  unsigned &Fruitless = Shared.FruitlessCalls[Callee];
  if (Fruitless >= MaxFruitless)
    return false;
  Fingerprint F;
  F.add(Callee);
  F.add(S.Active);
  F.add(livingThreads(S));
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
  auto Known = Shared.PureResults.find(Key);
  const auto None = Shared.PureResults.end();
  Fingerprint::Digest OnPath = Key;
  if (Given.HasUnknowns && (Known == None || Known->second.HangsOnPath)) {
    S.Condition.addTo(F);
    OnPath = F.digest();
    if (Known != None)
      Known = Shared.PureResults.find(OnPath);
  }
  if (Known == None) {
    New.Fruitless = &Fruitless;
    New.Key = Key;
    New.OnPath = OnPath;
    New.Asked = S.Condition.timesAsked();
    New.Reached = std::move(Given.Reached);
    New.Noise = Noise;
    New.Compared = compared().size();
    New.Touched = S.Mem.watch();
    New.ThreadIndexUses = ThreadIndexUses;
    ++Fruitless;
    return false;
  }
  Fruitless = 0;
  const PureResult &R = Known->second;
  ThreadIndexUses += R.UsesThreadIndex;
  if (OnPath != Key)
    S.Condition.noteAsked(); // the caller hangs on it too
  llvm::SmallVector<Cell, 8> Bytes(R.Bytes.begin(), R.Bytes.end());
  for (auto [At, Which] : R.Places)
    Bytes[At].V.Obj = Given.Reached[Which];
  for (const Int *Difference : R.Compared)
    noteDecision(S, Difference);
  finishCall(S, Call, Callee, R.Holds ? V.contents(Bytes) : nullptr);
  if (Unused.any()) {
    const Object *Result = local(S, Call, "", sizeOf(Callee->getReturnType()));
    Unused.erase([&](const Object *O) { return O == Result; });
  }
  return true;
}

void Executor::rememberCall(State &S, const Frame &Done,
                            const Contents *Returned) {
  PureCall &Call = Recordings[S.Frames.size()];
  if (!Call.Fruitless)
    return;
  const unsigned Touched = S.Mem.unwatch(Call.Touched);
  if (Call.Noise != Noise || Touched < Done.Number)
    return;
  PureResult R;
  R.Holds = Returned != nullptr;
  for (const Cell &C : Returned ? *Returned : Contents()) {
    if (C.V.isPtr() && C.V.Obj->K == Object::Kind::Local) {
      const auto *Known = llvm::find(Call.Reached, C.V.Obj);
      if (Known == Call.Reached.end())
        return;
      R.Places.push_back({R.Bytes.size(), Known - Call.Reached.begin()});
    }
    R.Bytes.push_back(C);
  }
  R.Compared.assign(Compared.begin() + Call.Compared, Compared.end());
  *Call.Fruitless = 0;
  R.UsesThreadIndex = Call.ThreadIndexUses != ThreadIndexUses;
  if (Shared.PureResults.size() >= MaxResults)
    Shared.PureResults.clear();
  const bool HangsOnPath =
      Call.OnPath != Call.Key && Call.Asked != S.Condition.timesAsked();
  if (HangsOnPath)
    Shared.PureResults[Call.Key].HangsOnPath = true;
  Shared.PureResults.try_emplace(HangsOnPath ? Call.OnPath : Call.Key,
                                 std::move(R));
}
