//===- EditorReport.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/lsp/EditorReport.h"
#include "tool/report/Escape.h"

using namespace cpasync;
using llvm::json::Object;
using llvm::json::ObjectMapper;
using llvm::json::Value;

static Value namesOf(llvm::ArrayRef<std::string> Names) {
  llvm::json::Array List;
  for (const std::string &Name : Names)
    List.push_back(toUtf8(Name));
  return List;
}

static bool mapNames(ObjectMapper &Map, llvm::StringLiteral Key,
                     std::vector<std::string> &Names) {
  if (!Map.map(Key, Names))
    return false;
  for (std::string &Name : Names)
    Name = fromUtf8(Name);
  return true;
}

/// Takes a value as it is.
static bool mapValue(const Value &V, llvm::StringRef Key, Value &To) {
  const Object *From = V.getAsObject();
  const Value *Found = From ? From->get(Key) : nullptr;
  if (Found)
    To = *Found;
  return Found;
}

namespace cpasync {

static Value toJSON(const EditorFix &F) {
  return Object{{"action", F.Action}, {"files", namesOf(F.Files)}};
}

static bool fromJSON(const Value &V, EditorFix &F, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && mapValue(V, "action", F.Action) &&
         mapNames(Map, "files", F.Files);
}

static Value toJSON(const EditorFinding &F) {
  return Object{
      {"diagnostic", F.Diagnostic}, {"range", F.Range}, {"fixes", F.Fixes}};
}

static bool fromJSON(const Value &V, EditorFinding &F, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && mapValue(V, "diagnostic", F.Diagnostic) &&
         Map.map("range", F.Range) && Map.map("fixes", F.Fixes);
}

static Value toJSON(const EditorState &S) {
  return Object{{"line", S.Line}, {"text", S.Text}};
}

static bool fromJSON(const Value &V, EditorState &S, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("line", S.Line) && Map.map("text", S.Text);
}

static Value toJSON(const EditorFile &F) {
  return Object{{"uri", F.Uri},
                {"digest", F.Digest},
                {"findings", F.Findings},
                {"states", F.States}};
}

static bool fromJSON(const Value &V, EditorFile &F, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("uri", F.Uri) && Map.map("digest", F.Digest) &&
         Map.map("findings", F.Findings) && Map.map("states", F.States);
}

static Value toJSON(const EditorMessage &M) {
  return Object{{"type", static_cast<int>(M.Type)}, {"text", M.Text}};
}

static bool fromJSON(const Value &V, EditorMessage &M, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  int Type = 0;
  if (!Map || !Map.map("type", Type) || !Map.map("text", M.Text))
    return false;
  M.Type = static_cast<llvm::lsp::MessageType>(Type);
  return true;
}

} // namespace cpasync

Value cpasync::toJSON(const EditorReport &R) {
  Object Files;
  for (const auto &[Path, File] : R.Files)
    Files[toUtf8(Path)] = toJSON(File);
  return Object{{"files", std::move(Files)},
                {"sources", namesOf(R.Sources)},
                {"messages", R.Messages}};
}

bool cpasync::fromJSON(const Value &V, EditorReport &R, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  std::map<std::string, EditorFile> Files;
  if (!Map || !Map.map("files", Files) ||
      !mapNames(Map, "sources", R.Sources) || !Map.map("messages", R.Messages))
    return false;
  for (auto &[Path, File] : Files)
    R.Files[fromUtf8(Path)] = std::move(File);
  return true;
}
