//===- LaunchTable.h - Blocks that kernels are launched with ----*- C++ -*-===//
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

#include "lib/Options.h"
#include "lib/launch/TensorMaps.h"
#include "lib/source/BlockShape.h"
#include "clang/Basic/SourceLocation.h"
#include <map>
#include <set>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace cpasync {

/// What is known of a block, and where from; invalid: not from a launch in this
/// file.
struct LaunchedBlock {
  BlockShape Shape;
  clang::SourceLocation Loc;
};

/// How a kernel is launched, as far as that is known.
struct KernelLaunches {
  std::vector<LaunchedBlock> Blocks;
  /// Of the tensor maps that it is given, if all launches agree.
  std::vector<TensorBox> Boxes;
  ClusterShape Cluster;
  bool IsLaunched = false; ///< in this file
};

/// What linkers and LaunchIndex know \p Kernel as; empty: no other file can
/// launch it.
std::string linkName(const clang::FunctionDecl *Kernel);

class LaunchTable {
public:
  LaunchTable(clang::ASTContext &Ctx, const AnalysisOptions &Options);
  /// Blocks are from what the user says; else from launches in the file, each
  /// shape once; else from those elsewhere; else from __launch_bounds__, which
  /// tells how many threads there are and leaves open how they lie. Empty if
  /// none tells.
  KernelLaunches launchesOf(const clang::FunctionDecl *Kernel) const;

  bool isLaunched(const clang::FunctionDecl *Kernel) const {
    return Launches.contains(Kernel);
  }
  /// There may be launches with other blocks than those.
  bool mayBeLaunchedOtherwise(const clang::FunctionDecl *Kernel) const {
    return isLaunched(Kernel) && (IsCutShort || Open.contains(Kernel)) &&
           !told(Kernel);
  }
  /// What other files may want to know.
  LaunchIndex index() const;

private:
  ClusterShape clusterOf(const clang::FunctionDecl *Kernel) const;
  std::vector<LaunchedBlock> blocksOf(const clang::FunctionDecl *Kernel) const;
  void addBoxes(const clang::FunctionDecl *Kernel,
                llvm::ArrayRef<TensorBox> Boxes);
  /// What the user says of \p Kernel; null: nothing.
  const LaunchIndex::mapped_type *told(const clang::FunctionDecl *Kernel) const;
  /// What the kernel cannot be launched without.
  std::optional<LaunchedBlock>
  requiredBlock(const clang::FunctionDecl *Kernel) const;

  clang::ASTContext &Ctx;
  const AnalysisOptions &Options;
  std::map<const clang::FunctionDecl *, std::vector<LaunchedBlock>> Launches;
  std::set<const clang::FunctionDecl *> Open; ///< by a block that is not known
  std::map<const clang::FunctionDecl *, std::vector<TensorBox>> Boxes;
  std::map<const clang::FunctionDecl *, ClusterShape> Clusters;
  bool IsCutShort = false;
};

} // namespace cpasync

#endif // CPASYNC_LIB_LAUNCH_LAUNCHTABLE_H
