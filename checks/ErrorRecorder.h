//===- ErrorRecorder.h - Where a file does not compile -------- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neither clang-tidy nor the AST tells a check where Clang reported errors, and
// statements with errors are often dropped whole. This listens in on the way to
// whoever else is told. What nvcc accepts and Clang mends by itself is no error
// here.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CHECKS_ERRORRECORDER_H
#define CPASYNC_CHECKS_ERRORRECORDER_H

#include "clang/Basic/Diagnostic.h"
#include <vector>

namespace cpasync {

class ErrorRecorder : public clang::DiagnosticConsumer {
public:
  /// Listens until stop(), or for ever if nobody calls that. Must outlive
  /// \p Diags then; does nothing while it listens already.
  void listen(clang::DiagnosticsEngine &Diags);
  void stop();

  const std::vector<clang::SourceLocation> &places() const { return Places; }

  void BeginSourceFile(const clang::LangOptions &Opts,
                       const clang::Preprocessor *PP) override {
    Next->BeginSourceFile(Opts, PP);
  }
  void EndSourceFile() override { Next->EndSourceFile(); }
  void finish() override { Next->finish(); }
  bool IncludeInDiagnosticCounts() const override {
    return Next->IncludeInDiagnosticCounts();
  }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

private:
  clang::DiagnosticsEngine *Engine = nullptr;
  clang::DiagnosticConsumer *Next = nullptr;
  std::vector<clang::SourceLocation> Places;
  bool IsHiding = false;
};

} // namespace cpasync

#endif // CPASYNC_CHECKS_ERRORRECORDER_H
