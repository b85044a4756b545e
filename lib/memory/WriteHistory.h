//===- WriteHistory.h - What shared memory was given ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which bytes a copy or a store was issued to on this path, and which reads
// came before anything was: what a read before its copy is found by.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_WRITEHISTORY_H
#define CPASYNC_LIB_MEMORY_WRITEHISTORY_H

#include "lib/memory/Events.h"
#include "lib/memory/WrittenBytes.h"
#include "llvm/ADT/STLExtras.h"

namespace cpasync {

class WriteHistory {
public:
  explicit WriteHistory(WrittenBytesTable &W)
      : Written(W.none()), Since{SinceMeeting::None, W.none()} {}

  /// A copy or a store is issued to the bytes of \p F.
  void issue(WrittenBytesTable &W, const Footprint *F);
  /// A store that may have gone anywhere: no read after it is blind.
  void storeAnywhere(WrittenBytesTable &W) {
    WroteAnywhere = true;
    W.noteAnywhere();
  }
  /// What was written until now, if not anywhere.
  const WrittenBytes *written() const { return Written; }
  bool wroteAnywhere() const { return WroteAnywhere; }
  bool mayBeWritten(WrittenBytesTable &W, const Footprint *Read) const {
    return WroteAnywhere || W.mayTouch(Written, Read);
  }
  /// Some byte of \p Read was not written by anybody.
  bool leavesOut(WrittenBytesTable &W, const Footprint *Read) const {
    return !WroteAnywhere && W.leavesOut(Written, Read);
  }

  /// Something was stored in the `__shared__` variable \p O, or copied there
  /// and waited for. Of others nothing is kept.
  void fill(const Object *O);
  bool isFilled(const Object *O) const { return llvm::is_contained(Filled, O); }

  /// Reads of bytes that nothing was issued to yet.
  llvm::ArrayRef<EventId> blindReads() const { return Blind; }
  bool isBlind(EventId Read) const { return llvm::binary_search(Blind, Read); }
  void addBlindRead(EventId Read) {
    auto *At = llvm::lower_bound(Blind, Read);
    if (At == Blind.end() || *At != Read)
      Blind.insert(At, Read);
  }
  void forgetRead(EventId Read) { llvm::erase(Blind, Read); }
  /// Which threads come after what others did is not known any more.
  void loseOrder() { OrderIsLost = true; }
  bool isOrderLost() const { return OrderIsLost; }

  /// Bytes that nothing was issued to yet, by those that something was, and who
  /// read them: what a read before its copy is found by, and nothing else.
  struct Blanks {
    const WrittenBytes *Written;
    llvm::SmallVector<EventId, 2> Reads; ///< sorted
    bool OrderIsLost;
    /// What is found with \p O is found with these.
    bool include(WrittenBytesTable &W, const Blanks &O) const;
    /// All reads of \p O, and no less is known of who comes after them.
    bool hasReadsOf(const Blanks &O) const;
  };
  Blanks blanks() const { return {Written, Blind, OrderIsLost}; }

  /// The state where paths met that this one has come by last, and the bytes
  /// that something was issued to since then; see Subsumption.h.
  struct SinceMeeting {
    static constexpr unsigned None = ~0u;
    unsigned Meeting;
    const WrittenBytes *Written;
  };
  const SinceMeeting &sinceMeeting() const { return Since; }
  void meet(WrittenBytesTable &W, unsigned Meeting) {
    Since = {Meeting, W.none()};
  }

  /// Takes what either side of a condition did; see BlockCopies::unite.
  void unite(WrittenBytesTable &W, const WriteHistory &Other);
  /// See BlockCopies::forget. \p Depends: the place hangs on \p A.
  void forget(WrittenBytesTable &W, const EventTable &E, const Atom *A,
              llvm::function_ref<bool(const Footprint *)> Depends);

  bool operator==(const WriteHistory &O) const {
    return Written == O.Written && Blind == O.Blind &&
           OrderIsLost == O.OrderIsLost && isFilledAs(O);
  }
  /// Equal but for blanks().
  bool isFilledAs(const WriteHistory &O) const {
    return Filled == O.Filled && WroteAnywhere == O.WroteAnywhere;
  }
  void addBlanksTo(Fingerprint &F) const;
  /// All else.
  void addMostTo(Fingerprint &F) const;

private:
  const WrittenBytes *Written;
  SinceMeeting Since;                          ///< no part of what a state is
  llvm::SmallVector<EventId, 2> Blind;         ///< sorted
  llvm::SmallVector<const Object *, 4> Filled; ///< sorted by id
  bool WroteAnywhere = false, OrderIsLost = false;
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_WRITEHISTORY_H
