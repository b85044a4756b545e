//===- Entanglement.h - The groups of a warp, as it counts ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_ENTANGLEMENT_H
#define CPASYNC_LIB_DETECT_ENTANGLEMENT_H

#include "lib/state/FindingList.h"

namespace cpasync {

/// Finds waits that mean other groups to the hardware, which counts those of a
/// warp, than to PTX, which counts those of a thread.
class Entanglement : RunPart {
public:
  Entanglement(KernelRun &Run, FindingList &Findings)
      : RunPart(Run), Findings(Findings) {}

  /// Lanes of a warp have committed groups apart, and a wait leaves some.
  void checkEntanglement(State &S, EventId Wait, uint32_t Count);

private:
  FindingList &Findings;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_ENTANGLEMENT_H
