//===- Requests.h - What LLVM has no type for -------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_LSP_REQUESTS_H
#define CPASYNC_TOOL_LSP_REQUESTS_H

#include "llvm/Support/LSP/Protocol.h"
#include <optional>
#include <string>
#include <vector>

namespace cpasync {

/// Of InitializeParams what the server looks at.
struct Initialization {
  /// initializationOptions.arguments: as on the command line, behind that.
  std::vector<std::string> Arguments;
  /// The folder of the workspace, if there is one with a path.
  std::optional<llvm::lsp::URIForFile> Root;
};

struct SavedDocument {
  llvm::lsp::TextDocumentIdentifier Document;
};

/// LLVM's type for it reads the diagnostics that the client shows there, whose
/// places may be of other servers, and refuses all if it cannot.
struct ActionRequest {
  llvm::lsp::TextDocumentIdentifier Document;
  llvm::lsp::Range Range;
  std::vector<std::string> Only; ///< kinds that are wanted; none: any
};

bool fromJSON(const llvm::json::Value &V, Initialization &I,
              llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, SavedDocument &S,
              llvm::json::Path At);
bool fromJSON(const llvm::json::Value &V, ActionRequest &R,
              llvm::json::Path At);

} // namespace cpasync

#endif // CPASYNC_TOOL_LSP_REQUESTS_H
