//===- PtxOpsTest.cpp - Kinds, operands and malformed forms ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/ptx/PtxOps.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

using namespace cpasync;
using OpKind = PtxOpKind;

namespace {

/// The declarations that the texts below use, one line each.
const char Declarations[] = ".reg .b32 r<10>; .reg .b64 l<10>; "
                            ".reg .f32 f<8>; .reg .pred p, q;\n";

/// The last instruction of \p Text, with the declarations before it. The result
/// of Op refers into Ptx.
struct Classified {
  PtxTemplate Ptx;
  PtxOp Op;

  explicit Classified(const std::string &Text, llvm::StringRef Constraints = "")
      : Ptx(readPtx(Declarations + Text)) {
    EXPECT_EQ(Ptx.Problems.size(), 0u) << Text;
    size_t Last = Ptx.Instructions.size() - 1;
    Op = classifyPtx(Ptx.Instructions[Last], registersAt(Ptx, Last),
                     {Constraints.data(), Constraints.size()});
  }
  Classified(const Classified &) = delete;
};

struct KindCase {
  OpKind Expected;
  const char *Text;
};

const KindCase KindCases[] = {
    {OpKind::Copy, "cp.async.ca.shared.global [r0], [l0], 4;"},
    {OpKind::Copy, "cp.async.cg.shared::cta.global.L2::128B [r0], [l0], 16;"},
    {OpKind::Copy, "cp.async.shared.global.cg [r0], [l0], 16;"},
    {OpKind::Commit, "cp.async.commit_group;"},
    {OpKind::WaitGroup, "cp.async.wait_group 1;"},
    {OpKind::WaitAll, "cp.async.wait_all;"},
    {OpKind::CopyMbarrierArrive, "cp.async.mbarrier.arrive.shared.b64 [r0];"},
    {OpKind::CopyMbarrierArrive, "cp.async.mbarrier.arrive.noinc.b64 [l0];"},
    {OpKind::BulkLoad, "cp.async.bulk.shared::cluster.global.mbarrier::"
                       "complete_tx::bytes [r0], [l0], r1, [r2];"},
    {OpKind::BulkStore,
     "cp.async.bulk.global.shared::cta.bulk_group [l0], [r0], r1;"},
    {OpKind::BulkLoad,
     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
     "complete_tx::bytes [r0], [l0, {r1, r2}], [r3];"},
    {OpKind::BulkStore,
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.add."
     "f32 [l0], [r0], r1;"},
    {OpKind::BulkStore, "cp.async.bulk.tensor.2d.global.shared::cta.tile."
                        "bulk_group [l0, {r0, r1}], [r2];"},
    {OpKind::BulkStore, "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add."
                        "bulk_group [l0, {r1}], [r0];"},
    {OpKind::ClusterCopy,
     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
     "[r0], [r1], r2, [r3];"},
    {OpKind::ClusterCopy,
     "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::"
     "complete_tx::bytes.add.u32 [r0], [r1], r2, [r3];"},
    {OpKind::ClusterStore, "st.async.weak.shared::cluster.mbarrier::"
                           "complete_tx::bytes.b32 [r0], r1, [r2];"},
    {OpKind::ClusterStore, "red.async.relaxed.cluster.shared::cluster.mbarrier"
                           "::complete_tx::bytes.inc.u32 [r0], r1, [r2];"},
    {OpKind::BulkCopy, "st.async.release.gpu.global.b32 [l0], r1;"},
    {OpKind::BulkCopy, "st.bulk.weak.shared::cta [r0], l1, 0;"},
    {OpKind::BulkCopy,
     "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::"
     "complete_tx::bytes.b128 [r0], [r1];"},
    {OpKind::BulkPrefetch, "cp.async.bulk.prefetch.L2.global [l0], r1;"},
    {OpKind::BulkPrefetch,
     "cp.async.bulk.prefetch.tensor.1d.L2.global.tile [l0, {r1}];"},
    {OpKind::BulkCommit, "cp.async.bulk.commit_group;"},
    {OpKind::BulkWaitGroup, "cp.async.bulk.wait_group 0;"},
    {OpKind::BulkWaitGroup, "cp.async.bulk.wait_group.read 0;"},
    {OpKind::SharedLoad, "ld.shared.f32 f0, [r0];"},
    {OpKind::SharedLoad, "ld.volatile.shared::cta.v4.u32 {r0,r1,r2,r3}, [r4];"},
    {OpKind::SharedLoad, "ld.relaxed.cluster.shared::cluster.u32 r0, [r4];"},
    {OpKind::SharedLoad,
     "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {r0}, [r4], r5;"},
    {OpKind::SharedStore, "st.shared.v2.b64 [r0], {l0, l1};"},
    {OpKind::SharedStore,
     "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [r0], 32;"},
    {OpKind::SharedAtomic, "atom.shared.add.u32 r0, [r1], r2;"},
    {OpKind::SharedAtomic, "red.relaxed.cta.shared::cta.add.u32 [r1], r2;"},
    {OpKind::GenericLoad, "ld.u32 r0, [l0];"},
    {OpKind::GenericLoad, "ld.acquire.gpu.b32 r0, [l0];"},
    {OpKind::GenericStore, "st.b32 [l0], r0;"},
    {OpKind::GenericAtomic, "atom.add.u32 r0, [l0], r1;"},
    {OpKind::GenericAtomic, "red.add.f32 [l0], f1;"},
    {OpKind::Ldmatrix, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0}, [r1];"},
    {OpKind::Ldmatrix, "ldmatrix.sync.aligned.m8n8.x2.b16 {r0, r1}, [l1];"},
    {OpKind::Stmatrix, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [r1], {r0};"},
    {OpKind::BarrierSync, "bar.sync 0;"},
    {OpKind::BarrierSync, "barrier.sync.aligned 1, 64;"},
    {OpKind::BarrierSync, "barrier.cta.sync 1;"},
    {OpKind::BarrierSync, "bar.red.popc.u32 r0, 1, p;"},
    {OpKind::BarrierSync, "barrier.cta.red.and.pred q, 1, 64, !p;"},
    {OpKind::BarrierArrive, "bar.arrive 1, 64;"},
    {OpKind::BarrierArrive, "barrier.cta.arrive r0, r1;"},
    {OpKind::WarpBarrier, "bar.warp.sync 0xffffffff;"},
    {OpKind::ClusterArrive, "barrier.cluster.arrive.release.aligned;"},
    {OpKind::ClusterWait, "barrier.cluster.wait.acquire;"},
    {OpKind::MbarrierWait, "mbarrier.try_wait.parity.shared.b64 p, [r0], r1;"},
    {OpKind::MbarrierWait, "mbarrier.test_wait.shared::cta.b64 p, [r0], l1;"},
    {OpKind::MbarrierInit, "mbarrier.init.shared.b64 [r0], 1;"},
    {OpKind::MbarrierArrive,
     "mbarrier.arrive.expect_tx.shared::cta.b64 l0, [r0], 64;"},
    {OpKind::MbarrierArrive, "mbarrier.arrive_drop.shared::cta.b64 l0, [r0];"},
    {OpKind::MbarrierExpectTx,
     "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [r0], 64;"},
    {OpKind::MbarrierCompleteTx,
     "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [r0], 64;"},
    {OpKind::MbarrierInval, "mbarrier.inval.shared.b64 [r0];"},
    {OpKind::MbarrierOther, "mbarrier.pending_count.b64 r0, l0;"},
    {OpKind::Fence, "fence.proxy.async.global;"},
    {OpKind::ProxyFence, "fence.proxy.async;"},
    {OpKind::ProxyFence, "fence.proxy.async.shared::cta;"},
    {OpKind::ProxyFence, "fence.proxy.async::generic.release.sync_restrict::"
                         "shared::cta.cluster;"},
    {OpKind::InitFence, "fence.mbarrier_init.release.cluster;"},
    {OpKind::Fence, "membar.cta;"},
    {OpKind::Fence, "griddepcontrol.wait;"},
    {OpKind::Fence, "wgmma.fence.sync.aligned;"},
    {OpKind::WgmmaCommit, "wgmma.commit_group.sync.aligned;"},
    {OpKind::WgmmaWait, "wgmma.wait_group.sync.aligned 1;"},
    {OpKind::Compute, "mov.u32 r0, %%tid.x;"},
    {OpKind::Compute, "setp.ne.b32 p, r0, 0;"},
    {OpKind::Compute, "cvta.to.shared.u64 l0, l1;"},
    {OpKind::Compute, "createpolicy.fractional.L2::evict_first.b64 l0, 1.0;"},
    {OpKind::Compute, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                      "{f0,f1,f2,f3}, {r0,r1,r2,r3}, {r4,r5}, {f0,f1,f2,f3};"},
    {OpKind::Compute, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 "
                      "{f0}, {r0}, {r1}, {f0};"},
    {OpKind::Compute, "shfl.sync.idx.b32 r0|p, r1, 0, 31, -1;"},
    {OpKind::Compute, "abs.f32 f0, f1;"},
    {OpKind::Compute, "xor.b32 r0, r1, r2;"},
    {OpKind::Compute, "elect.sync r0|p, -1;"},
    {OpKind::Compute, ".reg .b32 x;"},
    {OpKind::Compute, "L:"},
    {OpKind::Branch, "bra L;"},
    {OpKind::Branch, "brx.idx r0, L;"},
    {OpKind::Exit, "exit;"},
    {OpKind::Exit, "ret;"},
    {OpKind::Exit, "trap;"},
    {OpKind::Memory,
     "ld.global.nc.L1::no_allocate.v4.u32 {r0,r1,r2,r3}, [l0];"},
    {OpKind::Memory, "ld.param.u64 l0, [s];"},
    {OpKind::Memory, "ld.const.u32 r0, [s];"},
    {OpKind::Memory, "st.global.cs.u32 [l0], r0;"},
    {OpKind::Memory, "st.local.u32 [s], r0;"},
    {OpKind::Memory, "red.global.add.u32 [l0], r0;"},
    {OpKind::Memory, "atom.global.cas.b32 r0, [l0], r1, r2;"},
    {OpKind::Memory, "prefetch.global.L2 [l0];"},
    {OpKind::Memory, "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [l0], "
                     "{f0}, r5;"},
    {OpKind::Memory, "multimem.red.release.gpu.global.add.u32 [l0], r0;"},
    {OpKind::Other, "future.instruction r0;"},
    {OpKind::Other, "cp.async.future;"},
    {OpKind::Other, "cp.async;"},
    {OpKind::Other, "cp;"},
    {OpKind::Other, "call f, (r0);"},
    {OpKind::DescriptorRead, "tcgen05.cp.cta_group::1.128x256b [r0], l0;"},
    {OpKind::DescriptorRead, "tcgen05.mma.cta_group::1.kind::f16 [r0], l0, l1, "
                             "r1, p;"},
    {OpKind::Wgmma, "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                    "{f0,f1,f2,f3}, l0, l1, p, 1, 1, 0, 0;"},
    {OpKind::Other, "tcgen05.wait::ld.sync.aligned;"},
    {OpKind::MbarrierArrive,
     "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [r0];"},
};

TEST(PtxOps, Kinds) {
  std::set<OpKind> Seen;
  for (const KindCase &Case : KindCases) {
    Classified C(Case.Text);
    EXPECT_EQ(int(C.Op.Kind), int(Case.Expected)) << Case.Text;
    Seen.insert(Case.Expected);
  }
  for (int K = 0; K <= int(OpKind::Other); ++K)
    EXPECT_TRUE(Seen.count(OpKind(K))) << "no case for kind " << K;
}

/// "dst=0 src=1 size=2": the position of each sorted-out operand; "dst=2@0" is
/// not needed because no role lies inside another operand.
std::string roles(const PtxOp &Op) {
  std::string S;
  auto Add = [&](const char *Role, const PtxOperand *O) {
    if (O)
      S += (S.empty() ? "" : " ") + std::string(Role) + "=" +
           std::to_string(O - Op.Inst->Operands.data());
  };
  Add("dst", Op.Dst);
  Add("src", Op.Src);
  Add("size", Op.Size);
  Add("srcsize", Op.SrcSize);
  Add("ignore", Op.IgnoreSrc);
  Add("policy", Op.CachePolicy);
  Add("count", Op.Count);
  Add("mbarrier", Op.Mbarrier);
  Add("phase", Op.Phase);
  Add("blocks", Op.Blocks);
  return S;
}

struct RoleCase {
  const char *Text;
  const char *Constraints;
  const char *Roles;
};

const RoleCase RoleCases[] = {
    {"cp.async.cg.shared.global [%0], [%1], 16;", "rl", "dst=0 src=1 size=2"},
    {"cp.async.ca.shared.global [%0], [%1], %2, %3;", "rlnr",
     "dst=0 src=1 size=2 srcsize=3"},
    {"cp.async.ca.shared.global [%0], [%1], 16, 0;", "rl",
     "dst=0 src=1 size=2 srcsize=3"},
    {"cp.async.ca.shared.global [%0], [%1], 16, p;", "rl",
     "dst=0 src=1 size=2 ignore=3"},
    {"cp.async.ca.shared.global [%0], [%1], 16, !x;", "rl",
     "dst=0 src=1 size=2 ignore=3"},
    {"cp.async.ca.shared.global [%0], [%1], 16, r1;", "rl",
     "dst=0 src=1 size=2 srcsize=3"},
    // A name of which nothing is known is what it is in most code.
    {"cp.async.ca.shared.global [%0], [%1], 16, x;", "rl",
     "dst=0 src=1 size=2 srcsize=3"},
    {"cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 16, %2;", "rll",
     "dst=0 src=1 size=2 policy=3"},
    {"cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 16, x;", "rl",
     "dst=0 src=1 size=2 policy=3"},
    {"cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3;", "rlrl",
     "dst=0 src=1 size=2 srcsize=3 policy=4"},
    {"cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 16, p, %2;", "rll",
     "dst=0 src=1 size=2 ignore=3 policy=4"},
    // The register of an inner block hides one outside.
    {"{ .reg .b64 p; cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, "
     "p;",
     "rl", "dst=0 src=1 size=2 policy=3"},
    {"{ .reg .b64 p; } cp.async.cg.shared.global [%0], [%1], 16, p;", "rl",
     "dst=0 src=1 size=2 ignore=3"},
    {"cp.async.wait_group %0;", "n", "size=0"},
    {"cp.async.bulk.wait_group.read 1;", "", "size=0"},
    {"cp.async.mbarrier.arrive.noinc.shared.b64 [%0];", "r", "mbarrier=0"},
    {"mbarrier.init.shared.b64 [%0], %1;", "rr", "count=1 mbarrier=0"},
    {"mbarrier.arrive.shared.b64 %0, [%1], %2;", "lrr",
     "count=2 mbarrier=1 phase=0"},
    {"mbarrier.arrive.shared.b64 _, [%0];", "r", "mbarrier=1"},
    {"mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;", "rr",
     "size=2 mbarrier=1"},
    {"mbarrier.try_wait.parity.shared.b64 %0, [%1], %2, %3;", "brrr",
     "dst=0 mbarrier=1 phase=2"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
     "[%1], %2, [%3];",
     "rlrr", "dst=0 src=1 size=2 mbarrier=3"},
    {"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx"
     "::bytes [%0], [%1, {%2}], [%3];",
     "rlrr", "dst=0 src=1 mbarrier=2"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
     "multicast::cluster [%0], [%1], %2, [%3], %4;",
     "rlrrh", "dst=0 src=1 size=2 mbarrier=3 blocks=4"},
    {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::"
     "complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %2, %2}], [%3], "
     "{%4}, %5;",
     "rlrrhh", "dst=0 src=1 mbarrier=2 blocks=4"},
    {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster."
     "multicast::cluster.b64 [%0], %1;",
     "rh", "mbarrier=0 blocks=1"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;", "lrr",
     "dst=0 src=1 size=2"},
    {"ld.shared.u32 %0, [%1];", "rr", "dst=0 src=1"},
    {"st.shared.u32 [%0], %1;", "rr", "dst=0 src=1"},
    {"atom.shared.add.u32 %0, [%1], %2;", "rrr", "dst=1 src=2"},
    {"red.shared.add.u32 [%0], %1;", "rr", "dst=0 src=1"},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];", "rrr",
     "dst=0 src=1"},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};", "rrr",
     "dst=0 src=1"},
    {"bar.sync 1;", "", "size=0"},
    {"bar.sync 1, 64;", "", "size=0 count=1"},
    {"bar.arrive %0, %1;", "rr", "size=0 count=1"},
    {"bar.red.popc.u32 r0, 1, p;", "", "size=1"},
    {"bar.red.popc.u32 r0, 1, 64, p;", "", "size=1 count=2"},
    {"bar.warp.sync 0xf;", "", "size=0"},
    {"cp.async.commit_group;", "", ""},
    {"mov.u32 %0, %1;", "rr", ""},
};

