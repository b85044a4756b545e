//===- Uri.h - Paths and columns as other formats want them -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_URI_H
#define CPASYNC_TOOL_REPORT_URI_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cpasync {

/// An absolute path as `file://...`, another as a relative reference.
std::string pathToUri(llvm::StringRef Path);

/// The column in code points of a column in bytes; both count from 1.
unsigned characterColumn(llvm::StringRef Line, unsigned ByteColumn);

/// The same in code units of UTF-16.
unsigned utf16Column(llvm::StringRef Line, unsigned ByteColumn);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_URI_H
