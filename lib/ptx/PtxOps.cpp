//===- PtxOps.cpp - What a PTX instruction does to async copies -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/ptx/PtxClassifier.h"
#include "lib/ptx/PtxScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace cpasync {

PtxSpace spaceOf(StringRef Part) {
  StringRef Name = Part.split("::").first;
  if (Name == "shared")
    return PtxSpace::Shared;
  bool IsOther =
      Name == "global" || Name == "const" || Name == "local" || Name == "param";
  return IsOther ? PtxSpace::Other : PtxSpace::Generic;
}

/// The first state space among the modifiers; generic if there is none.
static PtxSpace spaceOf(const PtxInstruction &I) {
  for (const std::string &Part : I.Parts)
    if (PtxSpace S = spaceOf(Part); S != PtxSpace::Generic)
      return S;
  return PtxSpace::Generic;
}

/// Register-only instructions: no memory, no other thread's control flow. The
/// integer video instructions (vadd, ...) are recognised by their 'v'. Sorted.
constexpr StringRef ComputeInstructions[] = {
    "abs",       "activemask",   "add",        "addc",      "alloca",
    "and",       "bfe",          "bfi",        "bfind",     "bmsk",
    "brev",      "brkpt",        "clz",        "cnot",      "copysign",
    "cos",       "createpolicy", "cvt",        "cvta",      "div",
    "dp2a",      "dp4a",         "elect",      "ex2",       "fma",
    "fns",       "getctarank",   "isspacep",   "istypep",   "lg2",
    "lop3",      "mad",          "mad24",      "madc",      "mapa",
    "match",     "max",          "min",        "mma",       "mov",
    "movmatrix", "mul",          "mul24",      "nanosleep", "neg",
    "not",       "or",           "pmevent",    "popc",      "prmt",
    "rcp",       "redux",        "rem",        "rsqrt",     "sad",
    "selp",      "set",          "setmaxnreg", "setp",      "shf",
    "shfl",      "shl",          "shr",        "sin",       "slct",
    "sqrt",      "stackrestore", "stacksave",  "sub",       "subc",
    "szext",     "tanh",         "testp",      "vabsdiff",  "vabsdiff2",
    "vabsdiff4", "vadd",         "vadd2",      "vadd4",     "vavrg2",
    "vavrg4",    "vmad",         "vmax",       "vmax2",     "vmax4",
    "vmin",      "vmin2",        "vmin4",      "vote",      "vset",
    "vset2",     "vset4",        "vshl",       "vshr",      "vsub",
    "vsub2",     "vsub4",        "xor"};

/// Bytes of ".v4.f32": the product of vector length and type size. 0 without a
/// type.
static unsigned accessBytes(const PtxInstruction &I) {
  unsigned Bits = 0, Length = 1;
  for (StringRef Part : llvm::drop_begin(I.Parts)) {
    unsigned Number = 0;
    StringRef Rest = Part;
    if (Part == "f16x2" || Part == "bf16x2")
      Bits = 32;
    else if (Rest.consume_front("v") && !Rest.getAsInteger(10, Number))
      Length = Number;
    else if ((Rest.consume_front("bf") || Rest.consume_front("b") ||
              Rest.consume_front("u") || Rest.consume_front("s") ||
              Rest.consume_front("f")) &&
             !Rest.getAsInteger(10, Number))
      Bits = Number;
  }
  return Bits / 8 * Length;
}

PtxOperandType PtxClassifier::typeOf(const PtxOperand &O) const {
  using Kind = PtxOperand::Kind;
  if (O.Negated)
    return PtxOperandType::Predicate;
  if (O.K == Kind::Immediate)
    return PtxOperandType::Constant;
  if (O.K == Kind::AsmOperand) {
    if (O.AsmIndex < 0 || size_t(O.AsmIndex) >= AsmConstraints.size())
      return PtxOperandType::Unknown;
    switch (AsmConstraints[O.AsmIndex]) {
    case 'b':
      return PtxOperandType::Predicate;
    case 'r':
      return PtxOperandType::Bits32;
    case 'l':
      return PtxOperandType::Bits64;
    case 'n':
    case 'i':
      return PtxOperandType::Constant;
    default:
      return PtxOperandType::Unknown;
    }
  }
  if (O.K != Kind::Register && O.K != Kind::Symbol)
    return PtxOperandType::Unknown;
  for (const PtxRegisterType &R : llvm::reverse(Registers)) // innermost first
    if (R.Name == O.Text) {
      StringRef Type = R.Type;
      return Type == "pred"         ? PtxOperandType::Predicate
             : Type.ends_with("32") ? PtxOperandType::Bits32
             : Type.ends_with("64") ? PtxOperandType::Bits64
                                    : PtxOperandType::Unknown;
    }
  return PtxOperandType::Unknown;
}

