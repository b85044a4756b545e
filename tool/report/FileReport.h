//===- FileReport.h - What the analysis of one file says --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data: everything that an output format needs to know about one file,
// with no pointer into Clang, and its form as JSON, for processes that divide
// the files of a run. The parts are in checks/FrontEnd.h.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_FILEREPORT_H
#define CPASYNC_TOOL_REPORT_FILEREPORT_H

#include "checks/FrontEnd.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace cpasync {

/// What the run knows about one file after its analysis.
struct FileReport {
  std::string File;      ///< as the user or the database named it
  std::string Directory; ///< what relative paths of places are relative to
  /// One line, without the file's name, if nothing could be said about it.
  std::string Failure;
  unsigned ParseErrors = 0;
  std::string FirstParseError;         ///< "line 3: 'x.h' file not found"
  std::vector<ReportedFinding> Errors; ///< all of them, where asked for
  unsigned Kernels = 0;
  unsigned Functions = 0;        ///< device functions analysed by themselves
  unsigned NotFullyAnalysed = 0; ///< of both, those with a gap
  Assumptions AssumedBlocks, AssumedSizes;
  /// Templates looked at with arguments that nothing in the file gives them.
  unsigned MadeUp = 0;
  std::vector<ReportedFinding> Findings;
  /// Findings that a comment or the header filter keeps from being reported.
  std::vector<ReportedFinding> Suppressed;
  std::vector<ReportedGap> Gaps;
  std::vector<ReportedGap> Refuted;
  std::vector<ReportedState> States; ///< where asked for
  std::vector<std::string> Sources;  ///< files read, system headers apart
  std::vector<std::string> Checks;   ///< those of ours that ran
  /// The digest of what was analysed as each file that findings name; empty if
  /// it was not always the same.
  std::map<std::string, std::string> Read;
  // What the files of a run tell each other; see AnalysisResult.
  LaunchIndex Launches;
  std::vector<std::string> Unlaunched;

  // Findings that the run does not show; not part of the JSON.
  std::vector<ReportedFinding> Known;     ///< the baseline has them
  std::vector<ReportedFinding> Untouched; ///< no change is on their path
};

/// Adds to \p Into what another compilation of the same file says: another
/// architecture, another target. What both say counts once.
void mergeReport(FileReport &Into, FileReport Other);

llvm::json::Object assumptionsToJson(const Assumptions &Assumed);
llvm::json::Object valuesToJson(const PathStep &S);
/// What the kernel is given where it is wrong; null: it hangs on nothing.
const PathStep *numbersOf(const ReportedFinding &F);
/// A run with these finds it again.
bool areConfirmed(const PathStep &Numbers);
llvm::json::Value toJSON(const Place &P);
llvm::json::Value toJSON(const Edit &E);
llvm::json::Value toJSON(const ReportedNote &N);
llvm::json::Value toJSON(const PathStep &S);
llvm::json::Value toJSON(const ReportedPipeline &P);
llvm::json::Value toJSON(const ReportedFinding &F);
llvm::json::Value toJSON(const ReportedGap &G);
llvm::json::Value toJSON(const ReportedState &S);
llvm::json::Value toJSON(const FileReport &R);

bool fromJSON(const llvm::json::Value &V, Place &P, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, Edit &E, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, ReportedNote &N, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, PathStep &S, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, ReportedPipeline &P,
              llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, ReportedFinding &F,
              llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, ReportedGap &G, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, ReportedState &S,
              llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, FileReport &R, llvm::json::Path At);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_FILEREPORT_H
