//===- KnownNames.h - Names that exist, and what was meant ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check or option that does not exist is an error: what was to be looked for
// would be silently left out.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_KNOWNNAMES_H
#define CPASYNC_TOOL_RUN_KNOWNNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cpasync {

/// "; did you mean 'name'?", if one of \p Known is much like \p Given; else
/// empty.
std::string suggestion(llvm::StringRef Given,
                       llvm::ArrayRef<std::string> Known);

/// What is wrong with \p Globs, as `Checks` of a .clang-tidy has them; empty:
/// nothing. Of checks that are not ours nothing is known, unless \p AllAreOurs.
std::string wrongChecks(llvm::StringRef Globs, bool AllAreOurs);

/// What is wrong with \p Key of `CheckOptions`; empty: nothing, or it is not
/// ours.
std::string wrongOption(llvm::StringRef Key);

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_KNOWNNAMES_H
