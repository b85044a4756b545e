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

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace cpasync {

/// Threads of a block along x, y and z; at most 1024 together.
struct BlockShape {
  unsigned X = 1, Y = 1, Z = 1;
  bool Assumed = false;     ///< nothing in the file tells
  bool AlongXOnly = false;  ///< only the number of threads is known, or assumed
  bool WarpsAlongY = false; ///< as withY() made it
  bool InLayers = false;    ///< as withZ() made it of one along x only
  bool operator==(const BlockShape &) const = default;
  unsigned threads() const { return X * Y * Z; }
  /// Whether a kernel that asks for its place along y, or along z, shows that
  /// the threads lie otherwise.
  bool isDisprovedByY() const {
    return (AlongXOnly && threads() % 32 == 0) ||
           (InLayers && threads() % 64 == 0);
  }
  bool isDisprovedByZ() const {
    return (AlongXOnly && threads() % 64 == 0) ||
           (WarpsAlongY && Z == 1 && Y % 2 == 0);
  }
  /// As many threads with a warp in each row: what kernels mean that count
  /// their warps along y.
  BlockShape withY() const {
    return {32,
            threads() / 32 / Z,
            Z,
            /*Assumed=*/true,
            /*AlongXOnly=*/false,
            /*WarpsAlongY=*/true};
  }
  /// As many threads in two layers.
  BlockShape withZ() const {
    return {AlongXOnly ? threads() / 2 : X,
            AlongXOnly ? 1 : Y / 2,
            2,
            /*Assumed=*/true,
            /*AlongXOnly=*/false,
            WarpsAlongY,
            /*InLayers=*/AlongXOnly};
  }
};

/// The constant block shapes of the launches in the file: `<<<grid, block>>>`,
/// cudaLaunchKernel and cudaLaunchKernelEx, of a kernel or of a variable that
/// holds it.
class LaunchTable {
public:
  explicit LaunchTable(clang::ASTContext &Ctx);
  /// From a launch, else __launch_bounds__, else \p AssumedThreads along x.
  BlockShape shapeOf(const clang::FunctionDecl *Kernel,
                     unsigned AssumedThreads) const;

private:
  clang::ASTContext &Ctx;
  std::map<const clang::FunctionDecl *, BlockShape> Launches;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_BLOCKSHAPE_H
