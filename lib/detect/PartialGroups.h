//===- PartialGroups.h - Copies that not all of a group run -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy that a group shares is divided among its threads by their number in
// it: what those would have copied who do not come to it is not copied. CUDA
// C++ Programming Guide, "Cooperative Groups", memcpy_async; libcu++,
// cuda::memcpy_async with a group.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_PARTIALGROUPS_H
#define CPASYNC_LIB_DETECT_PARTIALGROUPS_H

#include "lib/state/FindingList.h"

namespace cpasync {

class PartialGroups : RunPart {
public:
  PartialGroups(KernelRun &Run, FindingList &Findings)
      : RunPart(Run), Findings(Findings) {}

  /// The active threads copy to \p Dst together with all others of their
  /// groups: blocks, or tiles of \p Tile threads, if that is not 0.
  void checkCopy(State &S, const Object *Dst, unsigned Tile,
                 clang::SourceLocation At);

private:
  FindingList &Findings;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_PARTIALGROUPS_H
