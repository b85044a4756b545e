//===- PtxClassifier.h - Internals of classifyPtx ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by PtxOps.cpp (everything but copies) and PtxCopyOps.cpp (the cp.async
// family, with what ptxas would refuse). Nobody else needs this header.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_PTX_PTXCLASSIFIER_H
#define CPASYNC_LIB_PTX_PTXCLASSIFIER_H

#include "lib/ptx/PtxOps.h"
#include "llvm/ADT/Twine.h"

namespace cpasync {

enum class PtxSpace { Generic, Shared, Other };

/// The state space that a modifier names; generic if it names none.
PtxSpace spaceOf(llvm::StringRef Part);

/// What can be said about an operand's type without its value.
enum class PtxOperandType { Unknown, Predicate, Bits32, Bits64, Constant };

/// Fills in one PtxOp; each method handles the instructions of one name.
class PtxClassifier {
public:
  PtxClassifier(const PtxInstruction &I,
                llvm::ArrayRef<PtxRegisterType> Registers,
                llvm::ArrayRef<char> AsmConstraints)
      : I(I), Registers(Registers), AsmConstraints(AsmConstraints) {
    Op.Inst = &I;
  }

  PtxOp classify();

private:
  void cp();
  void copy();
  void copyModifiers();
  void copyOperands();
  void mbarrierOfCopies();
  void mbarrier();
  void mbarrierArrive();
  void mbarrierWait();
  void tensorCommit();
  void waitGroup();
  void bulk();
  void bulkLoad();
  void clusterCopy();
  void clusterStore();
  void load();
  void store();
  void atomic();
  void matrix(bool IsLoad);
  void wgmma();
  void wmma();
  void barrier();

  const PtxOperand *operand(size_t Index) const {
    return Index < I.Operands.size() ? &I.Operands[Index] : nullptr;
  }
  PtxOperandType typeOf(const PtxOperand &O) const;
  bool isNotInteger(const PtxOperand &O) const;
  bool isAddress(const PtxOperand *O) const {
    return O && O->K == PtxOperand::Kind::Address;
  }
  void malformed(const llvm::Twine &Why) {
    if (Op.Malformed.empty())
      Op.Malformed = Why.str();
  }
  void takesNoOperands() {
    if (!I.Operands.empty())
      malformed("'" + I.opcode() + "' takes no operands");
  }
  void onlyParts(size_t Count) {
    if (I.Parts.size() > Count)
      malformed("unknown modifier '." + I.Parts[Count] + "'");
  }

  const PtxInstruction &I;
  llvm::ArrayRef<PtxRegisterType> Registers;
  llvm::ArrayRef<char> AsmConstraints;
  PtxOp Op;
};

} // namespace cpasync

#endif // CPASYNC_LIB_PTX_PTXCLASSIFIER_H
