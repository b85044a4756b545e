//===- ErrorRecorder.cpp - Where a file does not compile ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/ErrorRecorder.h"
#include "checks/FrontEnd.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace cpasync;

void ErrorRecorder::listen(DiagnosticsEngine &Diags) {
  // An engine that owns its client would delete it.
  if (Engine || Diags.ownsClient())
    return;
  Places.clear();
  Engine = &Diags;
  Next = Diags.getClient();
  Diags.setClient(this, /*ShouldOwnClient=*/false);
}

void ErrorRecorder::stop() {
  if (Engine)
    Engine->setClient(Next, /*ShouldOwnClient=*/false);
  Engine = nullptr;
}

/// Whether Clang has put in the keyword that it misses and nvcc does not.
static bool isRepaired(const Diagnostic &Info) {
  // Clang goes on as if an edit that comes with an error had been made.
  if (Info.getNumFixItHints() == 0)
    return false;
  switch (Info.getID()) {
  case diag::err_missing_dependent_template_keyword:
  case diag::err_template_kw_missing:
  case diag::err_typename_missing:
  case diag::err_typename_missing_template:
    return true;
  default:
    return false;
  }
}

/// Tells the front end where Clang would need a keyword to go on.
static void noteMissingTypename(const Diagnostic &Info) {
  if (!frontEnd().HidesRepaired || isRepaired(Info) ||
      Info.getID() != diag::err_typename_missing ||
      !Info.getLocation().isFileID())
    return;
  const SourceManager &SM = Info.getSourceManager();
  Place P;
  P.File = SM.getFilename(Info.getLocation()).str();
  P.Offset = SM.getFileOffset(Info.getLocation());
  frontEnd().Report.MissingTypenames.push_back(std::move(P));
}

/// Whether nothing that Clang builds depends on \p Info.
static bool isMereWarning(const Diagnostic &Info) {
  return Info.getDiags()->getDiagnosticIDs()->isWarningOrExtension(
      Info.getID());
}

void ErrorRecorder::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                     const Diagnostic &Info) {
  // Notes belong to what they follow.
  if (Level != DiagnosticsEngine::Note)
    IsHiding = frontEnd().HidesRepaired && isRepaired(Info);
  if (IsHiding)
    return;
  noteMissingTypename(Info);
  if (Level >= DiagnosticsEngine::Error && Info.getLocation().isValid() &&
      !isRepaired(Info) && !isMereWarning(Info))
    Places.push_back(Info.getLocation());
  Next->HandleDiagnostic(Level, Info);
}
