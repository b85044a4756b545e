//===- OpenBytes.h - Bytes that may not come --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `expect_tx(Bar, sizeof(Row))`, and the copy brings `Length * 4` bytes. The
// host may give no Length but that of a whole row, and the phase is taken to
// complete. But where threads ask which of them have an element of the row,
// there are shorter ones. A guess, as PartialTiles is.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_OPENBYTES_H
#define CPASYNC_LIB_DETECT_OPENBYTES_H

#include "lib/detect/StuckPhases.h"

namespace cpasync {

class OpenBytes : RunPart {
public:
  OpenBytes(KernelRun &Run, FindingList &Findings, StuckPhases &Stuck)
      : RunPart(Run), Findings(Findings), Stuck(Stuck) {}

  /// \p B, which \p W waits for, is taken to be complete: nobody knows that
  /// bytes are missing.
  void check(const State &S, const PhaseBarrier &B,
             const PhaseBarrier::Waiter &W);
  /// All paths have been run: it is known what threads ask for.
  void report();

private:
  struct Candidate {
    const Int *Missing; ///< bytes
    Finding F;
  };
  /// False: no run does.
  bool assumeLess(State &S, const Int *Less, const Int *More,
                  clang::SourceLocation At);
  /// Threads compare what they have their own of with a sum that has \p A.
  bool isAskedByThreads(const Atom *A) const;

  FindingList &Findings;
  StuckPhases &Stuck;
  std::vector<Candidate> Candidates;
  std::set<std::pair<clang::SourceLocation, const Int *>> Seen;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_OPENBYTES_H
