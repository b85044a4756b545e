//===- Printer.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printer.h"
#include "PhasePrinter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace oracle;

static const char *const Preamble = R"cuda(#include <cuda_pipeline.h>
#define SHARED(P) static_cast<unsigned>(__cvta_generic_to_shared(P))
__device__ __forceinline__ void copy16(void *To, const void *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(SHARED(To)),
               "l"(From) : "memory");
}
__device__ __forceinline__ void copy8(void *To, const void *From) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(SHARED(To)),
               "l"(From) : "memory");
}
__device__ __forceinline__ void copy4(void *To, const void *From) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(SHARED(To)),
               "l"(From) : "memory");
}
__device__ __forceinline__ void commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int N> __device__ __forceinline__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
__device__ __forceinline__ void waitAll() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
__device__ __forceinline__ void barSync(int Id, int Threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(Id), "r"(Threads) : "memory");
}
__device__ __forceinline__ void barArrive(int Id, int Threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(Id), "r"(Threads) : "memory");
}
# 1 "access.h" 1 3
// Of a system header: what they do is reported where they are called.
template <typename T> __device__ T loadFrom(const T *From) { return *From; }
template <typename T>
__device__ void take(T *Out, const void *Shared, int Tid) {
  for (int I = 0; I < 2; ++I)
    Out[Tid] = loadFrom(reinterpret_cast<const T *>(Shared));
}
template <typename T> __device__ void put(void *Shared) {
  *reinterpret_cast<T *>(Shared) = T();
}
# 1 "kernels.cu" 2
)cuda";

static const char *typeOf(unsigned Bytes) {
  return Bytes == 16 ? "int4" : Bytes == 8 ? "int2" : "int";
}

// What no address can be made of.
static const char *payloadOf(unsigned Bytes) {
  return Bytes == 16 ? "float4" : Bytes == 8 ? "float2" : "float";
}

static const char *spelling(Expr::Op O) {
  switch (O) {
  case Expr::Op::Add:
    return " + ";
  case Expr::Op::Sub:
    return " - ";
  case Expr::Op::Mul:
    return " * ";
  case Expr::Op::Div:
    return " / ";
  case Expr::Op::Rem:
    return " % ";
  case Expr::Op::And:
    return " & ";
  case Expr::Op::Xor:
    return " ^ ";
  case Expr::Op::Less:
    return " < ";
  case Expr::Op::Equal:
    return " == ";
  case Expr::Op::Both:
    return " && ";
  }
}

static std::string text(const ExprRef &E, bool Inner = false);

static std::string load(const ExprRef &E) {
  return "Flags[" + text(E->Left, true) + " * 4096 + " + text(E->Right, true) +
         " + " + std::to_string(E->Value * 128) + "]";
}

static std::string text(const ExprRef &E, bool Inner) {
  switch (E->K) {
  case Expr::Kind::Number:
    return std::to_string(E->Value);
  case Expr::Kind::Thread:
    return "Tid";
  case Expr::Kind::Parameter:
    return "P" + std::to_string(E->Value);
  case Expr::Kind::Variable:
    return "V" + std::to_string(E->Value);
  case Expr::Kind::Loaded:
    return E->Left ? load(E) : "L" + std::to_string(E->Value);
  case Expr::Kind::Binary:
  case Expr::Kind::Select:
    break;
  }
  std::string S =
      E->K == Expr::Kind::Select
          ? text(E->If, true) + " ? " + text(E->Left, true) + " : " +
                text(E->Right, true)
          : text(E->Left, true) + spelling(E->O) + text(E->Right, true);
  return Inner ? "(" + S + ")" : S;
}

namespace {

class KernelPrinter {
public:
  KernelPrinter(std::string &Out, unsigned &Line, Kernel &K)
      : Out(Out), Line(Line), K(K) {}
  void run();

private:
  void line(const std::string &Text) {
    Out += std::string(2 * Depth, ' ') + Text + "\n";
    ++Line;
  }
  std::string place(const Place &P) const;
  Kernel::Spelling spelled(const Stmt &S) const;
  static std::string source(const Stmt &S);
  std::string ptxCopy(const Stmt &S) const;
  std::string copy(const Stmt &S) const;
  std::string barrier(const Stmt &S) const;
  std::string phase(const Stmt &S) const;
  std::string simple(const Stmt &S) const;
  void block(Block &B);
  void stmt(Stmt &S);

