//===- Checkpoints.h - Where a read that may do no harm began ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding about a read counts only if somebody uses what was read. To find
// out, paths run again with more to watch (ReadLiveness.cpp): not from the
// beginning of the kernel but from where the path was before it made any of
// the reads that nothing had ordered when the finding was made, its checkpoint.
//
// A path that ended because another was in its state would have made the same
// finding, but what became of the value until they met is its own: it runs
// again too, from its own checkpoint.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_CHECKPOINTS_H
#define CPASYNC_LIB_STATE_CHECKPOINTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace cpasync {

struct State;

/// A state of some path that later ones may turn out to repeat.
using Spot = unsigned;

class Checkpoints {
public:
  using Checkpoint = std::shared_ptr<const State>;

  Spot newSpot() { return Spots++; }
  /// A path that came from \p From by the spots \p Passed makes a finding about
  /// a read.
  void add(const Checkpoint &From, llvm::ArrayRef<Spot> Passed);
  /// It ends, because it would do what another did from \p At on.
  void addEnd(Spot At, const Checkpoint &From, llvm::ArrayRef<Spot> Passed);

  bool any() const { return !Starts.empty(); }
  /// Checkpoints of all paths that come to such a finding; none if there are
  /// too many.
  std::vector<Checkpoint> starts() const;

private:
  struct End {
    Spot At;
    Checkpoint From;
    llvm::SmallVector<Spot, 4> Passed;
  };
  Spot Spots = 0;
  std::vector<Checkpoint> Starts;
  llvm::DenseSet<Spot> Reached; ///< a path came to a finding from there
  std::vector<End> Ends;
  bool TooMany = false;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_CHECKPOINTS_H
