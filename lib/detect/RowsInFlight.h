//===- RowsInFlight.h - Places in rows that are in flight -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_ROWSINFLIGHT_H
#define CPASYNC_LIB_DETECT_ROWSINFLIGHT_H

#include "lib/state/Exclusion.h"

namespace cpasync {

/// `Ring[Slot][Perm[T]]`: it is not known which column is accessed, but it is
/// in flight if all of the slot is; a read is not of what nobody has written
/// yet.
class RowsInFlight : RunPart {
public:
  RowsInFlight(KernelRun &Run, Exclusion &Exclusive)
      : RunPart(Run), Exclusive(Exclusive) {}

  /// An access that meets one copy after the other.
  struct Meeting {
    EventId Access;
    /// What threadOf() says; nothing until it is asked.
    std::optional<std::optional<unsigned>> Thread = std::nullopt;
  };
  /// A clash with a copy whose bytes in flight are \p Bytes, if a thread
  /// touches something in flight wherever in its row it is, and that is one of
  /// those in its row; else not known.
  Overlap clash(const State &S, Meeting &Of, const Footprint *Bytes);
  /// The same of the \p Bytes of \p Copy and the \p Place of \p Read, with
  /// nothing between them. The first thread is the one that copies, in another
  /// warp than the one that reads.
  Overlap ofUnordered(const State &S, EventId Copy, const Footprint *Bytes,
                      EventId Read, const Footprint *Place);

private:
  std::optional<unsigned> threadOf(const State &S, EventId Access);
  bool isBlank(const State &S, const Footprint *Read, Interval Bytes);
  Overlap ofOneThread(const Footprint *Bytes, const Footprint *Read);

  Exclusion &Exclusive;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_ROWSINFLIGHT_H
