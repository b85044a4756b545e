//===- BlockShape.h - How many threads a block has --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_BLOCKSHAPE_H
#define CPASYNC_LIB_SOURCE_BLOCKSHAPE_H

#include <cstdint>
#include <string>

namespace cpasync {

/// Threads of a block along x, y and z; at most 1024 together.
/// The blocks of a cluster. CUDA, "Thread Block Clusters".
struct ClusterShape {
  /// What they may have together to be run together.
  static constexpr unsigned MaxThreads = 2048;
  static constexpr unsigned MaxBlocks = 16; ///< of any cluster

  unsigned X = 0, Y = 0, Z = 0; ///< 0: not known
  bool Assumed = false;         ///< nothing that was seen tells
  bool operator==(const ClusterShape &) const = default;
  unsigned blocks() const { return X * Y * Z; } ///< 0: not known
};

/// Where a cluster is run, its blocks together are taken for one: thread T of
/// the block of rank R is number R * threadsOfBlock() + T, and shared memory
/// has SharedSpan bytes for each block, one behind the other.
struct BlockShape {
  static constexpr unsigned MaxThreads = 1024;
  /// More than the shared memory of any block has.
  static constexpr int64_t SharedSpan = 1 << 18;

  unsigned X = 1, Y = 1, Z = 1;
  /// Nothing that was seen tells: findings say so.
  bool Assumed = false;
  /// How many there are, or how they lie, is not told: a run may show that it
  /// is otherwise.
  bool Open = false;
  ClusterShape Cluster;
  bool RunsCluster = false; ///< all of its blocks

  bool operator==(const BlockShape &) const = default;
  unsigned threadsOfBlock() const { return X * Y * Z; }
  /// Of blocks that are run together.
  unsigned blocks() const { return RunsCluster ? Cluster.blocks() : 1; }
  unsigned threads() const { return threadsOfBlock() * blocks(); } ///< all
  bool liesAs(const BlockShape &O) const {
    return X == O.X && Y == O.Y && Z == O.Z;
  }
  /// "128 threads", "16x8 threads", "64 threads in clusters of 2 blocks", as
  /// far as clusters are assumed.
  std::string text() const;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_BLOCKSHAPE_H
