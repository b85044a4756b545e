//===- EngineGrowth.cpp - How the engine's time grows with its input ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analyses generated files with more and more copies, branches or kernels and
// prints the time of each and the exponent E of the best fit time = C * N^E.
// Parsing is not counted. Usage: engine-growth [LIMIT [SHAPE]]; exits 1 if an
// exponent is above LIMIT.
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
  unsigned Size;
  double Seconds;
};

/// A way to write N copies, branches or kernels.
struct Shape {
  const char *Name;
  std::string (*Source)(unsigned Size);
  bool IsOfKernels = false;  ///< N kernels, else one
  unsigned FindingsEach = 0; ///< of N
  unsigned Largest = 4096;   ///< the largest N
};

} // namespace

// Below a hundred the fixed cost of a file hides the growth.
static constexpr unsigned MinSize = 128;
/// Where each path knows how all others went, or each array is one of so many
/// that were written, memory grows faster: more of them nobody has. And each
/// finding is proved.
static constexpr unsigned Few = 1024;
/// Each case is a path.
static constexpr unsigned MaxCases = 2048;
/// Of one thread in flight at once: more than that do not stay in the caches.
static constexpr unsigned MaxGroups = 2048;
/// The machine is never quite idle: what seems to grow too fast is measured
/// again, and the fastest of so many runs counts.
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

/// The kernel k0, k1, ... with shared memory of its own: Clang looks at each
/// declaration of one array when it sees another.
static std::string kernel(const std::string &Body, unsigned Number) {
  const std::string N = std::to_string(Number);
  return "__global__ void __launch_bounds__(128) k" + N +
         "(const float4 *In, float4 *Out, int Tiles) {\n"
         "  extern __shared__ float4 Pool" +
         N +
         "[];\n"
         "  float4 *const Pool = Pool" +
         N + ";\n" + Body + "}\n";
}

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

static const char *const Copy =
    "  copy(&Pool[threadIdx.x], &In[threadIdx.x]);\n";
static const char *const Read = "  Out[threadIdx.x] = Pool[threadIdx.x];\n";

static std::string repeat(llvm::StringRef Text, unsigned Times) {
  std::string Body;
  for (unsigned I = 0; I < Times; ++I)
    Body += Text;
  return Body;
}

/// All copies to one place, with nothing but copies in between.
static std::string onePlace(unsigned Copies) {
  return kernel(repeat(Copy, Copies) + "  commit();\n  waitAll();\n" + Read);
}

/// The same, each in a group of its own.
static std::string onePlaceGroups(unsigned Copies) {
  return kernel(repeat(std::string(Copy) + "  commit();\n", Copies) +
                "  waitAll();\n" + Read);
}

/// From a place that is loaded for each.
static std::string computedSource(unsigned Copies) {
  std::string Body;
  for (unsigned I = 0; I < Copies; ++I)
    Body += "  copy(&" + slot(I) + ", &In[int(In[" + std::to_string(I) +
            "].x) * 128 + threadIdx.x]);\n  commit();\n  waitAll();\n";
  return kernel(Body + Read);
}

static std::string elseIf(unsigned Branches, const std::string &Before,
                          std::string (*Side)(unsigned),
                          const std::string &After) {
  std::string Body = Before;
  for (unsigned I = 0; I < Branches; ++I)
    Body += (I ? "  else if (Tiles == " : "  if (Tiles == ") +
            std::to_string(I) + ")\n    " + Side(I);
  return kernel(Body + After);
}

/// Each case reads what all copied.
static std::string elseIfReads(unsigned Branches) {
  return elseIf(
      Branches, std::string(Copy) + "  commit();\n  waitAll();\n",
      [](unsigned I) {
        return "Out[" + std::to_string(I) + "] = Pool[threadIdx.x];\n";
      },
      "");
}

/// Each case copies what all read.
static std::string elseIfCopies(unsigned Branches) {
  return elseIf(
      Branches, "", [](unsigned I) { return "copy(&" + slot(I) + ", In);\n"; },
      "  commit();\n  waitAll();\n");
}

/// One condition of many parts.
static std::string longCondition(unsigned Parts) {
  std::string Condition = "true";
  for (unsigned I = 0; I < Parts; ++I)
    Condition += " && Tiles != " + std::to_string(I);
  return kernel(std::string(Copy) + "  commit();\n  waitAll();\n  if (" +
                Condition + ")\n  " + Read);
}

