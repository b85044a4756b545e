//===- IncludeScan.h - Which file includes a header ----------- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers from the text of `#include` lines alone, whatever the preprocessor
// would decide: good enough to choose the file through which a header is
// analysed, and fast on a large database.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_INCLUDESCAN_H
#define CPASYNC_TOOL_INPUT_INCLUDESCAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cpasync {

class IncludeScan {
public:
  /// Over how many includes \p File comes to \p Header, 1 if it names it; none
  /// if it does not. Both are absolute; \p Flags are Clang's, relative to
  /// \p Directory.
  std::optional<unsigned> distance(llvm::StringRef File, llvm::StringRef Header,
                                   llvm::ArrayRef<std::string> Flags,
                                   llvm::StringRef Directory);

private:
  struct Include {
    std::string Name;
    bool IsAngled;
  };
  const std::vector<Include> &includesOf(llvm::StringRef File);
  bool exists(llvm::StringRef File);

  llvm::StringMap<std::vector<Include>> Includes; ///< by file
  llvm::StringMap<bool> Existing;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_INCLUDESCAN_H
