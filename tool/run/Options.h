//===- Options.h - The command line of cpasync-tidy -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_OPTIONS_H
#define CPASYNC_TOOL_RUN_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace cpasync {

struct Options {
  std::vector<std::string> Files;
  std::vector<std::string> CompilerFlags; ///< of --extra-arg and after `--`

  bool Help = false;
  bool Version = false;
  bool ListChecks = false;
  bool Skipped = false;
  bool Errors = false;
  bool Timeline = false;
  bool PrintState = false;
  bool Fix = false;
  bool FixSlow = false;
  bool FixNotes = false;
  /// Some option asks for fixes to be applied.
  bool fixes() const { return Fix || FixSlow || FixNotes; }
  bool Quiet = false;
  bool Strict = false; ///< the same as FailOn = "findings,gaps"
  bool AllArchs = false;
  bool Lsp = false;
  std::string Build; ///< of -p: a folder or its compile_commands.json
  std::string ExportCommands;
  std::string Workers;        ///< of -j; empty: one for each core
  std::string TimeoutPerFile; ///< seconds
  std::string MemoryPerFile;  ///< MiB
  bool UnusedSuppressions = false;
  bool ShowSuppressed = false;
  std::string Explain;
  std::string Checks;
  std::string Config;
  std::string ExportFixes;
  std::string HeaderFilter;
  std::string Cuda = "auto"; ///< auto, toolkit or bundled
  std::string CudaPath;
  std::string OffloadArch;
  std::string AssumedThreads, TimeoutPerKernel, MemoryPerKernel;
  std::string Format = "text";      ///< of standard output
  std::vector<std::string> Outputs; ///< FORMAT=FILE
  std::string Baseline;
  std::string WriteBaseline;
  std::string Diff; ///< a revision
  std::string FailOn = "findings";

  /// What makes the exit status 1.
  bool failsOn(llvm::StringRef What) const;
};

/// Reads the arguments after the program's name. An option may be written
/// `--name=value`, `--name value` or with one dash.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> Args);

/// The text of --help.
void printHelp(llvm::raw_ostream &OS);

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_OPTIONS_H
