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
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

LaunchTable::LaunchTable(ASTContext &Ctx) : Ctx(Ctx) {
  HostFacts Facts(Ctx);
  HostRun Host(Ctx, Facts);
  for (const FunctionDecl *Root : Facts.roots())
    Host.follow(Root);
  for (const HostRun::Launch &X : Host.launches()) {
    if (!X.Block)
      continue;
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
  const auto *A = Kernel->getAttr<CUDALaunchBoundsAttr>();
  const auto N = A ? Layouts(Ctx).integer(A->getMaxThreads()) : std::nullopt;
  const int64_t Threads = N ? int64Of(*N) : 0;
  if (Threads < 1 || Threads > BlockShape::MaxThreads)
    return {};
  return {{BlockShape{unsigned(Threads), 1, 1, /*Assumed=*/false,
                      /*Open=*/true},
           SourceLocation()}};
}
