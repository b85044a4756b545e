//===- KeptStates.h - What was in flight, for whoever asks ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What --print-state prints, each state once: an editor asks for those of a
// line. A loop that is followed round by round has as many as it has rounds,
// and nobody reads more than the first of them.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_KEPTSTATES_H
#define CPASYNC_LIB_STATE_KEPTSTATES_H

#include "lib/Finding.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace cpasync {

class KeptStates {
public:
  /// A ring of eight slots has as many states, on the way in and out.
  static constexpr unsigned MaxOfPlace = 16;
  /// Of the states that come to one place, how many are put into words: most
  /// paths say nothing new.
  static constexpr unsigned MaxLooks = 64;

  /// Whether another state at \p Loc may be kept: whoever asks has one.
  bool hasRoom(clang::SourceLocation Loc) {
    Count &Of = Counts[Loc];
    return Of.Kept < MaxOfPlace && Of.Looks++ < MaxLooks;
  }
  /// Keeps \p State if it is not known yet.
  void add(OperationState State) {
    if (llvm::is_contained(States, State))
      return;
    ++Counts[State.Loc].Kept;
    States.push_back(std::move(State));
  }
  /// In the order in which they came.
  std::vector<OperationState> take() { return std::move(States); }

private:
  struct Count {
    unsigned Kept = 0;
    unsigned Looks = 0;
  };
  llvm::DenseMap<clang::SourceLocation, Count> Counts;
  std::vector<OperationState> States;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_KEPTSTATES_H
