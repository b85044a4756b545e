//===- TidyErrors.h - clang-tidy's diagnostics as a report ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_TIDYERRORS_H
#define CPASYNC_TOOL_RUN_TIDYERRORS_H

#include "tool/input/SourceText.h"
#include "tool/report/FileReport.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang::tidy {
struct ClangTidyError;
} // namespace clang::tidy

namespace cpasync {

/// Puts what clang-tidy let pass into \p Report's findings, joined with what
/// the module recorded in \p Pass, and what it suppressed into the suppressed
/// ones. Gaps, counts and sources come from \p Pass.
void readTidyErrors(llvm::ArrayRef<clang::tidy::ClangTidyError> Errors,
                    const PassReport &Pass, SourceCache &Sources,
                    FileReport &Report);

/// Errors of the compiler, with their notes; edits are left out.
std::vector<ReportedFinding>
readParseErrors(llvm::ArrayRef<clang::tidy::ClangTidyError> Errors,
                SourceCache &Sources, llvm::StringRef Directory);

/// The way back, for what only clang-tidy's library can do with diagnostics:
/// print and apply fixes.
clang::tidy::ClangTidyError toTidyError(const ReportedFinding &F,
                                        llvm::StringRef Directory);

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_TIDYERRORS_H
