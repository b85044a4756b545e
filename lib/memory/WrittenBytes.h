//===- WrittenBytes.h - Where copies and stores have gone -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A read is blind if nothing was issued to its bytes yet. What counts is which
// bytes were, not by whom or how often: a path that filled a buffer once and
// one that filled it twice are the same.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_WRITTENBYTES_H
#define CPASYNC_LIB_MEMORY_WRITTENBYTES_H

#include "lib/memory/Footprint.h"
#include "lib/support/Interner.h"

namespace cpasync {

/// Bytes [Lo, Hi) of an object.
struct ByteRange {
  const Object *Obj;
  int64_t Lo, Hi;
  bool operator==(const ByteRange &) const = default;
};

/// A set of bytes; equal ones are the same object.
class WrittenBytes {
public:
  /// Disjoint, not adjacent; sorted by object id, then by place.
  llvm::ArrayRef<ByteRange> known() const { return Known; }
  /// Those whose place is not a number; sorted by id.
  llvm::ArrayRef<const Footprint *> elsewhere() const { return Elsewhere; }

  using Key =
      std::pair<llvm::ArrayRef<ByteRange>, llvm::ArrayRef<const Footprint *>>;
  Key key() const { return {Known, Elsewhere}; }
  static unsigned hash(const Key &K);

private:
  friend class WrittenBytesTable;
  std::vector<ByteRange> Known;
  std::vector<const Footprint *> Elsewhere;
};

class WrittenBytesTable {
public:
  explicit WrittenBytesTable(FootprintTable &F) : Footprints(F) {}

  const WrittenBytes *none() { return get({}, {}); }
  /// \p F is written too.
  const WrittenBytes *with(const WrittenBytes *W, const Footprint *F);
  const WrittenBytes *unite(const WrittenBytes *A, const WrittenBytes *B);
  /// The symbol \p A is about to stand for something else: what was written at
  /// addresses computed from it lies anywhere in the object.
  const WrittenBytes *forget(const WrittenBytes *W, const Atom *A);
  bool mayTouch(const WrittenBytes *W, const Footprint *F);
  /// Some byte of \p F, which is at a known place, is none of these.
  bool leavesOut(const WrittenBytes *W, const Footprint *F);

  // On any path of the run.

  void note(const Footprint *F) { Ever = with(ever(), F); }
  void noteAnywhere() { Anywhere = true; }
  /// A loop goes on for rounds that are not run, and wrote \p Then and later
  /// \p Now: what it has added to, it may write anywhere.
  void noteGrowth(const WrittenBytes *Then, const WrittenBytes *Now);
  const WrittenBytes *ever() { return Ever ? Ever : Ever = none(); }
  bool isAnywhere() const { return Anywhere; }

  /// Threads of \p F, which is at a known place, for which none of its bytes is
  /// among \p W; with \p Some, not all of them are.
  const PerThread *threadsLeftOut(const WrittenBytes *W, const Footprint *F,
                                  bool Some);
  /// The first byte of \p F that is not among \p W for \p Thread.
  int64_t firstByteLeftOut(const WrittenBytes *W, const Footprint *F,
                           unsigned Thread);

private:
  /// A write whose bytes are not known may touch some of \p F.
  bool mayTouchElsewhere(const WrittenBytes *W, const Footprint *F);
  const WrittenBytes *get(llvm::ArrayRef<ByteRange> Known,
                          llvm::ArrayRef<const Footprint *> Elsewhere);
  /// The bytes of a footprint at a known place.
  llvm::ArrayRef<ByteRange> rangesOf(const Footprint *F);

  const WrittenBytes *Ever = nullptr;
  bool Anywhere = false;
  FootprintTable &Footprints;
  Interner<WrittenBytes> Pool;
  llvm::DenseMap<const Footprint *, std::vector<ByteRange>> Ranges;
  llvm::DenseMap<std::pair<const WrittenBytes *, const Footprint *>,
                 const WrittenBytes *>
      Results;
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_WRITTENBYTES_H