/// Each case reads what all copied.
static std::string cases(unsigned Cases) {
  std::string Body =
      std::string(Copy) + "  commit();\n  waitAll();\n  switch (Tiles) {\n";
  for (unsigned I = 0; I < Cases; ++I)
    Body += "  case " + std::to_string(I) + ":\n    Out[" + std::to_string(I) +
            "] = Pool[threadIdx.x];\n    break;\n";
  return kernel(Body + "  }\n");
}

static std::string arrays(unsigned Arrays) {
  std::string Declared, Copied, Used;
  for (unsigned I = 0; I < Arrays; ++I) {
    const std::string Name = "A" + std::to_string(I);
    Declared += "  __shared__ float4 " + Name + "[128];\n";
    Copied += "  copy(&" + Name + "[threadIdx.x], In);\n";
    Used += "  Out[threadIdx.x] = " + Name + "[127 - threadIdx.x];\n";
  }
  return kernel(Declared + Copied +
                "  commit();\n  waitAll();\n  __syncthreads();\n" + Used);
}

static std::string kernels(unsigned Kernels, const std::string &Body) {
  std::string Code = Preamble;
  for (unsigned I = 0; I < Kernels; ++I)
    Code += kernel(Body, I);
  return Code;
}

static std::string silentKernels(unsigned Kernels) {
  return kernels(Kernels,
                 std::string(Copy) + "  commit();\n  waitAll();\n" + Read);
}

static std::string kernelsWithoutWait(unsigned Kernels) {
  return kernels(Kernels, std::string(Copy) + "  commit();\n" + Read);
}

static std::string kernelsWithoutCommit(unsigned Kernels) {
  return kernels(Kernels, std::string(Copy) + "  waitAll();\n" + Read);
}

/// Instances of one template.
static std::string instances(unsigned Instances) {
  std::string Code = std::string(Preamble) +
                     "template <int N> __global__ void __launch_bounds__(128) "
                     "k(const float4 *In, float4 *Out) {\n"
                     "  extern __shared__ float4 Pool[];\n"
                     "  copy(&Pool[N + threadIdx.x], In);\n  commit();\n"
                     "  waitAll();\n"
                     "  Out[threadIdx.x] = Pool[N + threadIdx.x];\n}\n"
                     "void launch(const float4 *In, float4 *Out) {\n";
  for (unsigned I = 0; I < Instances; ++I)
    Code += "  k<" + std::to_string(I) + "><<<1, 128>>>(In, Out);\n";
  return Code + "}\n";
}

/// Each read comes before the wait for its copy.
static std::string findings(unsigned Findings) {
  std::string Body;
  for (unsigned I = 0; I < Findings; ++I) {
    const std::string Slot =
        "Pool[" + std::to_string(I * 128) + " + threadIdx.x]";
    Body += "  copy(&" + Slot + ", In);\n  commit();\n  Out[" +
            std::to_string(I) + "] = " + Slot + ";\n  waitAll();\n";
  }
  return kernel(Body);
}

/// Bulk copies and mbarriers.
static const char *const BulkPreamble = R"cuda(
using Mbarrier = unsigned long long;
__device__ unsigned shared(const void *P) {
  return static_cast<unsigned>(__cvta_generic_to_shared(P));
}
__device__ void init(Mbarrier *On, unsigned Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(On)),
               "r"(Count));
}
__device__ void arrive(Mbarrier *On) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared(On)));
}
__device__ void waitFor(Mbarrier *On, unsigned Parity) {
  asm volatile("{ .reg .pred p;\n"
               "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@!p bra AGAIN; }" ::"r"(shared(On)), "r"(Parity));
}
__device__ void load(float4 *To, const float4 *From, Mbarrier *On) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1536;" ::"r"(
                   shared(On)));
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], 1536, [%2];" ::"r"(shared(To)), "l"(From),
               "r"(shared(On)));
}
)cuda";

