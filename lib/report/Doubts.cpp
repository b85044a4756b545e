//===- Doubts.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Doubts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clang;
using namespace cpasync;

/// Statements may be missing between the places of these.
static bool dependsOnOrder(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::ReadInFlight:
  case FindingKind::ReadBeforeCopy:
  case FindingKind::UnwrittenRead:
  case FindingKind::UnsynchronizedRead:
  case FindingKind::Overwrite:
  case FindingKind::UncommittedAtEnd:
  case FindingKind::OverWait:
  case FindingKind::StuckPhase:
  case FindingKind::StuckStage:
  case FindingKind::StuckBarrier:
  case FindingKind::ExtraArrivals:
  case FindingKind::UnorderedInit:
  case FindingKind::EndedBlock:
  case FindingKind::MissingFence:
  case FindingKind::UnorderedSource:
    return true;
  case FindingKind::BadOperand:
  case FindingKind::WaitCountRange:
  case FindingKind::Misaligned:
  case FindingKind::WrongSpace:
  case FindingKind::MapSpace:
  case FindingKind::MissingBlock:
  case FindingKind::PartialGroup:
    return false;
  }
  llvm_unreachable("all kinds are listed");
}

void cpasync::doubt(SourceLocation Loc, KernelReport &Report,
                    llvm::MutableArrayRef<Finding> Findings) {
  Report.Gaps.push_back({Loc, CodePassedOver.str()});
  for (Finding &F : Findings) {
    if (!dependsOnOrder(F))
      continue;
    F.OnEveryPath = false;
    F.Trace.insert(F.Trace.begin(), {TraceStep::Kind::AssumedHarmless, Loc});
  }
}

void cpasync::dropUncertain(std::vector<Finding> &Findings,
                            const KernelReport &Report) {
  // Bytes that nobody wrote: it may write them, and so was a copy that is wrong
  // otherwise, as one that goes to another place.
  const std::vector<Finding> All = Findings;
  llvm::erase_if(Findings, [&](const Finding &X) {
    // What keeps a block alive may be on a path that was left.
    if (X.Kind == FindingKind::EndedBlock)
      return !Report.Gaps.empty();
    return X.Kind == FindingKind::UnwrittenRead &&
           (!Report.Gaps.empty() || llvm::any_of(All, [&](const Finding &Y) {
             return Y.Kind != X.Kind && Y.Object == X.Object;
           }));
  });
  // Roles wait for each other: where one does something that is not known, what
  // the others are seen to do says little.
  const bool IsGuess = llvm::any_of(Report.Gaps, [](const AnalysisGap &G) {
    return G.Reason == CodePassedOver;
  });
  llvm::erase_if(Findings, [&](const Finding &X) {
    if (!IsGuess && !X.Path.OrderIsGuessed)
      return false;
    const bool IsOfBulk = X.Kind == FindingKind::StuckPhase ||
                          X.Kind == FindingKind::StuckStage ||
                          X.Kind == FindingKind::StuckBarrier ||
                          X.Kind == FindingKind::ExtraArrivals ||
                          X.Kind == FindingKind::UnorderedInit ||
                          X.Kind == FindingKind::MissingFence ||
                          X.Kind == FindingKind::UnorderedSource;
    return IsOfBulk || (Report.LoadsInBulk && dependsOnOrder(X));
  });
}
