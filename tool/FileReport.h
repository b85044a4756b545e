//===- FileReport.h - What the analysis of one file says --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data: everything that an output format needs to know about one file,
// with no pointer into Clang. A worker process sends it to its parent as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_FILEREPORT_H
#define CPASYNC_TOOL_FILEREPORT_H

#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace cpasync {

/// A stretch of a source file, usually one token. Lines and columns count from
/// 1, columns in bytes; the end is exclusive.
struct Place {
  std::string File; ///< absolute, or as the compiler was given it
  unsigned Offset = 0;
  unsigned Length = 0;
  unsigned Line = 0; ///< 0: no line is known, or the place has no file
  unsigned Column = 0;
  unsigned EndLine = 0;
  unsigned EndColumn = 0;

  bool isValid() const { return !File.empty() && Line != 0; }
};

/// Replaces the text at a place, which may be empty.
struct Edit {
  Place Where;
  std::string Replacement;
};

/// A note below a warning, as the text output prints it.
struct ReportedNote {
  Place Where;
  std::string Message;
  std::vector<Edit> Fix;
};

/// A step of the path that leads to the finding. Unlike the notes, the path is
/// complete: nothing is elided.
struct PathStep {
  Place Where;
  std::string Message;
  std::string Kind;   ///< the name of TraceStep::Kind in lib/Finding.h, or
                      ///< "Assumption" or "Witness"
  unsigned Depth = 0; ///< calls between the kernel and this place
};

/// One diagnostic. Those of Clang and clang-tidy themselves have no path.
struct ReportedFinding {
  std::string Check;           ///< "cpasync-unwaited-read", "clang-tidy-config"
  bool IsError = false;        ///< Clang's own, or made one by the next
  bool WarningAsError = false; ///< by WarningsAsErrors of .clang-tidy
  std::string Message;
  Place Where; ///< may be invalid for clang-tidy's own
  std::vector<ReportedNote> Notes;
  std::vector<Edit> Fix; ///< of the warning itself; our checks have none

  // The rest is known of cpasync checks only.
  std::vector<PathStep> Path;
  std::vector<std::string> Kernels; ///< it was found in, first one first
  std::string Function; ///< qualified name of the function around the place
  std::string Object;   ///< the user's name of the memory concerned

  bool isOurs() const;
};

/// A construct that kept a kernel from being fully analysed.
struct ReportedGap {
  std::string Kernel;
  Place Where;
  std::string Reason;
};

/// What the run knows about one file after its analysis.
struct FileReport {
  std::string File; ///< as the user or the database named it
  /// One line, without the file's name, if nothing could be said about it.
  std::string Failure;
  unsigned ParseErrors = 0;
  std::string FirstParseError; ///< "line 3: 'x.h' file not found"
  unsigned Kernels = 0;
  unsigned Functions = 0;        ///< device functions analysed by themselves
  unsigned NotFullyAnalysed = 0; ///< of both, those with a gap
  std::vector<ReportedFinding> Findings;
  /// Findings that a comment or the header filter keeps from being reported.
  std::vector<ReportedFinding> Suppressed;
  std::vector<ReportedGap> Gaps;
  std::vector<std::string> Sources; ///< the file and the user's headers it read
};

llvm::json::Value toJSON(const Place &P);
llvm::json::Value toJSON(const Edit &E);
llvm::json::Value toJSON(const ReportedNote &N);
llvm::json::Value toJSON(const PathStep &S);
llvm::json::Value toJSON(const ReportedFinding &F);
llvm::json::Value toJSON(const ReportedGap &G);
llvm::json::Value toJSON(const FileReport &R);

bool fromJSON(const llvm::json::Value &V, Place &P, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, Edit &E, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, ReportedNote &N, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, PathStep &S, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, ReportedFinding &F,
              llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, ReportedGap &G, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, FileReport &R, llvm::json::Path At);

} // namespace cpasync

#endif // CPASYNC_TOOL_FILEREPORT_H