/// Tiles that a warp loads and three others read, written out.
static std::string barrierRing(unsigned Tiles) {
  constexpr unsigned Slots = 4;
  std::string Load, Read;
  for (unsigned I = 0; I < Tiles; ++I) {
    const std::string Slot = std::to_string(I % Slots);
    const unsigned Parity = I / Slots % 2;
    Load += "    waitFor(&Empty[" + Slot + "], " + std::to_string(1 - Parity) +
            ");\n    load(&Pool[" + Slot + " * 96], &In[" + std::to_string(I) +
            " * 96], &Full[" + Slot + "]);\n";
    Read += "    waitFor(&Full[" + Slot + "], " + std::to_string(Parity) +
            ");\n    Out[" + std::to_string(I) + "] = Pool[" + Slot +
            " * 96 + threadIdx.x - 32];\n    arrive(&Empty[" + Slot + "]);\n";
  }
  return BulkPreamble +
         kernel("  __shared__ Mbarrier Full[4], Empty[4];\n"
                "  if (threadIdx.x < 4) {\n    init(&Full[threadIdx.x], 1);\n"
                "    init(&Empty[threadIdx.x], 96);\n  }\n"
                "  __syncthreads();\n"
                "  if (threadIdx.x < 32) {\n    if (threadIdx.x == 0) {\n" +
                    Load + "    }\n  } else {\n" + Read + "  }\n",
                0);
}

static double analyseOnce(const Shape &S, unsigned Size) {
  const std::string Code = S.Source(Size);
  const std::vector<std::string> Flags = {"-x",
                                          "cuda",
                                          "--cuda-device-only",
                                          "--no-offload-arch=all",
                                          "--offload-arch=sm_90",
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
  if (Result.Kernels.size() != (S.IsOfKernels ? Size : 1) ||
      Result.Findings.size() != S.FindingsEach * Size ||
      llvm::any_of(Result.Kernels,
                   [](const KernelReport &R) { return !R.Gaps.empty(); })) {
    llvm::errs() << "engine-growth: error: of '" << S.Name << "', "
                 << Result.Kernels.size() << " kernels with "
                 << Result.Findings.size()
                 << " findings are not what was meant, or not all of it was "
                    "analysed\n";
    std::exit(2);
  }
  return Seconds;
}

/// The slope of the best line through the points (log size, log time).
static double exponent(const std::vector<Sample> &Samples) {
  double X = 0, Y = 0, XX = 0, XY = 0;
  const double N = Samples.size();
  for (const Sample &S : Samples) {
    const double LogX = std::log(S.Size), LogY = std::log(S.Seconds);
    X += LogX;
    Y += LogY;
    XX += LogX * LogX;
    XY += LogX * LogY;
  }
  return (N * XY - X * Y) / (N * XX - X * X);
}

int main(int Count, char **Args) {
  const double Limit = Count > 1 ? std::atof(Args[1]) : HUGE_VAL;
  const llvm::StringRef Only = Count > 2 ? Args[2] : "";
  bool Failed = false;
  for (const Shape &S : {
           Shape{"barriers", barriers},
           Shape{"straight line", straightLine},
           Shape{"one group", oneGroup},
           Shape{"one place", onePlace},
           Shape{"one place, groups", onePlaceGroups, false, 0, MaxGroups},
           Shape{"computed source", computedSource},
           Shape{"scattered", scattered},
           Shape{"loops", loops},
           Shape{"else if, reads", elseIfReads, false, 0, Few},
           Shape{"else if, copies", elseIfCopies, false, 0, Few},
           Shape{"long condition", longCondition, false, 0, Few},
           Shape{"cases", cases, false, 0, MaxCases},
           Shape{"arrays", arrays, false, 0, Few},
           Shape{"kernels", silentKernels, true},
           Shape{"instances", instances, true},
           Shape{"no wait", kernelsWithoutWait, true, 1, Few},
           Shape{"no commit", kernelsWithoutCommit, true, 2, Few},
           Shape{"findings", findings, false, 1},
           Shape{"barrier ring", barrierRing},
       }) {
    if (!Only.empty() && S.Name != Only)
      continue;
    std::vector<Sample> Samples;
    for (unsigned Size = MinSize; Size <= S.Largest; Size *= 2)
      Samples.push_back({Size, HUGE_VAL});
    double Exponent = HUGE_VAL;
    for (unsigned Run = 0; Run < Runs && Exponent >= Limit; ++Run) {
      for (Sample &At : Samples)
        At.Seconds = std::min(At.Seconds, analyseOnce(S, At.Size));
      Exponent = exponent(Samples);
    }
    for (const Sample &At : Samples)
      llvm::outs() << llvm::format("%-18s %5u %9.2f ms\n", S.Name, At.Size,
                                   At.Seconds * 1e3);
    Failed |= Exponent > Limit;
    llvm::outs() << llvm::format("%-18s exponent %.2f%s\n", S.Name, Exponent,
                                 Exponent > Limit ? ", too large" : "");
    llvm::outs().flush();
  }
  return Failed ? 1 : 0;
}
