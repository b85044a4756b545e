//===- MemoizedCalls.h - Calls that are run once ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is kept of a call while it runs and of its result; how, and which calls:
// see CallMemo.cpp.
//
// Kernels of one file call the same functions with the same numbers: they share
// what such calls gave, and the numbers, which are interned.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_MEMOIZEDCALLS_H
#define CPASYNC_LIB_STATE_MEMOIZEDCALLS_H

#include "lib/source/BlockShape.h"
#include "lib/state/CallArguments.h"
#include "lib/state/CallTape.h"
#include "lib/state/SideEffects.h"
#include "lib/state/State.h"
#include "lib/state/TermOrigins.h"
#include "lib/support/Fingerprint.h"
#include <utility>
#include <vector>

namespace cpasync {

/// Bytes that a call left, whatever it was given.
struct KeptBytes {
  llvm::SmallVector<Cell, 1> Cells;
  /// Cells that point to an object the arguments lead to, and which; those that
  /// hold a number that it was given, and which.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 1> Places, Numbers;
};

/// What an object that was there before holds after the call.
struct ChangedObject {
  unsigned Which; ///< of those that the arguments lead to
  bool Holds = false;
  KeptBytes Bytes;
};

/// What a call may hang on beside the function and what its arguments hold.
enum HangsOn : uint8_t {
  HangsOnPath = 1,    ///< what the path has decided
  HangsOnParts = 2,   ///< how shared memory is divided; see InBounds
  HangsOnThreads = 4, ///< who runs it
  HangsOnNumbers = 8, ///< what the numbers are that nobody knows
};

/// What a call does that has done so much, by a digest of that.
struct CallNode {
  static constexpr unsigned Nothing = ~0u;
  unsigned Reads = Nothing; ///< of the locals that it can reach
  uint8_t On = 0;           ///< bits of HangsOn, if it reads nothing more
};

struct RecordedCall {
  unsigned *Fruitless = nullptr; ///< of the function; null: not recorded
  unsigned Steps = 0;            ///< of the run, when it began
  unsigned Counted = 0;          ///< of those, in calls that are remembered
  CallArguments Given;           ///< with nothing read yet
  uint64_t Parts = 0;
  const PerThread *Active = nullptr, *Living = nullptr;
  SideEffects::Mark Begun; ///< when it began
  size_t Compared = 0;     ///< the same
  size_t Taped = 0;        ///< the same
  size_t Inner = 0;        ///< the same
  size_t Read = 0;         ///< the same
  llvm::SmallVector<Memory::Entry, 0> Before;
  unsigned Touched = 0;
  unsigned ThreadIndexUses = 0;
  unsigned Asked = 0; ///< of PathCondition::timesAsked
  unsigned PartsAsked = 0, ThreadsAsked = 0, NumbersUsed = 0;
  uint64_t Moment = 0;
};
struct CallResult {
  uint8_t On = 0;     ///< bits of HangsOn
  bool Holds = false; ///< anything is known of what it returned
  KeptBytes Bytes;
  llvm::SmallVector<const Int *, 0> Compared;
  /// What it used of what the path knew; see PathCondition::usedSince.
  llvm::SmallVector<const Int *, 0> UsedFacts;
  bool UsesThreadIndex = false;
  /// It reads what is followed: to where, only running it tells.
  bool HasFollowedReads = false;
  std::vector<CallStep> Steps;
  std::vector<ChangedObject> Changes;
  /// Elements executed, but for those in the calls that it made and that are
  /// remembered themselves: which, and how often.
  unsigned Cost = 0;
  std::vector<std::pair<Fingerprint::Digest, unsigned>> Inner;
  /// Of the steps of all that it stands for.
  size_t bytes() const {
    return Steps.size() * sizeof(CallStep) +
           Inner.size() * sizeof(Inner.front());
  }
};

struct MemoizedCalls {
  /// By a digest of all that they depend on.
  llvm::DenseMap<Fingerprint::Digest, CallResult> Results;
  llvm::DenseMap<Fingerprint::Digest, CallNode> Nodes;
  size_t BytesOfSteps = 0; ///< of the results, with the calls in them
};

/// What the runs of the functions of one program, by blocks of one shape,
/// share.
struct SharedValues {
  explicit SharedValues(BlockShape Shape) : Shape(Shape), V(Shape.threads()) {}
  const BlockShape Shape;
  ValueContext V;
  TermOrigins Origins;
  PathHistory History;
  MemoizedCalls Calls;
  CallChains Chains;
  /// Memory in use, in bytes.
  size_t bytes() const {
    return V.bytes() + History.bytes() + Calls.Results.getMemorySize() +
           Calls.BytesOfSteps;
  }
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_MEMOIZEDCALLS_H
