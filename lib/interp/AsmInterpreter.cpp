//===- AsmInterpreter.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/AsmInterpreter.h"
#include "lib/interp/CopyRequest.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace cpasync;

Value AsmInterpreter::asmOperand(AsmRun &Asm, const PtxOperand &O) {
  switch (O.K) {
  case PtxOperand::Kind::AsmOperand:
    return O.AsmIndex >= 0 && size_t(O.AsmIndex) < Asm.Operands.size()
               ? Asm.Operands[O.AsmIndex]
               : Value::unknown();
  case PtxOperand::Kind::Immediate:
    return Value::integer(V.constant(O.Imm));
  case PtxOperand::Kind::Register:
  case PtxOperand::Kind::Symbol: {
    auto I = Asm.Registers.find(O.Text);
    if (I != Asm.Registers.end())
      return I->second;
    llvm::StringRef Name = O.Text;
    if (Name.consume_front("%")) {
      std::string Lower = Name.lower();
      return Registers.read(Lower == "warp_sz" ? "warpsize" : Lower);
    }
    return Value::unknown();
  }
  case PtxOperand::Kind::Address: {
    if (O.Elements.empty())
      return Value::unknown();
    Value Base = asmOperand(Asm, O.Elements[0]);
    if (!Base.isPtr())
      return Base;
    const Int *Offset = V.constant(O.Imm);
    if (O.OffsetIndex >= 0 && size_t(O.OffsetIndex) < Asm.Operands.size()) {
      Value More = Asm.Operands[O.OffsetIndex];
      Offset = More.isInt() ? V.add(Offset, More.I) : nullptr;
    }
    return Math.offsetBy(Base, Offset);
  }
  case PtxOperand::Kind::Vector:
  case PtxOperand::Kind::Other:
    return Value::unknown();
  }
  return Value::unknown();
}

void AsmInterpreter::asmAssign(AsmRun &Asm, const PtxOperand &O, Value Val) {
  if (O.K == PtxOperand::Kind::AsmOperand && O.AsmIndex >= 0 &&
      unsigned(O.AsmIndex) < Asm.Asm->getNumOutputs())
    Asm.Operands[O.AsmIndex] = Val;
  else if (O.K == PtxOperand::Kind::Register || O.K == PtxOperand::Kind::Symbol)
    Asm.Registers[O.Text] = Val;
  for (const PtxOperand &E : O.Elements)
    if (O.K == PtxOperand::Kind::Vector)
      asmAssign(Asm, E, Value::unknown());
  for (const PtxOperand &E : O.Paired)
    asmAssign(Asm, E, Value::unknown());
}

// A loop in a statement waits for something: it is over at once.
static constexpr size_t MaxAsmSteps = 1024;

std::optional<size_t> AsmInterpreter::target(AsmRun &Asm, const PtxOp &Op) {
  State &S = Asm.S;
  const auto &Template = Asm.Info.Template.Instructions;
  const PerThread *Before = S.Active;
  bool May = false;
  if (!Op.Inst->Guard.empty() && !guard(Asm, Op, May))
    return std::nullopt;
  const bool All = std::exchange(S.Active, Before) == Before && !May;
  if (May)
    S.May.pop_back();
  const auto Label = llvm::find_if(Template, [&](const PtxInstruction &I) {
    return I.K == PtxInstruction::Kind::Label && !Op.Inst->Operands.empty() &&
           I.Parts[0] == Op.Inst->Operands[0].Text;
  });
  if (All && Label != Template.end())
    return Label - Template.begin();
  if (Asm.Info.Effects & ~EffectsOfAccesses)
    Run.gap(S, Asm.Loc, "branch inside inline PTX is not followed");
  return std::nullopt;
}