TEST(PtxOps, Roles) {
  for (const RoleCase &Case : RoleCases) {
    Classified C(Case.Text, Case.Constraints);
    EXPECT_EQ(roles(C.Op), Case.Roles) << Case.Text;
    EXPECT_EQ(C.Op.Malformed, "") << Case.Text;
  }
}

TEST(PtxOps, Flags) {
  EXPECT_TRUE(
      Classified("cp.async.cg.shared.global [r0], [l0], 16;").Op.CacheGlobal);
  EXPECT_FALSE(
      Classified("cp.async.ca.shared.global [r0], [l0], 16;").Op.CacheGlobal);
  EXPECT_TRUE(Classified("cp.async.mbarrier.arrive.noinc.b64 [l0];").Op.NoInc);
  EXPECT_FALSE(Classified("cp.async.mbarrier.arrive.b64 [l0];").Op.NoInc);
  EXPECT_TRUE(Classified("cp.async.bulk.wait_group.read 0;").Op.Read);
  EXPECT_FALSE(Classified("cp.async.bulk.wait_group 0;").Op.Read);
  EXPECT_TRUE(
      Classified("mapa.shared::cluster.u32 r0, r1, r2;").Op.OtherBlocks);
  EXPECT_TRUE(Classified("mbarrier.arrive.shared::cluster.b64 _, [r0];")
                  .Op.OtherBlocks);
  EXPECT_FALSE(
      Classified("mbarrier.arrive.shared::cta.b64 _, [r0];").Op.OtherBlocks);
}

