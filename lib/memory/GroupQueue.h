//===- GroupQueue.h - One thread's cp.async groups --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The semantics of non-bulk asynchronous copies for one thread, or for a class
// of threads with the same history. Pure: copies, commits and waits are numbers
// chosen by the caller. PTX ISA, "cp.async.commit_group" and
// "cp.async.wait_group / cp.async.wait_all".
//
//   state     | shape            | meaning             | changed by
//   ----------|------------------|---------------------|----------------------
//   open      | list of copies   | issued, in no group | copy: push_back;
//             |                  | yet                 | commit: into a group;
//             |                  |                     | wait_all: clear
//   groups    | FIFO of {commit, | committed, may be   | commit: push_back,
//             | copies, waits},  | in flight           | even if open is
//             | newest at the    |                     | empty; wait_group N:
//             | back             |                     | pop_front while size
//             |                  |                     | > N; wait_all: clear
//   last wait | wait or none, of | newest wait that    | wait_group N, on what
//             | each group and   | left the copies in  | it leaves
//             | of open          | flight              |
//   alone     | flag of a group  | completes by itself | load, part: push_back;
//             |                  | with a phase of an  | complete: erase; no
//             |                  | mbarrier            | wait sees it
//
// An empty group counts for wait_group N: it is forgotten only on demand, and
// only where nothing older is left that a wait could complete.
// Tested by test/unit/GroupQueueTest.cpp against a model that is slow and
// obvious (test/unit/GroupModel.h).
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_GROUPQUEUE_H
#define CPASYNC_LIB_MEMORY_GROUPQUEUE_H

#include "lib/support/Fingerprint.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace cpasync {

/// A copy, commit or wait, as the caller numbers them. 0 means none.
using EventId = uint32_t;

/// Largest N the hardware encodes; every larger or negative N acts as this.
/// Measured: ptxas 13.0 encodes wait_group -1, 64 and 1000 as 63.
inline constexpr uint32_t MaxWaitGroupCount = 63;

/// The count that `wait_group N` really waits down to.
uint32_t effectiveWaitCount(int64_t N);

struct Group {
  EventId Commit = 0;
  EventId LastWait = 0;  ///< newest wait that ran after the commit and left it
  EventId EarlyWait = 0; ///< newest wait between the first copy and the commit
  bool Alone = false;    ///< closed by no commit: waits do not count it
  llvm::SmallVector<EventId, 4> Copies;
  bool operator==(const Group &) const = default;
};

class GroupQueue {
public:
  void copy(EventId Copy);
  /// \p Alone: as load and part do, but of what is open.
  void commit(EventId Commit, bool Alone = false);
  /// Completes all but the newest \p N groups (already clamped by
  /// effectiveWaitCount). Returns the copies that completed, oldest first.
  llvm::SmallVector<EventId, 8> waitGroup(uint32_t N, EventId Wait);
  /// As `commit_group; wait_group 0`: also completes what was never committed.
  llvm::SmallVector<EventId, 8> waitAll();

  /// A group of its own, which completes as \p Close says, with whatever of it
  /// is in flight.
  void load(llvm::ArrayRef<EventId> Copies, EventId Close);
  /// What is in flight leaves its groups and completes as \p Close says.
  void part(EventId Close);
  /// The copies of the group alone that \p Close closed, which is complete.
  llvm::SmallVector<EventId, 4> complete(EventId Close);
  /// The groups that a wait counts, behind the one at \p Index.
  size_t countedBehind(size_t Index) const;

  /// Forgets open copies that are not of the threads meant.
  void keepOpen(llvm::function_ref<bool(EventId)> IsTheirs);

  /// Lets \p Keep give every copy another number, or drop it: false.
  void update(llvm::function_ref<bool(EventId &)> Keep);

  /// Forgets empty groups that are older than all copies: no wait tells whether
  /// they were there.
  void forgetOldestEmpty();

  llvm::ArrayRef<EventId> open() const { return Open; }
  /// Oldest first.
  llvm::ArrayRef<Group> groups() const { return Groups; }
  /// Newest wait that ran while the copies now open were already issued.
  EventId openLastWait() const { return OpenWait; }

  bool isEmpty() const { return Open.empty() && Groups.empty(); }
  /// Something that commits and waits are for.
  bool isWaitable() const;
  /// Forgets groups that complete by themselves.
  void forgetAlone();
  bool operator==(const GroupQueue &) const = default;
  void addTo(Fingerprint &F) const;

private:
  llvm::SmallVector<EventId, 8> Open;
  llvm::SmallVector<Group, 8> Groups;
  EventId OpenWait = 0;
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_GROUPQUEUE_H
