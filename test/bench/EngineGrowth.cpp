//===- EngineGrowth.cpp - How the engine's time grows with copies ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analyses generated kernels with more and more copies and prints the time of
// each and the exponent E of the best fit time = C * copies^E. Parsing is not
// counted. Usage: engine-growth [LIMIT]; exits 1 if an exponent is above LIMIT.
//
//===----------------------------------------------------------------------===//

#include "lib/Analysis.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/PCHContainerOperations.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>
#include <ctime>

using namespace cpasync;

namespace {

struct Sample {
  unsigned Copies;
  double Seconds;
};

/// A way to write N copies.
struct Shape {
  const char *Name;
  std::string (*Kernel)(unsigned Copies);
};

} // namespace

// Below a hundred copies the fixed cost of a file hides the growth.
static constexpr unsigned MinCopies = 128, MaxCopies = 4096;
/// The fastest of so many runs; the machine is never quite idle.
static constexpr unsigned Runs = 3;

static const char *const Preamble = R"cuda(
__device__ void copy(float4 *To, const float4 *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(To))),
               "l"(From));
}
__device__ void commit() { asm volatile("cp.async.commit_group;"); }
__device__ void waitAll() { asm volatile("cp.async.wait_group 0;"); }
)cuda";

static std::string kernel(const std::string &Body) {
  return std::string(Preamble) +
         "__global__ void __launch_bounds__(128) k(const float4 *In, "
         "float4 *Out, int Tiles) {\n"
         "  extern __shared__ float4 Pool[];\n" +
         Body + "}\n";
}

static std::string slot(unsigned I) {
  return "Pool[" + std::to_string(I % 8 * 128) + " + threadIdx.x]";
}

/// Copy, commit, wait, read; over and over.
static std::string tiles(unsigned Copies, const char *Barrier) {
  std::string Body;
  for (unsigned I = 0; I < Copies; ++I)
    Body += "  copy(&" + slot(I) +
            ", &In[threadIdx.x]);\n  commit();\n  waitAll();\n" + Barrier +
            "  Out[" + std::to_string(I) + "] = " + slot(I) + ";\n" + Barrier;
  return kernel(Body);
}

/// As kernels whose threads share data have it.
static std::string barriers(unsigned Copies) {
  return tiles(Copies, "  __syncthreads();\n");
}

static std::string straightLine(unsigned Copies) { return tiles(Copies, ""); }

/// All copies into slots of their own in one group.
static std::string oneGroup(unsigned Copies) {
  std::string Body;
  for (unsigned I = 0; I < Copies; ++I)
    Body += "  copy(&Pool[" + std::to_string(I * 128) +
            " + threadIdx.x], &In[threadIdx.x]);\n";
  return kernel(
      Body +
      "  commit();\n  waitAll();\n  Out[threadIdx.x] = Pool[threadIdx.x];\n");
}

/// Copies in no order into slots that do not adjoin, read one by one.
static std::string scattered(unsigned Copies) {
  auto Slot = [](unsigned I) {
    return "Pool[" + std::to_string(I * 160) + " + threadIdx.x]";
  };
  std::string Body;
  for (unsigned I = 0; I < Copies; ++I)
    Body += "  copy(&" + Slot(I * 40503 % Copies) + ", &In[threadIdx.x]);\n";
  Body += "  commit();\n  waitAll();\n";
  for (unsigned I = 0; I < Copies; ++I)
    Body += "  Out[threadIdx.x] = " + Slot(I) + ";\n";
  return kernel(Body);
}

/// Loops with a trip count known at run time only, one copy each.
static std::string loops(unsigned Copies) {
  std::string Body;
  for (unsigned I = 0; I < Copies; ++I)
    Body +=
        "  for (int T = 0; T < Tiles; ++T) {\n    copy(&" + slot(I) +
        ", &In[T]);\n    commit();\n    waitAll();\n    Out[T] = " + slot(I) +
        ";\n  }\n";
  return kernel(Body);
}

static double analyseOnce(const std::string &Code) {
  const std::vector<std::string> Flags = {"-x",
                                          "cuda",
                                          "--cuda-device-only",
                                          "--no-offload-arch=all",
                                          "--offload-arch=sm_80",
                                          "-nocudainc",
                                          "-nocudalib",
                                          "-Wno-unknown-cuda-version",
                                          "-resource-dir",
                                          CPASYNC_RESOURCE_DIR,
                                          "-include",
                                          CPASYNC_CUDA_HEADERS
                                          "/cpasync_prelude.h",
                                          "-isystem",
                                          CPASYNC_CUDA_HEADERS "/include"};
  std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(Code, Flags, "kernel.cu");
  if (!Unit || Unit->getDiagnostics().hasErrorOccurred()) {
    llvm::errs() << "engine-growth: error: a generated kernel does not parse\n";
    std::exit(2);
  }
  const std::clock_t Start = std::clock(); // of this process, not the wall's
  const AnalysisResult Result = analyze(Unit->getASTContext(), {});
  const double Seconds = double(std::clock() - Start) / CLOCKS_PER_SEC;
  if (Result.Kernels.size() != 1 || !Result.Kernels.front().Gaps.empty() ||
      !Result.Findings.empty()) {
    llvm::errs() << "engine-growth: error: a generated kernel is not fully "
                    "analysed or not silent\n";
    std::exit(2);
  }
  return Seconds;
}

/// The slope of the best line through the points (log copies, log time).
static double exponent(const std::vector<Sample> &Samples) {
  double X = 0, Y = 0, XX = 0, XY = 0;
  const double N = Samples.size();
  for (const Sample &S : Samples) {
    const double LogX = std::log(S.Copies), LogY = std::log(S.Seconds);
    X += LogX;
    Y += LogY;
    XX += LogX * LogX;
    XY += LogX * LogY;
  }
  return (N * XY - X * Y) / (N * XX - X * X);
}

int main(int Count, char **Args) {
  const double Limit = Count > 1 ? std::atof(Args[1]) : HUGE_VAL;
  bool Failed = false;
  for (const Shape &S :
       {Shape{"barriers", barriers}, Shape{"straight line", straightLine},
        Shape{"one group", oneGroup}, Shape{"scattered", scattered},
        Shape{"loops", loops}}) {
    std::vector<Sample> Samples;
    for (unsigned Copies = MinCopies; Copies <= MaxCopies; Copies *= 2) {
      double Best = HUGE_VAL;
      for (unsigned Run = 0; Run < Runs; ++Run)
        Best = std::min(Best, analyseOnce(S.Kernel(Copies)));
      Samples.push_back({Copies, Best});
      llvm::outs() << llvm::format("%-14s %5u copies %9.2f ms\n", S.Name,
                                   Copies, Best * 1e3);
    }
    const double Exponent = exponent(Samples);
    Failed |= Exponent > Limit;
    llvm::outs() << llvm::format("%-14s exponent %.2f%s\n", S.Name, Exponent,
                                 Exponent > Limit ? ", too large" : "");
    llvm::outs().flush();
  }
  return Failed ? 1 : 0;
}
