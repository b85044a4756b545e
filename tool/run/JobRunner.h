//===- JobRunner.h - Run jobs, each in a process of its own -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches of one file tell how kernels of another are run. A file whose
// kernels it does not launch itself waits, with those behind it, until all are
// done; if another launches one of them, it is analysed again.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_JOBRUNNER_H
#define CPASYNC_TOOL_RUN_JOBRUNNER_H

#include "tool/report/FileReport.h"
#include "tool/run/Analyzer.h"
#include "tool/run/Workers.h"
#include <functional>
#include <optional>

namespace cpasync {

/// Why a worker sent no report, in words; empty: it did.
std::string failureOf(const WorkResult &Result, const WorkLimits &Limits);

class JobRunner {
public:
  /// Hands the report of each file to \p Accept, in the order of \p Jobs.
  JobRunner(const Options &Opts, const std::vector<Job> &Jobs,
            llvm::StringRef Directory, std::function<void(FileReport)> Accept);

  void run();

private:
  struct Analysed {
    FileReport Report;
    std::vector<size_t> Jobs; ///< of this file
  };

  void runSome(llvm::ArrayRef<size_t> Which,
               llvm::function_ref<void(size_t, FileReport)> Take);
  void take(size_t I, FileReport Report);
  /// In a worker. Of the files through which a header is analysed each has a
  /// process of its own: where one cannot be analysed, the next may do.
  FileReport analyze(const Job &J);
  /// In the process that parses it.
  FileReport analyzeAlone(const Job &J);
  /// The report that a worker sent, or why there is none.
  FileReport readReport(const Job &J, const WorkResult &Result) const;
  /// Analyses again the files with kernels that others launch.
  void runAgain();

  const std::vector<Job> &Jobs;
  const std::string Directory;
  const std::function<void(FileReport)> Accept;
  Analyzer TheAnalyzer;
  Cores Shared;
  const WorkLimits Limits;
  const bool IsQuiet;
  std::optional<Analysed> Current;
  std::vector<Analysed> Held;
  LaunchIndex Launches; ///< of all files
  /// There: what became of the first of its kernels that was lost.
  std::optional<WorkResult> Lost;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_JOBRUNNER_H
