//===- Record.h - Findings without pointers into Clang ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang-tidy's diagnostics carry a message, a place and notes. What a report
// needs beyond them, and all that a suppressed finding leaves behind, is
// recorded as plain data.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CHECKS_RECORD_H
#define CPASYNC_CHECKS_RECORD_H

#include "checks/FrontEnd.h"
#include "lib/Finding.h"

namespace clang {
class ASTContext;
class SourceManager;
} // namespace clang

namespace cpasync {

class FunctionIndex;

/// The innermost place of user code on the way to \p Loc: itself, or the first
/// call out of system headers that the trace records after it.
clang::SourceLocation userLocation(clang::SourceLocation Loc, const Finding &F,
                                   const clang::SourceManager &SM);

/// Place, path, function and object of a finding reported at \p Loc.
ReportedFinding recordFinding(const Finding &F, clang::SourceLocation Loc,
                              const clang::ASTContext &Ctx,
                              const FunctionIndex &Functions);

/// The files of the translation unit, system headers apart.
std::vector<std::string> sourceFiles(const clang::SourceManager &SM);

} // namespace cpasync

#endif // CPASYNC_CHECKS_RECORD_H
