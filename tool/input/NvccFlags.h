//===- NvccFlags.h - Flags of nvcc in Clang's spelling -------- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_NVCCFLAGS_H
#define CPASYNC_TOOL_INPUT_NVCCFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm::opt {
class Arg;
}

namespace cpasync {

struct NvccFlags {
  /// What matters for the device side, in Clang's spelling, and in the same
  /// order whatever is not an option of nvcc.
  std::vector<std::string> Args;
  std::vector<std::string> Architectures; ///< values of -arch and -gencode
};

/// Reads \p Args as nvcc does.
NvccFlags translateNvccFlags(llvm::ArrayRef<std::string> Args);

/// Whether what the device side sees may depend on a flag for a host compiler:
/// macros, include paths, the language.
bool isLanguageFlag(const llvm::opt::Arg &A);

/// Splits the value of an option that takes a list as nvcc does: at commas,
/// except in double quotes, which stay, and after a backslash, which does not.
std::vector<std::string> splitNvccList(llvm::StringRef Value);

/// The long names of every option known, without dashes.
std::vector<llvm::StringRef> nvccOptionNames();

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_NVCCFLAGS_H
