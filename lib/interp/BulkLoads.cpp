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
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void CopyOps::bulkLoad(State &S, const CopyRequest &Request) {
  const Value Size = Run.simplify(S, Request.Size);
  if (!Size.I || !Size.I->isKnown())
    return bulkLoadAlike(S, Request);
  const PerThread *All = S.Active;
  // What is open is asked before anybody copies.
  if (CopyRequest Of = Request; !prepare(S, Of))
    return;
  V.forEachValue(Size.I, All, [&](int64_t, const PerThread *Threads) {
    S.Active = Threads;
    bulkLoadAlike(S, Request);
  });
  S.Active = All;
}

void CopyOps::bulkLoadAlike(State &S, const CopyRequest &Request) {
  CopyRequest R = Request;
  if (!prepare(S, R))
    return;
  if (R.Tensor)
    sizeTile(S, R);
  if (!checkBulkSize(S, R, Request.Size))
    return;
  if (!R.Dst.isPtr() || R.Dst.Obj->K == Object::Kind::Choice)
    return unknownDestination(S, R,
                              "destination of the copy is not understood");
  if (R.Tensor) {
    placeTile(S, R);
    checkMapSpace(S, R);
  }
  if (leavesObject(S, R, R.Dst))
    return;
  noteSize(S, R);
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

// Bytes from Place on in its object, for the thread that has least; none: not
// known.
std::optional<int64_t> CopyOps::roomAt(const State &S, Value Place) {
  if (!Place.isPtr() || Place.Obj->Size <= 0 || !Place.I || !Place.I->isKnown())
    return std::nullopt;
  int64_t Room = Place.Obj->Size;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if ((*S.Active)[T])
      Room = std::min(Room, Place.Obj->Size -
                                Run.Blocks.byteOf((*Place.I->base())[T]));
  return Room;
}

void CopyOps::noteFilling(State &S, const CopyRequest &R) {
  const Int *Size = R.Size.I;
  const std::optional<int64_t> Room = roomAt(S, R.Dst);
  if (!Room || !Size->base()->isUniform() || Size->terms().size() != 1)
    return;
  const Int::Term &T = Size->terms()[0];
  const int64_t Rest = *Room - Size->base()->min();
  if (!T.Coefficient->isUniform() || T.Coefficient->min() <= 0 || Rest <= 0)
    return;
  const int64_t Number = Rest / T.Coefficient->min();
  const auto [Old, IsNew] = Run.CopySizes.Filling.try_emplace(T.A, Number);
  Old->second = std::min(Old->second, Number);
}

void CopyOps::noteOpenSize(State &S, const CopyRequest &R) {
  if (!R.Size.isInt())
    Run.gap(S, R.Loc, "size of the bulk copy is not known");
  else if (isUniformIn(R.Size.I, S.Active)) {
    Run.CopySizes.Open.insert(R.Size.I);
    noteFilling(S, R);
  } else
    Run.gap(S, R.Loc, "size of the copy differs by thread and is not known");
}

bool CopyOps::leavesObject(State &S, const CopyRequest &R, Value Place) {
  if (Interp.Known.Numbers.empty() || R.Tensor || !R.Size.isInt() ||
      !R.Size.I->isConstant() ||
      roomAt(S, Place).value_or(INT64_MAX) >= R.Size.I->constant())
    return false;
  Run.gap(S, R.Loc, "with sizes that are assumed, what is copied has no room");
  Asked.endPath();
  return true;
}

void CopyOps::noteSize(State &S, CopyRequest &R) {
  const bool IsKnown = R.Size.isInt() && R.Size.I->isConstant();
  R.Bytes = IsKnown ? R.Size.I->constant() : BulkUnit;
  if (IsKnown)
    return;
  if (!R.Tensor)
    noteOpenSize(S, R);
  // Something, from there on.
  Run.Written.noteAnywhere();
  S.Copies.history().storeAnywhere(Run.Written);
}

// Each block gets a copy of its own, which completes with its own mbarrier.
void CopyOps::issueToBlocks(State &S, const CopyRequest &R, bool Aligned) {
  const SourceLocation Loc = Run.userLoc(S, R.Loc);
  const Value Mbarrier = Run.simplify(S, *R.Mbarrier);
  auto Issue = [&](Value Dst) {
    const unsigned By = L.first(S.Active);
    const int64_t Block = Run.Blocks.blockOf(Dst, By);
    Run.Clues.ReachesBlocks |= Block != int64_t(Run.Blocks.blockOf(By));
    if (Block >= int64_t(Shape.blocks()))
      return Detect.Absent.tellMissing(S, R.Dst.Obj, Block, S.Active, Loc);
    CopyRequest Of = R;
    Of.Dst = Dst;
    Of.Mbarrier = Run.Blocks.mapTo(Mbarrier, V.constant(Block))
                      .value_or(Value::unknown());
    issue(S, Of, Loc, BulkUnit, Aligned);
  };
  if (!Phases.forEachBlock(S, *R.Blocks, R.Dst, Issue))
    unknownDestination(S, R,
                       Run.Blocks.areAllRun()
                           ? "which blocks it copies to is not known"
                           : Run.Blocks.whyNotAll());
}

void CopyOps::unknownDestination(State &S, const CopyRequest &R,
                                 StringRef Why) {
  Run.gap(S, R.Loc, Why.str());
  Run.guessOrder(S); // the phase lacks its bytes
  S.Copies.history().storeAnywhere(Run.Written);
  Barriers.unknownOrder(S);
}

// Whatever numbers it is computed from, conditions choose between known ones.
static bool isOneOfKnown(const Int *I) {
  return llvm::all_of(I->terms(), [](const Int::Term &T) {
    return T.A->Kind == Atom::Op::Select && isOneOfKnown(T.A->B) &&
           isOneOfKnown(T.A->C);
  });
}

// That an amount is such a number on one of the paths is no mistake: those who
// launch the kernel give it none like that.
bool CopyOps::checkBulkSize(State &S, const CopyRequest &R, Value Written) {
  const bool IsKnown = R.Size.isInt() && R.Size.I->isConstant();
  const int64_t Size = IsKnown ? R.Size.I->constant() : BulkUnit;
  if (R.Malformed.empty() && Size >= 0 && Size % BulkUnit == 0)
    return Size != 0;
  if (R.Malformed.empty() && Written.isInt() && !isOneOfKnown(Written.I))
    return Size > 0;
  Run.guessOrder(S); // it faults: a phase in vain follows
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
