//===- TidyOptions.h - Which checks run, and how -------------- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_TIDYOPTIONS_H
#define CPASYNC_TOOL_TIDYOPTIONS_H

#include "clang-tidy/ClangTidyOptions.h"
#include "tool/Options.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace cpasync {

/// Defaults, then .clang-tidy or --config, then the command line. Fails if
/// --config is not valid.
llvm::Expected<std::unique_ptr<clang::tidy::ClangTidyOptionsProvider>>
makeTidyOptions(const Options &Opts);

} // namespace cpasync

#endif // CPASYNC_TOOL_TIDYOPTIONS_H
