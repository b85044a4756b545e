//===- Embedded.h - Files built into the binary -----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_EMBEDDED_H
#define CPASYNC_TOOL_INPUT_EMBEDDED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cpasync {

struct EmbeddedFile {
  const char *Name;
  const unsigned char *Data; ///< ends in a zero that Size does not count
  size_t Size;

  llvm::StringRef text() const {
    return {reinterpret_cast<const char *>(Data), Size};
  }
};

/// docs/checks/<name>.md of every check; Name is the check's.
llvm::ArrayRef<EmbeddedFile> checkPages();

/// Of the page that --format=html writes.
llvm::StringRef reportStyle();

/// lib/cuda-headers; Name is the path below it.
llvm::ArrayRef<EmbeddedFile> cudaHeaders();

/// The headers Clang brings along; Name is the path below its `include`.
llvm::ArrayRef<EmbeddedFile> clangHeaders();

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_EMBEDDED_H
