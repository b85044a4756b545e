//===- LaunchTable.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/LaunchTable.h"
#include "lib/launch/HostRun.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace clang;
using namespace cpasync;

std::string cpasync::linkName(const FunctionDecl *Kernel) {
  return Kernel->isExternallyVisible()
             ? ASTNameGenerator(Kernel->getASTContext()).getName(Kernel)
             : "";
}

/// \p Blocks are launched somewhere that is not seen.
static std::vector<LaunchedBlock>
launched(const LaunchIndex::mapped_type &Blocks) {
  std::vector<LaunchedBlock> All;
  for (const auto [X, Y, Z] : Blocks)
    All.push_back({BlockShape{X, Y, Z}, SourceLocation()});
  return All;
}

LaunchTable::LaunchTable(ASTContext &Ctx, const AnalysisOptions &Options)
    : Ctx(Ctx), Options(Options) {
  HostFacts Facts(Ctx);
  HostRun Host(Ctx, Facts);
  for (const FunctionDecl *Root : Facts.roots())
    Host.follow(Root);
  IsCutShort = Host.isCutShort();
  for (const HostRun::Launch &X : Host.launches()) {
    addBoxes(X.Kernel, X.Boxes);
    const auto [At, IsFirst] = Clusters.try_emplace(X.Kernel, X.Cluster);
    if (!IsFirst && At->second != X.Cluster)
      At->second = {};
    if (!X.Block) {
      Open.insert(X.Kernel);
      continue;
    }
    std::vector<LaunchedBlock> &Known = Launches[X.Kernel];
    if (llvm::none_of(Known, [&](const LaunchedBlock &Old) {
          return Old.Shape.liesAs(*X.Block);
        }))
      Known.push_back({*X.Block, X.Loc});
  }
}

void LaunchTable::addBoxes(const FunctionDecl *Kernel,
                           llvm::ArrayRef<TensorBox> Of) {
  const auto [At, IsFirst] = Boxes.try_emplace(Kernel, Of.vec());
  if (!IsFirst)
    llvm::erase_if(At->second, [&](const TensorBox &Old) {
      return llvm::none_of(Of, [&](const TensorBox &New) {
        return Old.Parameter == New.Parameter && Old.Offset == New.Offset &&
               Old.Bytes == New.Bytes;
      });
    });
}

KernelLaunches LaunchTable::launchesOf(const FunctionDecl *Kernel) const {
  const auto At = Boxes.find(Kernel);
  // Launches that were not come to may be given others.
  const bool AreKnown = At != Boxes.end() && !IsCutShort;
  return {blocksOf(Kernel), AreKnown ? At->second : std::vector<TensorBox>(),
          clusterOf(Kernel), isLaunched(Kernel)};
}

// __cluster_dims__, or all launches that were come to.
ClusterShape LaunchTable::clusterOf(const FunctionDecl *Kernel) const {
  const auto *A = Kernel->getAttr<CUDAClusterDimsAttr>();
  if (!A) {
    const auto At = Clusters.find(Kernel);
    return At != Clusters.end() ? At->second : ClusterShape();
  }
  std::array<unsigned, 3> Along = {1, 1, 1};
  for (const auto [N, E] :
       llvm::zip(Along, std::array{A->getX(), A->getY(), A->getZ()}))
    if (E) {
      const auto Number = Layouts(Ctx).integer(E);
      if (!Number || int64Of(*Number) < 1)
        return {};
      N = unsigned(int64Of(*Number)); // 15 at most, says Clang
    }
  const ClusterShape Shape{Along[0], Along[1], Along[2]};
  return Shape.blocks() <= ClusterShape::MaxBlocks ? Shape : ClusterShape();
}

const LaunchIndex::mapped_type *
LaunchTable::told(const FunctionDecl *Kernel) const {
  if (Options.ToldBlocks.empty())
    return nullptr;
  const auto WithArguments = [&](bool Qualified) {
    std::string Name;
    llvm::raw_string_ostream Out(Name);
    Kernel->getNameForDiagnostic(Out, Ctx.getPrintingPolicy(), Qualified);
    return Name;
  };
  // What says more counts first.
  for (const std::string &Name :
       {WithArguments(true), WithArguments(false),
        Kernel->getQualifiedNameAsString(), Kernel->getNameAsString()})
    if (auto I = Options.ToldBlocks.find(Name); I != Options.ToldBlocks.end())
      return &I->second;
  return nullptr;
}

// __block_size__, as the headers of the tool declare it.
std::optional<LaunchedBlock>
LaunchTable::requiredBlock(const FunctionDecl *Kernel) const {
  for (const auto *A : Kernel->specific_attrs<AnnotateAttr>()) {
    if (A->getAnnotation() != "cpasync::block_size" || A->args_size() != 3)
      continue;
    std::array<int64_t, 3> Along = {};
    for (auto [N, E] : llvm::zip(Along, A->args()))
      if (const auto Number = Layouts(Ctx).integer(E))
        N = int64Of(*Number);
    if (llvm::all_of(
            Along,
            [](int64_t N) { return N >= 1 && N <= BlockShape::MaxThreads; }) &&
        Along[0] * Along[1] * Along[2] <= BlockShape::MaxThreads)
      return LaunchedBlock{
          {unsigned(Along[0]), unsigned(Along[1]), unsigned(Along[2])},
          A->getLocation()};
  }
  return std::nullopt;
}

std::vector<LaunchedBlock>
LaunchTable::blocksOf(const FunctionDecl *Kernel) const {
  if (const auto *Blocks = told(Kernel))
    return launched(*Blocks);
  if (const auto Block = requiredBlock(Kernel))
    return {*Block};
  if (auto I = Launches.find(Kernel); I != Launches.end())
    return I->second;
  if (const LaunchIndex *Elsewhere = Options.LaunchesElsewhere)
    if (auto I = Elsewhere->find(linkName(Kernel)); I != Elsewhere->end())
      return launched(I->second);
  const auto *A = Kernel->getAttr<CUDALaunchBoundsAttr>();
  const auto N = A ? Layouts(Ctx).integer(A->getMaxThreads()) : std::nullopt;
  const int64_t Threads = N ? int64Of(*N) : 0;
  if (Threads < 1 || Threads > BlockShape::MaxThreads)
    return {};
  return {{BlockShape{unsigned(Threads), 1, 1, /*Assumed=*/false,
                      /*Open=*/true},
           SourceLocation()}};
}

LaunchIndex LaunchTable::index() const {
  LaunchIndex Index;
  for (const auto &[Kernel, Blocks] : Launches)
    if (std::string Name = linkName(Kernel); !Name.empty())
      for (const LaunchedBlock &X : Blocks)
        Index[Name].insert({X.Shape.X, X.Shape.Y, X.Shape.Z});
  return Index;
}
