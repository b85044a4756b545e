//===- Summary.h - The last line of the output ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts over all files what was found and what could not be looked at: unknown
// is never pass.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_SUMMARY_H
#define CPASYNC_TOOL_REPORT_SUMMARY_H

#include "tool/report/FileReport.h"
#include <set>
#include <string>
#include <vector>

namespace cpasync {

struct Summary {
  unsigned Findings = 0;
  unsigned Kernels = 0;
  unsigned Functions = 0;
  unsigned NotFullyAnalysed = 0;
  Assumptions AssumedBlocks, AssumedSizes;
  unsigned MadeUp = 0; ///< templates looked at with made-up arguments
  unsigned FilesWithErrors = 0;
  unsigned FilesNotAnalysed = 0;
  unsigned Known = 0;     ///< findings of the baseline, not among Findings
  unsigned Untouched = 0; ///< by the changes of --diff, not among Findings
  unsigned SuppressionsNotJudged = 0;
  unsigned Refuted = 0; ///< findings on paths that no run takes; dropped
  std::set<std::string> KernelsWithFindings;
  std::set<std::string> ChecksWithFindings;
  std::vector<ReportedGap> Skipped;

  /// Adds what one file reported.
  void add(const FileReport &Report);

  /// "3 findings in 2 of 41 kernels; 1 kernel not fully analysed (...): ...";
  /// of the reasons what stands before a colon.
  std::string line() const;
  /// Where the pages are of the checks that found something, as a line; empty:
  /// none did.
  std::string hint() const;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_SUMMARY_H