  std::string &Out;
  unsigned &Line;
  Kernel &K;
  unsigned Depth = 0;
};

} // namespace

// An lvalue of an element.
std::string KernelPrinter::place(const Place &P) const {
  const Array &A = K.Arrays[P.Array];
  std::string S = "A" + std::to_string(P.Array);
  if (A.Slots == 1)
    return S + "[" + text(P.Index) + "]";
  if (A.InPool)
    return S + "[" + text(P.Slot, true) + " * " + std::to_string(A.Width) +
           " + " + text(P.Index, true) + "]";
  return S + "[" + text(P.Slot) + "][" + text(P.Index) + "]";
}

/// In PTX there is a spelling for everything.
std::string KernelPrinter::ptxCopy(const Stmt &S) const {
  std::string Before, After, Operands;
  unsigned Number = 2;
  auto Operand = [&](const ExprRef &E) {
    Operands += ", \"r\"(" + text(E) + ")";
    return "%" + std::to_string(Number++);
  };
  auto Predicate = [&](const char *Name, const ExprRef &E) {
    Before += std::string(".reg .pred ") + Name + "; setp.ne.b32 " + Name +
              ", " + Operand(E) + ", 0; ";
    return std::string(Name);
  };
  if (S.Size)
    After = ", " + Operand(S.Size);
  else if (S.Ignore)
    After = ", " + Predicate("q", S.Ignore);
  if (S.Guard)
    Before += "@" + Predicate("p", S.Guard) + " ";
  std::string Text = Before + "cp.async.ca.shared.global [%0], [%1], " +
                     std::to_string(S.At.Bytes) + After + ";";
  if (!Before.empty())
    Text = "{ " + Text + " }";
  return "asm volatile(\"" + Text + "\" ::\"r\"(SHARED(&" + place(S.At) +
         ")), \"l\"(" + source(S) + ")" + Operands + ");";
}

std::string KernelPrinter::source(const Stmt &S) {
  return "&In" + std::to_string(S.At.Bytes) + "[" + text(S.Source) + "]";
}

Kernel::Spelling KernelPrinter::spelled(const Stmt &S) const {
  using Spelling = Kernel::Spelling;
  if (K.Spelled != Spelling::Mixed)
    return K.Spelled;
  return S.Line % 3 == 0   ? Spelling::Ptx
         : S.Line % 3 == 1 ? Spelling::PtxOfWrappers
                           : Spelling::Pipeline;
}

std::string KernelPrinter::copy(const Stmt &S) const {
  const std::string Bytes = std::to_string(S.At.Bytes);
  const std::string Operands = "(&" + place(S.At) + ", " + source(S);
  if (S.Guard || S.Ignore)
    return ptxCopy(S);
  switch (spelled(S)) {
  case Kernel::Spelling::Pipeline:
    return "__pipeline_memcpy_async" + Operands + ", " + Bytes +
           (S.Size ? ", " + Bytes + " - " + text(S.Size, true) : "") + ");";
  case Kernel::Spelling::PtxOfWrappers:
    return S.Size ? ptxCopy(S) : "copy" + Bytes + Operands + ");";
  case Kernel::Spelling::Ptx:
  case Kernel::Spelling::Mixed:
    return ptxCopy(S);
  }
}

