//===- AsmInterpreter.h - Inline PTX ----------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_ASMINTERPRETER_H
#define CPASYNC_LIB_INTERP_ASMINTERPRETER_H

#include "lib/interp/AsmRun.h"
#include "lib/interp/InterpPart.h"

namespace cpasync {

/// Runs the instructions of an asm statement one by one.
class AsmInterpreter : InterpPart {
public:
  using InterpPart::InterpPart;

  void executeAsm(State &S, const clang::GCCAsmStmt *A);
  Value asmOperand(AsmRun &Asm, const PtxOperand &O);
  void asmAssign(AsmRun &Asm, const PtxOperand &O, Value V);

  /// A matrix product that reads shared memory by descriptors.
  clang::SourceLocation DescriptorLoc;

private:
  /// Commits and waits, and bulk copies.
  void complete(AsmRun &Asm, const PtxOp &Op);
  Value valueOf(AsmRun &Asm, const PtxOperand *O);
  void forgetResults(AsmRun &Asm, const PtxInstruction &I);
  /// Restricts the running threads; false if none runs it, or it is not known.
  bool guard(AsmRun &Asm, const PtxOp &Op, bool &May);
  void copy(AsmRun &Asm, const PtxOp &Op);
  void loadShared(AsmRun &Asm, const PtxOp &Op);
  void loadMatrices(AsmRun &Asm, const PtxOp &Op);
  void storeShared(AsmRun &Asm, const PtxOp &Op);
  /// Barriers of a block and of warps.
  void synchronize(AsmRun &Asm, const PtxOp &Op);
  /// \p Before: the threads that ran before its guard.
  void mbarrier(AsmRun &Asm, const PtxOp &Op);
  void unknownBarrier(AsmRun &Asm, const PtxOp &Op, llvm::StringRef Why);
  void arriveWithCopies(AsmRun &Asm, const PtxOp &Op);
  void bulkLoad(AsmRun &Asm, const PtxOp &Op);
  void bulkStore(AsmRun &Asm, const PtxOp &Op);
  void clusterCopy(AsmRun &Asm, const PtxOp &Op);
  /// The input of the statement that an operand is.
  static const clang::Expr *exprOf(const AsmRun &Asm, const PtxOperand *O);
  /// Where the branch \p Op goes to, if all threads take it; none if nobody
  /// does.
  std::optional<size_t> target(AsmRun &Asm, const PtxOp &Op);
  void compute(AsmRun &Asm, const PtxOp &Op, const PerThread *Before, bool May);
  void executeInstruction(AsmRun &Asm, const PtxOp &Op);
  void asmSharedRead(AsmRun &Asm, const PtxInstruction &I, Value From,
                     int64_t Size, const PerThread *Threads);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_ASMINTERPRETER_H
