//===- Suppressions.h - Comments that silence findings ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang-tidy drops what a NOLINT comment covers and says no more of it. Reports
// want to know why something is silent, and whether a comment still silences
// anything. Comments that name no check of ours are other tools' business.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_SUPPRESSIONS_H
#define CPASYNC_TOOL_REPORT_SUPPRESSIONS_H

#include "tool/input/SourceText.h"
#include "tool/report/RunReport.h"

namespace cpasync {

/// Reported for a comment that silences nothing.
inline constexpr llvm::StringLiteral UnusedSuppression =
    "cpasync-unused-suppression";

struct Suppression {
  Place Where;            ///< the word NOLINT...
  std::string Checks;     ///< as written between the parentheses
  std::string Reason;     ///< what follows them on the line
  unsigned FirstLine = 0; ///< of what it covers
  unsigned LastLine = 0;

  bool covers(const ReportedFinding &F) const;
};

/// The comments in \p File, in order, that name a check of ours.
std::vector<Suppression> findSuppressions(llvm::StringRef File,
                                          const SourceText &Text);

/// Of the checks that \p S names, those of ours that there are not.
std::vector<std::string> unknownChecks(const Suppression &S);

/// A comment of \p Run that names a check of ours that there is not.
struct MisspeltComment {
  std::string Path; ///< as displayed
  unsigned Line, Column;
  std::string Check;
};

/// A comment that silences nothing, as a finding in the first file that read
/// it.
struct UnusedComment {
  FileReport *Unit;
  ReportedFinding Finding;
};

/// Says which suppressed findings of \p Run a comment silences, with its
/// reason, and returns the comments that silence none. A comment is judged only
/// if all was analysed that it could silence; \p NotJudged counts the others.
/// \p Misspelt takes what is wrong whatever was analysed.
std::vector<UnusedComment>
judgeSuppressions(RunReport &Run, SourceCache &Sources, unsigned &NotJudged,
                  std::vector<MisspeltComment> &Misspelt);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_SUPPRESSIONS_H
