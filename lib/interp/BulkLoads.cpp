//===- BulkLoads.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies from global to shared memory, which complete with a phase of an
// mbarrier: cp.async.bulk and cp.async.bulk.tensor. PTX ISA, "cp.async.bulk".
//
//===----------------------------------------------------------------------===//

#include "lib/interp/CopyOps.h"
#include "lib/interp/Interpreter.h"

using namespace clang;
using namespace cpasync;

void CopyOps::bulkLoad(State &S, const CopyRequest &Request) {
  CopyRequest R = Request;
  if (!prepare(S, R))
    return;
  if (R.Tensor)
    sizeTile(S, R);
  if (!checkBulkSize(S, R))
    return;
  if (!R.Dst.isPtr() || R.Dst.Obj->K == Object::Kind::Choice) {
    Run.gap(S, R.Loc, "destination of the copy is not understood");
    Run.Report->OrderIsGuessed = true; // the phase lacks its bytes
    S.Copies.history().storeAnywhere(Run.Written);
    Barriers.unknownOrder(S);
    return;
  }
  if (R.Tensor) {
    placeTile(S, R);
    checkMapSpace(S, R);
  }
  const bool IsKnown = R.Size.isInt() && R.Size.I->isConstant();
  // Something, from there on.
  if (!IsKnown) {
    Run.Written.noteAnywhere();
    S.Copies.history().storeAnywhere(Run.Written);
  }
  R.Bytes = IsKnown ? R.Size.I->constant() : BulkUnit;
  if (!checkSpace(S, R, /*IsSource=*/false) ||
      !checkSpace(S, R, /*IsSource=*/true))
    return;
  bool Aligned = checkAlignment(S, R, R.Tensor ? TensorAlignment : BulkUnit,
                                /*IsSource=*/false);
  Aligned &= checkAlignment(S, R, BulkUnit, /*IsSource=*/true);
  if (R.Blocks)
    issueToBlocks(S, R, Aligned);
  else
    issue(S, R, Run.userLoc(S, R.Loc), BulkUnit, Aligned);
}

// Each block gets a copy of its own, which completes with its own mbarrier.
void CopyOps::issueToBlocks(State &S, const CopyRequest &R, bool Aligned) {
  const Value Mask = Run.simplify(S, *R.Blocks);
  if (!Run.Blocks.areAllRun() || !Mask.isInt() || !Mask.I->isKnown()) {
    Run.gap(S, R.Loc,
            Run.Blocks.areAllRun() ? "which blocks it copies to is not known"
                                   : Run.Blocks.whyNotAll());
    Run.Report->OrderIsGuessed = true;
    S.Copies.history().storeAnywhere(Run.Written);
    return Barriers.unknownOrder(S);
  }
  const PerThread *All = S.Active;
  for (unsigned Block = 0; Block < ClusterShape::MaxBlocks; ++Block) {
    const Int *Rank = V.constant(Block);
    CopyRequest Of = R;
    Of.Dst = Run.Blocks.mapTo(R.Dst, Rank).value_or(Value::unknown());
    Of.Mbarrier = Run.Blocks.mapTo(Run.simplify(S, *R.Mbarrier), Rank)
                      .value_or(Value::unknown());
    const Int *Bit = V.apply(Atom::Op::And, Mask.I, V.constant(1 << Block));
    S.Active = L.both(All, L.apply(LaneOp::Ne, Bit->base(), L.uniform(0)));
    if (PerThreadContext::isEmpty(S.Active))
      continue;
    if (Block >= std::max(1U, Shape.blocks()))
      Detect.Absent.tellMissing(S, R.Dst.Obj, Block, S.Active,
                                Run.userLoc(S, R.Loc));
    else
      issue(S, Of, Run.userLoc(S, R.Loc), BulkUnit, Aligned);
  }
  S.Active = All;
}

bool CopyOps::checkBulkSize(State &S, const CopyRequest &R) {
  const bool IsKnown = R.Size.isInt() && R.Size.I->isConstant();
  const int64_t Size = IsKnown ? R.Size.I->constant() : BulkUnit;
  if (R.Malformed.empty() && Size >= 0 && Size % BulkUnit == 0)
    return Size != 0;
  Run.Report->OrderIsGuessed = true; // it faults: a phase in vain follows
  Finding F;
  F.Kind = FindingKind::BadOperand;
  F.At.Copy = Run.userLoc(S, R.Loc);
  F.At.Operand = F.At.Copy;
  if (R.Malformed.empty())
    F.At.Operand = Detect.Witnesses.operandLoc(S, R.SizeExpr, F.At.Copy);
  F.Rule = R.Malformed.empty() ? OperandRule::BulkSize : OperandRule::Malformed;
  F.Text = R.Malformed.str();
  F.Value = Size;
  F.Copied = Size;
  F.OnEveryPath = true;
  if (R.Dst.isPtr())
    F.Object = Run.nameOf(R.Dst.Obj).str();
  Findings.add(S, std::move(F));
  return false;
}