void AsmInterpreter::executeAsm(State &S, const GCCAsmStmt *A) {
  const AsmInfo &Info = P.recognizer().inlineAsm(A);
  ++V.Uses.Times;
  AsmRun Asm{S, A, Info, A->getAsmLoc(), {}, {}};
  llvm::SmallVector<Value, 4> Places;
  for (unsigned I = 0; I < A->getNumOutputs(); ++I) {
    const Expr *Out = A->getOutputExpr(I);
    Places.push_back(Eval.address(S, Out));
    bool ReadWrite = A->isOutputPlusConstraint(I);
    Asm.Operands.push_back(
        ReadWrite ? Store.load(S, Places.back(), Out->getType(), Out)
                  : Value::unknown());
  }
  for (unsigned I = 0; I < A->getNumInputs(); ++I) {
    const Expr *In = A->getInputExpr(I);
    Asm.Operands.push_back(
        In->isGLValue() ? Store.load(S, Eval.address(S, In), In->getType(), In)
                        : Eval.eval(S, In));
    Reads.useReached(S, Asm.Operands.back()); // through a pointer
  }
  for (const PtxProblem &Problem : Info.Template.Problems)
    if (Problem.TouchesAsync)
      Run.gap(Asm.S, Asm.Loc,
              "inline PTX is not understood: " + Problem.Message);
  size_t Steps = 0;
  for (size_t I = 0; I < Info.Ops.size() && Steps < MaxAsmSteps; ++I) {
    if (Info.Template.Instructions[I].K != PtxInstruction::Kind::Instruction)
      continue;
    ++Steps;
    if (Info.Ops[I].Kind != PtxOpKind::Branch)
      executeInstruction(Asm, Info.Ops[I]);
    else if (const auto To = target(Asm, Info.Ops[I]))
      I = *To;
  }
  if (Asked.isUndecided())
    return;
  if (Steps == MaxAsmSteps)
    Run.gap(S, Asm.Loc, "loop inside inline PTX does not end");
  // What cannot be a float may be asked for twice: it gets a name.
  const bool Payload = llvm::any_of(Info.Ops, [](const PtxOp &Op) {
    return Op.Kind == PtxOpKind::Compute && computesPayload(*Op.Inst);
  });
  for (unsigned I = 0; I < A->getNumOutputs(); ++I) {
    const Expr *Out = A->getOutputExpr(I);
    Value Val = Asm.Operands[I];
    if (Val.isUnknown() && Out->getType()->isIntegralOrEnumerationType() &&
        Info.Effects == EffectNone && !Payload)
      Val = Names.freshSymbol(S, Out, Uniformity::Thread);
    Store.store(S, Places[I], Val, Out->getType(), Out);
  }
  for (const auto &[Output, Read] : Asm.Loaded)
    S.Mem.unused().settle(Read);
  for (const auto &[Output, Read] : Asm.Loaded) {
    const int64_t Size = P.sizeOf(A->getOutputExpr(Output)->getType());
    Reads.place(S, Places[Output], LoadedPart{Read, 0, Size, S.Active});
  }
}

// The outputs that an instruction loads into; none if anything else in the
// statement touches one of them.
static llvm::SmallVector<unsigned, 4> outputsOf(const AsmRun &Asm,
                                                const PtxInstruction &I) {
  llvm::SmallVector<unsigned, 4> Outputs;
  if (I.Operands.empty() || !I.Guard.empty())
    return {};
  auto Add = [&](const PtxOperand &O) {
    const bool IsOutput = O.K == PtxOperand::Kind::AsmOperand &&
                          O.AsmIndex >= 0 &&
                          unsigned(O.AsmIndex) < Asm.Asm->getNumOutputs();
    if (IsOutput)
      Outputs.push_back(O.AsmIndex);
    return IsOutput;
  };
  const PtxOperand &To = I.Operands[0];
  const bool IsVector = To.K == PtxOperand::Kind::Vector;
  if (IsVector ? !llvm::all_of(To.Elements, Add) : !Add(To))
    return {};
  auto Mentions = [&](const PtxOperand &O, auto &Self) -> bool {
    auto Inner = [&](const PtxOperand &X) { return Self(X, Self); };
    return (O.AsmIndex >= 0 &&
            llvm::is_contained(Outputs, unsigned(O.AsmIndex))) ||
           (O.OffsetIndex >= 0 &&
            llvm::is_contained(Outputs, unsigned(O.OffsetIndex))) ||
           llvm::any_of(O.Elements, Inner) || llvm::any_of(O.Paired, Inner);
  };
  for (const PtxInstruction &Other : Asm.Info.Template.Instructions)
    for (const auto *List : {&Other.Operands, &Other.Guard})
      for (const PtxOperand &O : *List)
        if (&O != &To && Mentions(O, Mentions))
          return {};
  return Outputs;
}

void AsmInterpreter::asmSharedRead(AsmRun &Asm, const PtxInstruction &I,
                                   Value From, int64_t Size,
                                   const PerThread *Threads) {
  const auto Outputs = Reads.followsSums() ? llvm::SmallVector<unsigned, 4>()
                                           : outputsOf(Asm, I);
  LoadedParts Parts;
  std::swap(Asm.S.Active, Threads);
  Accesses.sharedRead(Asm.S, &I, Asm.Loc, From, Size,
                      Outputs.empty() ? nullptr : &Parts);
  std::swap(Asm.S.Active, Threads);
  for (unsigned Output : Outputs)
    for (const LoadedPart &Part : Parts)
      Asm.Loaded.push_back({Output, Part.Read});
}

