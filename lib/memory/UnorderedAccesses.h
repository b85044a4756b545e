//===- UnorderedAccesses.h - What a barrier has not ordered yet -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Happens-before between the threads of a block. An access of shared memory is
// kept until every living thread is known to come after it; until then a thread
// of another warp that touches the same bytes races with it. Threads of one
// warp are taken to be ordered: they run in step or meet at __syncwarp, and the
// hardware keeps the groups of a warp together. Where they are asked to be
// apart (PerThreadContext::inStep), only barriers order them. A copy that
// completes with the phase of an mbarrier is no access of the thread that has
// issued it: whoever waited for the phase comes after it, and who comes after
// him.
//
//   state    | shape             | meaning            | changed by
//   ---------|-------------------|--------------------|----------------------
//   accesses | list of {event,   | not ordered before | read, store, wait of
//            | wait, bytes,      | all threads yet    | a copy: add; barrier:
//            | after}            |                    | removed when all
//            |                   |                    | threads come after
//   after    | mask of threads   | come after the     | a barrier at which
//            |                   | access             | its threads, or one
//            |                   |                    | after it, arrived
//
// PTX ISA, "Parallel Synchronization and Communication Instructions:
// bar, barrier": accesses requested before arriving are performed for all
// threads that wait at the barrier.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_UNORDEREDACCESSES_H
#define CPASYNC_LIB_MEMORY_UNORDEREDACCESSES_H

#include "lib/memory/AccessIndex.h"

namespace cpasync {

class UnorderedAccesses {
public:
  /// \p Before: as in Access.
  void add(PerThreadContext &L, const EventTable &E, EventId Event,
           EventId Wait, const Footprint *Bytes, const BarrierSet &Before = {});
  /// \p Threads come to a barrier.
  void arrive(PerThreadContext &L, FootprintTable &F, BarrierId Barrier,
              const PerThread *Threads);
  /// \p Threads go on behind a barrier that is complete now.
  void release(PerThreadContext &L, BarrierId Barrier, const PerThread *Threads,
               const PerThread *Living);
  /// The open phase of \p Mbarrier is the newest that is complete from now on.
  void complete(MbarrierIndex Mbarrier);
  /// As release(), of barriers that others may still wait for.
  void pass(PerThreadContext &L, const BarrierSet &Barriers,
            const PerThread *Threads, const PerThread *Living);
  /// The warps of each warpgroup of \p Threads have come together.
  void meetInWarpgroups(PerThreadContext &L, FootprintTable &F,
                        const PerThread *Threads);
  /// The lanes of each warp of \p Threads have come together.
  void meetInWarps(PerThreadContext &L, FootprintTable &F,
                   const PerThread *Threads, const PerThread *Living);
  void clear() { take(); }
  void erase(EventId Event);
  /// Of what one operation does to the same bytes in every round of a loop,
  /// under a condition that is another in each, the newest is told apart by its
  /// condition; those of older rounds are one, under \p Forgotten. \p Rename is
  /// told of each the event that it was and is.
  void forgetOlderConditions(
      EventTable &E, const Int *Forgotten,
      llvm::function_ref<void(EventId Was, EventId Is)> Rename);
  /// Where a long list ends in reads by one operation of a row, piece by piece,
  /// those are one of all of them; not those that \p IsKept.
  void joinReads(ValueContext &V, FootprintTable &F, EventTable &E,
                 llvm::function_ref<bool(EventId)> IsKept);
  void forEach(llvm::function_ref<void(Access &)> Change);
  /// Takes what \p Other has too.
  void unite(const UnorderedAccesses &Other);

  size_t size() const { return Older.size() + Recent.size(); }
  bool empty() const { return size() == 0; }
  using List = llvm::SmallVector<Access, 4>;
  /// In order of their first addition.
  List inOrder() const;
  /// The newest, if it is at hand.
  const Access *newest() const {
    return Recent.empty() ? nullptr : &Recent.back();
  }
  /// Those that may touch \p Bytes in a thread of another warp, in order of
  /// their first addition; good until the next change.
  llvm::SmallVector<const Access *, 4>
  rivals(FootprintTable &F, const Footprint *Bytes, bool OnlyCopies) const;
  bool any(llvm::function_ref<bool(const Access &)> Counts) const;
  /// Whether \p Counts says yes to one that has unknowns.
  bool anyWithUnknowns(llvm::function_ref<bool(const Access &)> Counts) const;

  bool has(const Access &A) const {
    return llvm::is_contained(Recent, A) || Older.contains(A);
  }
  /// The same, or one that is equal but for more bytes behind those of \p A.
  bool includes(const EventTable &E, const Access &A) const;
  bool operator==(const UnorderedAccesses &O) const {
    return Recent == O.Recent && Older == O.Older;
  }
  void addTo(Fingerprint &F) const;

private:
  /// Each of \p Groups comes after what its own threads did.
  void meet(PerThreadContext &L, FootprintTable &F,
            llvm::ArrayRef<const PerThread *> Groups);
  /// By the same operation, anywhere in the same part.
  bool isReadAgain(const EventTable &E, const Access &New) const;
  bool endsInRow(ValueContext &V, const EventTable &E) const;
  void insert(const Access &A); ///< if it is not there yet
  void append(const Access &A);
  List take(); ///< all, in order; none are left

  AccessIndex Older;
  List Recent; ///< the newest: most states have no more
  /// Whose warpgroups met last, with nothing new since; null: somebody's.
  const PerThread *Met = nullptr;
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_UNORDEREDACCESSES_H
