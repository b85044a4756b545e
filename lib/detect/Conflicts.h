//===- Conflicts.h - Accesses that nothing orders ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_CONFLICTS_H
#define CPASYNC_LIB_DETECT_CONFLICTS_H

#include "lib/detect/CopiedData.h"
#include "lib/detect/RowsInFlight.h"
#include "lib/report/PathNotes.h"
#include "lib/report/Witness.h"
#include <map>

namespace cpasync {

/// Finds accesses of different threads, or of one and its own copy, that touch
/// the same bytes with nothing between them.
class Conflicts : RunPart {
public:
  Conflicts(KernelRun &Run, FindingList &Findings, ReadLiveness &Reads,
            Witness &Witnesses, Exclusion &Exclusive, CopiedData &Copied,
            RowsInFlight &Rows)
      : RunPart(Run), Findings(Findings), Reads(Reads), Witnesses(Witnesses),
        Exclusive(Exclusive), Copied(Copied), Rows(Rows) {}

  void checkOrderOfRead(State &S, EventId Read);
  /// \p Write is a copy about to be issued, or a store; \p Source and \p Part:
  /// where the data of a copy come from, and how many bytes (null: not known).
  /// True if a copy is in flight there: a finding says so.
  bool checkOverwrite(State &S, EventId Write, Value Source,
                      const PerThread *Part);
  /// \p Write is a copy into bytes that were read before anybody wrote there,
  /// by its own threads or by others that it comes after. Such a read may see
  /// what a write brings that nothing orders.
  void checkReadsBefore(State &S, EventId Write);
  /// At the end of the run: clashes that nothing could decide are gaps.
  void answerOpenQuestions();

private:
  /// A write about to be done, and what a finding about it says so far.
  struct PendingWrite {
    State &S;
    EventId Write;
    Value Source;
    const PerThread *Part;
    Finding F;
    bool Overran = false; ///< a copy that is in flight
  };
  /// True if a finding was made.
  bool meetsCopyInFlight(PendingWrite &New);
  bool meetsAsyncRead(PendingWrite &New);
  void meetUnordered(PendingWrite &New);
  /// \p Exposed: the bytes that it writes with nothing between it and \p Old.
  Overlap clashWithOlder(PendingWrite &New, const Access &Old,
                         const Footprint *Exposed);
  const Footprint *ofThread(const Footprint *Bytes, unsigned Thread);
  const Footprint *copiedPart(const State &S, const Footprint *Bytes);
  void notKnown(const Event &Write, llvm::StringRef While);
  const TraceNode *newestOf(const State &S, EventId Event, int Thread,
                            int64_t Byte);
  /// From \p Begin, the first access, along the \p Path to the second.
  std::vector<ToldStep> stepsBetween(const Finding &F, const Access &First,
                                     const Overlap &Clash,
                                     const TraceNode *Begin,
                                     llvm::ArrayRef<const TraceNode *> Path);
  /// Two copies clash in threads that bring different data.
  std::optional<Overlap> clashOfCopies(const State &S, EventId Old,
                                       const Footprint *OldBytes, EventId New,
                                       const Footprint *NewBytes, Value Source,
                                       const PerThread *Part, bool AcrossWarps);
  /// The thread of a read does not find what \p Brings, whoever copies it,
  /// brings to \p Copy in any case.
  std::optional<Overlap> clashOfRead(const State &S, const Footprint *Read,
                                     const Footprint *Copy,
                                     CopiedData::Carried Brings);
  /// The same of a copy that comes behind a read, and clashes with it as
  /// \p Clash says.
  std::optional<Overlap> clashWithRead(PendingWrite &New, const Footprint *Read,
                                       const Footprint *Copy, Overlap Clash);
  bool isCopied(const State &S, const Footprint *Bytes);
  /// Where else \p Write meets a read that nothing orders before it.
  std::vector<clang::SourceLocation>
  otherReads(const State &S, const Access &Told, EventId Write);
  void reportConflict(State &S, Finding F, const Access &First, EventId Second,
                      const Overlap &Clash);

  FindingList &Findings;
  ReadLiveness &Reads;
  Witness &Witnesses;
  Exclusion &Exclusive;
  CopiedData &Copied;
  RowsInFlight &Rows;
  /// Why it is not known whether two accesses clash, by where they are.
  std::map<std::pair<clang::SourceLocation, clang::SourceLocation>, std::string>
      OpenQuestions;
  /// First accesses of the conflicts found.
  llvm::DenseSet<clang::SourceLocation> Unordered;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_CONFLICTS_H
