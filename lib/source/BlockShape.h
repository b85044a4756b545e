//===- BlockShape.h - How many threads a block has --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_BLOCKSHAPE_H
#define CPASYNC_LIB_SOURCE_BLOCKSHAPE_H

#include <map>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

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

/// The constant block shapes of the launches in the file: `<<<grid, block>>>`,
/// cudaLaunchKernel and cudaLaunchKernelEx, of a kernel or of a variable that
/// holds it.
class LaunchTable {
public:
  explicit LaunchTable(clang::ASTContext &Ctx);
  /// From a launch, else __launch_bounds__ along x, which leaves open how the
  /// threads lie; nothing if neither tells.
  std::optional<BlockShape> shapeOf(const clang::FunctionDecl *Kernel) const;

private:
  clang::ASTContext &Ctx;
  std::map<const clang::FunctionDecl *, BlockShape> Launches;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_BLOCKSHAPE_H
