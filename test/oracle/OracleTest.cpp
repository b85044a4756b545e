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

#include "Engine.h"
#include "Generator.h"
#include "Oracle.h"
#include "Printer.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace oracle;
using cpasync::FindingKind;
using llvm::outs;

static llvm::cl::opt<unsigned> Count("count", llvm::cl::init(2000),
                                     llvm::cl::desc("kernels to compare"));
static llvm::cl::opt<uint64_t> Seed("seed", llvm::cl::init(1),
                                    llvm::cl::desc("of the first kernel"));
static llvm::cl::opt<unsigned>
    MaxShown("show", llvm::cl::init(3),
             llvm::cl::desc("disagreements to print in full"));
static llvm::cl::opt<bool>
    CrossThread("cross-thread", llvm::cl::init(false),
                llvm::cl::desc("compare defects between threads as well"));

/// Kernels in one file: enough to make the headers cheap.
static constexpr unsigned KernelsPerFile = 200;

namespace {

struct Tally {
  unsigned Kernels = 0, Defective = 0, Flagged = 0, NotAnalysed = 0,
           Disagreements = 0, Invalid = 0;
  std::map<std::string, unsigned> Gaps, Families;
};

} // namespace

static bool isOwn(const Defect &D) {
  return D.K == Defect::Kind::OwnReadInFlight;
}

/// Whether the oracle knows of what the analysis found.
static bool confirms(const Verdict &V, const EngineFinding &E) {
  for (const auto &[D, W] : V.Defects) {
    if (D.CopyLine != E.CopyLine || D.OtherLine != E.ReadLine)
      continue;
    switch (E.F.Kind) {
    case FindingKind::ReadInFlight:
      if (D.K == Defect::Kind::OwnReadInFlight ||
          D.K == Defect::Kind::ReadInFlight ||
          D.K == Defect::Kind::Unsynchronized ||
          D.K == Defect::Kind::CopyOverRead)
        return true;
      break;
    case FindingKind::ReadBeforeCopy:
      if (D.K == Defect::Kind::ReadBeforeCopy ||
          D.K == Defect::Kind::CopyOverRead)
        return true;
      break;
    default:
      break;
    }
  }
  return false;
}

/// What they disagree about; empty if they do not.
static std::string compare(const Verdict &V, const EngineReport &E) {
  for (const EngineFinding &F : E.Findings)
    if (!confirms(V, F))
      return "the analysis reports a copy at line " +
             std::to_string(F.CopyLine) + " and a read at line " +
             std::to_string(F.ReadLine) + "; the oracle does not";
  if (!E.Findings.empty())
    return "";
  for (const auto &[D, W] : V.Defects)
    if (CrossThread || isOwn(D))
      return "the oracle reports, the analysis does not: " + describe(D, W);
  return "";
}

/// A kernel that means something, with its lines numbered as if alone.
static Kernel nextKernel(uint64_t KernelSeed, unsigned &Invalid) {
  Random R(KernelSeed);
  for (;; ++Invalid) {
    std::vector<Kernel> One = {generate(R)};
    for (int64_t N = R.oneOf({0, 0, 1, 1, 2}); N > 0; --N)
      mutate(R, One.front());
    One.front().Name = "k" + std::to_string(KernelSeed);
    print(One);
    const Verdict V = judge(One.front());
    if (V.Invalid.empty() && V.Copies > 0)
      return One.front();
  }
}

static void compareFile(uint64_t First, unsigned Number, Tally &T) {
  std::vector<Kernel> Kernels;
  for (unsigned I = 0; I < Number; ++I)
    Kernels.push_back(nextKernel(First + I, T.Invalid));
  const std::string Code = print(Kernels);
  std::map<std::string, EngineReport> Reports = analyseFile(Code);
  for (const Kernel &K : Kernels) {
    const EngineReport &E = Reports[K.Name];
    const Verdict V = judge(K);
    ++T.Kernels;
    ++T.Families[K.Family];
    T.Defective += !V.Defects.empty();
    T.Flagged += !E.Findings.empty();
    if (!E.Gaps.empty()) {
      ++T.NotAnalysed;
      ++T.Gaps[E.Gaps.front()];
    }
    std::string Why = E.Analysed ? compare(V, E) : "not looked at";
    // Silence about a kernel with a gap promises nothing; a finding does.
    if (Why.empty() || (!E.Gaps.empty() && E.Findings.empty()))
      continue;
    if (++T.Disagreements > MaxShown)
      continue;
    outs() << "\nseed " << K.Name.substr(1) << " (" << K.Family
           << "): " << Why << "\n"
           << listing(Code, K);
    for (const auto &[D, W] : V.Defects)
      outs() << "  oracle: " << describe(D, W) << "\n";
    for (const EngineFinding &F : E.Findings)
      outs() << "  analysis: kind " << int(F.F.Kind) << ", copy at line "
             << F.CopyLine << " by thread " << F.F.Thread
             << ", read at line " << F.ReadLine << " by thread " << F.F.Reader
             << "\n";
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
  return T.Disagreements ? 1 : 0;
}