TEST(PtxOps, AccessSizes) {
  const std::pair<const char *, unsigned> Cases[] = {
      {"ld.shared.u8 r0, [r1];", 1},
      {"ld.shared.b16 r0, [r1];", 2},
      {"ld.shared.f32 f0, [r1];", 4},
      {"ld.shared.s64 l0, [r1];", 8},
      {"ld.shared.b128 l0, [r1];", 16},
      {"ld.shared.v2.f32 {f0, f1}, [r1];", 8},
      {"ld.shared.v4.u32 {r0, r1, r2, r3}, [r1];", 16},
      {"ld.shared.v2.b64 {l0, l1}, [r1];", 16},
      {"ld.volatile.shared::cta.v4.u16 {r0, r1, r2, r3}, [r1];", 8},
      {"ld.global.L2::128B.v4.u32 {r0, r1, r2, r3}, [l1];", 16},
      {"st.shared.v4.f32 [r0], {f0, f1, f2, f3};", 16},
      {"atom.shared.add.noftz.f16x2 r0, [r1], r2;", 4},
      {"red.shared.add.noftz.bf16 [r1], r2;", 2},
      {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r0, r1, r2, r3}, [r1];", 16},
      {"mov.u32 r0, r1;", 0},
      {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {r0}, [r4], r5;", 0},
  };
  for (auto [Text, Bytes] : Cases)
    EXPECT_EQ(Classified(Text).Op.AccessBytes, Bytes) << Text;
}

TEST(PtxOps, MatrixCounts) {
  const std::pair<const char *, unsigned> Cases[] = {
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0}, [r1];", 1},
      {"ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {r0, r1}, [r1];", 2},
      {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r0, r1, r2, r3}, [r1];", 4},
      {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {r0, r1}, [r1];", 2},
      {"stmatrix.sync.aligned.m8n8.x4.shared.b16 [r1], {r0, r1, r2, r3};", 4},
  };
  for (auto [Text, Matrices] : Cases) {
    Classified C(Text);
    EXPECT_EQ(C.Op.Matrices, Matrices) << Text;
    EXPECT_EQ(C.Op.Malformed, "") << Text;
  }
}

struct MalformedCase {
  const char *Text;
  const char *Why; ///< empty: ptxas takes it
};

/// All of these are given to ptxas below, which must refuse exactly those with
/// a reason. What depends on values, such as a wrong cp-size, is not in here.
const MalformedCase MalformedCases[] = {
    {"cp.async.cg.shared.global [r0],[l0],16;", ""},
    {"cp.async.cg.shared.global [r0],[l0],4*4;", ""},
    {"cp.async.ca.shared.global [r0],[l0],(16);", ""},
    {"cp.async.shared.global.ca [r0],[l0],16;", ""},
    {"cp.async .ca .shared .global [r0],[l0],16;", ""},
    {"cp.async.ca.L2::128B.shared.global [r0],[l0],16;", ""},
    {"cp.async.ca.shared.global.L2::64B [r0],[l0],16;", ""},
    {"cp.async.ca.shared.global.L2::256B [r0],[l0],16;", ""},
    {"cp.async.ca.shared::cta.global [smem+16],[l0+-16],16;", ""},
    {"cp.async.ca.shared.global.L2::128B.L2::cache_hint [r0],[l0],16,l1;", ""},
    {"cp.async.ca.shared.global.L2::cache_hint.L2::128B [r0],[l0],16,l1;", ""},
    {"cp.async.ca.shared.global.L2::cache_hint [r0],[l0],16,r1,l1;", ""},
    {"cp.async.ca.shared.global.L2::cache_hint [r0],[l0],16,p,l1;", ""},
    {"cp.async.ca.shared.global.L2::cache_hint [r0],[l0],16,8,l1;", ""},
    {"cp.async.ca.shared.global.L2::cache_hint [r0],[l0],16,16;", ""},
    {"cp.async.ca.shared.global [r0],[l0],16,r1;", ""},
    {"cp.async.ca.shared.global [r0],[l0],16,p;", ""},
    {"cp.async.ca.shared.global [r0],[l0],16,!p;", ""},
    {"@!q cp.async.ca.shared.global [r0],[l0],16,p;", ""},
    {"cp.async.shared.global [r0],[l0],16;", "missing '.ca' or '.cg'"},
    {"cp.async.ca.cg.shared.global [r0],[l0],16;",
     "more than one of '.ca' and '.cg'"},
    {"cp.async.ca.ca.shared.global [r0],[l0],16;",
     "more than one of '.ca' and '.cg'"},
    {"cp.async.ca.global [r0],[l0],16;",
     "the state spaces are not '.shared.global'"},
    {"cp.async.ca.shared [r0],[l0],16;",
     "the state spaces are not '.shared.global'"},
    {"cp.async.ca.shared.local [r0],[l0],16;",
     "the state spaces are not '.shared.global'"},
    {"cp.async.ca.global.shared [r0],[l0],16;",
     "the state spaces are not '.shared.global'"},
    {"cp.async.ca.shared::cluster.global [r0],[l0],16;",
     "the state spaces are not '.shared.global'"},
    {"cp.async.ca.shared.shared.global [r0],[l0],16;",
     "the state spaces are not '.shared.global'"},
    {"cp.async.ca.shared.global.L2::32B [r0],[l0],16;",
     "unknown prefetch size '.L2::32B'"},
    {"cp.async.ca.shared.global.L2::64B.L2::128B [r0],[l0],16;",
     "more than one prefetch size"},
    {"cp.async.ca.shared.global.L2::cache_hint.L2::cache_hint "
     "[r0],[l0],16,l1;",
     "more than one '.L2::cache_hint'"},
    {"cp.async.ca.shared.global.foo [r0],[l0],16;", "unknown modifier '.foo'"},
    {"cp.async.ca.shared.global.b32 [r0],[l0],16;", "unknown modifier '.b32'"},
    {"cp.async.ca.volatile.shared.global [r0],[l0],16;",
     "unknown modifier '.volatile'"},
    {"cp.async.foo;", "unknown modifier '.foo'"},
    {"cp.async;", "missing '.ca' or '.cg'"},
    {"cp.async.cg.shared.global [r0],[l0];",
     "expected a destination, a source and a size"},
    {"cp.async.ca.shared.global r0,[l0],16;",
     "the destination is not in brackets"},
    {"cp.async.ca.shared.global {r0},[l0],16;",
     "the destination is not in brackets"},
    {"cp.async.ca.shared.global [r0],l0,16;", "the source is not in brackets"},
    {"cp.async.cg.shared.global [r0],[l0],r1;",
     "cp-size is not an integer constant"},
    {"cp.async.cg.shared.global [r0],[l0],{16};",
     "cp-size is not an integer constant"},
    {"cp.async.cg.shared.global [r0],[l0],[16];",
     "cp-size is not an integer constant"},
    {"cp.async.cg.shared.global [r0],[l0],smem;",
     "cp-size is not an integer constant"},
    {"cp.async.cg.shared.global [r0],[l0],16.0;",
     "cp-size is not an integer constant"},
    {"cp.async.ca.shared.global.L2::cache_hint [r0],[l0],16;",
     "'.L2::cache_hint' without a cache-policy operand"},
    {"cp.async.ca.shared.global.L2::cache_hint [r0],[l0],16,r1;",
     "'.L2::cache_hint' without a cache-policy operand"},
    {"cp.async.ca.shared.global.L2::cache_hint [r0],[l0],16,p;",
     "'.L2::cache_hint' without a cache-policy operand"},
    {"cp.async.ca.shared.global [r0],[l0],16,l1;",
     "cache-policy operand without '.L2::cache_hint'"},
    {"cp.async.ca.shared.global [r0],[l0],16,r1,l2;",
     "cache-policy operand without '.L2::cache_hint'"},
    {"cp.async.ca.shared.global [r0],[l0],16,r1,p;",
     "src-size together with ignore-src"},
    {"cp.async.ca.shared.global [r0],[l0],16,8,p;",
     "src-size together with ignore-src"},
    {"cp.async.ca.shared.global.L2::cache_hint [r0],[l0],16,r1,p,l1;",
     "src-size together with ignore-src"},
    {"cp.async.ca.shared.global [r0],[l0],16,8,1;", "too many operands"},
    {"cp.async.ca.shared.global [r0],[l0],16,r1,r2;", "too many operands"},
    {"cp.async.commit_group;", ""},
    {"cp.async.commit_group 1;", "'cp.async.commit_group' takes no operands"},
    {"cp.async.commit_group.foo;", "unknown modifier '.foo'"},
    {"cp.async.wait_all;", ""},
    {"cp.async.wait_all 0;", "'cp.async.wait_all' takes no operands"},
    {"cp.async.wait_all.foo;", "unknown modifier '.foo'"},
    {"cp.async.wait_group 0x3F;", ""},
    {"cp.async.wait_group -1;", ""},
    {"cp.async.wait_group 1000;", ""},
    {"cp.async.wait_group (4 - 2) * 1U;", ""},
    {"cp.async.wait_group WARP_SZ;", ""},
    {"cp.async.wait_group r0;", "the group count is not an integer constant"},
    {"cp.async.wait_group 1.0;", "the group count is not an integer constant"},
    {"cp.async.wait_group;", "'cp.async.wait_group' takes one operand"},
    {"cp.async.wait_group 1, 2;", "'cp.async.wait_group' takes one operand"},
    {"cp.async.mbarrier.arrive.b64 [smem];", ""},
    {"cp.async.mbarrier.arrive.shared.noinc.b64 [smem];", ""},
    {"cp.async.mbarrier.arrive.noinc [smem];", "missing '.b64'"},
    {"cp.async.mbarrier.arrive.b32 [smem];", "unexpected modifier '.b32'"},
    {"cp.async.mbarrier.arrive.global.b64 [l0];",
     "unexpected modifier '.global'"},
    {"cp.async.mbarrier.arrive.noinc.noinc.b64 [smem];",
     "more than one '.noinc'"},
    {"cp.async.mbarrier.b64 [smem];", "expected '.arrive'"},
    {"cp.async.mbarrier.arrive.b64;", "expected the address of an mbarrier"},
    {"cp.async.mbarrier.arrive.b64 smem;",
     "expected the address of an mbarrier"},
    {"cp.async.bulk.commit_group;", ""},
    {"cp.async.bulk.commit_group 1;",
     "'cp.async.bulk.commit_group' takes no operands"},
    {"cp.async.bulk.commit_group.foo;", "unknown modifier '.foo'"},
    {"cp.async.bulk.wait_group.read 1;", ""},
    {"cp.async.bulk.wait_group r0;",
     "the group count is not an integer constant"},
    {"cp.async.bulk.wait_group;",
     "'cp.async.bulk.wait_group' takes one operand"},
    {"cp.async.bulk.wait_all;", "unknown modifier '.wait_all'"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
     "[smem],[l0],32,[smem+64];",
     ""},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
     "[smem];",
     "expected a destination and a source"},
    {"cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx"
     "::bytes [r0], [l0, {r1}], [r2];",
     ""},
    {"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group"
     " [l0, {r1}], [r0];",
     ""},
    {"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [l0, {r1}];",
     "expected a destination and a source"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
     "[r0],[smem],32,[r1];",
     ""},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
     "[r0],[smem],32;",
     "expected a destination, a source, a size and an mbarrier"},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 "
     "[r0],{r1,r2},[r3];",
     ""},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes [r0],r1,[r3];",
     "expected a type, or a vector, of 4, 8 or 16 bytes"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes."
     "add.u32 [r0],r1,[r3];",
     ""},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes."
     "add.u32 [r0],r1,r3;",
     "expected the address of an mbarrier"},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r0,r1,r2,r3},[r4];", ""},
    {"ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16 {r0,r1,r2,r3},[r4];", ""},
    {"ldmatrix.sync.aligned.m8n8.x1.b16 {r0},[l4];", ""},
    {"ldmatrix.aligned.m8n8.x1.shared.b16 {r0},[r4];", "missing '.sync'"},
    {"ldmatrix.sync.m8n8.x1.shared.b16 {r0},[r4];", "missing '.aligned'"},
    {"ldmatrix.sync.aligned.m8n8.shared.b16 {r0},[r4];",
     "missing '.x1', '.x2' or '.x4'"},
    {"ldmatrix.sync.aligned.x4.shared.b16 {r0,r1,r2,r3},[r4];",
     "missing the shape"},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r0,r1},[r4];",
     "expected a vector of 4 registers"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 r0,[r4];",
     "expected a vector of 1 registers"},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [r4],{r0,r1};", ""},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16 {r0,r1},[r4];",
     "expected registers and an address"},
    {"bar.sync 0;", ""},
    {"bar.sync r0, r1;", ""},
    {"bar.cta.sync 0;", ""},
    {"bar.sync;", "expected a barrier and at most a number of threads"},
    {"bar.sync 0, 64, 3;",
     "expected a barrier and at most a number of threads"},
    {"bar.arrive 1, 64;", ""},
    {"bar.arrive 0;", "expected a barrier and a number of threads"},
    {"barrier.cta.arrive 1;", "expected a barrier and a number of threads"},
    {"bar.red.popc.u32 r0, 1, p;", ""},
    {"bar.red.and.pred q, 1, 64, !p;", ""},
    {"bar.red.popc.u32 r0, 1;", "expected a result, a barrier and a predicate"},
    {"barrier.red.popc.u32 r0, 1, 64, p, q;",
     "expected a result, a barrier and a predicate"},
    {"bar.warp.sync -1;", ""},
    {"bar.warp.sync;", "expected a member mask"},
    {"bar;", "expected '.sync', '.arrive' or '.red'"},
};

