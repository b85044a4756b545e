//===- BlockShape.h - How many threads a block has --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_BLOCKSHAPE_H
#define CPASYNC_LIB_SOURCE_BLOCKSHAPE_H

#include <string>

namespace cpasync {

/// Threads of a block along x, y and z; at most 1024 together.
struct BlockShape {
  static constexpr unsigned MaxThreads = 1024;

  unsigned X = 1, Y = 1, Z = 1;
  /// Nothing that was seen tells: findings say so.
  bool Assumed = false;
  /// How many there are, or how they lie, is not told: a run may show that it
  /// is otherwise.
  bool Open = false;

  bool operator==(const BlockShape &) const = default;
  unsigned threads() const { return X * Y * Z; }
  bool liesAs(const BlockShape &O) const {
    return X == O.X && Y == O.Y && Z == O.Z;
  }
  /// "128 threads", "16x8 threads".
  std::string text() const;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_BLOCKSHAPE_H
