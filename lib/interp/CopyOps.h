//===- CopyOps.h - Copies, commits and waits --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_COPYOPS_H
#define CPASYNC_LIB_INTERP_COPYOPS_H

#include "lib/interp/CopyRequest.h"
#include "lib/interp/InterpPart.h"
#include <set>

namespace cpasync {

/// Of the size of a bulk copy and of both addresses, and of the place of a
/// tensor tile in shared memory, in bytes. PTX ISA, "cp.async.bulk", "Tensor
/// tiles".
inline constexpr int64_t BulkUnit = 16, TensorAlignment = 128;

/// cp.async and bulk copies, as everything that issues them comes to them.
class CopyOps : InterpPart {
public:
  using InterpPart::InterpPart;

  /// \p X is an address of shared memory, as what copies go to. A function that
  /// is not a kernel may be given it, as a number too: a premise.
  void noteShared(const State &S, Value X);
  void copy(State &S, const CopyRequest &R);
  /// A bulk copy from global to shared memory.
  void bulkLoad(State &S, const CopyRequest &R);
  EventId commit(State &S, const void *Site, clang::SourceLocation Loc);
  void wait(State &S, const void *Site, clang::SourceLocation Loc, Value N,
            const clang::Expr *NExpr, bool Pipeline);
  void waitAll(State &S, const void *Site, clang::SourceLocation Loc);
  /// One from shared to global memory.
  void bulkStore(State &S, const CopyRequest &R);
  /// One to shared memory of a block of the cluster, or a store there that does
  /// not wait, of \p R.Size bytes a thread.
  void clusterCopy(State &S, const CopyRequest &R);
  /// A matrix product that reads shared memory; false: where is not known.
  bool matrixRead(State &S, const void *Site, clang::SourceLocation Loc,
                  Value Descriptor);
  /// Of bulk copies from shared memory, or of matrix products.
  void commitReads(State &S, BlockCopies::ReadQueue Of, const void *Site,
                   clang::SourceLocation Loc);
  void waitForReads(State &S, BlockCopies::ReadQueue Of, const void *Site,
                    clang::SourceLocation Loc, Value N);

  std::set<const void *> CopySites;

private:
  /// Its operands, by what the path has decided; false: it asks for more.
  bool prepare(State &S, CopyRequest &R);
  /// The copy is what it should be; its operands are known.
  void issue(State &S, const CopyRequest &R, clang::SourceLocation Loc,
             int64_t Size, bool Aligned);
  /// Of a size that is not known: a bound of it, or the room behind the source.
  std::optional<int64_t> mostBytes(State &S, const CopyRequest &R);
  /// False if it is refused, or nothing is copied.
  /// \p Written: the size, as it was before the path put numbers in.
  bool checkBulkSize(State &S, const CopyRequest &R, Value Written);
  /// The bytes of a tile, as far as they are known, and what tells them.
  void sizeTile(State &S, CopyRequest &R);
  void issueToBlocks(State &S, const CopyRequest &R, bool Aligned);
  /// As bulkLoad, for threads that copy as many bytes.
  void bulkLoadAlike(State &S, const CopyRequest &R);
  /// As many bytes as go there, or the first unit of them.
  /// Some thread has no room for that many bytes at \p Place, where sizes were
  /// chosen: they are not those of any run, and the path ends.
  bool leavesObject(State &S, const CopyRequest &R, Value Place);
  std::optional<int64_t> roomAt(const State &S, Value Place);
  /// The one number that its size hangs on, if it fills where it goes to.
  void noteFilling(State &S, const CopyRequest &R);
  /// How far it goes is not known.
  void noteOpenSize(State &S, const CopyRequest &R);
  void noteSize(State &S, CopyRequest &R);
  /// Somewhere: what a phase lacks, and what is written, is not known.
  void unknownDestination(State &S, const CopyRequest &R, llvm::StringRef Why);
  /// False where that is not known, and a gap.
  bool isSourceKnown(State &S, const CopyRequest &R);
  /// What a bulk copy is about to read of shared memory. Of a size that is not
  /// known, and of a tile, the first unit, and some unit behind that.
  llvm::SmallVector<EventId, 2> readsOfSource(State &S, const CopyRequest &R);
  /// It reads what has come, and what no other thread may still be storing.
  void checkSource(State &S, const CopyRequest &R, EventId Read);
  /// Where a tile goes shows how large it can be.
  void placeTile(const State &S, const CopyRequest &R);
  void placeSource(const State &S, const CopyRequest &R);
  bool checkSizes(State &S, const CopyRequest &R, int64_t Size);
  void assumeAligned(State &S, Value To, int64_t Size);
  bool isExcluded(const State &S, Value To, Value Given, int64_t Size) const;
  bool checkSpace(State &S, const CopyRequest &R, bool IsSource);
  void checkMapSpace(State &S, const CopyRequest &R);
  bool isOffInSomeBlock(const State &S, const Int::Term &Term,
                        int64_t Size) const;
  bool checkAlignment(State &S, const CopyRequest &R, int64_t Size,
                      bool IsSource);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_COPYOPS_H