/// Certainly not an integer constant.
bool PtxClassifier::isNotInteger(const PtxOperand &O) const {
  using Kind = PtxOperand::Kind;
  if (O.K == Kind::AsmOperand) {
    PtxOperandType T = typeOf(O);
    return T != PtxOperandType::Unknown && T != PtxOperandType::Constant;
  }
  if (O.K == Kind::Other) { // `%0 - 1` or a floating-point constant
    PtxScanner Scanner(O.Text);
    std::string Float;
    return Scanner.readFloat(Float) && Scanner.atEnd();
  }
  return O.K != Kind::Immediate;
}

void PtxClassifier::load() {
  PtxSpace S = spaceOf(I);
  Op.Kind = S == PtxSpace::Shared    ? PtxOpKind::SharedLoad
            : S == PtxSpace::Generic ? PtxOpKind::GenericLoad
                                     : PtxOpKind::Memory;
  Op.Dst = operand(0);
  Op.Src = operand(1);
  Op.AccessBytes = accessBytes(I);
}

void PtxClassifier::store() {
  Op.Dst = operand(0);
  Op.Src = operand(1);
  Op.AccessBytes = accessBytes(I);
  if (I.has("async") && I.has("mbarrier::complete_tx::bytes")) {
    clusterStore();
  } else if (I.has("async") || I.has("bulk")) { // st.bulk is a bulk fill
    Op.Kind = PtxOpKind::BulkCopy;
  } else {
    PtxSpace S = spaceOf(I);
    Op.Kind = S == PtxSpace::Shared    ? PtxOpKind::SharedStore
              : S == PtxSpace::Generic ? PtxOpKind::GenericStore
                                       : PtxOpKind::Memory;
  }
}

/// `atom d, [a], b` and `red [a], b`. Dst is the address, Src the value.
void PtxClassifier::atomic() {
  store();
  if (Op.Kind == PtxOpKind::SharedStore)
    Op.Kind = PtxOpKind::SharedAtomic;
  else if (Op.Kind == PtxOpKind::GenericStore)
    Op.Kind = PtxOpKind::GenericAtomic;
  if (I.Parts[0] == "atom") {
    Op.Dst = operand(1);
    Op.Src = operand(2);
  }
}

void PtxClassifier::matrix(bool IsLoad) {
  Op.Kind = IsLoad ? PtxOpKind::Ldmatrix : PtxOpKind::Stmatrix;
  Op.Dst = operand(0);
  Op.Src = operand(1);
  unsigned Count = I.has("x1") ? 1 : I.has("x2") ? 2 : I.has("x4") ? 4 : 0;
  if (!I.has("sync"))
    malformed("missing '.sync'");
  if (!I.has("aligned"))
    malformed("missing '.aligned'");
  if (Count == 0)
    malformed("missing '.x1', '.x2' or '.x4'");
  if (llvm::none_of(I.Parts, [](StringRef P) { return P.starts_with("m"); }))
    malformed("missing the shape");
  // Each row is named by one address and has 16 bytes in every format; a
  // matrix of m16n16 has 16 rows instead of 8.
  Op.AccessBytes = 16;
  Op.Matrices = Count * (I.has("m16n16") ? 2 : 1);
  const PtxOperand *Fragment = IsLoad ? Op.Dst : Op.Src;
  if (I.Operands.size() != 2 || !isAddress(IsLoad ? Op.Src : Op.Dst))
    malformed("expected registers and an address");
  else if (Fragment->K != PtxOperand::Kind::Vector ||
           Fragment->Elements.size() != Op.Matrices)
    malformed("expected a vector of " + llvm::Twine(Op.Matrices) +
              " registers");
}

