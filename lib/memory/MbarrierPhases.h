//===- MbarrierPhases.h - Barriers that complete in phases ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mbarriers behind cuda::barrier and cuda::pipeline. Threads arrive without
// stopping; a phase is complete when as many arrivals came as the barrier
// expects, and then the next begins. Who waits for a phase comes after all that
// its arrivals came after, and the copies bound to it are complete for them.
// PTX ISA, "mbarrier", "cp.async.mbarrier.arrive".
//
// A phase of bytes is complete once all have arrived and as many bytes were
// copied as were announced, but nobody can tell when before he waits: it counts
// as complete no sooner than somebody waits for it, or uses the barrier again.
//
//   state   | shape                   | meaning             | changed by
//   --------|-------------------------|---------------------|-----------------
//   place   | object, offset, part    | which barrier it is | never
//   expects | number; 0: all threads  | arrivals of a phase | init, drop
//   arrived | number and mask         | in this phase       | arrive: more;
//           |                         |                     | completion: none
//   bytes   | number; none: no phase  | announced and not   | expect_tx: more;
//           | of bytes                | issued yet          | bulk copy: less;
//           |                         |                     | completion: none
//   tiles   | list of {tile, number}  | issued, of bytes    | bulk copy: more;
//           |                         | that nobody knows   | completion: none
//   parity  | bit                     | of the phase that   | completion: flips
//           |                         | is not complete     |
//   bound   | list of {threads,       | copies of this      | commit: add;
//           | commit}                 | phase               | completion: done
//   done    | the same                | copies of complete  | the first wait:
//           |                         | phases nobody has   | none
//           |                         | waited for          |
//   newest  | how many of these       | of the last phase   | completion: all
//           |                         | that is complete    | that were bound
//   joined  | parity for each thread; | of the phase that   | arrive
//           | -1: none                | it last arrived in, | wait for it: none
//           |                         | and has not seen    |
//           |                         | complete            |
//   copying | mask, or null           | open copies are of  | copy: more;
//           |                         | the phase that they | arrive: bound
//           |                         | arrive in next      |
//   foreign | mask, or null           | arrived from other  | arrive: more; own
//           |                         | blocks              | wait: less
//   waiting | list of {threads, wait} | stopped until this  | wait: add;
//           |                         | phase is complete   | completion: none
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_MBARRIERPHASES_H
#define CPASYNC_LIB_MEMORY_MBARRIERPHASES_H

#include "lib/memory/BarrierSet.h"
#include "lib/memory/Footprint.h"
#include "lib/memory/GroupQueue.h"
#include "lib/support/Fingerprint.h"
#include "clang/Basic/SourceLocation.h"

namespace cpasync {

struct PhaseBarrier {
  /// Copies that complete with a phase: those of Threads up to the end of the
  /// group that Commit closed.
  struct Bound {
    const PerThread *Threads;
    EventId Commit;
    bool Alone = false; ///< no others, see Group::Alone
    bool operator==(const Bound &) const = default;
  };
  /// Where what matters to a phase happened last; no part of the state.
  struct Told {
    clang::SourceLocation Init, Arrival, Announcement, Copy;
    clang::SourceLocation Foreign; ///< an arrival
    bool operator==(const Told &) const { return true; }
  };
  struct Waiter {
    const PerThread *Threads;
    const void *Site;
    clang::SourceLocation Loc;
    bool Consumes; ///< for data of a pipeline
    bool operator==(const Waiter &) const = default;
  };

  const Object *Obj;
  int64_t Offset;
  unsigned Part; ///< of a pipeline's state: which of its barriers
  int64_t Expects = 0;
  int64_t Arrived = 0;
  const Int *Bytes = nullptr;
  /// How many bytes were announced is not known.
  bool IsBelieved = false;
  /// Copies whose bytes are not known, as what they copy is numbered, and how
  /// many of each: they are taken to have what was announced.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 2> Tiles;
  const PerThread *Came;
  bool Parity = false;
  const PerThread *Joined = nullptr;  ///< null: nobody
  const PerThread *Copying = nullptr; ///< null: nobody
  /// All that those copy is copied in bulk: such a copy completes by itself.
  bool CopyInBulk = false;
  /// Of other blocks of the cluster, those that have arrived since somebody of
  /// its own has waited; null: nobody.
  const PerThread *Foreign = nullptr;
  /// Who arrives gives back a stage of a cuda::pipeline.
  bool GivesBack = false;
  bool WasForced = false; ///< a phase counted as complete, and was not
  llvm::SmallVector<Bound, 2> Binds, Done;
  size_t Newest = 0;
  llvm::SmallVector<Waiter, 1> Waiting;
  Told At;
  void copies(PerThreadContext &L, const PerThread *Threads, bool InBulk);
  /// Copies complete with the phase that collects arrivals.
  void bind(const Bound &B) {
    if (!llvm::is_contained(Binds, B))
      Binds.push_back(B);
  }
  /// Nothing has happened in this phase.
  void begin(const PerThread *None) {
    Arrived = 0;
    Bytes = nullptr;
    IsBelieved = false;
    Tiles.clear();
    Came = None;
  }
  /// \p Count copies of \p Tile belong to it, of as many bytes as it lacks.
  void believe(unsigned Tile, int64_t Count);
  bool isBelieved() const { return IsBelieved || !Tiles.empty(); }
  bool operator==(const PhaseBarrier &) const = default;
  void addTo(Fingerprint &F) const;
};

/// The barriers seen so far; an index stays valid.
using PhaseBarriers = llvm::SmallVector<PhaseBarrier, 0>;

/// Takes what either side of a condition did: it may have copied, no more.
void uniteCopying(PerThreadContext &L, PhaseBarriers &All,
                  const PhaseBarriers &Other);

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_MBARRIERPHASES_H