std::string KernelPrinter::simple(const Stmt &S) const {
  const bool Pipeline = spelled(S) == Kernel::Spelling::Pipeline;
  const bool Ptx = spelled(S) == Kernel::Spelling::Ptx;
  const std::string N = std::to_string(S.N);
  switch (S.K) {
  case Stmt::Kind::Copy:
    return copy(S);
  case Stmt::Kind::Commit:
    return Pipeline ? "__pipeline_commit();"
           : Ptx    ? "asm volatile(\"cp.async.commit_group;\");"
                    : "commit();";
  case Stmt::Kind::Wait:
    return Pipeline ? "__pipeline_wait_prior(" + N + ");"
           : Ptx    ? "asm volatile(\"cp.async.wait_group " + N + ";\");"
                    : "wait<" + N + ">();";
  case Stmt::Kind::WaitAll:
    return "waitAll();";
  case Stmt::Kind::Barrier:
  case Stmt::Kind::VoteBarrier:
  case Stmt::Kind::WarpBarrier:
  case Stmt::Kind::NamedBarrier:
  case Stmt::Kind::NamedArrive:
    return barrier(S);
  case Stmt::Kind::Arrive:
  case Stmt::Kind::Announce:
  case Stmt::Kind::ArriveWith:
  case Stmt::Kind::WaitPhase:
  case Stmt::Kind::Fence:
  case Stmt::Kind::BulkCommit:
  case Stmt::Kind::BulkWait:
  case Stmt::Kind::Init:
  case Stmt::Kind::BulkLoad:
  case Stmt::Kind::BulkStore:
    return phase(S);
  case Stmt::Kind::Read: {
    const std::string Bytes = std::to_string(S.At.Bytes);
    std::string From = place(S.At);
    if (K.AccessesByCalls)
      return llvm::formatv("take(reinterpret_cast<{0} *>(Out{1}), &{2}, Tid);",
                           payloadOf(S.At.Bytes), Bytes, From);
    if (S.At.Bytes != K.Arrays[S.At.Array].ElementBytes)
      From = "*reinterpret_cast<const " + std::string(typeOf(S.At.Bytes)) +
             " *>(&" + From + ")";
    return "Out" + Bytes + "[Tid] = " + From + ";";
  }
  case Stmt::Kind::Store: {
    std::string To = place(S.At);
    if (K.AccessesByCalls)
      return llvm::formatv("put<{0}>(&{1});", payloadOf(S.At.Bytes), To);
    if (S.At.Bytes != K.Arrays[S.At.Array].ElementBytes)
      To = "*reinterpret_cast<" + std::string(typeOf(S.At.Bytes)) + " *>(&" +
           To + ")";
    return To + " = " + typeOf(S.At.Bytes) + "();";
  }
  case Stmt::Kind::Assign:
    return "V" + std::to_string(S.Variable) + " = " + text(S.Value) + ";";
  case Stmt::Kind::Break:
    return "break;";
  case Stmt::Kind::Continue:
    return "continue;";
  case Stmt::Kind::Return:
    return "return;";
  case Stmt::Kind::If:
  case Stmt::Kind::For:
    break;
  }
  return "";
}

std::string KernelPrinter::barrier(const Stmt &S) const {
  const std::string N = std::to_string(S.N);
  const std::string Threads = std::to_string(S.Threads);
  if (S.K == Stmt::Kind::Barrier)
    return "__syncthreads();";
  if (S.K == Stmt::Kind::VoteBarrier) {
    static const char *const Votes[] = {"and", "or", "count"};
    return "V" + std::to_string(S.Variable) + " = __syncthreads_" + Votes[S.N] +
           "(" + text(S.Value) + ");";
  }
  if (S.K == Stmt::Kind::WarpBarrier)
    return S.Threads
               ? "__syncwarp(" + std::to_string((1U << S.Threads) - 1) +
                     "U << (Tid % 32 / " + Threads + " * " + Threads + "));"
               : "__syncwarp();";
  const bool Syncs = S.K == Stmt::Kind::NamedBarrier;
  if (S.Value)
    return (Syncs ? "barSync(" : "barArrive(") + N + " + " +
           text(S.Value, true) + ", " + Threads + ");";
  if (spelled(S) == Kernel::Spelling::Ptx)
    return "asm volatile(\"bar." + std::string(Syncs ? "sync " : "arrive ") +
           N + ", " + Threads + ";\" ::: \"memory\");";
  return (Syncs ? "barSync(" : "barArrive(") + N + ", " + Threads + ");";
}

std::string KernelPrinter::phase(const Stmt &S) const {
  PhaseOperands O;
  O.Mbarrier = "&B" + std::to_string(S.On.Array);
  if (S.On.Slot && K.Mbarriers[S.On.Array] > 1)
    O.Mbarrier += "[" + text(S.On.Slot) + "]";
  if (S.Value)
    O.Value = text(S.Value);
  if (S.At.Index) {
    O.Shared = "&" + place(S.At);
    O.Global = S.K == Stmt::Kind::BulkLoad ? "&In16[" : "&Out16[";
    O.Global += text(S.Source) + "]";
  }
  return phaseText(S, spelled(S), O);
}

