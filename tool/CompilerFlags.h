//===- CompilerFlags.h - Compiler flags that Clang can take -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_COMPILERFLAGS_H
#define CPASYNC_TOOL_COMPILERFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cpasync {

/// The oldest architecture with asynchronous copies.
inline constexpr unsigned MinArch = 80;

struct CompilerFlags {
  std::vector<std::string> Kept;    ///< for Clang's driver
  std::vector<std::string> Dropped; ///< not understood; as written
  /// The lowest architecture asked for that is MinArch or above, "sm_80" if
  /// there is none.
  std::string Arch;
  std::string CudaPath; ///< of --cuda-path; empty: none
};

/// Sorts out the flags that follow `--` on the command line, clang's or the
/// common ones of nvcc.
CompilerFlags readCompilerFlags(llvm::ArrayRef<std::string> Flags);

} // namespace cpasync

#endif // CPASYNC_TOOL_COMPILERFLAGS_H