static std::optional<BinaryOperatorKind> comparison(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<BinaryOperatorKind>>(Name)
      .Case("eq", BO_EQ)
      .Case("ne", BO_NE)
      .Cases({"lt", "lo"}, BO_LT)
      .Cases({"le", "ls"}, BO_LE)
      .Cases({"gt", "hi"}, BO_GT)
      .Cases({"ge", "hs"}, BO_GE)
      .Default(std::nullopt);
}

// Registers only: the few opcodes that make addresses and predicates.
static std::optional<BinaryOperatorKind> binary(const PtxInstruction &I) {
  llvm::StringRef Name = I.Parts[0];
  if (Name == "mul" && !I.has("lo") && !I.has("wide"))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<BinaryOperatorKind>>(Name)
      .Case("add", BO_Add)
      .Case("sub", BO_Sub)
      .Case("mul", BO_Mul)
      .Case("div", BO_Div)
      .Case("rem", BO_Rem)
      .Case("shl", BO_Shl)
      .Case("shr", BO_Shr)
      .Case("and", BO_And)
      .Case("or", BO_Or)
      .Case("xor", BO_Xor)
      .Default(std::nullopt);
}

const Expr *AsmInterpreter::exprOf(const AsmRun &Asm, const PtxOperand *O) {
  if (!O || O->K != PtxOperand::Kind::AsmOperand ||
      unsigned(O->AsmIndex) < Asm.Asm->getNumOutputs())
    return nullptr;
  unsigned Index = O->AsmIndex - Asm.Asm->getNumOutputs();
  return Index < Asm.Asm->getNumInputs() ? Asm.Asm->getInputExpr(Index)
                                         : nullptr;
}

Value AsmInterpreter::valueOf(AsmRun &Asm, const PtxOperand *O) {
  return O ? asmOperand(Asm, *O) : Value::unknown();
}

void AsmInterpreter::forgetResults(AsmRun &Asm, const PtxInstruction &I) {
  if (!I.Operands.empty())
    asmAssign(Asm, I.Operands[0], Value::unknown());
}

// Restricts the running threads; false if none runs it, or it is not known.
bool AsmInterpreter::guard(AsmRun &Asm, const PtxOp &Op, bool &May) {
  State &S = Asm.S;
  const PtxInstruction &I = *Op.Inst;
  const Int *G = Math.truth(asmOperand(Asm, I.Guard[0]));
  if (G && I.Guard[0].Negated)
    G = V.isZero(G);
  if (!G) {
    // Named by the asm's own statement: its first operand stands for it.
    G = V.symbol(Asm.Asm, int64_t(&I - Asm.Info.Template.Instructions.data()),
                 Uniformity::Thread);
    Run.Effects.note();
    S.Condition.forget(G->terms()[0].A);
    Run.Shared.History.renew(S.Decided, G->terms()[0].A);
  }
  Truth Known = S.Condition.decide(V, G);
  const PerThread *MayRun = L.except(S.Active, Known.False);
  if (PerThreadContext::isEmpty(MayRun))
    return false;
  bool Ordering = effectsOf(Op.Kind) & (EffectGroup | EffectBarrier);
  May = !PerThreadContext::isEmpty(L.except(MayRun, Known.True));
  if (May && Ordering) {
    Run.gap(Asm.S, Asm.Loc, "guard of " + I.opcode() + " is not known");
    return false;
  }
  S.Active = MayRun;
  if (May) {
    S.May.push_back({G, true});
    Names.hold(G);
  }
  return true;
}

void AsmInterpreter::copy(AsmRun &Asm, const PtxOp &Op) {
  State &S = Asm.S;
  const PtxInstruction &I = *Op.Inst;
  CopyRequest R;
  R.Site = Op.Inst;
  R.Loc = Asm.Loc;
  R.Dst = valueOf(Asm, Op.Dst);
  R.Src = valueOf(Asm, Op.Src);
  R.Size = valueOf(Asm, Op.Size);
  R.SizeExpr = exprOf(Asm, Op.Size);
  R.CacheGlobal = Op.CacheGlobal;
  if (R.CacheGlobal)
    R.CacheModifier = Detect.Fixes.cacheModifier(Asm.Asm, I.Offset);
  R.Malformed = Op.Malformed;
  if (Op.SrcSize) {
    R.HasSrcSize = true;
    R.SrcSize = valueOf(Asm, Op.SrcSize);
    R.SrcSizeExpr = exprOf(Asm, Op.SrcSize);
  }
  if (Op.IgnoreSrc) {
    const Int *Ignored =
        Math.truth(Run.simplify(Asm.S, valueOf(Asm, Op.IgnoreSrc)));
    if (Ignored && Op.IgnoreSrc->Negated)
      Ignored = V.isZero(Ignored);
    R.HasSrcSize = !Ignored || !Ignored->isConstant(0);
    if (Ignored && Ignored->isKnown() && R.Size.isInt() && R.HasSrcSize)
      R.SrcSize = V.select(Ignored, Value::integer(V.constant(0)), R.Size);
  }
  Copies.copy(S, R);
}

