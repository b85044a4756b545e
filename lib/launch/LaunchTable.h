//===- LaunchTable.h - The blocks that kernels are launched with -*- C++
//-*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks with which the host code of a file launches its kernels: each that
// some way through that code leads to.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_LAUNCH_LAUNCHTABLE_H
#define CPASYNC_LIB_LAUNCH_LAUNCHTABLE_H

#include "lib/source/BlockShape.h"
#include "clang/Basic/SourceLocation.h"
#include <map>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace cpasync {

/// What is known of a block, and where from; invalid: not from a launch.
struct LaunchedBlock {
  BlockShape Shape;
  clang::SourceLocation Loc;
};

class LaunchTable {
public:
  explicit LaunchTable(clang::ASTContext &Ctx);
  /// From launches, each shape once; else from __launch_bounds__, which tells
  /// how many threads there are and leaves open how they lie. Empty if neither
  /// tells.
  std::vector<LaunchedBlock> blocksOf(const clang::FunctionDecl *Kernel) const;

private:
  clang::ASTContext &Ctx;
  std::map<const clang::FunctionDecl *, std::vector<LaunchedBlock>> Launches;
};

} // namespace cpasync

#endif // CPASYNC_LIB_LAUNCH_LAUNCHTABLE_H