void KernelPrinter::block(Block &B) {
  ++Depth;
  for (Stmt &S : B)
    stmt(S);
  --Depth;
}

void KernelPrinter::stmt(Stmt &S) {
  S.Line = Line - K.FirstLine + 1;
  if (S.K == Stmt::Kind::If) {
    line("if (" + text(S.Value) + ") {");
    block(S.Body);
    if (!S.Else.empty()) {
      line("} else {");
      block(S.Else);
    }
    line("}");
  } else if (S.K == Stmt::Kind::For) {
    const std::string V = "V" + std::to_string(S.Variable);
    line("for (int " + V + " = " + text(S.Value) + "; " + V + " < " +
         text(S.Bound, true) + "; ++" + V + ") {");
    block(S.Body);
    line("}");
  } else {
    line(simple(S));
  }
}

void KernelPrinter::run() {
  K.FirstLine = Line;
  std::string Parameters;
  for (size_t I = 0; I < K.ParameterLimit.size(); ++I)
    Parameters += ", int P" + std::to_string(I);
  line("__global__ void __launch_bounds__(" + std::to_string(K.Threads) + ") " +
       K.Name +
       "(const int *In4, const int2 *In8, const int4 *In16, int *Out4, "
       "int2 *Out8, int4 *Out16, const int *Flags" +
       Parameters + ") {");
  ++Depth;
  if (unsigned Size = K.poolBytes())
    line("__shared__ __align__(16) unsigned char Pool[" + std::to_string(Size) +
         "];");
  for (const auto &[I, A] : llvm::enumerate(K.Arrays)) {
    const std::string Name = "A" + std::to_string(I);
    const std::string Type = typeOf(A.ElementBytes);
    if (A.InPool)
      line(Type + " *" + Name + " = reinterpret_cast<" + Type + " *>(Pool + " +
           std::to_string(A.PoolOffset) + ");");
    else
      line("__shared__ __align__(16) " + Type + " " + Name +
           (A.Slots == 1 ? "" : "[" + std::to_string(A.Slots) + "]") + "[" +
           std::to_string(A.Width) + "];");
  }
  for (const auto &[I, Slots] : llvm::enumerate(K.Mbarriers))
    line("__shared__ Mbarrier B" + std::to_string(I) +
         (Slots == 1 ? "" : "[" + std::to_string(Slots) + "]") + ";");
  line("const int Tid = threadIdx.x;");
  for (const auto &[I, L] : llvm::enumerate(K.Loads))
    if (!L.EachTile)
      line("const int L" + std::to_string(I) + " = " +
           load(loaded(I, number(0), L.who())) + ";");
  for (const auto &[I, IsLoop] : llvm::enumerate(K.IsLoopVariable))
    if (!IsLoop)
      line("int V" + std::to_string(I) + " = 0;");
  --Depth;
  block(K.Body);
  line("}");
}

std::string oracle::print(std::vector<Kernel> &Kernels) {
  std::string Out = Preamble;
  if (llvm::any_of(Kernels, [](const Kernel &K) { return K.InBulk; }))
    Out += PhasePreamble;
  unsigned Line = 1 + llvm::StringRef(Out).count('\n');
  for (Kernel &K : Kernels)
    KernelPrinter(Out, Line, K).run();
  return Out;
}

std::string oracle::listing(const Kernel &K) {
  std::string Text, Out;
  unsigned Line = 1;
  Kernel Copy = K;
  KernelPrinter(Text, Line, Copy).run();
  llvm::SmallVector<llvm::StringRef, 32> Lines;
  llvm::StringRef(Text).split(Lines, '\n', /*MaxSplit=*/-1,
                              /*KeepEmpty=*/false);
  for (const auto &[I, L] : llvm::enumerate(Lines))
    Out += std::to_string(I + 1) + "\t" + L.str() + "\n";
  return Out;
}