void AsmInterpreter::loadShared(AsmRun &Asm, const PtxOp &Op) {
  State &S = Asm.S;
  const PtxInstruction &I = *Op.Inst;
  const Value From = valueOf(Asm, Op.Src);
  if (Op.Kind == PtxOpKind::SharedLoad)
    Copies.noteShared(S, From);
  if (From.isPtr() && From.Obj->isShared() && Op.AccessBytes)
    asmSharedRead(Asm, I, From, Op.AccessBytes, S.Active);
  else if (!From.isPtr() && Op.Kind == PtxOpKind::SharedLoad)
    Run.gap(Asm.S, Asm.Loc, "address of a shared load is not known");
  forgetResults(Asm, I);
}

void AsmInterpreter::loadMatrices(AsmRun &Asm, const PtxOp &Op) {
  State &S = Asm.S;
  const PtxInstruction &I = *Op.Inst;
  // Lane i gives the address of row i: 8 rows of 16 bytes for each matrix.
  const Value From = valueOf(Asm, Op.Src);
  Copies.noteShared(S, From);
  if (!From.isPtr()) {
    Run.gap(Asm.S, Asm.Loc, "address of ldmatrix is not known");
  } else {
    const PerThread *Rows = L.both(
        S.Active, L.apply(LaneOp::Lt, Registers.read("laneid").I->base(),
                          L.uniform(8 * int64_t(std::max(1u, Op.Matrices)))));
    if (From.Obj->isShared())
      asmSharedRead(Asm, I, From, Op.AccessBytes ? Op.AccessBytes : 16, Rows);
  }
  forgetResults(Asm, I);
}

void AsmInterpreter::storeShared(AsmRun &Asm, const PtxOp &Op) {
  State &S = Asm.S;
  const PtxInstruction &I = *Op.Inst;
  const bool IsAtomic =
      Op.Kind == PtxOpKind::SharedAtomic || Op.Kind == PtxOpKind::GenericAtomic;
  const bool IsGeneric =
      Op.Kind == PtxOpKind::GenericStore || Op.Kind == PtxOpKind::GenericAtomic;
  Value To = valueOf(Asm, Op.Dst);
  const int64_t Bytes = Op.AccessBytes ? Op.AccessBytes : 1;
  if (IsAtomic && To.isPtr() && To.Obj->isShared())
    Accesses.sharedAtomic(S, Op.Inst, Asm.Loc, To, Bytes);
  else if (To.isPtr() && To.Obj->isShared())
    Accesses.sharedWrite(S, Op.Inst, Asm.Loc, To, Bytes);
  else
    Store.forgetTarget(S, To);
  if (!To.isPtr() && !IsGeneric)
    S.Copies.history().storeAnywhere(Run.Written);
  if (IsAtomic)
    forgetResults(Asm, I);
}

void AsmInterpreter::compute(AsmRun &Asm, const PtxOp &Op,
                             const PerThread *Before, bool May) {
  State &S = Asm.S;
  const PtxInstruction &I = *Op.Inst;
  Value R;
  const auto &O = I.Operands;
  llvm::StringRef Name = I.Parts[0];
  if (Warps.warpInstruction(Asm, I))
    return;
  if ((Name == "mov" || Name == "cvta" || Name == "cvt") && O.size() == 2) {
    R = asmOperand(Asm, O[1]);
  } else if (Name == "mapa" && O.size() == 3) {
    R = Phases.mapTo(S, Asm.Loc, asmOperand(Asm, O[1]), asmOperand(Asm, O[2]));
  } else if (Name == "setp" && O.size() >= 3 && I.Parts.size() >= 2) {
    if (auto Cmp = comparison(I.Parts[1]); Cmp && O.size() == 3)
      R = Math.compare(S, *Cmp, asmOperand(Asm, O[1]), asmOperand(Asm, O[2]));
  } else if (Name == "selp" && O.size() == 4) {
    if (const Int *C = Math.truth(asmOperand(Asm, O[3])))
      R = V.select(C, asmOperand(Asm, O[1]), asmOperand(Asm, O[2]));
  } else if (Name == "not" && O.size() == 2) {
    if (const Int *C = Math.truth(asmOperand(Asm, O[1])); C && I.has("pred"))
      R = Value::integer(V.isZero(C));
  } else if (auto Bin = binary(I); Bin && O.size() == 3) {
    QualType T = I.has("s64") || I.has("u64") || I.has("b64")
                     ? Ctx.LongLongTy
                     : (I.has("s32") ? Ctx.IntTy : Ctx.UnsignedIntTy);
    R = Math.arithmetic(S, *Bin, asmOperand(Asm, O[1]), asmOperand(Asm, O[2]),
                        T, T, T);
  }
  if (!O.empty()) {
    const Value Old = asmOperand(Asm, O[0]);
    if (May) // its guard is not known
      R = V.select(S.May.back().first, R, Old);
    if (S.Active != Before)
      R = V.blend(S.Active, R, Old);
    asmAssign(Asm, O[0], R);
  }
}

