//===- AsmMbarriers.cpp - Inline PTX on mbarriers -------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
// A wait that may give up after a time is taken to come to its end.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/AsmInterpreter.h"
#include "lib/interp/CopyRequest.h"
#include "lib/interp/Interpreter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clang;
using namespace cpasync;

/// PTX ISA, ".cta_group": both take part in what one of them issues.
static constexpr llvm::StringLiteral PairOfBlocks =
    "what a pair of blocks ('.cta_group::2') does together is not analysed yet";

void AsmInterpreter::unknownBarrier(AsmRun &Asm, const PtxOp &Op,
                                    llvm::StringRef Why) {
  Run.gap(Asm.S, Asm.Loc, Why.str());
  Run.guessOrder(Asm.S);
  Barriers.unknownOrder(Asm.S);
  forgetResults(Asm, *Op.Inst);
}

static ApiKind kindOf(const PtxOp &Op) {
  switch (Op.Kind) {
  case PtxOpKind::MbarrierInit:
    return ApiKind::PhaseInit;
  case PtxOpKind::MbarrierExpectTx:
  case PtxOpKind::MbarrierCompleteTx:
    return ApiKind::PhaseExpect;
  case PtxOpKind::MbarrierArrive:
    return Op.Drop ? ApiKind::PhaseDrop : ApiKind::PhaseArrive;
  case PtxOpKind::MbarrierWait:
    return Op.Parity ? ApiKind::PhaseWaitParity : ApiKind::PhaseWait;
  default:
    return ApiKind::None;
  }
}

/// A wait in there is tried again, or what to do else is decided.
static bool branches(const AsmInfo &Info) {
  return llvm::any_of(Info.Template.Instructions, [](const PtxInstruction &I) {
    return I.startsWith("bra");
  });
}

void AsmInterpreter::mbarrier(AsmRun &Asm, const PtxOp &Op) {
  State &S = Asm.S;
  Run.Effects.note();
  const ApiKind Kind = kindOf(Op);
  if (Op.Kind == PtxOpKind::MbarrierInval)
    return;
  if (Op.OfPair)
    return unknownBarrier(Asm, Op, PairOfBlocks.str());
  if (Op.OtherBlocks && !Run.Blocks.areAllRun())
    return unknownBarrier(Asm, Op, Run.Blocks.whyNotAll());
  if (Kind == ApiKind::None || !Op.Malformed.empty())
    return unknownBarrier(Asm, Op,
                          "'" + Op.Inst->opcode() + "' is not analysed yet");
  auto Number = [&](const PtxOperand *O) -> const Int * {
    const Value N = Run.simplify(S, valueOf(Asm, O));
    return N.isInt() ? N.I : nullptr;
  };
  PhaseRequest R{Kind, Op.Inst, Asm.Loc, V.constant(1)};
  if (const PtxOperand *Given =
          Op.Kind == PtxOpKind::MbarrierWait ? Op.Phase : Op.Count) {
    R.Given = Number(Given);
    if (!R.Given || !R.Given->isKnown())
      return unknownBarrier(Asm, Op, "what the mbarrier is given is not known");
  }
  if (Op.Kind == PtxOpKind::MbarrierWait && !branches(Asm.Info))
    R.Try = Asm.Asm;
  R.Announces = Op.Size != nullptr;
  R.Completes = Op.Kind == PtxOpKind::MbarrierCompleteTx;
  if (R.Announces)
    R.Bytes = Number(Op.Size);
  const Value Place = valueOf(Asm, Op.Mbarrier);
  const MbarrierOps::WaitOutcome Outcome = Phases.outcomeOf(S, R, Place);
  if (Outcome == MbarrierOps::WaitOutcome::Undecided)
    return;
  if (Outcome == MbarrierOps::WaitOutcome::GaveUp)
    return asmAssign(Asm, *Op.Dst, Value::integer(V.constant(0)));
  Copies.noteShared(S, Place);
  std::vector<int64_t> Token(Shape.threads(), 0);
  bool IsKnown = true;
  auto Operate = [&](Value At) { IsKnown &= Phases.operate(S, R, At, Token); };
  if (!Op.Blocks)
    Operate(Place);
  else
    IsKnown &= Phases.forEachBlock(S, valueOf(Asm, Op.Blocks), Place, Operate);
  if (!IsKnown)
    return unknownBarrier(Asm, Op, "which mbarrier this is is not known");
  if (Op.Kind == PtxOpKind::MbarrierWait)
    asmAssign(Asm, *Op.Dst, Value::integer(V.constant(1)));
  else if (Op.Phase)
    asmAssign(Asm, *Op.Phase, Value::integer(V.known(L.perThread(Token))));
}

void AsmInterpreter::arriveWithCopies(AsmRun &Asm, const PtxOp &Op) {
  if (!Phases.arriveWithCopies(Asm.S, Op.Inst, Asm.Loc,
                               valueOf(Asm, Op.Mbarrier), Op.NoInc))
    unknownBarrier(Asm, Op, "which mbarrier this is is not known");
}

void AsmInterpreter::bulkLoad(AsmRun &Asm, const PtxOp &Op) {
  if (Op.OfPair) {
    Asm.S.Copies.history().storeAnywhere(Run.Written);
    return unknownBarrier(Asm, Op, PairOfBlocks.str());
  }
  CopyRequest R;
  R.Site = Op.Inst;
  R.Loc = Asm.Loc;
  R.Dst = valueOf(Asm, Op.Dst);
  R.Tensor = !Op.Size;
  (R.Tensor ? R.Map : R.Src) = valueOf(Asm, Op.Src);
  if (Op.Inst->has("tile::gather4")) // four rows, not the box of the map
    R.Map = Value::unknown();
  R.Size = valueOf(Asm, Op.Size);
  R.SizeExpr = exprOf(Asm, Op.Size);
  R.Malformed = Op.Malformed;
  R.Mbarrier = valueOf(Asm, Op.Mbarrier);
  if (Op.OtherBlocks)
    R.Blocks = valueOf(Asm, Op.Blocks);
  Copies.bulkLoad(Asm.S, R);
}

