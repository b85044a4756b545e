//===- StatePrinter.h - --print-state ---------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_STATEPRINTER_H
#define CPASYNC_LIB_INTERP_STATEPRINTER_H

#include "lib/interp/InterpPart.h"

namespace cpasync {

/// What is in flight after each operation, in words.
class StatePrinter : InterpPart {
public:
  using InterpPart::InterpPart;

  void printState(State &S, llvm::StringRef What, clang::SourceLocation Loc);

private:
  std::string describe(const State &S);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_STATEPRINTER_H
