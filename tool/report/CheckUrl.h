//===- CheckUrl.h - Where the page of a check is to be read -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_CHECKURL_H
#define CPASYNC_TOOL_REPORT_CHECKURL_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cpasync {

/// The page of \p Check, "cpasync-unwaited-read", below \p Base; empty if it
/// has none, or if there is no base.
std::string checkUrl(llvm::StringRef Check, llvm::StringRef Base);
/// Below what the build says: CPASYNC_DOCS_URL.
std::string checkUrl(llvm::StringRef Check);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_CHECKURL_H
