//===- PtxOps.h - What a PTX instruction does to async copies ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classifies the instructions that InlinePtx.h reads. Pure text as well; the
// values of operands are somebody else's business.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_PTX_PTXOPS_H
#define CPASYNC_LIB_PTX_PTXOPS_H

#include "lib/ptx/InlinePtx.h"
#include <optional>

namespace cpasync {

enum class PtxOpKind {
  Copy,      ///< cp.async.{ca,cg}                        PTX ISA "cp.async"
  Commit,    ///< cp.async.commit_group
  WaitGroup, ///< cp.async.wait_group N
  WaitAll,   ///< cp.async.wait_all
  CopyMbarrierArrive, ///< cp.async.mbarrier.arrive{.noinc}
  BulkLoad,           ///< cp.async.bulk{.tensor} from global to shared memory,
                      ///< .mbarrier::complete_tx::bytes
  ClusterCopy,      ///< cp{.reduce}.async.bulk from shared memory to that of a
                    ///< block of the cluster, .mbarrier::complete_tx::bytes
  ClusterStore,     ///< st.async, red.async: the same from registers
  BulkCopy,         ///< other cp.async.bulk*, cp.reduce.async.bulk*, incl.
                    ///< tensor; st.async to global memory, st.bulk, try_cancel
  BulkStore,        ///< cp{.reduce}.async.bulk{.tensor} from shared to global
                    ///< memory, .bulk_group; Src, Size: bytes read
  BulkPrefetch,     ///< cp.async.bulk.prefetch*
  BulkCommit,       ///< cp.async.bulk.commit_group
  BulkWaitGroup,    ///< cp.async.bulk.wait_group{.read} N
  SharedLoad,       ///< ld.shared*, ldmatrix is separate
  SharedStore,      ///< st.shared*, tcgen05.alloc
  SharedAtomic,     ///< atom.shared*, red.shared*
  GenericLoad,      ///< ld without a state space (may be shared)
  GenericStore,     ///< st without a state space (may be shared)
  GenericAtomic,    ///< atom, red without a state space (may be shared)
  Ldmatrix,         ///< ldmatrix
  Stmatrix,         ///< stmatrix
  BarrierSync,      ///< bar.sync, bar.red, barrier{.cta}.sync / .red
  BarrierArrive,    ///< bar.arrive, barrier{.cta}.arrive
  WarpBarrier,      ///< bar.warp.sync
  ClusterArrive,    ///< barrier.cluster.arrive; Relaxed
  ClusterWait,      ///< barrier.cluster.wait
  MbarrierInit,     ///< mbarrier.init                  PTX ISA "mbarrier"
  MbarrierInval,    ///< mbarrier.inval
  MbarrierExpectTx, ///< mbarrier.expect_tx
  MbarrierCompleteTx, ///< mbarrier.complete_tx
  MbarrierArrive,     ///< mbarrier.arrive{_drop}{.expect_tx}{.noComplete},
                      ///< tcgen05.commit
  MbarrierWait,       ///< mbarrier.{test,try}_wait{.parity}
  MbarrierOther,      ///< any other mbarrier.*
  InitFence,          ///< fence.mbarrier_init
  ProxyFence,         ///< fence.proxy.async, of shared memory or of all
  Wgmma,              ///< wgmma.mma_async{.sp}               PTX ISA "wgmma"
  WgmmaCommit,        ///< wgmma.commit_group
  WgmmaWait,          ///< wgmma.wait_group N
  Fence,          ///< other fence.*, membar.*, griddepcontrol.*, wgmma.fence
  Compute,        ///< registers only: mov, add, setp, cvta, cvt, mma, ...
  Branch,         ///< bra, brx
  Exit,           ///< exit, ret, trap
  Memory,         ///< other memory instructions that touch no shared memory
                  ///< (ld.global, st.global, prefetch, createpolicy is Compute)
  DescriptorRead, ///< tcgen05.mma, tcgen05.cp: read shared memory that a
                  ///< descriptor names
  Other,          ///< anything not listed: call, a future instruction
};

/// An instruction with its operands sorted out. Pointers refer into the
/// PtxInstruction it was made from and are null where the form has none.
struct PtxOp {
  PtxOpKind Kind = PtxOpKind::Other;
  const PtxInstruction *Inst = nullptr;

