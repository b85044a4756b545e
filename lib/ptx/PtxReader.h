//===- PtxReader.h - Reads an inline-PTX template ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_PTX_PTXREADER_H
#define CPASYNC_LIB_PTX_PTXREADER_H

#include "lib/ptx/InlinePtx.h"
#include "lib/ptx/PtxScanner.h"
#include "llvm/ADT/StringMap.h"

namespace cpasync {

// Bounds on what one template may produce, so that junk costs no memory. Real
// ones stay far below: 135 operands (wgmma, 128 accumulators), some hundred
// instructions (long multiplications).
inline constexpr size_t MaxInstructions = 4096;
inline constexpr size_t MaxOperands =
    4096;                              // in one instruction, elements included
inline constexpr size_t MaxParts = 64; // in one opcode
inline constexpr size_t MaxProblems = 64;

/// Reads one template, statement by statement.
class PtxReader : PtxScanner {
public:
  PtxReader(llvm::StringRef Text, llvm::ArrayRef<std::string> OperandNames)
      : PtxScanner(Text), OperandNames(OperandNames) {}

  PtxTemplate read();

private:
  // What may stand inside an operand depends on what is around it.
  enum class Context { Instruction, Address, Vector };

  bool readStatement(PtxInstruction &I);
  bool readGuard(PtxInstruction &I);
  bool readModifiers(PtxInstruction &I);
  bool readDirective(PtxInstruction &I);
  bool readDeclaredName(PtxInstruction &I);
  bool readOperands(std::vector<PtxOperand> &Operands, char Close, Context In);
  bool readOperand(PtxOperand &Op, Context In);
  bool readAddress(PtxOperand &Op, Context In);
  bool readOffset(PtxOperand &Address);
  bool readIndex(PtxOperand &Op, Context In);
  bool readScalar(PtxOperand &Op);
  bool readName(PtxOperand &Op);
  bool readPercent(PtxOperand &Op);
  bool readOperandName(PtxOperand &Op);
  bool readExpression(PtxOperand &Op);
  bool readOther(PtxOperand &Op, size_t Begin);
  void readComponent(PtxOperand &Op);

  void recover();
  void problem(size_t Offset, std::string Message, bool TouchesAsync);

  void enterBlock();
  void leaveBlock();
  void declare(const PtxOperand &Op);
  bool isRegister(llvm::StringRef Name) const;

  llvm::ArrayRef<std::string> OperandNames;
  PtxTemplate Out;
  size_t StatementStart = 0;
  size_t OperandsLeft = 0;
  /// Names declared by `.reg` -> how many of the blocks around us declare them.
  llvm::StringMap<unsigned> Declared;
  std::vector<std::string> DeclarationOrder;
  /// For each open block, the size DeclarationOrder had at its '{'.
  std::vector<size_t> Blocks;
};

} // namespace cpasync

#endif // CPASYNC_LIB_PTX_PTXREADER_H
