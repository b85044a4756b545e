//===- TidyOptions.h - Which checks run, and how -------------- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_TIDYOPTIONS_H
#define CPASYNC_TOOL_RUN_TIDYOPTIONS_H

#include "clang-tidy/ClangTidyOptions.h"
#include "tool/run/Jobs.h"
#include "tool/run/Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace cpasync {

/// What is wrong with a .clang-tidy file.
struct ConfigProblem {
  std::string Message;    ///< "path: what"
  bool NamesOurs = false; ///< it may be about our checks, too
};

/// Defaults, then .clang-tidy or --config, then the command line. Fails if
/// --config is not valid. A .clang-tidy file that is not counts as empty;
/// \p Problems, if given, gets each when it is read. A \p Header
/// that was asked for by name passes every filter of headers but the command
/// line's.
llvm::Expected<std::unique_ptr<clang::tidy::ClangTidyOptionsProvider>>
makeTidyOptions(const Options &Opts,
                std::vector<ConfigProblem> *Problems = nullptr,
                bool Header = false);

/// Has \p Provider read the .clang-tidy files of \p Jobs, for their problems.
void readConfigurations(clang::tidy::ClangTidyOptionsProvider &Provider,
                        llvm::ArrayRef<Job> Jobs);

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_TIDYOPTIONS_H
