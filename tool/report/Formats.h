//===- Formats.h - Output formats -------------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_FORMATS_H
#define CPASYNC_TOOL_REPORT_FORMATS_H

#include "tool/report/RunReport.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
}

namespace cpasync {

// One format, one file of the same name.
void writeText(const RunReport &Run, llvm::raw_ostream &OS);
/// The errors of the compiler in \p File, as it prints them. \p Directory is
/// where relative names start.
void writeErrors(const FileReport &File, llvm::StringRef Directory,
                 llvm::raw_ostream &OS);
void writeSarif(const RunReport &Run, llvm::raw_ostream &OS);
void writeJson(const RunReport &Run, llvm::raw_ostream &OS);
void writeGitHub(const RunReport &Run, llvm::raw_ostream &OS);
void writeGitLab(const RunReport &Run, llvm::raw_ostream &OS);
void writeHtml(const RunReport &Run, llvm::raw_ostream &OS);

struct Format {
  llvm::StringRef Name;
  void (*Write)(const RunReport &Run, llvm::raw_ostream &OS);
};

/// Null: no format has this name.
const Format *findFormat(llvm::StringRef Name);

/// "text, sarif, json, github, gitlab or html".
std::string formatNames();

/// The two halves of FORMAT=FILE; fails if it is something else.
struct OutputFile {
  const Format *As;
  std::string File;
};
llvm::Expected<OutputFile> parseOutput(llvm::StringRef Text);

/// "-" is standard output. The error names the file.
llvm::Error writeOutput(const RunReport &Run, const OutputFile &Output);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_FORMATS_H