TEST(PtxOps, Malformed) {
  for (const MalformedCase &Case : MalformedCases)
    EXPECT_EQ(Classified(Case.Text).Op.Malformed, Case.Why) << Case.Text;
}

/// As above, where the asm constraint gives the type.
TEST(PtxOps, MalformedByConstraint) {
  struct {
    const char *Text, *Constraints, *Why;
  } const Cases[] = {
      {"cp.async.cg.shared.global [%0], [%1], %2;", "rlr",
       "cp-size is not an integer constant"},
      {"cp.async.cg.shared.global [%0], [%1], %2;", "rln", ""},
      {"cp.async.cg.shared.global [%0], [%1], %2;", "rli", ""},
      {"cp.async.cg.shared.global [%0], [%1], %2;", "", ""},
      {"cp.async.cg.shared.global [%0], [%1], 16, %2;", "rll",
       "cache-policy operand without '.L2::cache_hint'"},
      {"cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;", "rlr",
       "'.L2::cache_hint' without a cache-policy operand"},
      {"cp.async.wait_group %0;", "r",
       "the group count is not an integer constant"},
      {"cp.async.wait_group %0 - 1;", "n", ""},
  };
  for (const auto &Case : Cases)
    EXPECT_EQ(Classified(Case.Text, Case.Constraints).Op.Malformed, Case.Why)
        << Case.Text;
}

