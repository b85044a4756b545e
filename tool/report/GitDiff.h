//===- GitDiff.h - Lines changed since a revision ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_GITDIFF_H
#define CPASYNC_TOOL_REPORT_GITDIFF_H

#include "tool/report/RunReport.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace cpasync {

/// What differs between a revision and the working tree.
class GitDiff {
public:
  /// Asks git, in \p Directory.
  static llvm::Expected<GitDiff> since(llvm::StringRef Revision,
                                       llvm::StringRef Directory);

  /// Adds what a unified diff without context lines says; paths are relative to
  /// \p Top.
  void addUnifiedDiff(llvm::StringRef Text, llvm::StringRef Top);

  /// Names a file that git knows.
  void track(llvm::StringRef File);

  /// True if a changed line is on the way to \p F: between the beginning of a
  /// function that a step of its path is in and the last such step, or the end
  /// of that function if the path repeats a loop. Also true if \p F is in a
  /// file that git does not track.
  bool touches(const ReportedFinding &F, llvm::StringRef Directory) const;

  /// Moves the findings of \p Report that no change touches to Untouched.
  void filter(FileReport &Report) const;

private:
  bool changed(llvm::StringRef File, unsigned First, unsigned Last) const;

  struct Lines {
    unsigned First;
    unsigned Last;
  };
  llvm::StringMap<std::vector<Lines>> Changed; ///< by real path
  llvm::StringSet<> Tracked;                   ///< real paths
};

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_GITDIFF_H
