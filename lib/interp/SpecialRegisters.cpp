//===- SpecialRegisters.cpp -----------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/SpecialRegisters.h"
#include "lib/interp/ApiCall.h"
#include "clang/Basic/SourceManager.h"
#include <array>

using namespace clang;
using namespace cpasync;

Value SpecialRegisters::read(llvm::StringRef Name) {
  auto PerThread = [&](auto Fn) {
    auto [I, New] = Known.try_emplace(Name);
    if (New) {
      std::vector<int64_t> R(Shape.threads());
      for (unsigned T = 0; T < Shape.threads(); ++T)
        R[T] = Fn(T);
      I->second = V.known(L.perThread(R));
    }
    return Value::integer(I->second);
  };
  if (Name.starts_with("tid."))
    ++Run.ThreadUses.Index;
  ++Run.ThreadUses.Running;
  ++V.Uses.Times;
  if (Name == "tid.x")
    return PerThread([&](unsigned T) { return T % Shape.X; });
  if (Name == "tid.y")
    return PerThread([&](unsigned T) { return T / Shape.X % Shape.Y; });
  if (Name == "tid.z")
    return PerThread(
        [&](unsigned T) { return T / (Shape.X * Shape.Y) % Shape.Z; });
  if (Name == "ntid.x")
    return Value::integer(V.constant(Shape.X));
  if (Name == "ntid.y")
    return Value::integer(V.constant(Shape.Y));
  if (Name == "ntid.z")
    return Value::integer(V.constant(Shape.Z));
  if (Name == "laneid")
    return PerThread([](unsigned T) { return T % 32; });
  if (Name == "warpsize")
    return Value::integer(V.constant(32));
  Run.Effects.note(); // the path may know something of it
  return ofBlock(Name);
}

// PTX ISA, "Special Registers": the blocks of a cluster are neighbours in the
// grid; x counts first.
Value SpecialRegisters::ofBlock(llvm::StringRef Name) {
  constexpr Interval Index = {0, INT32_MAX}, Count = {1, INT32_MAX};
  constexpr unsigned Most = ClusterShape::MaxBlocks;
  const ClusterShape &C = Shape.Cluster;
  const Int *Rank = Run.Blocks.rank();
  auto Symbol = [&](Symbols::InGrid What, Interval Range) {
    return V.symbol(Symbols::Grid + What, Name.back(), Uniformity::Block, Range,
                    /*Stable=*/true);
  };
  if (Name == "cluster_nctarank" || Name.starts_with("cluster_nctaid"))
    Run.Clues.AsksBlocks = true;
  if (Name == "cluster_nctarank")
    return Value::integer(C.blocks() ? V.constant(C.blocks())
                                     : Symbol(Symbols::ClusterSize, {1, Most}));
  if (Name == "cluster_ctarank")
    return Value::integer(Run.Blocks.areAllRun()
                              ? Rank
                              : Symbol(Symbols::ClusterRank, {0, Most - 1}));
  const auto [Of, AxisName] = Name.rsplit('.');
  const size_t Axis = llvm::StringRef("xyz").find(AxisName);
  if (AxisName.size() != 1 || Axis == llvm::StringRef::npos)
    return Value::unknown();
  const unsigned Along = std::array{C.X, C.Y, C.Z}[Axis],
                 Before = std::array{1U, C.X, C.X * C.Y}[Axis];
  auto InCluster = [&] {
    return V.apply(Atom::Op::Rem,
                   V.apply(Atom::Op::Div, Rank, V.constant(Before)),
                   V.constant(Along));
  };
  if (Of == "nctaid")
    return Value::integer(Symbol(Symbols::BlockCount, Count));
  if (Of == "nclusterid")
    return Value::integer(Symbol(Symbols::ClusterCount, Count));
  if (Of == "clusterid")
    return Value::integer(Symbol(Symbols::ClusterIndex, Index));
  if (Of == "cluster_nctaid")
    return Value::integer(Along ? V.constant(Along)
                                : Symbol(Symbols::ClusterSize, {1, Most}));
  if (Of == "cluster_ctaid")
    return Value::integer(Run.Blocks.areAllRun()
                              ? InCluster()
                              : Symbol(Symbols::ClusterRank, {0, Most - 1}));
  if (Of != "ctaid")
    return Value::unknown();
  if (!Shape.RunsCluster)
    return Value::integer(Symbol(Symbols::BlockIndex, Index));
  return Value::integer(
      V.add(V.mul(Symbol(Symbols::ClusterIndex, Index), V.constant(Along)),
            InCluster()));
}

bool apis::specialRegister(const ApiCall &C) {
  const auto &[I, S, E, F, K] = C;
  const llvm::StringRef Name = I.Run.P.recognizer().specialRegister(F);
  // A header asks for all three to number the threads of any block.
  if (Name.starts_with("tid.") &&
      !I.Run.Ctx.getSourceManager().isInSystemHeader(
          S.frame().Fn->decl()->getLocation())) {
    if (Name == "tid.y" || Name == "tid.z")
      I.Registers.Uses.asks(Name == "tid.y" ? 1 : 2, I.Run.userLoc(S, C.loc()));
  }
  Value Val = I.Registers.read(Name);
  if (Val.isUnknown())
    Val = I.Names.freshSymbol(S, E, Uniformity::Thread);
  C.setResult(Val);
  return true;
}
