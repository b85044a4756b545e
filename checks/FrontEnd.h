//===- FrontEnd.h - Between the clang-tidy module and the tool --*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang-tidy hands a check nothing but a context, and a program nothing but
// diagnostics. What else has to cross that border goes through this one
// process-wide record: the tool sets it before a file is parsed, the module
// fills it. Under stock clang-tidy it stays empty. One file at a time; no
// locks.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CHECKS_FRONTEND_H
#define CPASYNC_CHECKS_FRONTEND_H

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace cpasync {

/// A kernel, or a device function analysed by itself, with a gap.
struct SkippedKernel {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
  std::string Kernel;
  std::string Reason;
};

/// A diagnostic that was handed to clang-tidy, which may still suppress it.
struct EmittedFinding {
  std::string Check; ///< "cpasync-unwaited-read"
  std::string Message;
  unsigned Offset = 0; ///< in its file
  std::string Kernel;
};

/// What the analysis of one file says beside its diagnostics.
struct PassReport {
  bool Analysed = false; ///< the device pass was seen, at sm_80 or above
  unsigned Kernels = 0;
  unsigned Functions = 0;        ///< device functions analysed by themselves
  unsigned NotFullyAnalysed = 0; ///< of both, those with a gap
  std::vector<SkippedKernel> Skipped; ///< one entry per gap
  std::vector<EmittedFinding> Emitted;
};

struct FrontEnd {
  /// Where --print-state writes; null: nowhere.
  llvm::raw_ostream *PrintState = nullptr;
  PassReport Report;
};

FrontEnd &frontEnd();

} // namespace cpasync

#endif // CPASYNC_CHECKS_FRONTEND_H