/// A warp reads or writes a whole fragment; which thread touches which bytes is
/// unspecified, so AccessBytes stays 0.
/// mma_async D, A, B, ...: D in registers, A there or by its descriptor, B by
/// its descriptor.
void PtxClassifier::wgmma() {
  if (I.has("commit_group")) {
    Op.Kind = PtxOpKind::WgmmaCommit;
    return takesNoOperands();
  }
  if (I.has("wait_group")) {
    Op.Kind = PtxOpKind::WgmmaWait;
    return waitGroup();
  }
  if (!I.has("mma_async")) {
    Op.Kind = PtxOpKind::Fence;
    return;
  }
  Op.Kind = PtxOpKind::Wgmma;
  if (I.Operands.size() < 3)
    return malformed("expected a destination and two operands");
  const PtxOperand *A = operand(1);
  if (A->K != PtxOperand::Kind::Vector)
    Op.Descriptors[0] = A;
  Op.Descriptors[1] = operand(2);
}

void PtxClassifier::wmma() {
  if (I.startsWith("wmma.load"))
    load();
  else if (I.startsWith("wmma.store"))
    store();
  else
    Op.Kind = PtxOpKind::Compute;
  Op.AccessBytes = 0;
}

void PtxClassifier::barrier() {
  if (I.startsWith("barrier.cluster")) {
    const bool Waits = I.has("wait");
    Op.Kind = Waits ? PtxOpKind::ClusterWait : PtxOpKind::ClusterArrive;
    Op.Relaxed = I.has("relaxed");
    if (Waits == I.has("arrive"))
      malformed("expected .arrive or .wait");
    return;
  }
  if (I.startsWith("bar.warp")) {
    Op.Kind = PtxOpKind::WarpBarrier;
    Op.Size = operand(0);
    if (I.Operands.size() != 1)
      malformed("expected a member mask");
    return;
  }
  size_t Verb = I.has("cta") ? 2 : 1;
  StringRef What = Verb < I.Parts.size() ? StringRef(I.Parts[Verb]) : "";
  size_t Count = I.Operands.size();
  if (What == "arrive") {
    Op.Kind = PtxOpKind::BarrierArrive;
    Op.Size = operand(0);
    Op.Count = operand(1);
    if (Count != 2)
      malformed("expected a barrier and a number of threads");
  } else if (What == "sync") {
    Op.Kind = PtxOpKind::BarrierSync;
    Op.Size = operand(0);
    Op.Count = operand(1);
    if (Count == 0 || Count > 2)
      malformed("expected a barrier and at most a number of threads");
  } else if (What == "red") { // d, barrier {, threads}, predicate
    Op.Kind = PtxOpKind::BarrierSync;
    Op.Size = operand(1);
    Op.Count = Count > 3 ? operand(2) : nullptr;
    if (Count < 3 || Count > 4)
      malformed("expected a result, a barrier and a predicate");
  } else {
    Op.Kind = PtxOpKind::Other;
    malformed("expected '.sync', '.arrive' or '.red'");
  }
}

