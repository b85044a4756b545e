//===- ClusterBlocks.h - The blocks of a cluster, as one --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a kernel reaches the shared memory of other blocks, all blocks of its
// cluster are run together, as one: BlockShape says how their threads and their
// shared memory are numbered. What a thread holds is an address in its own
// block: so all blocks hold the same, and one in another block is as far from
// there as the blocks are apart. Accesses and mbarriers are numbered by the
// place among all, which is the address and where the thread's block begins.
// PTX ISA, "mapa".
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_CLUSTERBLOCKS_H
#define CPASYNC_LIB_STATE_CLUSTERBLOCKS_H

#include "lib/source/BlockShape.h"
#include "lib/values/Value.h"
#include <optional>

namespace cpasync {

class ClusterBlocks {
public:
  ClusterBlocks(ValueContext &V, const BlockShape &Shape);

  /// All blocks that the kernel can reach are run: there may be only one.
  bool areAllRun() const;
  /// Else, in words.
  std::string whyNotAll() const;
  /// Of the block of each thread.
  const Int *rank() const { return Rank; }
  /// What \p Address, in any block, is in the block of that rank; none if that
  /// is not known.
  std::optional<Value> mapTo(Value Address, const Int *OfRank);
  /// Where an address is among all blocks.
  Value placeOf(Value Address);
  const PerThread *threadsOf(unsigned Block) const { return Threads[Block]; }
  /// Of the block that has the byte \p Place, among all.
  const PerThread *threadsAt(int64_t Place) const;
  unsigned blockOf(unsigned Thread) const {
    return Thread / Shape.threadsOfBlock();
  }
  /// The block in which the address lies that \p Thread holds.
  int64_t blockOf(Value Address, unsigned Thread);
  /// Within its block; below 0, where that lies before the thread's own, too.
  int64_t byteOf(int64_t Place) const {
    constexpr int64_t Span = BlockShape::SharedSpan;
    return Shape.RunsCluster ? (Place % Span + Span) % Span : Place;
  }

private:
  ValueContext &V;
  const BlockShape &Shape;
  const Int *Rank;
  const Int *Begin; ///< of the memory of each thread's block
  std::vector<const PerThread *> Threads;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_CLUSTERBLOCKS_H
