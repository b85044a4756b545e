//===- Documents.h - What the editor has open -------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_LSP_DOCUMENTS_H
#define CPASYNC_TOOL_LSP_DOCUMENTS_H

#include "llvm/Support/LSP/Protocol.h"
#include <map>
#include <string>

namespace cpasync {

struct Document {
  llvm::lsp::URIForFile Uri; ///< as the client spells it
  int64_t Version = 0;
  std::string Text;
};

/// By real path (CompileDatabase.h), so that a file has one name.
using Documents = std::map<std::string, Document>;

} // namespace cpasync

#endif // CPASYNC_TOOL_LSP_DOCUMENTS_H