void AsmInterpreter::bulkStore(AsmRun &Asm, const PtxOp &Op) {
  CopyRequest R;
  R.Site = Op.Inst;
  R.Loc = Asm.Loc;
  R.Src = valueOf(Asm, Op.Src);
  R.Tensor = !Op.Size;
  (R.Tensor ? R.Map : R.Dst) = valueOf(Asm, Op.Dst);
  if (Op.Inst->has("tile::scatter4")) // as for a load
    R.Map = Value::unknown();
  R.Size = valueOf(Asm, Op.Size);
  R.SizeExpr = exprOf(Asm, Op.Size);
  Copies.bulkStore(Asm.S, R);
}

void AsmInterpreter::clusterCopy(AsmRun &Asm, const PtxOp &Op) {
  CopyRequest R;
  R.Site = Op.Inst;
  R.Loc = Asm.Loc;
  R.Dst = valueOf(Asm, Op.Dst);
  R.Mbarrier = valueOf(Asm, Op.Mbarrier);
  R.Malformed = Op.Malformed;
  R.Reduces = Op.Reduces;
  R.FromShared = Op.Kind == PtxOpKind::ClusterCopy;
  if (R.FromShared) {
    R.Src = valueOf(Asm, Op.Src);
    R.Size = valueOf(Asm, Op.Size);
    R.SizeExpr = exprOf(Asm, Op.Size);
  } else if (!Op.Malformed.empty()) {
    Asm.S.Copies.history().storeAnywhere(Run.Written);
    return unknownBarrier(Asm, Op, InvalidPtx.str() + Op.Malformed);
  } else {
    R.Size = Value::integer(V.constant(Op.AccessBytes));
  }
  Copies.clusterCopy(Asm.S, R);
}

void AsmInterpreter::complete(AsmRun &Asm, const PtxOp &Op) {
  State &S = Asm.S;
  const void *Site = Op.Inst;
  switch (Op.Kind) {
  case PtxOpKind::Commit:
    Copies.commit(S, Site, Asm.Loc);
    break;
  case PtxOpKind::WaitGroup:
    Copies.wait(S, Site, Asm.Loc, valueOf(Asm, Op.Size), exprOf(Asm, Op.Size),
                false);
    break;
  case PtxOpKind::WaitAll:
    Copies.waitAll(S, Site, Asm.Loc);
    break;
  case PtxOpKind::CopyMbarrierArrive:
    arriveWithCopies(Asm, Op);
    break;
  case PtxOpKind::BulkLoad:
    bulkLoad(Asm, Op);
    break;
  case PtxOpKind::ClusterCopy:
  case PtxOpKind::ClusterStore:
    clusterCopy(Asm, Op);
    break;
  case PtxOpKind::BulkCopy:
    Run.gap(Asm.S, Asm.Loc, "'" + Op.Inst->opcode() + "' is not analysed yet");
    Run.guessOrder(S);
    S.Copies.history().storeAnywhere(Run.Written);
    S.Copies.unknownBulkCopy();
    break;
  case PtxOpKind::BulkStore:
    bulkStore(Asm, Op);
    break;
  case PtxOpKind::BulkCommit:
    Copies.commitReads(S, &BlockCopies::ThreadClass::Bulk, Site, Asm.Loc);
    break;
  case PtxOpKind::BulkWaitGroup:
    Copies.waitForReads(S, &BlockCopies::ThreadClass::Bulk, Site, Asm.Loc,
                        valueOf(Asm, Op.Size));
    break;
  case PtxOpKind::DescriptorRead:
    Run.Effects.note();
    DescriptorLoc = Asm.Loc;
    forgetResults(Asm, *Op.Inst);
    break;
  case PtxOpKind::Wgmma:
    for (const PtxOperand *Descriptor : Op.Descriptors)
      if (Descriptor &&
          !Copies.matrixRead(S, Site, Asm.Loc, valueOf(Asm, Descriptor)))
        DescriptorLoc = Asm.Loc;
    forgetResults(Asm, *Op.Inst);
    break;
  case PtxOpKind::WgmmaCommit:
    Copies.commitReads(S, &BlockCopies::ThreadClass::Wgmma, Site, Asm.Loc);
    break;
  case PtxOpKind::WgmmaWait:
    Copies.waitForReads(S, &BlockCopies::ThreadClass::Wgmma, Site, Asm.Loc,
                        valueOf(Asm, Op.Size));
    break;
  case PtxOpKind::ClusterArrive:
    Phases.arriveAtCluster(S, Asm.Loc, !Op.Relaxed);
    break;
  case PtxOpKind::ClusterWait:
    Phases.waitForCluster(S, Site, Asm.Loc);
    break;
  case PtxOpKind::InitFence:
    S.Copies.notes().fenceInits(true);
    break;
  case PtxOpKind::ProxyFence:
    if (!Op.Inst->has("async")) // .async::generic: one way, for some objects
      Run.gap(S, Asm.Loc, "'" + Op.Inst->opcode() + "' is not analysed yet");
    Run.Effects.note();
    S.Copies.notes().fence(Footprints, S.Copies.unordered(),
                           L.anyAmong(S.Active, WarpThreads));
    break;
  default:
    llvm_unreachable(
        "neither commits nor waits, nor works through the async proxy");
  }
}
