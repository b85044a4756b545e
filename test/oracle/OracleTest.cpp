//===- OracleTest.cpp - The analysis beside the oracle --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates kernels, asks the oracle and the analysis about each, and compares.
// Exits 1 if they disagree about a kernel that the analysis calls fully
// analysed, or if too many are not.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "Generator.h"
#include "Printer.h"
#include "Shrink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace oracle;
using llvm::outs;

static llvm::cl::opt<unsigned> Count("count", llvm::cl::init(2000),
                                     llvm::cl::desc("kernels to compare"));
static llvm::cl::opt<uint64_t> Seed("seed", llvm::cl::init(1),
                                    llvm::cl::desc("of the first kernel"));
static llvm::cl::opt<unsigned>
    MaxShown("show", llvm::cl::init(3),
             llvm::cl::desc("disagreements to shrink and print"));
static llvm::cl::opt<Scope> Compared(
    "scope", llvm::cl::init(Scope::OwnThread),
    llvm::cl::desc("which defects the analysis has to find"),
    llvm::cl::values(clEnumValN(Scope::OwnThread, "own", "of one thread"),
                     clEnumValN(Scope::AllThreads, "all", "all")));

static llvm::cl::opt<bool>
    InBulk("bulk", llvm::cl::desc("kernels with bulk copies and mbarriers"));

static llvm::cl::opt<bool>
    ShowGaps("show-gaps", llvm::cl::desc("print what is not fully analysed"));

static llvm::cl::opt<bool> PrintOnly("print",
                                     llvm::cl::desc("print the file only"));

/// Kernels in one file: enough to make the headers cheap.
static constexpr unsigned KernelsPerFile = 200;
/// Values of parameters and patterns of what is loaded, together.
static constexpr uint64_t MaxLaunches = 300;
/// Kernels that the analysis may give up on, in percent. Most of them have so
/// many defects that it stops telling them all.
static constexpr unsigned MaxNotAnalysed = 4;
/// Defective and sound kernels there have to be at least, in percent each.
static constexpr unsigned MinOfEachSort = 20;

namespace {

struct Tally {
  unsigned Kernels = 0, Defective = 0, Flagged = 0, NotAnalysed = 0,
           Disagreements = 0, Invalid = 0;
  std::map<std::string, unsigned> Gaps, Families;
};

} // namespace

/// A kernel that means something, and what the oracle says of it.
static std::pair<Kernel, Verdict> nextKernel(uint64_t KernelSeed,
                                             unsigned &Invalid) {
  Random R(KernelSeed);
  for (;; ++Invalid) {
    std::vector<Kernel> One = {InBulk ? generateInBulk(R) : generate(R)};
    for (int64_t N = R.oneOf({0, 0, 1, 1, 2}); N > 0; --N)
      InBulk ? makeMistake(R, One.front()) : mutate(R, One.front());
    if (launchesOf(One.front()) > MaxLaunches)
      continue;
    One.front().Name = "k" + std::to_string(KernelSeed);
    print(One); // numbers the lines
    Verdict V = judge(One.front());
    if (V.Invalid.empty() && V.Copies > 0)
      return {std::move(One.front()), std::move(V)};
  }
}

static std::map<std::string, EngineReport> analyse(const std::string &Code) {
  return analyseFile(Code, InBulk ? "sm_90" : "sm_80");
}

/// In a file of its own.
static std::optional<Disagreement> compareAlone(Kernel &K, Verdict &V,
                                                EngineReport &E) {
  std::vector<Kernel> One = {K};
  const std::string Code = print(One);
  K = std::move(One.front());
  V = judge(K);
  if (!V.Invalid.empty() || V.Copies == 0)
    return std::nullopt;
  E = analyse(Code)[K.Name];
  return compare(K, V, E, Compared);
}

static void show(const Kernel &Original, const Disagreement &First) {
  Verdict V;
  EngineReport E;
  Kernel K = shrink(Original, [&](Kernel Smaller) {
    auto D = compareAlone(Smaller, V, E);
    return D && D->isLike(First);
  });
  auto D = compareAlone(K, V, E);
  outs() << "smaller: " << (D ? D->Text : "agreed when alone") << "\n"
         << listing(K);
  for (const auto &[Found, W] : V.Defects)
    outs() << "  oracle: " << describe(Found, W) << "\n";
  for (const EngineFinding &F : E.Findings)
    outs() << "  analysis: " << describe(K, F) << "\n";
  outs().flush();
}

static void compareFile(uint64_t First, unsigned Number, Tally &T) {
  std::vector<Kernel> Kernels;
  std::vector<Verdict> Verdicts;
  for (unsigned I = 0; I < Number; ++I) {
    auto [K, V] = nextKernel(First + I, T.Invalid);
    Kernels.push_back(std::move(K));
    Verdicts.push_back(std::move(V));
  }
  const std::string Code = print(Kernels);
  if (PrintOnly) {
    outs() << Code;
    return;
  }
  std::map<std::string, EngineReport> Reports = analyse(Code);
  for (const auto &[K, V] : llvm::zip(Kernels, Verdicts)) {
    const EngineReport &E = Reports[K.Name];
    ++T.Kernels;
    ++T.Families[K.Family];
    T.Defective += !V.Defects.empty();
    T.Flagged += !E.Findings.empty();
    T.NotAnalysed += !E.Gaps.empty();
    if (!E.Gaps.empty())
      ++T.Gaps[E.Gaps.front()];
    if (!E.Gaps.empty() && ShowGaps)
      outs() << K.Name << ": " << E.Gaps.front() << "\n" << listing(K);
    if (auto D = compare(K, V, E, Compared)) {
      outs() << K.Name << " (" << K.Family << "): " << D->Text << "\n";
      if (++T.Disagreements <= MaxShown)
        show(K, *D);
    }
  }
}

int main(int Argc, char **Argv) {
  llvm::cl::ParseCommandLineOptions(Argc, Argv);
  Tally T;
  for (unsigned Done = 0; Done < Count; Done += KernelsPerFile)
    compareFile(Seed + Done, std::min(KernelsPerFile, Count - Done), T);
  outs() << T.Kernels << " kernels (" << T.Invalid << " others thrown away):";
  for (const auto &[Family, N] : T.Families)
    outs() << " " << Family << " " << N;
  outs() << "\ndefective " << T.Defective << ", flagged " << T.Flagged
         << ", not fully analysed " << T.NotAnalysed << "\n";
  for (const auto &[Reason, N] : T.Gaps)
    outs() << "  " << N << " " << Reason << "\n";
  outs() << T.Disagreements << " disagreements\n";
  const bool BothSorts =
      100 * T.Defective >= MinOfEachSort * T.Kernels &&
      100 * (T.Kernels - T.Defective) >= MinOfEachSort * T.Kernels;
  if (!BothSorts)
    outs() << "too few defective kernels, or too few sound ones\n";
  const bool Covered = 100 * T.NotAnalysed <= MaxNotAnalysed * T.Kernels;
  if (!Covered)
    outs() << "too many kernels are not fully analysed\n";
  return T.Disagreements || !BothSorts || !Covered ? 1 : 0;
}
