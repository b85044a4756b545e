//===- Translator.h - A report in the words of the protocol -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_LSP_TRANSLATOR_H
#define CPASYNC_TOOL_LSP_TRANSLATOR_H

#include "tool/input/SourceText.h"
#include "tool/lsp/Documents.h"
#include "tool/lsp/EditorReport.h"
#include "tool/report/RunReport.h"

namespace cpasync {

/// Puts what a run says of a file into an EditorReport. Lines count from 0
/// then, columns are UTF-16 code units.
class Translator {
public:
  struct Shown {
    bool Gaps = false;   ///< what was not fully analysed
    bool Errors = false; ///< every error of the compiler, not only the first
  };

  Translator(const Documents &Open, Shown What, EditorReport &To)
      : Open(Open), What(What), To(To) {}

  /// \p Run has one file. Findings without a place are told at its beginning.
  void add(const RunReport &Run);

private:
  EditorFile &fileOf(const std::string &Path);
  llvm::lsp::Position position(const std::string &File, unsigned Line,
                               unsigned Column);
  llvm::lsp::Location location(const Place &Where);
  void addFinding(const ListedFinding &Listed);
  void addFix(EditorFinding &Finding, const std::vector<Edit> &Edits,
              const std::string &Title, bool IsPreferred);
  void addFailure(const FileReport &File);
  void addErrors(const FileReport &File);
  void addGaps(const FileReport &File);
  void addStates(const FileReport &File);
  EditorFinding &put(const Place &Where, llvm::StringRef Code,
                     llvm::lsp::DiagnosticSeverity Severity,
                     const std::string &Message,
                     llvm::ArrayRef<ReportedNote> Notes = {});

  const Documents &Open;
  const Shown What;
  EditorReport &To;
  std::string File; ///< that was asked for, absolute
  SourceCache Sources;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_LSP_TRANSLATOR_H