/// It is a finding.
static bool tellsOfMalformed(PtxOpKind K) {
  return K == PtxOpKind::Copy || K == PtxOpKind::BulkLoad ||
         K == PtxOpKind::ClusterCopy;
}

void AsmInterpreter::synchronize(AsmRun &Asm, const PtxOp &Op) {
  if (Op.Kind == PtxOpKind::WarpBarrier)
    return Barriers.warpBarrier(Asm.S);
  Barriers.barrier(Asm.S, Asm.Loc, valueOf(Asm, Op.Size),
                   valueOf(Asm, Op.Count), Op.Kind == PtxOpKind::BarrierArrive);
}

void AsmInterpreter::executeInstruction(AsmRun &Asm, const PtxOp &Op) {
  State &S = Asm.S;
  const PtxInstruction &I = *Op.Inst;
  const PerThread *Before = S.Active;
  bool May = false;
  if (!I.Guard.empty() && !guard(Asm, Op, May))
    return;
  if (!Op.Malformed.empty() && !tellsOfMalformed(Op.Kind))
    Run.gap(Asm.S, Asm.Loc, InvalidPtx.str() + Op.Malformed);
  switch (Op.Kind) {
  case PtxOpKind::Copy:
    copy(Asm, Op);
    break;
  case PtxOpKind::Commit:
  case PtxOpKind::WaitGroup:
  case PtxOpKind::WaitAll:
  case PtxOpKind::CopyMbarrierArrive:
  case PtxOpKind::BulkLoad:
  case PtxOpKind::ClusterCopy:
  case PtxOpKind::ClusterStore:
  case PtxOpKind::BulkCopy:
  case PtxOpKind::BulkStore:
  case PtxOpKind::BulkCommit:
  case PtxOpKind::BulkWaitGroup:
  case PtxOpKind::DescriptorRead:
  case PtxOpKind::Wgmma:
  case PtxOpKind::WgmmaCommit:
  case PtxOpKind::WgmmaWait:
  case PtxOpKind::ClusterArrive:
  case PtxOpKind::ClusterWait:
  case PtxOpKind::InitFence:
  case PtxOpKind::ProxyFence:
    complete(Asm, Op);
    break;
  case PtxOpKind::SharedLoad:
  case PtxOpKind::GenericLoad:
    loadShared(Asm, Op);
    break;
  case PtxOpKind::Ldmatrix:
    loadMatrices(Asm, Op);
    break;
  case PtxOpKind::SharedStore:
  case PtxOpKind::SharedAtomic:
  case PtxOpKind::GenericStore:
  case PtxOpKind::GenericAtomic:
  case PtxOpKind::Stmatrix:
    storeShared(Asm, Op);
    break;
  case PtxOpKind::BarrierSync:
  case PtxOpKind::BarrierArrive:
  case PtxOpKind::WarpBarrier:
    synchronize(Asm, Op);
    break;
  case PtxOpKind::Compute:
    compute(Asm, Op, Before, May);
    break;
  case PtxOpKind::MbarrierInit:
  case PtxOpKind::MbarrierInval:
  case PtxOpKind::MbarrierExpectTx:
  case PtxOpKind::MbarrierCompleteTx:
  case PtxOpKind::MbarrierArrive:
  case PtxOpKind::MbarrierWait:
    mbarrier(Asm, Op);
    break;
  case PtxOpKind::MbarrierOther:
  case PtxOpKind::Memory:
  case PtxOpKind::Other:
    forgetResults(Asm, I);
    break;
  case PtxOpKind::Branch: // see target()
  case PtxOpKind::BulkPrefetch:
  case PtxOpKind::Fence:
  case PtxOpKind::Exit:
    break;
  }
  if (May)
    S.May.pop_back();
  S.Active = Before;
}
