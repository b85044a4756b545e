//===- EditorReport.h - What is known of a file, for a client ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The protocol's own objects, made by the process that has analysed the file
// and knows the texts that places are in; the server hands them on.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_LSP_EDITORREPORT_H
#define CPASYNC_TOOL_LSP_EDITORREPORT_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"
#include <map>
#include <string>
#include <vector>

namespace cpasync {

struct EditorFix {
  llvm::json::Value Action = nullptr; ///< a CodeAction
  std::vector<std::string> Files;     ///< that it changes, by real path
};

struct EditorFinding {
  llvm::json::Value Diagnostic = nullptr;
  llvm::lsp::Range Range; ///< of the diagnostic
  std::vector<EditorFix> Fixes;
};

struct EditorState {
  int Line = 0; ///< from 0
  std::string Text;
};

/// What an analysis says of one file that it has read.
struct EditorFile {
  llvm::lsp::URIForFile Uri;
  std::string Digest; ///< of the text that places are in
  std::vector<EditorFinding> Findings;
  std::vector<EditorState> States; ///< in the order of execution
};

struct EditorMessage {
  llvm::lsp::MessageType Type = llvm::lsp::MessageType::Info;
  std::string Text;
};

struct EditorReport {
  std::map<std::string, EditorFile> Files; ///< by real path
  /// That were read, by real path; none: others may have to be.
  std::vector<std::string> Sources;
  std::vector<EditorMessage> Messages; ///< for the log
};

llvm::json::Value toJSON(const EditorReport &R);
bool fromJSON(const llvm::json::Value &V, EditorReport &R, llvm::json::Path At);

} // namespace cpasync

#endif // CPASYNC_TOOL_LSP_EDITORREPORT_H
