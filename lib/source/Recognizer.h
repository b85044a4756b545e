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

/// What a function is that has a meaning of its own; see AsyncApis.def.
enum class ApiKind : uint8_t {
  None, ///< no such function: its body says what it does
#define ASYNC_API(Kind, Effects, Handler, ...) Kind,
#include "lib/source/AsyncApis.def"
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
  EffectOtherBlocks = 128, ///< may reach other blocks of the cluster
  EffectStop = 256,        ///< may stop the whole kernel: a failed assertion
  EffectMeetsBlocks = 512, ///< a barrier of the cluster
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
  /// A call or asm that stops the whole kernel, or is never come to: trap, what
  /// assert() calls, __builtin_unreachable.
  bool stopsKernel(const clang::Stmt *S);
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
