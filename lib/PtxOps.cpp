//===- PtxOps.cpp - What a PTX instruction does to async copies -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts as malformed follows ptxas 13.0, which is more liberal than the
// syntax lines of the PTX ISA: it takes modifiers in any order and constant
// expressions for constants. test/unit/PtxOpsTest.cpp lists what was tried.
//
//===----------------------------------------------------------------------===//

#include "PtxOps.h"
#include "PtxScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace cpasync {

namespace {

enum class Space { Generic, Shared, Other };

Space spaceOf(StringRef Part) {
  StringRef Name = Part.split("::").first;
  if (Name == "shared")
    return Space::Shared;
  bool IsOther =
      Name == "global" || Name == "const" || Name == "local" || Name == "param";
  return IsOther ? Space::Other : Space::Generic;
}

/// The first state space among the modifiers; generic if there is none.
Space spaceOf(const PtxInstruction &I) {
  for (const std::string &Part : I.Parts)
    if (Space S = spaceOf(Part); S != Space::Generic)
      return S;
  return Space::Generic;
}

/// What can be said about an operand's type without its value.
enum class OperandType { Unknown, Predicate, Bits32, Bits64, Constant };

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
unsigned accessBytes(const PtxInstruction &I) {
  unsigned Bits = 0, Length = 1;
  for (StringRef Part : llvm::drop_begin(I.Parts)) {
    unsigned Number = 0;
    StringRef Rest = Part;
    if (Rest.consume_front("v")) {
      if (!Rest.getAsInteger(10, Number))
        Length = Number;
      continue;
    }
    if (Part == "f16x2" || Part == "bf16x2") {
      Bits = 32;
      continue;
    }
    if (!Rest.consume_front("bf") && !Rest.consume_front("b") &&
        !Rest.consume_front("u") && !Rest.consume_front("s") &&
        !Rest.consume_front("f"))
      continue;
    if (!Rest.getAsInteger(10, Number))
      Bits = Number;
  }
  return Bits / 8 * Length;
}

class Classifier {
public:
  Classifier(const PtxInstruction &I, llvm::ArrayRef<PtxRegisterType> Registers,
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
  void mbarrierArrive();
  void waitGroup();
  void bulk();
  void load();
  void store();
  void atomic();
  void matrix(bool IsLoad);
  void wmma();
  void barrier();

  const PtxOperand *operand(size_t Index) const {
    return Index < I.Operands.size() ? &I.Operands[Index] : nullptr;
  }
  OperandType typeOf(const PtxOperand &O) const;
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

OperandType Classifier::typeOf(const PtxOperand &O) const {
  using Kind = PtxOperand::Kind;
  if (O.Negated)
    return OperandType::Predicate;
  if (O.K == Kind::Immediate)
    return OperandType::Constant;
  if (O.K == Kind::AsmOperand) {
    if (O.AsmIndex < 0 || size_t(O.AsmIndex) >= AsmConstraints.size())
      return OperandType::Unknown;
    switch (AsmConstraints[O.AsmIndex]) {
    case 'b':
      return OperandType::Predicate;
    case 'r':
      return OperandType::Bits32;
    case 'l':
      return OperandType::Bits64;
    case 'n':
    case 'i':
      return OperandType::Constant;
    default:
      return OperandType::Unknown;
    }
  }
  if (O.K != Kind::Register && O.K != Kind::Symbol)
    return OperandType::Unknown;
  for (const PtxRegisterType &R : llvm::reverse(Registers)) // innermost first
    if (R.Name == O.Text) {
      StringRef Type = R.Type;
      return Type == "pred"         ? OperandType::Predicate
             : Type.ends_with("32") ? OperandType::Bits32
             : Type.ends_with("64") ? OperandType::Bits64
                                    : OperandType::Unknown;
    }
  return OperandType::Unknown;
}

/// Certainly not an integer constant.
bool Classifier::isNotInteger(const PtxOperand &O) const {
  using Kind = PtxOperand::Kind;
  if (O.K == Kind::AsmOperand) {
    OperandType T = typeOf(O);
    return T != OperandType::Unknown && T != OperandType::Constant;
  }
  if (O.K == Kind::Other) { // `%0 - 1` or a floating-point constant
    PtxScanner Scanner(O.Text);
    std::string Float;
    return Scanner.readFloat(Float) && Scanner.atEnd();
  }
  return O.K != Kind::Immediate;
}

void Classifier::cp() {
  if (I.startsWith("cp.async.bulk") || I.startsWith("cp.reduce.async.bulk"))
    return bulk();
  if (!I.startsWith("cp.async")) {
    Op.Kind = PtxOpKind::Other;
    return;
  }
  StringRef What = I.Parts.size() > 2 ? StringRef(I.Parts[2]) : "";
  if (What == "commit_group") {
    Op.Kind = PtxOpKind::Commit;
    onlyParts(3);
    takesNoOperands();
  } else if (What == "wait_all") {
    Op.Kind = PtxOpKind::WaitAll;
    onlyParts(3);
    takesNoOperands();
  } else if (What == "wait_group") {
    Op.Kind = PtxOpKind::WaitGroup;
    onlyParts(3);
    waitGroup();
  } else if (What == "mbarrier") {
    mbarrierArrive();
  } else {
    copy();
  }
}

void Classifier::waitGroup() {
  Op.Size = operand(0);
  if (I.Operands.size() != 1)
    malformed("'" + I.opcode() + "' takes one operand");
  else if (isNotInteger(*Op.Size))
    malformed("the group count is not an integer constant");
}

void Classifier::mbarrierArrive() {
  Op.Kind = PtxOpKind::CopyMbarrierArrive;
  Op.NoInc = I.has("noinc");
  Op.Dst = operand(0);
  if (!I.startsWith("cp.async.mbarrier.arrive"))
    malformed("expected '.arrive'");
  for (StringRef Part : llvm::drop_begin(I.Parts, 3))
    if (Part != "arrive" && Part != "noinc" && Part != "shared" &&
        Part != "shared::cta" && Part != "b64")
      malformed("unexpected modifier '." + Part + "'");
  if (llvm::count(I.Parts, "noinc") > 1)
    malformed("more than one '.noinc'");
  if (!I.has("b64"))
    malformed("missing '.b64'");
  if (I.Operands.size() != 1 || !isAddress(Op.Dst))
    malformed("expected the address of an mbarrier");
}

void Classifier::copy() {
  auto IsCopyPart = [](StringRef Part) {
    return Part == "ca" || Part == "cg" || spaceOf(Part) != Space::Generic;
  };
  if (!llvm::any_of(llvm::drop_begin(I.Parts, 2), IsCopyPart)) {
    Op.Kind = PtxOpKind::Other;
    malformed(I.Parts.size() > 2 ? "unknown modifier '." + I.Parts[2] + "'"
                                 : std::string("missing '.ca' or '.cg'"));
    return;
  }
  Op.Kind = PtxOpKind::Copy;
  Op.CacheGlobal = I.has("cg");
  copyModifiers();
  copyOperands();
}

void Classifier::copyModifiers() {
  unsigned Caches = 0, Prefetches = 0, Hints = 0;
  llvm::SmallVector<StringRef, 2> Spaces;
  for (StringRef Part : llvm::drop_begin(I.Parts, 2)) {
    if (Part == "ca" || Part == "cg")
      ++Caches;
    else if (spaceOf(Part) != Space::Generic)
      Spaces.push_back(Part);
    else if (Part == "L2::64B" || Part == "L2::128B" || Part == "L2::256B")
      ++Prefetches;
    else if (Part == "L2::cache_hint")
      ++Hints;
    else if (Part.starts_with("L2::"))
      malformed("unknown prefetch size '." + Part + "'");
    else
      malformed("unknown modifier '." + Part + "'");
  }
  if (Caches == 0)
    malformed("missing '.ca' or '.cg'");
  if (Caches > 1)
    malformed("more than one of '.ca' and '.cg'");
  if (Prefetches > 1)
    malformed("more than one prefetch size");
  if (Hints > 1)
    malformed("more than one '.L2::cache_hint'");
  bool SpacesRight = Spaces.size() == 2 &&
                     (Spaces[0] == "shared" || Spaces[0] == "shared::cta") &&
                     Spaces[1] == "global";
  if (!SpacesRight)
    malformed("the state spaces are not '.shared.global'");
}

/// [dst], [src], cp-size {, src-size | ignore-src} {, cache-policy}
void Classifier::copyOperands() {
  size_t Count = I.Operands.size();
  Op.Dst = operand(0);
  Op.Src = operand(1);
  Op.Size = operand(2);
  if (Count < 3)
    return malformed("expected a destination, a source and a size");
  if (!isAddress(Op.Dst))
    malformed("the destination is not in brackets");
  if (!isAddress(Op.Src))
    malformed("the source is not in brackets");
  if (isNotInteger(*Op.Size))
    malformed("cp-size is not an integer constant");

  bool Hint = I.has("L2::cache_hint");
  size_t End = Count;
  OperandType LastType = typeOf(I.Operands.back());
  if (Hint) {
    if (Count == 3 || LastType == OperandType::Predicate ||
        LastType == OperandType::Bits32)
      malformed("'.L2::cache_hint' without a cache-policy operand");
    else
      Op.CachePolicy = operand(--End);
  } else if (Count > 3 && LastType == OperandType::Bits64) {
    malformed("cache-policy operand without '.L2::cache_hint'");
    Op.CachePolicy = operand(--End);
  }
  for (size_t Index = 3; Index < End; ++Index) {
    const PtxOperand *O = operand(Index);
    if (typeOf(*O) == OperandType::Predicate)
      Op.IgnoreSrc = O;
    else if (!Op.SrcSize)
      Op.SrcSize = O;
  }
  if (Op.SrcSize && Op.IgnoreSrc)
    malformed("src-size together with ignore-src");
  if (End > 4)
    malformed("too many operands");
}

void Classifier::bulk() {
  StringRef What = I.Parts.size() > 3 ? StringRef(I.Parts[3]) : "";
  if (What == "commit_group") {
    Op.Kind = PtxOpKind::BulkCommit;
    onlyParts(4);
    return takesNoOperands();
  }
  if (What == "wait_group") {
    Op.Kind = PtxOpKind::BulkWaitGroup;
    Op.Read = I.has("read");
    onlyParts(Op.Read ? 5 : 4);
    return waitGroup();
  }
  if (I.has("prefetch")) {
    Op.Kind = PtxOpKind::BulkPrefetch;
    Op.Src = operand(0);
    return;
  }
  if (What == "wait_all" || What.empty()) { // wait_all exists for cp.async only
    Op.Kind = PtxOpKind::Other;
    return malformed(What.empty() ? StringRef("missing state spaces")
                                  : "unknown modifier '.wait_all'");
  }
  Op.Kind = PtxOpKind::BulkCopy;
  Op.Dst = operand(0);
  Op.Src = operand(1);
  if (I.Operands.size() < 2)
    malformed("expected a destination and a source");
}

void Classifier::load() {
  Space S = spaceOf(I);
  Op.Kind = S == Space::Shared    ? PtxOpKind::SharedLoad
            : S == Space::Generic ? PtxOpKind::GenericLoad
                                  : PtxOpKind::Memory;
  Op.Dst = operand(0);
  Op.Src = operand(1);
  Op.AccessBytes = accessBytes(I);
}

void Classifier::store() {
  // st.async completes on an mbarrier, as bulk copies do.
  if (I.has("async")) {
    Op.Kind = PtxOpKind::BulkCopy;
  } else {
    Space S = spaceOf(I);
    Op.Kind = S == Space::Shared    ? PtxOpKind::SharedStore
              : S == Space::Generic ? PtxOpKind::GenericStore
                                    : PtxOpKind::Memory;
  }
  Op.Dst = operand(0);
  Op.Src = operand(1);
  Op.AccessBytes = accessBytes(I);
}

/// `atom d, [a], b` and `red [a], b`. Dst is the address, Src the value.
void Classifier::atomic() {
  store();
  if (Op.Kind == PtxOpKind::SharedStore)
    Op.Kind = PtxOpKind::SharedAtomic;
  if (I.Parts[0] == "atom") {
    Op.Dst = operand(1);
    Op.Src = operand(2);
  }
}

void Classifier::matrix(bool IsLoad) {
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
void Classifier::wmma() {
  if (I.startsWith("wmma.load"))
    load();
  else if (I.startsWith("wmma.store"))
    store();
  else
    Op.Kind = PtxOpKind::Compute;
  Op.AccessBytes = 0;
}

void Classifier::barrier() {
  if (I.startsWith("barrier.cluster")) {
    Op.Kind = PtxOpKind::ClusterBarrier;
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

PtxOp Classifier::classify() {
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
    bool IsWait =
        I.startsWith("mbarrier.test_wait") || I.startsWith("mbarrier.try_wait");
    Op.Kind = IsWait ? PtxOpKind::MbarrierWait : PtxOpKind::MbarrierOther;
  } else if (Name == "multimem") { // .cp.async.bulk, .cp.reduce.async.bulk
    Op.Kind = I.has("bulk") ? PtxOpKind::BulkCopy : PtxOpKind::Memory;
  } else if (Name == "wgmma") {
    // wgmma.mma_async reads shared memory through a descriptor.
    Op.Kind = I.has("mma_async") ? PtxOpKind::Other : PtxOpKind::Fence;
  } else if (std::binary_search(std::begin(ComputeInstructions),
                                std::end(ComputeInstructions), Name)) {
    Op.Kind = PtxOpKind::Compute;
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

} // namespace

PtxOp classifyPtx(const PtxInstruction &Inst,
                  llvm::ArrayRef<PtxRegisterType> Registers,
                  llvm::ArrayRef<char> AsmConstraints) {
  return Classifier(Inst, Registers, AsmConstraints).classify();
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
