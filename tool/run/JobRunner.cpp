//===- JobRunner.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/JobRunner.h"
#include "checks/Messages.h"
#include "tool/run/Division.h"
#include "tool/run/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Threading.h"
#include <cstring>
#include <numeric>

using namespace cpasync;
using llvm::StringRef;

/// Seconds for one file; the slowest seen in practice takes tens.
static constexpr unsigned DefaultTimeout = 600;

/// MiB for one file; the most seen in practice are two thousand.
static constexpr uint64_t DefaultMemory = 8192;

std::string cpasync::failureOf(const WorkResult &Result,
                               const WorkLimits &Limits) {
  const std::string Place =
      Result.Output.empty() ? "" : " (" + Result.Output + ")";
  switch (Result.Ended) {
  case WorkResult::Kind::Finished:
    return "";
  case WorkResult::Kind::TimedOut:
    return "given up after " + counted(Limits.Seconds, "second") +
           "; see --timeout-per-file";
  case WorkResult::Kind::OutOfMemory:
    if (Limits.MemoryMiB == 0)
      return "out of memory while analysing" + Place;
    return "given up after using " + std::to_string(Limits.MemoryMiB) +
           " MiB of memory" + Place + "; see --memory-per-file";
  case WorkResult::Kind::OutOfStack:
    return "nested too deeply for the analysis" + Place;
  case WorkResult::Kind::GaveUp:
    return "internal error: " + Result.Output + "; please report it";
  case WorkResult::Kind::NotStarted:
    return "no process could be started to analyse it";
  case WorkResult::Kind::Crashed:
    break;
  }
  std::string Failure = "the analysis crashed";
  if (Result.Signal)
    Failure += std::string(" (") + ::strsignal(Result.Signal) + ")";
  return Failure + Place + "; please report it";
}

static std::string textOf(const FileReport &Report) {
  return llvm::formatv("{0}", toJSON(Report)).str();
}

/// How many processes may be at work.
static unsigned coresOf(const Options &Opts) {
  // --print-state writes while it analyses, and findings come in between.
  if (Opts.PrintState)
    return 1;
  unsigned Count = llvm::hardware_concurrency().compute_thread_count();
  StringRef(Opts.Workers).getAsInteger(10, Count);
  return Count;
}

static WorkLimits limitsOf(const Options &Opts, Cores &Shared) {
  WorkLimits Limits{&Shared, DefaultTimeout, DefaultMemory};
  StringRef(Opts.TimeoutPerFile).getAsInteger(10, Limits.Seconds);
  StringRef(Opts.MemoryPerFile).getAsInteger(10, Limits.MemoryMiB);
  return Limits;
}

FileReport JobRunner::readReport(const Job &J, const WorkResult &Result) const {
  FileReport Report;
  Report.File = J.File;
  Report.Directory = Directory;
  Report.Failure = failureOf(Result, Limits);
  if (!Report.Failure.empty())
    return Report;
  llvm::Expected<FileReport> Sent =
      llvm::json::parse<FileReport>(Result.Output, "report");
  if (Sent)
    return std::move(*Sent);
  Report.Failure = "internal error: " + llvm::toString(Sent.takeError());
  return Report;
}

FileReport JobRunner::analyzeAlone(const Job &J) {
  FileReport Report = TheAnalyzer.analyzeAlone(J);
  return Lost ? readReport(J, *Lost) : Report;
}

FileReport JobRunner::analyze(const Job &J) {
  if (J.OnlyIn.empty())
    return analyzeAlone(J);
  return Analyzer::analyze(J, [&](const Job &Each) {
    FileReport Report;
    runInChildren(
        1, Limits, [&](size_t) { return textOf(analyzeAlone(Each)); },
        [&](size_t, const WorkResult &Result) {
          Report = readReport(Each, Result);
        },
        [](size_t) {});
    return Report;
  });
}

JobRunner::JobRunner(const Options &Opts, const std::vector<Job> &Jobs,
                     StringRef Directory,
                     std::function<void(FileReport)> Accept)
    : Jobs(Jobs), Directory(Directory), Accept(std::move(Accept)),
      TheAnalyzer(Opts, Directory), Shared(coresOf(Opts)),
      Limits(limitsOf(Opts, Shared)), IsQuiet(Opts.Quiet || Opts.PrintState) {}

void JobRunner::run() {
  // States are printed once, each file's before its findings.
  frontEnd().TellsLaunches = Jobs.size() > 1 && !frontEnd().PrintState;
  frontEnd().Divide = [&](size_t Count, auto Work, auto Take) {
    // Of a file that counts as not analysed, nobody wants more.
    if (!Lost)
      Lost = divide(Count, Limits, Work, Take);
  };
  std::vector<size_t> All(Jobs.size());
  std::iota(All.begin(), All.end(), 0);
  runSome(All,
          [&](size_t I, FileReport Report) { take(I, std::move(Report)); });
  runAgain();
  frontEnd().Divide = nullptr;
}

void JobRunner::runSome(llvm::ArrayRef<size_t> Which,
                        llvm::function_ref<void(size_t, FileReport)> Take) {
  Progress Shown(Which.size(), IsQuiet);
  runInChildren(
      Which.size(), Limits,
      [&](size_t I) { return textOf(analyze(Jobs[Which[I]])); },
      [&](size_t I, const WorkResult &Result) {
        Shown.clear();
        Take(Which[I], readReport(Jobs[Which[I]], Result));
      },
      [&](size_t Ended) { Shown.update(Ended); });
}

void JobRunner::take(size_t I, FileReport Report) {
  if (Current)
    mergeReport(Current->Report, std::move(Report));
  else
    Current = {std::move(Report), {}};
  Current->Jobs.push_back(I);
  if (I + 1 < Jobs.size() && Jobs[I + 1].File == Jobs[I].File)
    return;
  for (const auto &[Kernel, Blocks] : Current->Report.Launches)
    Launches[Kernel].insert(Blocks.begin(), Blocks.end());
  if (Held.empty() && Current->Report.Unlaunched.empty())
    Accept(std::move(Current->Report));
  else
    Held.push_back(std::move(*Current));
  Current.reset();
}

void JobRunner::runAgain() {
  std::vector<size_t> Which;
  std::vector<bool> IsKnown;
  for (const Analysed &File : Held) {
    IsKnown.push_back(
        llvm::none_of(File.Report.Unlaunched, [&](const std::string &Kernel) {
          return Launches.contains(Kernel);
        }));
    if (!IsKnown.back())
      llvm::append_range(Which, File.Jobs);
  }
  size_t Next = 0;
  const auto AcceptKnown = [&] {
    for (; Next < Held.size() && IsKnown[Next]; ++Next)
      Accept(std::move(Held[Next].Report));
  };
  AcceptKnown();
  if (Which.empty())
    return;
  frontEnd().LaunchesElsewhere = &Launches;
  runSome(Which, [&](size_t I, FileReport Report) {
    Analysed &File = Held[Next];
    if (I == File.Jobs.front())
      File.Report = std::move(Report);
    else
      mergeReport(File.Report, std::move(Report));
    if (I == File.Jobs.back()) {
      IsKnown[Next] = true;
      AcceptKnown();
    }
  });
  frontEnd().LaunchesElsewhere = nullptr;
}
