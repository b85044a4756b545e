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
// hardware keeps the groups of a warp together. Where lanes are told apart,
// they are ordered by what brings them together.
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
//   lanes    | mask of threads   | come after what    | a barrier of lanes
//            |                   | their own warp did |
//   expected | mask of threads   | others have gone   | a barrier of lanes that
//            |                   | on behind a        | some of them come to
//            |                   | barrier for them   |
//
// PTX ISA, "Parallel Synchronization and Communication Instructions:
// bar, barrier": accesses requested before arriving are performed for all
// threads that wait at the barrier; "bar.warp.sync": memory accesses of the
// threads that take part in it are ordered.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_UNORDEREDACCESSES_H
#define CPASYNC_LIB_MEMORY_UNORDEREDACCESSES_H

#include "lib/memory/AccessIndex.h"

namespace cpasync {

class UnorderedAccesses {
public:
  UnorderedAccesses() = default;
  /// \p None: no threads; lanes are told apart from the beginning.
  static UnorderedAccesses ofLanes(const PerThread *None) {
    UnorderedAccesses R;
    R.Expected = None;
    return R;
  }
  bool tellsLanesApart() const { return Expected; }
  /// Some threads of the block may race with each other.
  bool mayRace(const PerThreadContext &L) const {
    return Expected || L.threads() > WarpThreads;
  }

  /// \p Before: as in Access.
  void add(PerThreadContext &L, const EventTable &E, EventId Event,
           EventId Wait, const Footprint *Bytes, const BarrierSet &Before = {});
  /// As \p Old, of that event and those bytes, whoever comes after it.
  void repeat(PerThreadContext &L, const EventTable &E, const Access &Old,
              EventId Event, const Footprint *Bytes);
  /// \p Threads come to a barrier.
  void arrive(PerThreadContext &L, FootprintTable &F, BarrierId Barrier,
              const PerThread *Threads);
  /// \p Threads go on behind a barrier that is complete now.
  void release(PerThreadContext &L, BarrierId Barrier, const PerThread *Threads,
               const PerThread *Living);
  /// What came before the barrier \p Open comes before \p Done from now on.
  void complete(BarrierId Open, BarrierId Done);
  /// As release(), of a barrier that others may still wait for.
  void pass(PerThreadContext &L, BarrierId Barrier, const PerThread *Threads,
            const PerThread *Living);
  /// \p Here come to a barrier of lanes. \p Groups: for each thread one that
  /// stands for all that it is for, in its warp; less than 0 for those that it
  /// is not for. Who has not come yet is taken to have done nothing before.
  void orderLanes(PerThreadContext &L, FootprintTable &F,
                  const PerThread *Groups, const PerThread *Here,
                  const PerThread *Living);
  void clear() { take(); }
  void erase(EventId Event);
  void forEach(llvm::function_ref<void(Access &)> Change);
  /// Takes what \p Other has too.
  void unite(PerThreadContext &L, const UnorderedAccesses &Other);

  size_t size() const { return Older.size() + Recent.size(); }
  bool empty() const { return size() == 0; }
  using List = llvm::SmallVector<Access, 4>;
  /// In order of their first addition.
  List inOrder() const;
  /// Those that may touch \p Bytes in such a pair of threads, in order of
  /// their first addition; good until the next change.
  llvm::SmallVector<const Access *, 4> rivals(FootprintTable &F,
                                              const Footprint *Bytes,
                                              bool OnlyCopies, Pairs Of) const;
  bool any(llvm::function_ref<bool(const Access &)> Counts) const;
  /// Whether \p Counts says yes to one that has unknowns.
  bool anyWithUnknowns(llvm::function_ref<bool(const Access &)> Counts) const;

  bool operator==(const UnorderedAccesses &) const = default;
  void addTo(Fingerprint &F) const;

private:
  void insert(const Access &A); ///< if it is not there yet
  void append(const Access &A);
  List take(); ///< all, in order; none are left

  /// Null where lanes are taken to be ordered.
  const PerThread *Expected = nullptr;
  AccessIndex Older;
  List Recent; ///< the newest: most states have no more
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_UNORDEREDACCESSES_H
