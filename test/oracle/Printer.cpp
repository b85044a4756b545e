//===- Printer.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

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
)cuda";

static const char *typeOf(unsigned Bytes) {
  return Bytes == 16 ? "int4" : Bytes == 8 ? "int2" : "int";
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

static std::string text(const ExprRef &E, bool Inner = false) {
  switch (E->K) {
  case Expr::Kind::Number:
    return std::to_string(E->Value);
  case Expr::Kind::Thread:
    return "Tid";
  case Expr::Kind::Parameter:
    return "P" + std::to_string(E->Value);
  case Expr::Kind::Variable:
    return "V" + std::to_string(E->Value);
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
  std::string copy(const Stmt &S) const;
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

std::string KernelPrinter::copy(const Stmt &S) const {
  const std::string Bytes = std::to_string(S.At.Bytes);
  const std::string To = "&" + place(S.At);
  const std::string From = "&In" + Bytes + "[" + text(S.Source) + "]";
  switch (K.Spelled) {
  case Kernel::Spelling::Pipeline:
    return "__pipeline_memcpy_async(" + To + ", " + From + ", " + Bytes + ");";
  case Kernel::Spelling::PtxOfWrappers:
    return "copy" + Bytes + "(" + To + ", " + From + ");";
  case Kernel::Spelling::Ptx:
    return "asm volatile(\"cp.async.ca.shared.global [%0], [%1], " + Bytes +
           ";\" ::\"r\"(SHARED(" + To + ")), \"l\"(" + From + "));";
  }
}

std::string KernelPrinter::simple(const Stmt &S) const {
  const bool Pipeline = K.Spelled == Kernel::Spelling::Pipeline;
  const bool Ptx = K.Spelled == Kernel::Spelling::Ptx;
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
    return "__syncthreads();";
  case Stmt::Kind::WarpBarrier:
    return "__syncwarp();";
  case Stmt::Kind::NamedBarrier:
    return "barSync(" + N + ", " + std::to_string(S.Threads) + ");";
  case Stmt::Kind::Read: {
    const std::string Bytes = std::to_string(S.At.Bytes);
    std::string From = place(S.At);
    if (S.At.Bytes != K.Arrays[S.At.Array].ElementBytes)
      From = "*reinterpret_cast<const " + std::string(typeOf(S.At.Bytes)) +
             " *>(&" + From + ")";
    return "Out" + Bytes + "[Tid] = " + From + ";";
  }
  case Stmt::Kind::Store: {
    std::string To = place(S.At);
    if (S.At.Bytes != K.Arrays[S.At.Array].ElementBytes)
      To = "*reinterpret_cast<" + std::string(typeOf(S.At.Bytes)) + " *>(&" +
           To + ")";
    return To + " = " + typeOf(S.At.Bytes) + "();";
  }
  case Stmt::Kind::Assign:
    return "V" + std::to_string(S.Variable) + " = " + text(S.Value) + ";";
  case Stmt::Kind::Return:
    return "return;";
  case Stmt::Kind::If:
  case Stmt::Kind::For:
    break;
  }
  return "";
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
       "int2 *Out8, int4 *Out16" +
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
  line("const int Tid = threadIdx.x;");
  for (const auto &[I, IsLoop] : llvm::enumerate(K.IsLoopVariable))
    if (!IsLoop)
      line("int V" + std::to_string(I) + " = 0;");
  --Depth;
  block(K.Body);
  line("}");
}

std::string oracle::print(std::vector<Kernel> &Kernels) {
  std::string Out = Preamble;
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
