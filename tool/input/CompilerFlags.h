//===- CompilerFlags.h - Compiler flags that Clang can take -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_COMPILERFLAGS_H
#define CPASYNC_TOOL_INPUT_COMPILERFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cpasync {

/// Whose flags they are.
enum class Dialect {
  Clang,
  Nvcc,   ///< of what it hands to the host compiler, only the language counts
  Either, ///< written for our command line
};

struct CompilerFlags {
  std::vector<std::string> Kept;    ///< for Clang's driver
  std::vector<std::string> Unknown; ///< nobody's; as written
  /// What would make Clang write files, print or load code; as written.
  std::vector<std::string> Dropped;
  /// Response files that cannot be read: "path: why".
  std::vector<std::string> Unreadable;
  /// Why none is kept: Clang would take minutes for them. Else empty.
  std::string TooMany;
  /// The architectures asked for that have asynchronous copies, lowest first;
  /// "sm_80" if there is none.
  std::vector<std::string> Archs;
  bool AsksForArch = false;
  std::vector<std::string> ArchRemarks; ///< see Architectures::remarks()
  std::string CudaPath;                 ///< of --cuda-path; empty: none
};

/// Sorts out the flags of a compiler. Response files are read relative to
/// \p Directory. Files to compile are dropped, except that on our command line
/// they count as unknown.
CompilerFlags readCompilerFlags(llvm::ArrayRef<std::string> Flags, Dialect As,
                                llvm::StringRef Directory);

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_COMPILERFLAGS_H
