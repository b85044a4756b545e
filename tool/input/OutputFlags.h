//===- OutputFlags.h - Flags that make Clang write or print -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compilation may ask for more than its result: logs, dumps, statistics,
// caches of modules, plugins. An analysis of somebody's database neither writes
// files nor runs what is named there.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_OUTPUTFLAGS_H
#define CPASYNC_TOOL_INPUT_OUTPUTFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace llvm::opt {
class Arg;
}

namespace cpasync {

/// Whether \p A, of Clang's driver or of its front end, makes Clang write a
/// file, print, load code or do something else than compile.
bool isOutputFlag(const llvm::opt::Arg &A);

/// Flags for the preprocessor alone, "-Wp,-DX" and "-Xpreprocessor -DX", as
/// flags of their own.
std::vector<std::string>
takePreprocessorFlags(llvm::ArrayRef<std::string> Flags);

/// What is left of the values of -Xclang, \p Values, when those that are output
/// flags went to \p Dropped and those that nobody knows to \p Unknown.
std::vector<std::string> frontEndFlags(llvm::ArrayRef<std::string> Values,
                                       std::vector<std::string> &Dropped,
                                       std::vector<std::string> &Unknown);

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_OUTPUTFLAGS_H
