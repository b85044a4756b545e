//===- BlockCopies.h - The asynchronous copies of a whole block -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copy state of every thread of a block. Threads with the same history
// share one GroupQueue (a class); a commit or wait that only some threads of a
// class execute splits it, and classes that become equal again merge.
//
//   state     | shape                   | meaning
//   ----------|-------------------------|---------------------------------------
//   classes   | masks (a partition) and | groups of the threads in the mask:
//             | two GroupQueues each    | of copies, and of bulk copies
//   in flight | footprints              | of the copies in the classes' queues
//   history   | see WriteHistory.h      | bytes a copy or store was issued to
//   notes     | see CopyNotes.h         | what detectors remember
//   unordered | see UnorderedAccesses.h | accesses since the last barrier
//   phases    | see MbarrierPhases.h    | barriers in memory
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_BLOCKCOPIES_H
#define CPASYNC_LIB_MEMORY_BLOCKCOPIES_H

#include "lib/memory/CopyNotes.h"
#include "lib/memory/Events.h"
#include "lib/memory/FootprintSet.h"
#include "lib/memory/MbarrierPhases.h"
#include "lib/memory/UnorderedAccesses.h"
#include "lib/memory/WriteHistory.h"
#include "llvm/ADT/STLExtras.h"

namespace cpasync {

class BlockCopies {
public:
  struct ThreadClass {
    const PerThread *Mask;
    GroupQueue Queue;
    GroupQueue Bulk;  ///< of bulk copies from shared memory
    GroupQueue Wgmma; ///< of matrix products; these never mix
    bool operator==(const ThreadClass &) const = default;
  };
  BlockCopies(PerThreadContext &L, WrittenBytesTable &W)
      : Classes{{L.all(), GroupQueue()}}, History(W) {}

  void copy(PerThreadContext &L, WrittenBytesTable &W, const EventTable &E,
            EventId Copy);
  void commit(PerThreadContext &L, const EventTable &E, EventId Commit,
              const PerThread *Mask, bool Alone = false);
  void wait(FootprintTable &F, const EventTable &E, uint32_t N, EventId Wait,
            const PerThread *Mask);
  void waitAll(FootprintTable &F, const EventTable &E, EventId Wait,
               const PerThread *Mask);

  /// The copies of \p Threads up to the oldest group that \p Commit closed are
  /// complete, or only those of the group that it closed \p Alone; \p Before:
  /// what they come before, as in Access.
  void completeUpTo(FootprintTable &F, const EventTable &E, EventId Commit,
                    EventId Wait, const PerThread *Threads,
                    const BarrierSet &Before, bool Alone = false);
  /// Groups of \p Threads that this would leave; none if it does nothing.
  std::optional<size_t> groupsAfter(PerThreadContext &L, EventId Commit,
                                    const PerThread *Threads) const;
  /// Bulk copies of \p Mask into shared memory, and copies of theirs that are
  /// in flight: they complete as \p Close says, each by itself. \p Reads:
  /// what such a copy reads of shared memory until then.
  void load(PerThreadContext &L, WrittenBytesTable &W, const EventTable &E,
            EventId Copy, EventId Close, const PerThread *Mask,
            llvm::ArrayRef<EventId> Reads = {});
  void part(PerThreadContext &L, const EventTable &E, EventId Close,
            const PerThread *Mask);
  /// Nothing is in flight any more, as far as anybody knows.
  void completeAll(FootprintTable &F, const EventTable &E);
  /// Copies of \p Threads that are in no group have missed \p Wait.
  void missWait(PerThreadContext &L, const EventTable &E, EventId Wait,
                const PerThread *Threads);

  /// Asynchronous reads of shared memory, of one kind: Bulk or Wgmma.
  using ReadQueue = GroupQueue ThreadClass::*;
  void startRead(ReadQueue Of, PerThreadContext &L, const EventTable &E,
                 EventId Read, const PerThread *Mask);
  void commitReads(ReadQueue Of, PerThreadContext &L, const EventTable &E,
                   EventId Commit, const PerThread *Mask);
  /// The reads that complete become accesses of those threads.
  void waitForReads(ReadQueue Of, FootprintTable &F, const EventTable &E,
                    uint32_t N, EventId Wait, const PerThread *Mask);
  /// A bulk copy that is not modelled: bulk commits and waits may be for it.
  void unknownBulkCopy() { UnknownBulk = true; }
  /// Some of \p Mask have reads to commit or to wait for.
  bool mayRead(ReadQueue Of, PerThreadContext &L, const PerThread *Mask) const;