std::string findPtxas() {
  std::vector<std::string> Candidates;
  if (const char *Root = std::getenv("CUDA_PATH"))
    Candidates.push_back(std::string(Root) + "/bin/ptxas");
  Candidates.push_back("/usr/local/cuda/bin/ptxas");
  for (const std::string &Path : Candidates)
    if (std::filesystem::exists(Path))
      return Path;
  return "";
}

/// One kernel with one case a line: ptxas names the line of each error.
TEST(PtxOps, PtxasAgrees) {
  std::string Ptxas = findPtxas();
  if (Ptxas.empty())
    GTEST_SKIP() << "no ptxas in $CUDA_PATH/bin or /usr/local/cuda/bin";
  std::string Source = testing::TempDir() + "cpasync-ptxops.ptx";
  {
    std::ofstream Out(Source);
    Out << ".version 8.1\n.target sm_90\n.address_size 64\n"
        << ".visible .entry k() {\n.shared .align 16 .b8 smem[1024];\n"
        << Declarations; // line 6
    for (const MalformedCase &Case : MalformedCases)
      Out << Case.Text << "\n";
    Out << "ret;\n}\n";
  }
  std::set<size_t> Refused;
  std::string Command = Ptxas + " -arch=sm_90 -o /dev/null " + Source + " 2>&1";
  FILE *Pipe = popen(Command.c_str(), "r");
  ASSERT_NE(Pipe, nullptr);
  for (char Line[1024]; fgets(Line, sizeof Line, Pipe);) {
    llvm::StringRef Text(Line);
    size_t Number = 0;
    if (Text.contains("error") &&
        !Text.split(", line ").second.consumeInteger(10, Number))
      Refused.insert(Number);
  }
  pclose(Pipe);
  std::filesystem::remove(Source);
  size_t Line = 7;
  for (const MalformedCase &Case : MalformedCases)
    EXPECT_EQ(Refused.count(Line++) == 0, *Case.Why == '\0') << Case.Text;
}

