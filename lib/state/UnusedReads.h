//===- UnusedReads.h - Loaded values that nothing has used yet --*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A read that races does no harm if nobody ever uses what it loaded: a pipeline
// that loads the registers of the next step ahead does so after the last step
// too. A path keeps, for each read that is watched, where its value lies and
// the findings that count only if the value is used. A copy of the value in
// another local is no use of it; everything else is.
//
//   state  | shape               | changed by
//   -------|---------------------|---------------------------------------------
//   reads  | list of {read, used | a watched read: added; a use of its value:
//          | before, copies to   | removed
//          | blame}              |
//   places | bytes of a local,   | a store of what was loaded: added; any other
//          | threads, read       | store by those threads, the end of the
//          |                     | local's life: removed
//   held   | finding, by the two | a finding about a read: added; a use of the
//          | accesses it is of   | value: taken out and reported
//
// A read without places has lost its value, and what was held for it with it.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_UNUSEDREADS_H
#define CPASYNC_LIB_STATE_UNUSEDREADS_H

#include "lib/Finding.h"
#include "lib/memory/GroupQueue.h"
#include "lib/support/Fingerprint.h"
#include "lib/values/Value.h"

namespace cpasync {

/// A part of a value that is on its way to a place.
struct LoadedPart {
  EventId Read;
  int64_t Begin, End; ///< bytes of the value that is moved
  const PerThread *Threads;
  int64_t From = 0; ///< the byte of the read that is at Begin
  bool operator==(const LoadedPart &) const = default;
};
using LoadedParts = llvm::SmallVector<LoadedPart, 2>;

class UnusedReads {
public:
  /// A finding about a read; two of the same accesses are one.
  struct Held {
    EventId Read, Other;
    FindingKind Kind;
    std::shared_ptr<const Finding> F;
    unsigned *Tellings;    ///< how often this clash was told
    bool OfBefore = false; ///< of a run before the one that goes on now
    int64_t FirstByte = 0; ///< of those read, what it is about begins there
    bool operator==(const Held &O) const {
      return Read == O.Read && Other == O.Other && Kind == O.Kind &&
             OfBefore == O.OfBefore;
    }
  };
  struct Used {
    llvm::SmallVector<Held, 1> Findings;
    llvm::SmallVector<EventId, 2> Blamed;
  };

  /// Some local holds a value that nothing has used.
  bool any() const { return !Places.empty(); }
  bool isHeldBy(const Object *O) const;
  /// What this read loaded was not used yet, if that is watched.
  bool contains(EventId Read) const;
  /// And so it is with all runs of it that are not ordered yet.
  bool containsAll(EventId Read) const;
  llvm::SmallVector<EventId, 2> reads() const;
  bool isLost(EventId Read) const;

  /// \p Before: the same read is known from an iteration before.
  void begin(EventId Read, bool Before);
  /// What it loaded is about to be placed; all that was there is overwritten.
  void settle(EventId Read);
  void hold(Held H);
  bool hasFindings(EventId Read) const;
  /// A finding is held that \p Copy is to blame for.
  void blame(EventId Read, EventId Copy);
  /// Findings that \p Waits, and with them the value, stay: of a thread that
  /// is none of those that use it.
  Used use(
      EventId Read, llvm::function_ref<bool(const Held &)> Waits =
                        [](const Held &) { return false; });
  /// It is \p Somewhere of it from now on, as are the accesses that it is told
  /// with.
  void forgetBytes(EventId Read,
                   llvm::function_ref<EventId(EventId)> Somewhere);

  void place(const Object *O, int64_t Begin, const LoadedPart &Part);
  /// Something else is stored by \p Threads.
  void overwrite(PerThreadContext &L, const Object *O, int64_t Begin,
                 int64_t End, const PerThread *Threads);
  void erase(llvm::function_ref<bool(const Object *)> Gone);
  void forEach(const Object *O,
               llvm::function_ref<void(int64_t Begin, int64_t End)> Do) const;
  /// Parts of the values at these bytes, for some of \p Threads.
  LoadedParts at(PerThreadContext &L, const Object *O, int64_t Begin,
                 int64_t End, const PerThread *Threads) const;

  /// Takes what \p O has too.
  void unite(const UnusedReads &O);
  bool operator==(const UnusedReads &) const = default;
  void addTo(Fingerprint &F) const;

private:
  struct Read {
    EventId Id;
    bool UsedBefore; ///< by an iteration before
    llvm::SmallVector<EventId, 2> Blamed;
    bool operator==(const Read &) const = default;
  };
  struct Place {
    const Object *Obj;
    LoadedPart Bytes; ///< of the object
    bool operator==(const Place &) const = default;
  };
  llvm::SmallVector<Read, 1> Reads; ///< in order of their first addition
  llvm::SmallVector<Place, 1> Places;
  llvm::SmallVector<Held, 1> Findings;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_UNUSEDREADS_H
