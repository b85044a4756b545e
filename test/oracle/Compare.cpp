//===- Compare.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "llvm/ADT/STLExtras.h"

using namespace oracle;
using cpasync::FindingKind;

/// Some defects need more iterations than parameters usually ask for.
static constexpr int64_t SecondLook = 8;

/// Whether the oracle knows of what the analysis found. Where nothing orders a
/// read and a copy, either may be called the first.
static bool confirms(const Kernel &K, const Verdict &V,
                     const EngineFinding &E) {
  return llvm::any_of(V.Defects, [&](const auto &Known) {
    const Defect &D = Known.first;
    if (D.CopyLine != K.lineOf(E.CopyLine) ||
        D.OtherLine != K.lineOf(E.ReadLine))
      return false;
    switch (D.K) {
    case Defect::Kind::OwnReadInFlight:
      return E.F.Kind == FindingKind::ReadInFlight;
    case Defect::Kind::ReadBeforeCopy:
      return E.F.Kind == FindingKind::ReadBeforeCopy;
    case Defect::Kind::ReadInFlight:
    case Defect::Kind::Unsynchronized:
    case Defect::Kind::CopyOverRead:
      return E.F.Kind == FindingKind::ReadInFlight ||
             E.F.Kind == FindingKind::ReadBeforeCopy;
    default:
      return false;
    }
  });
}

static bool isIn(Scope S, const Defect &D) {
  return S == Scope::AllThreads || D.K == Defect::Kind::OwnReadInFlight;
}

std::optional<Disagreement> oracle::compare(const Kernel &K, const Verdict &V,
                                            const EngineReport &E, Scope S) {
  using Kind = Disagreement::Kind;
  if (V.Contradicts)
    return Disagreement{Kind::Contradiction,
                        "what is read depends on timing, and the oracle knows "
                        "of no defect"};
  if (!E.Analysed)
    return Disagreement{Kind::NotLookedAt, "the analysis has no report"};
  std::optional<Verdict> Wider;
  for (const EngineFinding &F : E.Findings) {
    if (confirms(K, V, F))
      continue;
    if (!Wider)
      Wider = judge(K, SecondLook);
    if (!confirms(K, *Wider, F))
      return Disagreement{
          Kind::FalseAlarm,
          "the analysis reports a copy at line " +
              std::to_string(K.lineOf(F.CopyLine)) + " and a read at line " +
              std::to_string(K.lineOf(F.ReadLine)) + "; the oracle does not"};
  }
  // Silence about a kernel with a gap promises nothing.
  if (!E.Findings.empty() || !E.Gaps.empty())
    return std::nullopt;
  for (const auto &[D, W] : V.Defects)
    if (isIn(S, D))
      return Disagreement{Kind::Missed,
                          "the analysis is silent: " + describe(D, W)};
  return std::nullopt;
}
