//===- Architectures.h - GPU architectures of a command line -- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_ARCHITECTURES_H
#define CPASYNC_TOOL_INPUT_ARCHITECTURES_H

#include "llvm/ADT/StringRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cpasync {

/// The oldest architecture with asynchronous copies.
inline constexpr unsigned MinArch = 80;

/// Collects the architectures that a command line asks for.
class Architectures {
public:
  /// Takes the value of -arch, -gencode or --offload-arch:
  /// "arch=compute_80,code=[sm_80,compute_80]", "sm_90a", "sm_86,sm_90", "all".
  /// Returns the names in it that are no architecture's.
  std::vector<std::string> add(llvm::StringRef Value);

  /// Whether none of at least MinArch was taken.
  bool empty() const { return Known.empty(); }

  /// Those of at least MinArch, lowest first, each once, as Clang calls them;
  /// "sm_80" if there is none.
  std::vector<std::string> usable() const;

  /// What a user should hear of: architectures that do not exist, and that none
  /// of those asked for has asynchronous copies.
  std::vector<std::string> remarks() const;

private:
  /// False if \p Name is no architecture's.
  bool addName(llvm::StringRef Name);

  std::set<std::pair<unsigned, std::string>> Known; ///< number and suffix
  std::set<std::string> TooOld;
  /// Those that Clang does not know, and what it is told in their place.
  std::map<std::string, std::string> Unheard;
};

/// "sm_90a" of "compute_90a", "lto_90a" or "sm_90a"; empty if it is none.
/// Clang has no family architectures ("sm_100f"): the specific one stands for
/// them. One that Clang does not know becomes the next lower one it does.
std::string clangArch(llvm::StringRef Name);

/// What \p Source, the text of a file, is for, if nobody says it: "sm_90a" if
/// it has what begins there (bulk copies, tensor maps, wgmma, clusters),
/// "sm_100a" if it has tcgen05, else "sm_80".
std::string archFor(llvm::StringRef Source);

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_ARCHITECTURES_H
