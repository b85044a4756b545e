//===- InlinePtxFuzzer.cpp - Any bytes as inline PTX ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads any text as an asm template and checks what holds for every result.
// Run it for a minute from a build with -DCPASYNC_FUZZ=ON:
//
//   inline-ptx-fuzzer -max_total_time=60 NEW_CORPUS test/fuzz/corpus
//
//===----------------------------------------------------------------------===//

#include "lib/ptx/PtxOps.h"
#include <cstdio>
#include <cstdlib>

using namespace cpasync;

// Not assert: the checks must stay in a build with NDEBUG.
#define CHECK(Condition)                                                       \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #Condition);     \
      std::abort();                                                            \
    }                                                                          \
  } while (false)

static const std::string OperandNames[] = {"dst", "src", "", "size"};
static const char Constraints[] = {'r', 'l', 'n', 'r', 'b'};

static void checkOperand(const PtxOperand &Op, unsigned Nest) {
  using Kind = PtxOperand::Kind;
  CHECK(Nest <= 3);
  CHECK((Op.K == Kind::AsmOperand) == (Op.AsmIndex >= 0));
  CHECK(Op.K != Kind::Address || !Op.Elements.empty());
  CHECK(Op.K == Kind::Address || Op.OffsetIndex == -1);
  CHECK(Op.K == Kind::Address || Op.K == Kind::Vector || Op.Elements.empty());
  CHECK(Op.Paired.size() <= 1);
  for (const PtxOperand &Element : Op.Elements)
    checkOperand(Element, Nest + 1);
  for (const PtxOperand &Second : Op.Paired)
    checkOperand(Second, Nest + 1);
}

/// \p Role is null or one of the instruction's operands.
static void checkRole(const PtxOperand *Role, const PtxInstruction &Inst) {
  if (!Role)
    return;
  const PtxOperand *First = Inst.Operands.data();
  CHECK(Role >= First && Role < First + Inst.Operands.size());
}

static void checkInstruction(const PtxTemplate &Ptx, size_t Index,
                             size_t TextSize) {
  const PtxInstruction &Inst = Ptx.Instructions[Index];
  CHECK(Inst.Offset < TextSize);
  CHECK(Index == 0 || Ptx.Instructions[Index - 1].Offset < Inst.Offset);
  CHECK(!Inst.Parts.empty() && !Inst.Parts[0].empty());
  CHECK(Inst.startsWith(Inst.opcode()));
  CHECK(Inst.has(Inst.Parts.back()));
  CHECK(Inst.Guard.size() <= 1);
  for (const PtxOperand &Op : Inst.Guard)
    checkOperand(Op, 0);
  for (const PtxOperand &Op : Inst.Operands)
    checkOperand(Op, 0);

  // Looking up every instruction's registers is quadratic.
  constexpr size_t LookUps = 64;
  std::vector<PtxRegisterType> Registers;
  if (Index < LookUps)
    Registers = registersAt(Ptx, Index);
  PtxOp Op = classifyPtx(Inst, Registers, Constraints);
  CHECK(Op.Inst == &Inst);
  CHECK(Op.Kind <= PtxOpKind::Other);
  for (const PtxOperand *Role : {Op.Dst, Op.Src, Op.Size, Op.SrcSize,
                                 Op.IgnoreSrc, Op.CachePolicy, Op.Count})
    checkRole(Role, Inst);
  bool IsRole = Op.SrcSize || Op.IgnoreSrc || Op.CachePolicy;
  CHECK(!IsRole || Op.Kind == PtxOpKind::Copy);
  if (Op.Kind == PtxOpKind::Copy && Op.Malformed.empty())
    CHECK(Op.Dst && Op.Src && Op.Size);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  PtxTemplate Ptx = readPtx(Text, OperandNames);
  for (size_t I = 0; I < Ptx.Instructions.size(); ++I)
    checkInstruction(Ptx, I, Size);
  for (const PtxProblem &Problem : Ptx.Problems) {
    CHECK(Problem.Offset <= Size);
    CHECK(!Problem.Message.empty());
  }
  return 0;
}
