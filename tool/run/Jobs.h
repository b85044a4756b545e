//===- Jobs.h - What a run analyses --------------------------- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns files, compiler flags and a compilation database into a list of parses.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_JOBS_H
#define CPASYNC_TOOL_RUN_JOBS_H

#include "tool/run/Options.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <set>
#include <string>
#include <vector>

namespace cpasync {

/// One parse: a file, compiled in one way for one architecture.
struct Job {
  std::string File;      ///< as the user is told
  std::string Source;    ///< what is parsed; File, or a file that includes it
  std::string Directory; ///< absolute; flags are relative to it
  std::vector<std::string> Flags; ///< for Clang's driver, without the file
  /// The file again if it is a header analysed through another file: findings
  /// elsewhere are not asked for then. Else empty.
  std::string OnlyIn;
  /// The same header through further files: for templates in it that this one
  /// does not instantiate.
  std::vector<Job> Others;
  /// Of OnlyIn: the lines of the templates that no file instantiates.
  std::set<unsigned> Uninstantiated;
};

struct Plan {
  std::vector<Job> Jobs;          ///< those of one file are neighbours
  std::vector<std::string> Notes; ///< for the user, each said once
  /// The same, but what was asked for is not what is analysed then.
  std::vector<std::string> Errors;
};

/// Fails if nothing can be analysed: no files, an unusable database or toolkit.
/// \p Directory is the working directory.
llvm::Expected<Plan> planJobs(const Options &Opts, llvm::StringRef Directory);

/// \p Path relative to \p Directory if it is below it.
std::string shortPath(llvm::StringRef Path, llvm::StringRef Directory);

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_JOBS_H