std::string registers(const char *Template, size_t Index) {
  std::string S;
  for (const PtxRegisterType &R : registersAt(readPtx(Template), Index))
    S += (S.empty() ? "" : " ") + R.Name + ":" + R.Type;
  return S;
}

TEST(PtxOps, RegistersAt) {
  const char *Ptx = ".reg .b32 a, %%b; {.reg .pred p; {.reg .f32 r<3>; exit;} "
                    "exit; } exit;";
  EXPECT_EQ(registers(Ptx, 0), "");
  EXPECT_EQ(registers(Ptx, 1), "a:b32 %b:b32");
  EXPECT_EQ(registers(Ptx, 3), "a:b32 %b:b32 p:pred r0:f32 r1:f32 r2:f32");
  EXPECT_EQ(registers(Ptx, 4), "a:b32 %b:b32 p:pred");
  EXPECT_EQ(registers(Ptx, 5), "a:b32 %b:b32");
  EXPECT_EQ(registers(Ptx, 1000), "a:b32 %b:b32");
  EXPECT_EQ(registers("", 0), "");
  // A count nobody means is bounded.
  EXPECT_LT(registers(".reg .b32 r<999999999>; exit;", 1).size(), 100'000u);
}

} // namespace

TEST(PtxOps, OperandsOfAMatrixProduct) {
  const auto DescriptorsOf = [](llvm::StringRef Operands) {
    const PtxTemplate T = readPtx(
        ("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " + Operands + ";")
            .str());
    const PtxOp Op = classifyPtx(T.Instructions.at(0));
    EXPECT_EQ(Op.Malformed, "");
    return std::pair(Op.Descriptors[0] ? Op.Descriptors[0]->AsmIndex : -1,
                     Op.Descriptors[1] ? Op.Descriptors[1]->AsmIndex : -1);
  };
  EXPECT_EQ(DescriptorsOf("{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0"),
            std::pair(4, 5));
  EXPECT_EQ(DescriptorsOf("{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0"),
            std::pair(-1, 8));
  const PtxTemplate Wait = readPtx("wgmma.wait_group.sync.aligned %3;");
  EXPECT_EQ(classifyPtx(Wait.Instructions.at(0)).Size->AsmIndex, 3);
}
