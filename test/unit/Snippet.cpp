//===- Snippet.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "lib/Analysis.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"
#include <iterator>

using namespace cpasync;

static constexpr char Prelude[] = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#include <__clang_cuda_builtin_vars.h>
typedef unsigned int uint32_t;
typedef unsigned long size_t;
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
struct Given { const float *From; int Rows; unsigned Count; bool Flag; };
__device__ void __syncthreads();
__device__ int __shfl_sync(unsigned, int, int, int = 32);
__device__ int __any_sync(unsigned, int);
__device__ int __all_sync(unsigned, int);
__device__ unsigned __ballot_sync(unsigned, int);
__device__ int atomicAdd(int *, int);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t);
__device__ int __shfl_up_sync(unsigned, int, unsigned, int = 32);
__device__ int __shfl_down_sync(unsigned, int, unsigned, int = 32);
__device__ int __shfl_xor_sync(unsigned, int, int, int = 32);
__device__ unsigned __match_any_sync(unsigned, int);
__device__ unsigned __activemask();
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ int __syncthreads_count(int);
__device__ void __syncwarp(unsigned = ~0u);
__device__ int min(int, int);
__device__ int max(int, int);
__device__ void unknown(void *);
__device__ void looksAt(const void *);
extern "C" __device__ void *memcpy(void *, const void *, size_t);
extern "C" __device__ void *memset(void *, int, size_t);
#define COPY(Dst, Src)                                                         \
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"                     \
               ::"r"((uint32_t)__cvta_generic_to_shared(Dst)), "l"(Src)        \
               : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(N) asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory")
#define SYNC __syncthreads()
#define USE(X) (Out[T] = (X))
)";

static constexpr char Signature[] =
    "__global__ void __launch_bounds__(64) kernel(const float *In, float *Out,"
    " int N, int M, Given G) {\n__shared__ __attribute__((aligned(128))) float "
    "Tile[1024]; const int T = threadIdx.x;\n";

static std::string causeOf(const Finding &F) {
  static constexpr const char *Kinds[] = {
      "ReadInFlight",  "ReadBeforeCopy",     "UnwrittenRead",
      "BadOperand",    "WaitCountRange",     "UncommittedAtEnd",
      "Misaligned",    "UnsynchronizedRead", "WrongSpace",
      "MapSpace",      "Overwrite",          "StuckPhase",
      "StuckStage",    "StuckBarrier",       "ExtraArrivals",
      "UnorderedInit", "MissingBlock",       "EndedBlock",
      "MissingFence",  "UnorderedSource",    "PartialGroup",
      "OverWait"};
  static_assert(std::size(Kinds) == size_t(FindingKind::OverWait) + 1);
  static constexpr const char *InFlight[] = {
      "NeverWaited", "NotCommitted", "WaitBeforeCommit", "WaitTooWeak",
      "Divergent",   "Entangled",    "OtherKind",        "LeftOut"};
  static constexpr const char *Overwritten[] = {
      "InFlight", "StillRead", "AfterCopy",         "AfterStore",
      "BulkRead", "SentRead",  "BulkReadOtherKind", "MatrixRead"};
  static_assert(std::size(Overwritten) ==
                size_t(OverwriteCause::MatrixRead) + 1);
  std::string Text = Kinds[int(F.Kind)];
  if (F.Kind == FindingKind::ReadInFlight ||
      (F.Kind == FindingKind::UnwrittenRead &&
       F.Cause == InFlightCause::LeftOut))
    Text += std::string("(") + InFlight[int(F.Cause)] + ")";
  else if (F.Kind == FindingKind::Overwrite)
    Text += std::string("(") + Overwritten[int(F.Overwritten)] + ")";
  else if (F.Kind == FindingKind::BadOperand ||
           F.Kind == FindingKind::WaitCountRange)
    Text += "(" + std::to_string(F.Value) + ")";
  return Text;
}

static std::string textOf(const Pipeline &Of, const Pipeline::Step &Step,
                          const std::string &Line) {
  std::string Text;
  if (Step.Round >= 0) {
    const Pipeline::Round &In = Of.Rounds[Step.Round];
    Text += In.Variable + "=" + std::to_string(In.Value) + ": ";
  }
  Text += Line + ":";
  auto Add = [&](const std::string &Word) { Text += " " + Word; };
  if (!Step.Slot.empty())
    Add(Step.Slot);
  if (Step.Count > 1)
    Add("x" + std::to_string(Step.Count));
  if (!Step.Threads.empty())
    Add("by " + Step.Threads);
  if (Step.Group)
    Add("in " + std::to_string(*Step.Group));
  if (Step.InFlight)
    Add(std::to_string(*Step.Completes) + " of " +
        std::to_string(*Step.InFlight));
  if (Step.Clashes)
    Add("!");
  return Text;
}

