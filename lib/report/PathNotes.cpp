//===- PathNotes.cpp - What a finding tells of its path -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/PathNotes.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;
using Kind = TraceStep::Kind;

bool cpasync::isUnconditional(const TraceNode *N) {
  N = N ? N->Decided : nullptr;
  while (N && N->May)
    N = N->Prev ? N->Prev->Decided : nullptr;
  return !N;
}

// None for a loop that goes on: the iteration says as much.
static std::optional<ToldStep> tellDecision(const TraceNode *N) {
  using Role = TraceNode::LoopRole;
  if (N->Role == Role::Stays)
    return std::nullopt;
  if (N->OnlyIn)
    return ToldStep{
        {N->K, N->Loc, threadRanges(N->OnlyIn, unsigned(N->N)), 0, N->Flag},
        N->InLoop};
  if (N->Role == Role::None || !N->InLoop)
    return ToldStep{{N->K, N->Loc, "", 0, N->Flag}, N->InLoop};
  // A do-loop decides at the end of an iteration, others before one.
  const TraceNode *Last = N->InLoop;
  const bool AtEnd = isa<DoStmt>(N->Branch->getTerminatorStmt());
  const int64_t Iterations = Last->N + AtEnd;
  return ToldStep{{Kind::LoopEntered, Last->Loc, "", Iterations, !Iterations},
                  Last->InLoop};
}

// Of the decisions made at one place only the first, or only the last.
static Decisions onePerPlace(llvm::ArrayRef<const TraceNode *> All,
                             bool First) {
  Decisions R;
  for (const TraceNode *N : All) {
    auto *Old = llvm::find_if(R, [&](const TraceNode *Other) {
      return Other->Loc == N->Loc && Other->OnlyIn == N->OnlyIn;
    });
    if (Old == R.end()) {
      R.push_back(N);
    } else if (!First) {
      R.erase(Old);
      R.push_back(N);
    }
  }
  return R;
}

Decisions cpasync::decisionsFor(const TraceNode *Copy,
                                llvm::ArrayRef<const TraceNode *> SinceCopy,
                                const TraceNode *Cutoff, bool First,
                                unsigned Effects) {
  auto Counts = [&](const TraceNode *N) {
    return N->isDecision() && (N->Effects & Effects) && tellDecision(N);
  };
  Decisions Found;
  for (const TraceNode *N = Copy; N; N = N->Within)
    if (Counts(N))
      Found.insert(Found.begin(), N);
  bool IsLate = false; // all but who left since
  for (const TraceNode *N : SinceCopy) {
    IsLate |= N == Cutoff;
    if (Counts(N) && (!IsLate || N->OnlyIn))
      Found.push_back(N);
  }
  return onePerPlace(Found, First);
}

Decisions cpasync::decisionsAround(llvm::ArrayRef<const TraceNode *> Steps) {
  Decisions Found;
  for (const TraceNode *Step : Steps)
    for (const TraceNode *N = Step; N; N = N->Within)
      if (N->isDecision() && tellDecision(N) && !llvm::is_contained(Found, N))
        Found.push_back(N);
  return Found;
}

Decisions cpasync::newestDecisions(const TraceNode *End, unsigned Max) {
  using Role = TraceNode::LoopRole;
  Decisions Found;
  // The end of a loop counts where nothing else was decided.
  for (Role Wanted : {Role::None, Role::Leaves})
    for (const TraceNode *N = End; N && Found.size() < Max; N = N->Prev)
      if (N->isDecision() && !N->May && N->Role == Wanted &&
          (Wanted == Role::None || Found.empty()) &&
          llvm::none_of(Found,
                        [&](const TraceNode *O) { return O->Loc == N->Loc; }))
        Found.push_back(N);
  return Found;
}

void cpasync::addDecision(std::vector<ToldStep> &Steps, const TraceNode *N) {
  if (std::optional<ToldStep> Step = tellDecision(N)) {
    Step->At = N;
    Steps.push_back(std::move(*Step));
  }
}

std::string cpasync::threadRanges(const PerThread *Mask, unsigned Count) {
  constexpr unsigned MaxRanges = 4;
  std::string R;
  unsigned Ranges = 0;
  for (unsigned T = 0; T < Count; ++T) {
    if (!(*Mask)[T])
      continue;
    unsigned End = T;
    while (End + 1 < Count && (*Mask)[End + 1])
      ++End;
    if (!R.empty())
      R += ", ";
    if (++Ranges > MaxRanges)
      return R + "...";
    R += std::to_string(T);
    if (End > T)
      R += "-" + std::to_string(End);
    T = End;
  }
  return R;
}

void cpasync::tell(Finding &F, std::vector<ToldStep> Steps,
                   const TraceNode *End, unsigned LoopEffects) {
  // In execution order; what has no place on the path comes last.
  llvm::SmallDenseMap<const TraceNode *, unsigned, 16> Age;
  unsigned Oldest = UINT_MAX;
  for (const ToldStep &S : Steps)
    if (S.At) {
      Age.try_emplace(S.At, 0);
      Oldest = std::min(Oldest, S.At->Place);
    }
  for (const TraceNode *N = End; N && N->Place >= Oldest; N = N->Prev)
    if (auto Told = Age.find(N); Told != Age.end())
      Told->second = End->Place - N->Place + 1;
  for (size_t I = 1; I < Steps.size(); ++I)
    for (size_t J = I;
         J > 0 && Age.lookup(Steps[J - 1].At) < Age.lookup(Steps[J].At); --J)
      std::swap(Steps[J - 1], Steps[J]);
  // The iteration that was told last of each loop.
  std::vector<const TraceNode *> Told;
  for (ToldStep &S : Steps) {
    llvm::SmallVector<const TraceNode *, 4> Loops;
    for (const TraceNode *N = S.InLoop; N; N = N->InLoop)
      if (N->Effects & LoopEffects)
        Loops.push_back(N);
    for (const TraceNode *N : llvm::reverse(Loops)) {
      auto Old = llvm::find_if(
          Told, [&](const TraceNode *O) { return O->Loc == N->Loc; });
      if (Old != Told.end() && (*Old)->N == N->N)
        continue;
      if (Old != Told.end())
        Told.erase(Old);
      Told.push_back(N);
      F.Trace.push_back({Kind::Iteration, N->Loc, "", N->N});
    }
    F.Trace.push_back(std::move(S.Step));
  }
}
