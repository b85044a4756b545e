//===- NeverCalled.cpp - What the static binary leaves out ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang-tidy's library starts the static analyser when one of its checks is
// enabled; Lint.cpp disables them all. Without the analyser the binary is a
// seventh smaller and does not need the Z3 solver, which Debian has as a shared
// library only.
//
//===----------------------------------------------------------------------===//

#include "clang/StaticAnalyzer/Frontend/AnalysisConsumer.h"
#include "llvm/Support/ErrorHandling.h"

std::unique_ptr<clang::ento::AnalysisASTConsumer>
clang::ento::CreateAnalysisConsumer(CompilerInstance &) {
  llvm::report_fatal_error("the static analyser is not built in");
}