SnippetResult cpasync::analyzeBody(const std::string &Body,
                                   const std::string &Before,
                                   const AnalysisOptions &Options) {
  const std::string Head = std::string(Prelude) + Before + "\n" + Signature;
  const unsigned Lines = llvm::StringRef(Head).count('\n');
  SnippetResult Result;
  const std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(
          Head + Body + "\n}\n",
          {"-x", "cuda", "--cuda-device-only", "--no-offload-arch=all",
           "--offload-arch=sm_80", "-nocudainc", "-nocudalib", "-w",
           "-resource-dir", CPASYNC_RESOURCE_DIR},
          "snippet.cu");
  if (!Unit || Unit->getDiagnostics().hasErrorOccurred()) {
    ADD_FAILURE() << "does not compile:\n" << Body;
    return Result;
  }
  const clang::SourceManager &SM = Unit->getSourceManager();
  auto LineOf = [&](clang::SourceLocation Loc) {
    return std::to_string(int(SM.getExpansionLineNumber(Loc)) - int(Lines));
  };
  const AnalysisResult Of = analyze(Unit->getASTContext(), Options);
  for (const Finding &F : Of.Findings) {
    std::string Text = (F.OnEveryPath ? "" : "maybe ") + causeOf(F);
    const std::pair<const char *, clang::SourceLocation> Places[] = {
        {" copy:", F.At.Copy},       {" commit:", F.At.Commit},
        {" wait:", F.At.Wait},       {" read:", F.At.Read},
        {" write:", F.At.Write},     {" operand:", F.At.Operand},
        {" barrier:", F.At.Barrier},
    };
    for (const auto &[Name, Loc] : Places)
      if (Loc.isValid())
        Text += Name + LineOf(Loc);
    Result.Findings.push_back(std::move(Text));
    for (const Repair &R : F.Repairs) {
      const llvm::StringRef Line = llvm::StringRef(R.Code).split('\n').first;
      Result.Repairs.push_back(LineOf(R.Range.getBegin()) + ": " +
                               Line.rtrim("; ").str());
    }
  }
  if (!Of.Findings.empty()) {
    const auto &[Name, Byte, OfPointer] = Of.Findings[0].Element;
    Result.Element = Name + (Byte ? "+" + std::to_string(Byte) : "") +
                     (OfPointer ? " by pointer" : "");
    const Pipeline &Around = Of.Findings[0].Path.Around;
    for (const Pipeline::Step &Step : Around.Steps)
      Result.Pictured.push_back(textOf(Around, Step, LineOf(Step.Loc)));
  }
  if (!Of.Findings.empty())
    for (const TraceStep &Step : Of.Findings[0].Trace) {
      if (Step.K == TraceStep::Kind::WithNumbers)
        Result.Numbers = (Step.Flag ? "" : "? ") + textOfNumbers(Step.Numbers);
      else
        Result.Steps += (Result.Steps.empty() ? "" : " ") + LineOf(Step.Loc);
    }
  if (Of.Kernels.empty())
    Result.Gaps.push_back("no copies");
  for (const KernelReport &K : Of.Kernels) {
    for (const AnalysisGap &G : K.Gaps)
      Result.Gaps.push_back(LineOf(G.Loc) + ": " + G.Reason);
    for (const AnalysisGap &G : K.Refuted) {
      std::string By = LineOf(G.Loc) + " by";
      const auto Places = llvm::StringRef(G.Reason).rsplit(" line").second;
      for (llvm::StringRef Word : llvm::split(Places, ' '))
        if (int Line = 0; !Word.rtrim(',').getAsInteger(10, Line))
          By += " " + std::to_string(Line - int(Lines));
      Result.Refuted.push_back(std::move(By));
    }
  }
  return Result;
}

std::string cpasync::found(const std::string &Body, const std::string &Before) {
  const SnippetResult R = analyzeBody(Body, Before);
  std::string Text;
  for (const auto *List : {&R.Findings, &R.Gaps})
    for (const std::string &Each : *List)
      if (!llvm::StringRef(Each).contains("UnwrittenRead"))
        Text += (Text.empty() ? "" : "; ") + Each;
  return Text;
}

std::string cpasync::told(const std::string &Body, const std::string &Before) {
  return analyzeBody(Body, Before).Steps;
}

std::string cpasync::behind(const std::string &Body,
                            const std::string &Condition,
                            const std::string &Before) {
  // Copies of so many bytes are refused, with the number.
  const SnippetResult R = analyzeBody(
      Body + "\nif (" + Condition + ") __pipeline_memcpy_async(Tile, In, 17);" +
          "else __pipeline_memcpy_async(Tile, In, 18);",
      Before);
  auto Has = [&](llvm::StringRef What) {
    return llvm::any_of(R.Findings, [&](const std::string &F) {
      return llvm::StringRef(F).contains(What);
    });
  };
  const bool Holds = Has("BadOperand(17)"), Fails = Has("BadOperand(18)");
  return Holds && Fails ? "both" : Holds ? "always" : Fails ? "never" : "";
}
