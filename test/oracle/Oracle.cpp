//===- Oracle.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two steps. Every thread is unrolled into the list of operations that it
// executes; no list depends on another thread. Then the lists are run together.
//
//===----------------------------------------------------------------------===//

#include "Run.h"

using namespace oracle;

/// Two orders as hardware goes, and some that it could. Where phases are waited
/// for, what comes before what hangs on the order.
static std::vector<Timing> timingsOf(const Kernel &K) {
  if (!K.InBulk)
    return {{Timing::Late, Timing::InStep},
            {Timing::Early, Timing::Forwards},
            {Timing::Late, Timing::Backwards},
            {Timing::Early, Timing::Backwards}};
  std::vector<Timing> All;
  for (Timing::Landing L : {Timing::Late, Timing::Early}) {
    for (Timing::Order O : {Timing::InStep, Timing::Alternating,
                            Timing::Forwards, Timing::Backwards})
      All.push_back({L, O, /*ByWarps=*/true});
    All.push_back({L, Timing::InStep});
  }
  constexpr uint64_t RandomOrders = 6;
  for (uint64_t Seed = 1; Seed <= RandomOrders; ++Seed)
    All.push_back({Timing::Anytime, Timing::AnyOrder, /*ByWarps=*/true, Seed});
  return All;
}

static void launch(const Kernel &K, const std::vector<unsigned> &Base,
                   unsigned Words, const Inputs &In, Verdict &V) {
  Run::Lists Ops;
  bool HasWork = true;
  for (unsigned T = 0; T < K.Threads && V.Invalid.empty(); ++T) {
    Unroller U(K, Base, T, In);
    U.run();
    V.Invalid = std::move(U.Invalid);
    HasWork &= U.HasWork;
    Ops.push_back(std::move(U.Ops));
  }
  bool IsUniform = true;
  for (size_t I = 0; I < K.Loads.size(); ++I)
    IsUniform &= isUniform(K.Loads[I], In.Patterns[I]);
  const Run::Launch All = {K, Ops, Words, In, HasWork, IsUniform};
  std::optional<std::vector<std::vector<int64_t>>> Seen;
  bool Differs = false, IsStuck = true;
  for (const Timing &When : timingsOf(K)) {
    // What has a defect may read anything.
    const bool Wrong = !V.Defects.empty() || V.PlainRace;
    const bool Judges = K.InBulk || When.Goes == Timing::InStep;
    if (!V.Invalid.empty() || (!Judges && Wrong && !V.Arrives))
      return;
    Run R(All, When, Judges, V);
    R.run();
    IsStuck &= R.wasStuck();
    Differs |= !Wrong && Seen && *Seen != R.seen();
    Seen = R.seen();
  }
  V.AlwaysStuck |= IsStuck && HasWork;
  V.Contradicts |= Differs && V.Defects.empty() && !V.PlainRace;
}

/// Numbers of tiles are not negative; nothing says so to the analysis.
static constexpr int64_t LeastParameter = -1;

// As an odometer counts; false after the last.
static bool nextInputs(const Kernel &K, int64_t More, Inputs &In) {
  for (size_t I = 0; I < In.Parameters.size(); ++I) {
    if (++In.Parameters[I] <= K.ParameterLimit[I] + More)
      return true;
    In.Parameters[I] = LeastParameter;
  }
  for (size_t I = 0; I < In.Patterns.size(); ++I) {
    if (++In.Patterns[I] < patternsOf(K.Loads[I], More))
      return true;
    In.Patterns[I] = 0;
  }
  return false;
}

uint64_t oracle::launchesOf(const Kernel &K) {
  uint64_t N = 1;
  for (int64_t Limit : K.ParameterLimit)
    N *= Limit - LeastParameter + 1;
  for (const Load &L : K.Loads)
    N *= patternsOf(L);
  return N;
}

Verdict oracle::judge(const Kernel &K, int64_t More) {
  std::vector<unsigned> Base;
  unsigned Words = K.poolBytes() / WordBytes; // the pool comes first
  for (const Array &A : K.Arrays) {
    Base.push_back(A.InPool ? A.PoolOffset / WordBytes : Words);
    Words += A.InPool ? 0 : A.bytes() / WordBytes;
  }
  Verdict V;
  Inputs In = {std::vector<int64_t>(K.ParameterLimit.size(), LeastParameter),
               std::vector<unsigned>(K.Loads.size(), 0)};
  do {
    launch(K, Base, Words, In, V);
  } while (V.Invalid.empty() && nextInputs(K, More, In));
  return V;
}

std::string oracle::describe(const Defect &D, const Witness &W) {
  static const char *const Text[] = {
      "a thread reads its own copy in flight",
      "another thread's copy in flight is read",
      "nothing orders a copy before the read",
      "read before the copy",
      "copied over what may still be read",
      "copied over a copy in flight",
      "copied over what may still be stored",
      "stored over a copy in flight",
      "stored over what may still be read",
      "stored under what may still be read",
      "copied over what a bulk store may read",
      "stored over what a bulk store may read",
      "no proxy fence before a bulk store",
      "nothing orders a store before a bulk store",
      "a phase never completes",
      "more arrivals than a phase expects",
      "arrival while bytes of the phase are on their way",
      "an mbarrier is used before it is known to be initialised"};
  std::string S = Text[static_cast<int>(D.K)];
  S += ": line " + std::to_string(D.Earlier) + " by thread " +
       std::to_string(W.Earlier) + ", then line " + std::to_string(D.Later) +
       " by thread " + std::to_string(W.Later) + ", word " +
       std::to_string(W.Word);
  for (size_t I = 0; I < W.In.Parameters.size(); ++I)
    S += ", P" + std::to_string(I) + " = " + std::to_string(W.In.Parameters[I]);
  for (size_t I = 0; I < W.In.Patterns.size(); ++I)
    S += ", L" + std::to_string(I) + " in pattern " +
         std::to_string(W.In.Patterns[I]);
  return S + (W.InStep ? "" : " (only if the warp does not run in step)");
}
