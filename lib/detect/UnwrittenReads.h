//===- UnwrittenReads.h - Bytes that nobody ever wrote ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_UNWRITTENREADS_H
#define CPASYNC_LIB_DETECT_UNWRITTENREADS_H

#include "lib/detect/OmittedCopies.h"
#include "lib/inference/TileSizes.h"
#include "lib/state/ReadLiveness.h"

namespace cpasync {

/// Reads behind copies that are shorter than what is read. Of such a read it is
/// known only when all paths have been run: a byte counts as written if any of
/// them may have written it. But where threads have parted, of which some left,
/// the others read what those would have written.
class UnwrittenReads : RunPart {
public:
  UnwrittenReads(KernelRun &Run, FindingList &Findings, ReadLiveness &Reads,
                 OmittedCopies &Omitted)
      : RunPart(Run), Findings(Findings), Reads(Reads), Omitted(Omitted) {}

  /// \p Whole: whoever uses what was read uses all its bytes.
  void check(State &S, EventId Read, bool Whole);
  /// All paths have been run, and nothing was left out.
  void report(const TileSizes &Tiles);

private:
  struct Candidate {
    EventId Read;
    bool Whole;
    Finding F;
    std::optional<TileSizes::Tile> Sharer; ///< whose bytes it reads
    /// By the path, where threads that would write have left, or what is read
    /// here was written before; else null: by all.
    const WrittenBytes *Written;
  };
  /// The run before found some of what \p Read reads.
  void findAgain(State &S, EventId Read);

  FindingList &Findings;
  ReadLiveness &Reads;
  OmittedCopies &Omitted;
  std::vector<Candidate> Candidates;
  llvm::DenseSet<EventId> Noted;
  /// Where what is read had been written, as often as not.
  llvm::DenseSet<clang::SourceLocation> ReadBehindCopies;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_UNWRITTENREADS_H
