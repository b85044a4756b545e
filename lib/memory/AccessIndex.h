//===- AccessIndex.h - Many accesses, found by their bytes ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of accesses that only grows, in runs that are sorted by the bytes and
// never change, so that states share them: a copy of the list costs next to
// nothing, and a question is answered without a look at what lies elsewhere. A
// run is merged with the one before unless that is longer: n accesses make
// log n runs.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_ACCESSINDEX_H
#define CPASYNC_LIB_MEMORY_ACCESSINDEX_H

#include "lib/memory/BarrierSet.h"
#include "lib/memory/Events.h"
#include "lib/support/Fingerprint.h"
#include <memory>

namespace cpasync {

struct Access {
  EventId
      Event; ///< Read, Store, or a Copy, BulkStore or Wgmma that is complete
  EventId Wait = 0; ///< the wait that completed it
  const Footprint *Bytes;
  const PerThread *After; ///< threads known to come after it
  /// Barriers that are not complete or that others may still wait for: its
  /// threads arrived there after it.
  BarrierSet Before;
  bool IsCopy = false;      ///< Event is a Copy
  bool OfPhase = false;     ///< as the event
  bool HasUnknowns = false; ///< as the event's hasUnknowns()
  bool operator==(const Access &) const = default;
};

class AccessIndex {
public:
  void append(llvm::ArrayRef<Access> New);
  void clear() { Runs.clear(); }
  size_t size() const;
  bool contains(const Access &A) const;
  /// Oldest first.
  void addTo(llvm::SmallVectorImpl<Access> &List) const;
  /// Adds those that may touch \p Bytes in a thread of another warp, or with a
  /// phase, oldest first.
  void findRivals(FootprintTable &F, const Footprint *Bytes, bool OnlyCopies,
                  llvm::SmallVectorImpl<const Access *> &Found) const;
  bool any(llvm::function_ref<bool(const Access &)> Counts) const;
  /// Whether \p Counts says yes to one that has unknowns.
  bool anyWithUnknowns(llvm::function_ref<bool(const Access &)> Counts) const;

  bool operator==(const AccessIndex &O) const;
  void addTo(Fingerprint &F) const;

private:
  struct Run;
  llvm::SmallVector<std::shared_ptr<const Run>, 1> Runs; ///< oldest first
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_ACCESSINDEX_H
