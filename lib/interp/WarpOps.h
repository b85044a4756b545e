//===- WarpOps.h - Shuffles, votes, elections -------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_WARPOPS_H
#define CPASYNC_LIB_INTERP_WARPOPS_H

#include "lib/interp/AsmRun.h"
#include "lib/interp/InterpPart.h"

namespace cpasync {

/// Operations that the threads of a warp do together.
class WarpOps : InterpPart {
public:
  WarpOps(Interpreter &Interp, bool ElectLast)
      : InterpPart(Interp), ElectLast(ElectLast) {}

  enum class Vote : uint8_t { Any, All, Ballot };
  /// \p Other: a name for what a ballot is that is not known.
  Value vote(State &S, Vote How, const Int *Predicate, Value Mask,
             unsigned Neighbours, const void *Other);
  /// A call brings lanes together: those of its mask, of its tile, or of the
  /// warp.
  void join(State &S, const clang::CallExpr *E, ApiKind K);
  /// The same of an instruction, if it does.
  void join(AsmRun &Asm, const PtxOp &Op);
  bool warpOperation(State &S, const clang::CallExpr *E, ApiKind K,
                     llvm::StringRef Name);
  bool warpInstruction(AsmRun &Asm, const PtxInstruction &I); // WarpOps.cpp

  bool UsedElection = false; ///< one of a warp's threads was elected

private:
  /// \p Mask: unknown if the whole warp is meant.
  void joinMask(State &S, Value Mask, clang::SourceLocation At);
  /// \p Groups: as in UnorderedAccesses::orderLanes().
  void joinGroups(State &S, llvm::ArrayRef<int64_t> Groups,
                  clang::SourceLocation At);
  /// What a thread takes from another of its warp; \p Width divides it.
  enum class Shuffle : uint8_t { Index, Up, Down, Xor };
  Value shuffle(Shuffle How, Value Val, Value Lane, Value Width);
  /// One truth for each thread: the only one of its warp for which it holds.
  Value elect(State &S, Value Mask);
  /// Threads of the warp with the same value, as bits.
  Value matching(State &S, Value Val, Value Mask);
  /// The threads that execute a warp's operation, if the path knows them.
  const PerThread *voters(const State &S, Value Mask);
  bool shuffleInstruction(AsmRun &Asm, const PtxInstruction &I);

  const bool ElectLast;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_WARPOPS_H