  const PtxOperand *Dst =
      nullptr; ///< Copy: shared destination (an Address);
               ///< loads: the register(s); stores: the Address
  const PtxOperand *Src = nullptr; ///< Copy: global source (an Address); loads:
                                   ///< the Address; stores: the register(s)
  const PtxOperand *Size =
      nullptr; ///< Copy, BulkLoad, ClusterCopy: bytes; {Bulk,}WaitGroup,
               ///< WgmmaWait: N;
               ///< BarrierSync and BarrierArrive: barrier id; MbarrierArrive,
               ///< MbarrierExpectTx, MbarrierCompleteTx: transaction bytes
  const PtxOperand *SrcSize = nullptr;   ///< Copy: src-size in bytes
  const PtxOperand *IgnoreSrc = nullptr; ///< Copy: ignore-src predicate
  const PtxOperand *CachePolicy = nullptr;
  const PtxOperand *Count = nullptr; ///< BarrierSync/Arrive: number of threads;
                                     ///< MbarrierInit, MbarrierArrive: arrivals
  /// Address of an mbarrier: Mbarrier*, CopyMbarrierArrive, BulkLoad,
  /// ClusterCopy, ClusterStore.
  const PtxOperand *Mbarrier = nullptr;
  /// MbarrierArrive: the phase arrived in; MbarrierWait: the one waited for, or
  /// its parity. Null: none, or the sink `_`.
  const PtxOperand *Phase = nullptr;
  /// Wgmma: matrix descriptors of A and B; null for an A in registers.
  const PtxOperand *Descriptors[2] = {};
  bool CacheGlobal = false; ///< Copy: .cg (else .ca)
  bool NoInc = false;       ///< CopyMbarrierArrive: .noinc
  bool Read = false;        ///< BulkWaitGroup: .read
  bool Relaxed = false;     ///< ClusterArrive: .relaxed
  bool Parity = false;      ///< MbarrierWait: .parity
  bool Drop = false;        ///< MbarrierArrive: arrive_drop
  bool Reduces = false; ///< ClusterCopy, ClusterStore: adds, or the like, to
                        ///< what is there, in one step
  /// BulkLoad: .multicast::cluster; MbarrierArrive: .shared::cluster, where the
  /// mbarrier may be another block's; mapa.
  bool OtherBlocks = false;
  /// BulkLoad, MbarrierArrive: a bit for each block of the cluster that it goes
  /// to; null: no .multicast::cluster.
  const PtxOperand *Blocks = nullptr;
  bool OfPair = false; ///< .cta_group::2
  /// Loads, stores, matrices: bytes one thread reads or writes. For
  /// ldmatrix/stmatrix bytes per row address (16) and Matrices rows of 8.
  unsigned AccessBytes = 0;
  unsigned Matrices = 0; ///< ldmatrix/stmatrix: .x1 .x2 .x4

  /// Why ptxas would refuse the instruction as written, lower case and without
  /// a period; empty if nothing is wrong with its text. Only what does not need
  /// operand values: missing or contradicting modifiers, too few operands,
  /// .L2::cache_hint without a policy or the reverse, prefetch sizes other than
  /// 64B/128B/256B, src-size together with ignore-src, an immediate predicate.
  std::string Malformed;
};

/// Classifies \p Inst, which must outlive the result. Operands of cp.async
/// whose role depends on a type the text does not show (`p` may be src-size, an
/// ignore-src predicate or a policy) are told apart by modifiers, by count, and
/// by \p Registers: the `.reg` declarations seen before it (name -> PTX type,
/// e.g. {"p","pred"}), and \p IsPredicateOrPolicy for asm operands ("r" is
/// src-size, "l" a 64-bit policy).
struct PtxRegisterType {
  std::string Name;
  std::string Type; ///< "pred", "b64", "u32", ...
};
PtxOp classifyPtx(const PtxInstruction &Inst,
                  llvm::ArrayRef<PtxRegisterType> Registers = {},
                  llvm::ArrayRef<char> AsmConstraints = {});

/// Computes on registers what no address or condition is made of: matrix
/// products, and arithmetic on floating-point types.
bool computesPayload(const PtxInstruction &Inst);

/// The register declarations in force at \p Index in \p Template.
std::vector<PtxRegisterType> registersAt(const PtxTemplate &Template,
                                         size_t Index);

} // namespace cpasync

#endif // CPASYNC_LIB_PTX_PTXOPS_H
