//===- Analyzer.h - Analyse one file -------------------------- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_ANALYZER_H
#define CPASYNC_TOOL_RUN_ANALYZER_H

#include "tool/input/BoundedFiles.h"
#include "tool/input/MissingKeywords.h"
#include "tool/input/SourceText.h"
#include "tool/report/FileReport.h"
#include "tool/run/Jobs.h"
#include "tool/run/Options.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace cpasync {

class Analyzer {
public:
  /// \p Directory is the working directory; \p Opts have been checked.
  Analyzer(const Options &Opts, llvm::StringRef Directory);

  /// Parses the file of a job, not its Others, and runs the checks; prints
  /// nothing. Places in the report are absolute. May end the process: see
  /// LastWords.h.
  FileReport analyzeAlone(const Job &J);

  /// Has \p Analyze analyse \p J alone, and of its Others those that it takes
  /// for an answer about everything in the header.
  static FileReport
  analyze(const Job &J, llvm::function_ref<FileReport(const Job &)> Analyze);

private:
  ParseResult
  parse(const Job &J,
        llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> Files);

  const Options &Opts;
  std::string Directory;
  llvm::IntrusiveRefCntPtr<BoundedFiles> Disk;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FileSystem;
  SourceCache Sources;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_ANALYZER_H
