//===- Escape.h - Text that may be shown ------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names come from a file system and from source code, and may hold anything:
// what moves a terminal's cursor, what turns the direction of reading, what
// ends a line. Reports in other formats have the names as they are.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_ESCAPE_H
#define CPASYNC_TOOL_REPORT_ESCAPE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cpasync {

/// \p Text in one line of UTF-8 in which every character can be seen. The
/// others are written as Clang does in its messages: "<U+001B>", "<FF>" for a
/// byte that is no UTF-8. "##[" begins a command in some logs, wherever it
/// stands, and is taken apart as well.
std::string escaped(llvm::StringRef Text);

/// The same for a path that begins a line: one that would read as a command to
/// the log of GitHub Actions ("::error::") begins with "./".
std::string escapedPath(llvm::StringRef Path);

/// \p Bytes as UTF-8 from which fromUtf8() makes the same bytes again; text
/// that is UTF-8 stays as it is, for JSON between our own processes.
std::string toUtf8(llvm::StringRef Bytes);
std::string fromUtf8(llvm::StringRef Text);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_ESCAPE_H
