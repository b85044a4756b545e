//===- AbsentBlocks.h - Blocks that are not there ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_ABSENTBLOCKS_H
#define CPASYNC_LIB_DETECT_ABSENTBLOCKS_H

#include "lib/state/FindingList.h"

namespace cpasync {

/// Finds what is done to the shared memory of a block that its cluster does not
/// have, or that may have ended. PTX ISA, "Cluster of Cooperative Thread
/// Arrays": shared memory of a block is there as long as the block.
class AbsentBlocks : RunPart {
public:
  AbsentBlocks(KernelRun &Run, FindingList &Findings)
      : RunPart(Run), Findings(Findings) {}

  /// The active threads reach \p Bytes at \p At.
  void checkReach(State &S, const Footprint *Bytes, clang::SourceLocation At);
  /// They copy to the block of rank \p Block, which the cluster does not have.
  void tellMissing(State &S, const Object *O, int64_t Block,
                   const PerThread *Threads, clang::SourceLocation At);
  /// The last threads have ended.
  void checkEnd(State &S);

private:
  /// \p Thread reaches \p Block; what both kinds say.
  Finding reached(const State &S, FindingKind Kind, const Object *O,
                  int64_t Block, unsigned Thread, clang::SourceLocation At);
  /// \p Thread may reach \p Block after that has ended.
  void tellEnded(State &S, const Object *O, int64_t Block, unsigned Thread,
                 clang::SourceLocation At);

  FindingList &Findings;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_ABSENTBLOCKS_H
