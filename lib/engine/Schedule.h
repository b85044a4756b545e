//===- Schedule.h - Who runs while others wait ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_SCHEDULE_H
#define CPASYNC_LIB_ENGINE_SCHEDULE_H

#include "lib/engine/EnginePart.h"

namespace cpasync {

/// Threads at a barrier wait, others run.
class Schedule : EnginePart {
public:
  using EnginePart::EnginePart;

  /// The running threads wait at a barrier: others go on.
  Step runOthers(State &S);
  /// The running threads have passed a phase that was complete. In a loop that
  /// has not settled for long, others go as far as they can now: so they are as
  /// far apart in each of its rounds. Else, those behind catch up only when the
  /// first are held up, which may take another number of rounds than the ring
  /// has slots. Where the path hangs on tables they always do: what the first
  /// have asked of items that others have not come to keeps states apart.
  void letOthersCatchUp(State &S);
  /// At the head of a loop: other sides of branches begin before those who are
  /// ahead go on, as the paths of both hang on a table.
  bool othersShouldStart(const State &S);
  /// \p S goes on with \p Tried in time; on another path its threads give up.
  void giveUp(State &S, const PathRequest::Try &Tried);
  /// Goes on with a stopped context instead of the running one, or with
  /// threads that leave the kernel: returns the block they enter, else null.
  const clang::CFGBlock *resume(State &S);
  /// Other threads that branched at \p Sp are still on the way to its join.
  static bool othersAreComing(const State &S, const Split &Sp);

private:
  /// The first stopped context that need not wait, when the phases that are
  /// complete count; the end: all wait.
  std::vector<Context>::iterator firstToRun(State &S);
  const clang::CFGBlock *startOtherSide(State &S, size_t Stopped);
  const clang::CFGBlock *sendHome(State &S);
  /// Parts a context, so that those run who are held back in it by others; the
  /// end: there is none.
  std::vector<Context>::iterator letSomeGoOn(State &S);
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_SCHEDULE_H
