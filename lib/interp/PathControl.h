//===- PathControl.h - What walks the paths ---------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_PATHCONTROL_H
#define CPASYNC_LIB_INTERP_PATHCONTROL_H

#include "lib/state/State.h"

namespace cpasync {

/// What an operation asks of who walks the paths, beside going on.
class PathRequest {
public:
  /// What is done hangs on \p Of. The operation has not begun: its statement is
  /// run again on a path for each outcome.
  void decideFirst(const PathCondition::Selection &Of) { Undecided = Of; }
  /// The same, of a try to wait for a phase of a barrier: it comes in time, or
  /// the threads give up.
  void tryFirst(const clang::Stmt *Try, Value Barrier) {
    Tried = {Try, Barrier};
  }
  bool isUndecided() const { return Undecided || Tried.Wait; }
  /// After this nothing is known of the path: it ends.
  void endPath() { Ends = true; }
  /// It ends, as nobody does what is done at \p Loc.
  void stopAt(clang::SourceLocation Loc) {
    Ends = true;
    Stopped = Loc;
  }

  std::optional<PathCondition::Selection> takeUndecided() {
    return std::exchange(Undecided, std::nullopt);
  }
  struct Try {
    const clang::Stmt *Wait = nullptr;
    Value Barrier;
  };
  Try takeTry() { return std::exchange(Tried, {}); }
  bool takeEnd() { return std::exchange(Ends, false); }
  /// Invalid: it ended otherwise.
  clang::SourceLocation takeStop() { return std::exchange(Stopped, {}); }

private:
  std::optional<PathCondition::Selection> Undecided;
  Try Tried;
  bool Ends = false;
  clang::SourceLocation Stopped;
};

/// What the interpreter asks of whoever walks the paths.
class PathControl {
public:
  /// The path goes on at \p B.
  virtual Step enter(State &S, const clang::CFGBlock *B) = 0;
  virtual void executeStmt(State &S, const clang::Stmt *St) = 0;

  PathRequest Requested; ///< by the operation that ran last

protected:
  ~PathControl() = default;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_PATHCONTROL_H
