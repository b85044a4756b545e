//===- Baseline.h - Findings that were there before -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of accepted findings. An entry is found again by its fingerprint in
// its file; if the function was renamed, by the statement; if the file is gone,
// by its fingerprint in another one. Each entry accepts one finding.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_BASELINE_H
#define CPASYNC_TOOL_REPORT_BASELINE_H

#include "tool/report/RunReport.h"
#include "llvm/Support/Error.h"

namespace cpasync {

struct BaselineEntry {
  std::string Check;
  std::string File; ///< as RunReport::displayPath()
  std::string Unit; ///< the file whose analysis found it; File or an includer
  std::string Function;
  std::vector<std::string> Kernels;
  std::string Message; ///< for the reader
  std::string Fingerprint;
  std::string StatementFingerprint;
};

class Baseline {
public:
  /// The error begins with \p File's name.
  static llvm::Expected<Baseline> read(llvm::StringRef File);
  /// Writes all findings of \p Run, shown or not, and \p Others.
  static llvm::Error write(const RunReport &Run,
                           std::vector<BaselineEntry> Others,
                           llvm::StringRef File);

  /// Moves the findings of \p Report that the baseline has to Known.
  void filter(FileReport &Report, const RunReport &Run);

  /// Entries not found again although all was analysed that would show them.
  std::vector<BaselineEntry> fixed(const RunReport &Run) const;
  /// Entries not found again of which this run can say nothing.
  std::vector<BaselineEntry> unjudged(const RunReport &Run) const;

private:
  static bool isFixed(const BaselineEntry &E, const RunReport &Run);

  std::vector<BaselineEntry> Entries; ///< not found yet
};

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_BASELINE_H
