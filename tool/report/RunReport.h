//===- RunReport.h - What a run says, for every format ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input of the output formats: the reports of all files, plus what is known
// at the end of the run only. Formats are functions from it to text; they print
// findings in one order, whatever the order of the files was.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_RUNREPORT_H
#define CPASYNC_TOOL_REPORT_RUNREPORT_H

#include "tool/report/FileReport.h"
#include "tool/report/Summary.h"

namespace cpasync {

/// A kernel or file that could not be looked at, or a word about the run.
struct Notification {
  enum class Level { Note, Warning, Error } Severity;
  std::string Id; ///< "not-fully-analysed", "file-not-analysed"
  std::string Message;
  std::string Path; ///< empty: none
  unsigned Line = 0;
  unsigned Column = 0;
};

struct RunReport {
  std::vector<FileReport> Files;
  Summary Total;
  std::string Directory; ///< the working directory, absolute
  std::string Root;      ///< absolute; reports name files relative to it
  int ExitCode = 0;
  bool ShowsTimelines = false;     ///< as text
  std::vector<Notification> Notes; ///< about the run as a whole
  bool ShowsSuppressed = false; ///< in formats that tell them from the others

  /// \p File, relative to the root if it is below.
  std::string displayPath(llvm::StringRef File,
                          llvm::StringRef Directory) const;
  /// Whether the file that \p Displayed names is there.
  bool exists(llvm::StringRef Displayed) const;
};

/// A finding with what only the run knows.
struct ListedFinding {
  const ReportedFinding *Finding;
  const FileReport *Unit;
  std::string Path; ///< as displayPath() of its place
  /// Fingerprint and number among the findings of the file that share it:
  /// "0123456789abcdef:1". Unique in a file.
  std::string Identity;
};

/// \p Path as the user named \p Unit: relative to the working directory if that
/// name is relative.
llvm::StringRef shortPath(llvm::StringRef Path, const FileReport &Unit,
                          llvm::StringRef WorkingDirectory);

/// The same for the places of a finding that are printed.
void shortenPaths(ReportedFinding &F, const FileReport &Unit,
                  llvm::StringRef WorkingDirectory);

/// The findings of our checks, by path, place, check and message.
std::vector<ListedFinding> listFindings(const RunReport &Run);

/// Those that comments silence, in the same order and each once; without
/// identities.
std::vector<ListedFinding> listSilenced(const RunReport &Run);

/// "note", "warning" or "error".
llvm::StringRef severityName(Notification::Level Level);

/// What the run could not say, in the order of paths.
std::vector<Notification> listNotifications(const RunReport &Run);

/// The nearest folder above \p Directory, or itself, that holds `.git`; else
/// \p Directory.
std::string findRoot(llvm::StringRef Directory);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_RUNREPORT_H
