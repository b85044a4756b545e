//===- CopyNotes.h - What detectors remember of copies ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   state    | shape                | meaning
//   ---------|----------------------|------------------------------------------
//   blamed   | copies               | a finding was made of them
//   mixed    | copies, footprints   | bytes that threads fill with different
//   data
//            |                      | in one instruction
//   unfenced | stores, footprints   | no fence has told the async proxy of
//   them,
//            |                      | if anybody asks. PTX ISA, "Async proxy"
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_COPYNOTES_H
#define CPASYNC_LIB_MEMORY_COPYNOTES_H

#include "lib/memory/UnorderedAccesses.h"
#include "llvm/ADT/STLExtras.h"

namespace cpasync {

class CopyNotes {
public:
  struct MixedCopy {
    EventId Copy;
    const Footprint *Bytes; ///< of the threads that are at odds
    bool operator==(const MixedCopy &) const = default;
  };
  struct Unfenced {
    EventId Store;
    const Footprint *Bytes;
    bool operator==(const Unfenced &) const = default;
  };

  /// A finding was made of this copy: what follows from it is not another.
  void blame(EventId Copy) {
    if (!isBlamed(Copy))
      Blamed.push_back(Copy);
  }
  /// The copy that was \p Was goes by \p Is from now on.
  void rename(EventId Was, EventId Is) {
    if (isBlamed(Was))
      blame(Is);
  }
  bool isBlamed(EventId Copy) const { return llvm::is_contained(Blamed, Copy); }
  llvm::ArrayRef<EventId> blamed() const { return Blamed; }

  void addMixed(MixedCopy M) {
    if (!llvm::is_contained(Mixed, M))
      Mixed.push_back(M);
  }
  /// \p Written has a say in its bytes now.
  void dropMixed(FootprintTable &F, const Footprint *Written);
  llvm::ArrayRef<MixedCopy> mixed() const { return Mixed; }

  void addUnfenced(const Unfenced &New) {
    if (!llvm::is_contained(Stores, New))
      Stores.push_back(New);
  }
  /// \p Threads run fence.proxy.async: for their own stores, and for those that
  /// are ordered before one of them, by what is left in \p Unordered. Each
  /// group of warps may fence for its own.
  void fence(FootprintTable &F, const UnorderedAccesses &Unordered,
             const PerThread *Threads);
  llvm::ArrayRef<Unfenced> unfenced() const { return Stores; }
  /// fence.mbarrier_init, behind all that were initialised.
  void fenceInits(bool AreFenced) { InitsAreFenced = AreFenced; }
  bool areInitsFenced() const { return InitsAreFenced; }

  /// Takes what \p Other has too.
  void unite(const CopyNotes &Other);
  /// Addresses for which \p Depends says yes are not known any more;
  /// \p Forget gives a store another number, and \p Somewhere its bytes.
  void
  forget(llvm::function_ref<bool(const Footprint *)> Depends,
         llvm::function_ref<void(EventId &)> Forget,
         llvm::function_ref<const Footprint *(const Footprint *)> Somewhere);
  bool isSameButBlamed(const CopyNotes &O) const {
    return Mixed == O.Mixed && Stores == O.Stores &&
           InitsAreFenced == O.InitsAreFenced;
  }
  bool operator==(const CopyNotes &) const = default;
  void addTo(Fingerprint &F) const;

private:
  llvm::SmallVector<EventId, 2> Blamed;
  llvm::SmallVector<MixedCopy, 1> Mixed;
  llvm::SmallVector<Unfenced, 2> Stores;
  bool InitsAreFenced = false;
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_COPYNOTES_H
