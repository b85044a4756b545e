//===- AsmRun.h - An asm statement while it is executed ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_ASMRUN_H
#define CPASYNC_LIB_INTERP_ASMRUN_H

#include "lib/source/Recognizer.h"
#include "lib/state/State.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringMap.h"

namespace cpasync {

struct AsmRun {
  State &S;
  const clang::GCCAsmStmt *Asm;
  const AsmInfo &Info;
  clang::SourceLocation Loc;
  llvm::StringMap<Value> Registers;     ///< PTX registers of the template
  llvm::SmallVector<Value, 8> Operands; ///< outputs first
  /// What instructions loaded into outputs that no other one touches.
  llvm::SmallVector<std::pair<unsigned, EventId>, 4> Loaded;

  /// Which instruction of the template.
  int64_t index(const PtxInstruction &I) const {
    return &I - Info.Template.Instructions.data();
  }
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_ASMRUN_H
