//===- ErrorRecorder.cpp - Where a file does not compile ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/ErrorRecorder.h"

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

void ErrorRecorder::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                     const Diagnostic &Info) {
  if (Level >= DiagnosticsEngine::Error && Info.getLocation().isValid())
    Places.push_back(Info.getLocation());
  Next->HandleDiagnostic(Level, Info);
}
