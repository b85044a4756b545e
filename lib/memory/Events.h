//===- Events.h - What a block does, operation by operation -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies, commits, waits, reads and stores are interned by place, operands and
// threads: in a loop the same operation is the same event, so that the state of
// a ring repeats.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_EVENTS_H
#define CPASYNC_LIB_MEMORY_EVENTS_H

#include "lib/memory/Footprint.h"
#include "lib/memory/GroupQueue.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseSet.h"

namespace cpasync {

/// A condition that a may-copy depends on, and the way it went.
using MayCondition = std::pair<const Int *, bool>;

struct Event {
  enum class Kind : uint8_t {
    Copy,
    Commit,
    Wait,
    WaitAll,
    Read,
    Store,
    BulkStore, ///< a bulk copy, in so far as it reads shared memory
    Wgmma,     ///< a matrix product that reads shared memory
  };
  Kind K;
  const void *Site;                 ///< the statement and instruction
  clang::SourceLocation Loc;        ///< where to report it
  const Footprint *Bytes = nullptr; ///< Copy: destination; Read, Store;
                                    ///< BulkStore, Wgmma: source
  const PerThread *Mask = nullptr;  ///< Commit, Wait
  int64_t N = 0;                    ///< Wait: as written
  /// Copy: the threads share Bytes, and which of them copies what is not said.
  bool Shared = false;
  /// Copy, BulkStore: it completes with a phase of an mbarrier. Whoever issued
  /// it knows of that as little as everybody else.
  bool OfPhase = false;
  /// Copy: it adds to what is there, or the like, as others do at the same
  /// time.
  bool Reduces = false;
  /// Copy: where another was still in flight; a finding says so.
  bool Overran = false;
  llvm::SmallVector<MayCondition, 2>
      May; ///< Copy, Read: under these conditions
  bool operator==(const Event &) const = default;

  /// Bytes or May are computed from numbers that are not known.
  bool hasUnknowns() const {
    return !May.empty() || (Bytes->Offset && !Bytes->Offset->isKnown());
  }
};

class EventTable {
public:
  EventTable() { Events.emplace_back(); }
  EventId intern(Event E);
  const Event &operator[](EventId Id) const { return Events[Id]; }
  llvm::ArrayRef<Event> all() const {
    return llvm::ArrayRef(Events).drop_front();
  }
  /// A copy into it was issued, on whatever path.
  bool isCopied(const Object *O) const { return Copied.contains(O); }

private:
  std::vector<Event> Events;
  llvm::DenseSet<const Object *> Copied;
  std::unordered_multimap<size_t, EventId> Index;
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_EVENTS_H
