//===- Progress.cpp - How far a run is ------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Progress.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using Clock = std::chrono::steady_clock;

Progress::Progress(size_t Total, bool Quiet)
    : Total(Total),
      IsOn(!Quiet && llvm::sys::Process::StandardErrIsDisplayed()),
      Start(Clock::now()) {}

void Progress::update(size_t Done) {
  if (!IsOn || Clock::now() - Start < std::chrono::seconds(1))
    return;
  llvm::outs().flush();
  llvm::errs() << "\r[" << Done << '/' << Total << "] files analysed";
  llvm::errs().flush();
  IsShown = true;
}

void Progress::clear() {
  if (!IsShown)
    return;
  llvm::errs() << "\r\033[K";
  llvm::errs().flush();
  IsShown = false;
}