  /// An ordinary store.
  void store(WrittenBytesTable &W, const Footprint *F);
  WriteHistory &history() { return History; }
  const WriteHistory &history() const { return History; }

  CopyNotes &notes() { return Notes; }
  const CopyNotes &notes() const { return Notes; }

  /// The symbol \p A is about to stand for something else: addresses that were
  /// computed from it are not known any more, and conditions become
  /// \p Forgotten. \p Did: the threads that may have done it, by what is
  /// decided until now.
  void forget(FootprintTable &F, WrittenBytesTable &W, EventTable &E,
              const Atom *A, const Int *Forgotten,
              llvm::function_ref<const PerThread *(EventId)> Did);

  /// Forgets what hung on conditions and was not done.
  void forgetUndone(llvm::function_ref<bool(EventId)> IsUndone);

  /// What was committed with nothing in it before all that is in flight might
  /// as well not have been.
  void forgetOldestEmpty(PerThreadContext &L);

  /// Nothing is in flight, and nothing waits for a barrier.
  bool isIdle() const {
    return Unordered.empty() && llvm::all_of(Classes, [](const ThreadClass &C) {
             return C.Queue.open().empty() &&
                    llvm::all_of(
                        C.Queue.groups(),
                        [](const Group &G) { return G.Copies.empty(); }) &&
                    C.Bulk.isEmpty() && C.Wgmma.isEmpty();
           });
  }

  llvm::ArrayRef<ThreadClass> classes() const { return Classes; }
  /// Whether a copy in some class's queue is not plainly apart from \p Bytes.
  bool mayBeInFlight(const Footprint *Bytes) const {
    return InFlight.anyTouching(Bytes);
  }
  PhaseBarriers &phases() { return Phases; }
  const PhaseBarriers &phases() const { return Phases; }
  PhaseBarrier &phase(MbarrierIndex M) { return Phases[size_t(M)]; }
  UnorderedAccesses &unordered() { return Unordered; }
  const UnorderedAccesses &unordered() const { return Unordered; }

  /// Both sides of a condition ran from the same start, this one as the second:
  /// takes what either did.
  void unite(PerThreadContext &L, WrittenBytesTable &W, const EventTable &E,
             const BlockCopies &Other);

  bool operator==(const BlockCopies &O) const {
    return equalButUnordered(O) && Unordered == O.Unordered;
  }
  /// \p WithBlanks: those of history() too.
  void addTo(Fingerprint &F, bool WithBlanks, bool WithUnordered = true) const;
  /// From A to B and from B to C nothing completed, and the same operations
  /// were added at addresses that moved on by a constant: a loop that stages
  /// an unknown amount of data before anybody waits.
  static bool growSteadily(ValueContext &V, const EventTable &E,
                           const BlockCopies &A, const BlockCopies &B,
                           const BlockCopies &C);
  /// Equal but for the accesses that are not ordered yet.
  bool equalButUnordered(const BlockCopies &O) const;
  /// This state grew from \p Before by accesses alone, steadily: adds those of
  /// \p Periods more.
  void repeatAccesses(FootprintTable &F, ValueContext &V, EventTable &E,
                      const BlockCopies &Before, int64_t Periods);

private:
  /// Classes restricted to \p Mask get \p Step; others keep their queue.
  template <typename Fn>
  void split(PerThreadContext &L, const EventTable &E, const PerThread *Mask,
             Fn Step);
  void normalise(PerThreadContext &L);
  void complete(FootprintTable &F, const EventTable &E,
                llvm::ArrayRef<EventId> Copies, EventId Wait,
                const PerThread *Mask, const BarrierSet &Before = {});
  void findInFlight(const EventTable &E);

  llvm::SmallVector<ThreadClass, 1> Classes;
  FootprintSet InFlight; ///< follows from Classes
  WriteHistory History;
  bool UnknownBulk = false;
  CopyNotes Notes;
  UnorderedAccesses Unordered;
  PhaseBarriers Phases;
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_BLOCKCOPIES_H
