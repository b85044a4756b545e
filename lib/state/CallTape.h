//===- CallTape.h - What a call did to shared memory ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While calls run, what they do that can be done again is written on a tape:
// accesses of shared memory, and the iterations they are in. What a remembered
// call did is a part of it (MemoizedCalls.h).
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_CALLTAPE_H
#define CPASYNC_LIB_STATE_CALLTAPE_H

#include "lib/state/State.h"

namespace cpasync {

/// Where an operation stands.
struct Site {
  const void *Op = nullptr; ///< the statement or instruction
  clang::SourceLocation At;
  clang::SourceLocation Loc; ///< where users see it
  size_t Frame = 0;          ///< whose function Loc is in
};

/// An access of shared memory, or the beginning of a loop's iteration.
struct TapeStep {
  enum class Kind : uint8_t { Read, Store, AtomicStore, Iteration } K;
  Site Where;
  const PerThread *Active = nullptr;
  size_t Depth = 0; ///< of the frame
  Value P = {};     ///< of what is accessed; Iteration: of the variable
  int64_t N = 0;    ///< bytes that are accessed; Iteration: which
  /// Read: what is loaded goes to a place that can be followed.
  bool Followed = false;
  bool Whole = false;   ///< Read: whoever uses it uses all its bytes
  unsigned Effects = 0; ///< Iteration: of the loop
  /// The iteration around it, and for an Iteration the step itself.
  const TraceNode *Loop = nullptr, *Node = nullptr;
  llvm::StringRef Counter;          ///< Iteration: the loop's variable
  bool ChangesInBody = false;       ///< Iteration: the variable does
  const CallChain *Calls = nullptr; ///< around it

  /// Iteration: the step of a path that it was.
  TraceNode round() const;
};
/// A step of a call, as seen from the call.
struct CallStep {
  TapeStep Step; ///< Depth: in the call; without Loop and Node
  bool Inside;   ///< Where.Loc is, not in a caller
  int Loop;      ///< the number of a step of the call; -1: around the call
};

/// The steps on \p Tape as seen from a call whose frame is at \p Depth.
std::vector<CallStep> stepsOfCall(llvm::ArrayRef<TapeStep> Tape, size_t Depth);

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_CALLTAPE_H
