//===- PtxMbarrierOps.cpp - The mbarrier family ---------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/ptx/PtxClassifier.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace cpasync {

void PtxClassifier::mbarrier() {
  const StringRef What = I.Parts.size() > 1 ? StringRef(I.Parts[1]) : "";
  Op.Kind = llvm::StringSwitch<PtxOpKind>(What)
                .Case("init", PtxOpKind::MbarrierInit)
                .Case("inval", PtxOpKind::MbarrierInval)
                .Case("expect_tx", PtxOpKind::MbarrierExpectTx)
                .Case("complete_tx", PtxOpKind::MbarrierCompleteTx)
                .Cases({"arrive", "arrive_drop"}, PtxOpKind::MbarrierArrive)
                .Cases({"test_wait", "try_wait"}, PtxOpKind::MbarrierWait)
                .Default(PtxOpKind::MbarrierOther);
  size_t Operands = 0;
  switch (Op.Kind) {
  case PtxOpKind::MbarrierInit:
    Op.Mbarrier = operand(0);
    Op.Count = operand(1);
    Operands = 2;
    break;
  case PtxOpKind::MbarrierInval:
    Op.Mbarrier = operand(0);
    Operands = 1;
    break;
  case PtxOpKind::MbarrierExpectTx:
  case PtxOpKind::MbarrierCompleteTx:
    Op.Mbarrier = operand(0);
    Op.Size = operand(1);
    Operands = 2;
    break;
  case PtxOpKind::MbarrierArrive:
    return mbarrierArrive();
  case PtxOpKind::MbarrierWait:
    return mbarrierWait();
  default:
    if (What != "pending_count")
      malformed("unknown instruction '" + I.opcode() + "'");
    return;
  }
  if (I.Operands.size() != Operands || !isAddress(Op.Mbarrier))
    malformed("'" + I.opcode() + "' takes " +
              (Operands == 1 ? "the address of an mbarrier"
                             : "the address of an mbarrier and a number"));
}

/// state, [mbar] {, count}; state, [mbar], bytes with .expect_tx. Without a
/// result for an mbarrier of another block.
void PtxClassifier::mbarrierArrive() {
  Op.Drop = StringRef(I.Parts[1]) == "arrive_drop";
  Op.OtherBlocks = I.has("shared::cluster");
  const size_t First = isAddress(operand(0)) ? 0 : 1;
  if (First == 1 && operand(0) && operand(0)->Text != "_")
    Op.Phase = operand(0);
  Op.Mbarrier = operand(First);
  const bool Expects = I.has("expect_tx");
  (Expects ? Op.Size : Op.Count) = operand(First + 1);
  if (!isAddress(Op.Mbarrier))
    malformed("expected the address of an mbarrier");
  else if (Expects && !Op.Size)
    malformed("expected a number of bytes");
  else if (I.has("noComplete") && !Op.Count)
    malformed("expected a number of arrivals");
}

/// [mbar] {, mask}: arrives when the thread's products before it are done.
void PtxClassifier::tensorCommit() {
  Op.Kind = PtxOpKind::MbarrierArrive;
  Op.Mbarrier = operand(0);
  Op.OfPair = I.has("cta_group::2");
  Op.OtherBlocks = I.has("multicast::cluster");
  if (Op.OtherBlocks)
    Op.Blocks = operand(1);
  if (!isAddress(Op.Mbarrier))
    malformed("expected the address of an mbarrier");
  else if (Op.OtherBlocks && !Op.Blocks)
    malformed("expected a mask of blocks");
}

/// done, [mbar], state or parity {, nanoseconds}
void PtxClassifier::mbarrierWait() {
  Op.Parity = I.has("parity");
  Op.Dst = operand(0);
  Op.Mbarrier = operand(1);
  Op.Phase = operand(2);
  if (!isAddress(Op.Mbarrier) || !Op.Phase)
    malformed(Op.Parity ? "expected an mbarrier and a parity"
                        : "expected an mbarrier and a phase");
}

} // namespace cpasync
