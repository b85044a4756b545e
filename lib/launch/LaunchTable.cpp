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

using namespace clang;
using namespace cpasync;

std::string cpasync::linkName(const FunctionDecl *Kernel) {
  return Kernel->isExternallyVisible()
             ? ASTNameGenerator(Kernel->getASTContext()).getName(Kernel)
             : "";
}

LaunchTable::LaunchTable(ASTContext &Ctx, const LaunchIndex *Elsewhere)
    : Ctx(Ctx), Elsewhere(Elsewhere) {
  HostFacts Facts(Ctx);
  HostRun Host(Ctx, Facts);
  for (const FunctionDecl *Root : Facts.roots())
    Host.follow(Root);
  IsCutShort = Host.isCutShort();
  for (const HostRun::Launch &X : Host.launches()) {
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

std::vector<LaunchedBlock>
LaunchTable::blocksOf(const FunctionDecl *Kernel) const {
  if (auto I = Launches.find(Kernel); I != Launches.end())
    return I->second;
  if (Elsewhere)
    if (auto I = Elsewhere->find(linkName(Kernel)); I != Elsewhere->end()) {
      std::vector<LaunchedBlock> Blocks;
      for (const auto [X, Y, Z] : I->second)
        Blocks.push_back({BlockShape{X, Y, Z}, SourceLocation()});
      return Blocks;
    }
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
