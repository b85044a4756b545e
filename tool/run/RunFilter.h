//===- RunFilter.h - What of a run is shown ---------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --baseline and --diff take findings out of what is shown,
// --unused-suppressions puts some in. Nothing goes without being counted in the
// summary.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_RUNFILTER_H
#define CPASYNC_TOOL_RUN_RUNFILTER_H

#include "tool/report/Baseline.h"
#include "tool/report/GitDiff.h"
#include "tool/report/Suppressions.h"
#include "tool/run/Options.h"
#include <optional>

namespace cpasync {

class RunFilter {
public:
  /// Reads what \p Opts names. Without a filter that was asked for everything
  /// is shown, and missing() tells that this is not what was asked for.
  RunFilter(const Options &Opts, RunReport &Run);

  bool missing() const { return Missing; }

  /// Takes known and untouched findings out of \p Report.
  void filter(FileReport &Report);

  /// To call when all files are done: the comments to report.
  std::vector<UnusedComment> unusedComments();
  /// The same for the baseline: says which entries are fixed.
  void reportFixed();
  /// Writes what --write-baseline asks for, if anything.
  llvm::Error writeBaseline() const;

private:
  const Options &Opts;
  RunReport &Run;
  std::optional<Baseline> Known;
  std::optional<GitDiff> Changes;
  bool Missing = false;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_RUNFILTER_H
