//===- BulkSources.h - What bulk copies read --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_BULKSOURCES_H
#define CPASYNC_LIB_DETECT_BULKSOURCES_H

#include "lib/state/FindingList.h"

namespace cpasync {

/// Finds bulk copies from shared memory and matrix products that may not see
/// what threads wrote there: no proxy fence, or no barrier. PTX ISA, "Async
/// proxy".
class BulkSources : RunPart {
public:
  BulkSources(KernelRun &Run, FindingList &Findings)
      : RunPart(Run), Findings(Findings) {}

  /// \p Read, a BulkStore or Wgmma, is about to be issued.
  void check(State &S, EventId Read);

private:
  void report(State &S, FindingKind K, EventId Read, EventId Write,
              const Overlap &Clash);

  FindingList &Findings;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_BULKSOURCES_H
