//===- Recognizer.h - From syntax to asynchronous operations ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says what a call or an asm statement is. The only place that knows spellings:
// functions come from AsyncApis.def, instructions from PtxOps.h.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_RECOGNIZER_H
#define CPASYNC_LIB_SOURCE_RECOGNIZER_H

#include "lib/ptx/PtxOps.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace clang {
class CallExpr;
class FunctionDecl;
class GCCAsmStmt;
} // namespace clang

namespace cpasync {

enum class ApiKind : uint8_t {
  None,         ///< no meaning of its own: look at the body
  Address,      ///< returns its argument, an address
  Barrier,      ///< all threads of the block
  NamedBarrier, ///< (id[, number of threads])
  WarpBarrier,
  TileBarrier, ///< tile.sync(): a warp's, or that of several warps
  Copy,        ///< __nvvm_cp_async_*: size and .ca/.cg in the name
  Commit,
  WaitGroup,
  WaitAll,
  CopyArrive,   ///< the copies so far complete on an mbarrier
  PipelineCopy, ///< __pipeline_memcpy_async(dst, src, size[, zfill])
  PipelineWait, ///< __pipeline_wait_prior(n): clamps n at 8
  GroupCopy,    ///< cooperative_groups::memcpy_async(group, dst, [elements,]
                ///< src, bytes or elements): copies and commits
  ScopedCopy,   ///< cuda::memcpy_async([group,] dst, src, size, pipeline or
                ///< barrier)
  PhaseInit,    ///< init(barrier pointer, expected arrivals)
  PhaseArrive,  ///< barrier.arrive([n]), barrier_arrive_tx(barrier, n, bytes)
  PhaseDrop,    ///< barrier.arrive_and_drop()
  PhaseSync,    ///< barrier.arrive_and_wait()
  PhaseWait,    ///< barrier.wait(token)
  PhaseWaitParity, ///< barrier.wait_parity(parity)
  PhaseCommit,     ///< pipeline_producer_commit(pipeline, barrier)
  StagesMake,      ///< make_pipeline(group, state[, role or producers])
  StageAcquire, ///< pipeline.producer_acquire() and so on, where threads share
                ///< the pipeline; one thread's are looked into
  StageCommit,
  StageWait,
  StageRelease,
  Shuffle,    ///< __shfl_sync(mask, value, lane[, width]), _up, _down, _xor
  Vote,       ///< __any_sync(mask, predicate), __all_sync, __ballot_sync
  Matching,   ///< __match_any_sync(mask, value)
  Election,   ///< true in one of the threads of the mask
  OfWarp,     ///< returns one value to all threads of a warp
  Atomic,     ///< atomicAdd(address, value), ...: the type says how many bytes
  MemoryCopy, ///< memcpy(dst, src, bytes)
  MemorySet,
  MatrixLoad, ///< wmma::load_matrix_sync(fragment, pointer, ldm)
  MatrixStore,
  Minimum,
  Maximum,
  SpecialRegister, ///< threadIdx.x and the like; see specialRegister()
  Unmodelled,      ///< copies or waits in a way that is not analysed yet
};

/// What a statement may do that the analysis follows; bits.
enum Effect : unsigned {
  EffectNone = 0,
  EffectCopy = 1,     ///< issues a copy
  EffectGroup = 2,    ///< commits, waits, arrives
  EffectBarrier = 4,  ///< orders threads
  EffectMemory = 8,   ///< reads or writes memory that may be shared
  EffectUnknown = 16, ///< asm that is not understood, bulk copies
  EffectShared = 32,  ///< with EffectMemory: not only through what it is given
  /// Reads or writes what `this` or a parameter refers to, a place that the
  /// caller has chosen: memory that may be shared, or not.
  EffectReferred = 64,
  EffectsOfAccesses = EffectMemory | EffectShared | EffectReferred,
};

struct AsmInfo {
  PtxTemplate Template;
  std::vector<PtxOp> Ops; ///< as Template.Instructions
  unsigned Effects = EffectNone;
  unsigned Operations = 0; ///< copies, commits and waits in it
};

class Recognizer {
public:
  Recognizer();

  ApiKind api(const clang::FunctionDecl *F);
  /// For ApiKind::SpecialRegister: "tid.x", "ntid.y", "ctaid.z", "laneid", ...
  llvm::StringRef specialRegister(const clang::FunctionDecl *F);
  const AsmInfo &inlineAsm(const clang::GCCAsmStmt *S);

private:
  llvm::StringMap<ApiKind> ByName;
  llvm::DenseMap<const clang::FunctionDecl *, ApiKind> Apis;
  llvm::DenseMap<const clang::FunctionDecl *, std::string> Registers;
  llvm::DenseMap<const clang::GCCAsmStmt *, std::unique_ptr<AsmInfo>> Asms;
};

/// cuda::pipeline<thread_scope_thread>: copies, groups and waits are those of
/// the calling thread.
bool isThreadPipeline(clang::QualType T);

unsigned effectsOf(ApiKind K);
unsigned effectsOf(PtxOpKind K);

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_RECOGNIZER_H