PtxOp PtxClassifier::classify() {
  // Labels and declarations do nothing by themselves.
  if (I.K != PtxInstruction::Kind::Instruction || I.Parts.empty()) {
    Op.Kind = PtxOpKind::Compute;
    return std::move(Op);
  }
  StringRef Name = I.Parts[0];
  if (Name == "cp") {
    cp();
  } else if (Name == "ld") {
    load();
  } else if (Name == "st") {
    store();
  } else if (Name == "atom" || Name == "red") {
    atomic();
  } else if (Name == "ldmatrix" || Name == "stmatrix") {
    matrix(Name == "ldmatrix");
  } else if (Name == "bar" || Name == "barrier") {
    barrier();
  } else if (Name == "wmma") {
    wmma();
  } else if (Name == "mbarrier") {
    mbarrier();
  } else if ((I.startsWith("fence.proxy.async") &&
              spaceOf(I) != PtxSpace::Other) ||
             I.startsWith("fence.proxy.async::generic")) {
    Op.Kind = PtxOpKind::ProxyFence;
  } else if (I.startsWith("fence.mbarrier_init")) {
    Op.Kind = PtxOpKind::InitFence;
  } else if (Name == "multimem") { // .cp.async.bulk, .cp.reduce.async.bulk
    Op.Kind = I.has("bulk") ? PtxOpKind::BulkCopy : PtxOpKind::Memory;
  } else if (Name == "wgmma") {
    wgmma();
  } else if (I.startsWith("clusterlaunchcontrol.try_cancel")) {
    Op.Kind = PtxOpKind::BulkCopy;
  } else if (I.startsWith("tcgen05.commit")) {
    tensorCommit();
  } else if (I.startsWith("tcgen05.alloc")) { // [address], columns
    Op.Kind = PtxOpKind::SharedStore;
    Op.Dst = operand(0);
    Op.AccessBytes = 4;
  } else if (I.startsWith("tcgen05.mma") || I.startsWith("tcgen05.cp")) {
    Op.Kind = PtxOpKind::DescriptorRead;
  } else if (llvm::binary_search(ComputeInstructions, Name)) {
    Op.Kind = PtxOpKind::Compute;
    Op.OtherBlocks = Name == "mapa";
  } else {
    Op.Kind =
        llvm::StringSwitch<PtxOpKind>(Name)
            .Cases({"fence", "membar", "griddepcontrol"}, PtxOpKind::Fence)
            .Cases({"bra", "brx"}, PtxOpKind::Branch)
            .Cases({"exit", "ret", "trap"}, PtxOpKind::Exit)
            .Cases({"ldu", "prefetch", "prefetchu", "discard", "applypriority"},
                   PtxOpKind::Memory)
            .Cases({"tex", "tld4", "txq", "suld", "sust", "sured", "suq"},
                   PtxOpKind::Memory)
            .Default(PtxOpKind::Other);
  }
  return std::move(Op);
}

/// Far above what inline PTX declares; a bound against `.reg .b32 r<999999>`.
constexpr size_t MaxRegisters = 1024;

PtxOp classifyPtx(const PtxInstruction &Inst,
                  llvm::ArrayRef<PtxRegisterType> Registers,
                  llvm::ArrayRef<char> AsmConstraints) {
  return PtxClassifier(Inst, Registers, AsmConstraints).classify();
}

std::vector<PtxRegisterType> registersAt(const PtxTemplate &Template,
                                         size_t Index) {
  std::vector<PtxRegisterType> Registers;
  std::vector<unsigned> Depths; // of each of Registers
  Index = std::min(Index, Template.Instructions.size());
  for (size_t I = 0; I <= Index && I < Template.Instructions.size(); ++I) {
    const PtxInstruction &Inst = Template.Instructions[I];
    while (!Depths.empty() && Depths.back() > Inst.Depth) {
      Depths.pop_back();
      Registers.pop_back();
    }
    if (I == Index || Inst.K != PtxInstruction::Kind::Directive ||
        !Inst.startsWith("reg") || Inst.Parts.size() < 2)
      continue;
    auto Add = [&](std::string Name) {
      if (Registers.size() == MaxRegisters)
        return false;
      Registers.push_back({std::move(Name), Inst.Parts.back()});
      Depths.push_back(Inst.Depth);
      return true;
    };
    for (const PtxOperand &Name : Inst.Operands) {
      if (Name.Imm <= 0 && !Add(Name.Text))
        break;
      // `.reg .b32 r<4>` declares r0 to r3.
      for (int64_t N = 0; N < Name.Imm; ++N)
        if (!Add(Name.Text + std::to_string(N)))
          break;
    }
  }
  return Registers;
}

} // namespace cpasync

bool cpasync::computesPayload(const PtxInstruction &I) {
  StringRef Name = I.Parts.empty() ? StringRef() : StringRef(I.Parts[0]);
  if (Name == "mma" || Name == "movmatrix" || (Name == "wmma" && I.has("mma")))
    return true;
  // A comparison of floats makes a predicate, a conversion an integer.
  return llvm::binary_search(ComputeInstructions, Name) && Name != "setp" &&
         Name != "set" && Name != "testp" && Name != "mov" &&
         I.Parts.size() > 1 &&
         llvm::any_of(llvm::drop_begin(I.Parts),
                      [](StringRef Part) {
                        return Part.starts_with("f16") ||
                               Part.starts_with("bf16") || Part == "f32" ||
                               Part == "f64" || Part == "tf32";
                      }) &&
         llvm::none_of(llvm::drop_begin(I.Parts), [](StringRef Part) {
           return Part == "s32" || Part == "u32" || Part == "s64" ||
                  Part == "u64";
         });
}
