//===- Requests.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/lsp/Requests.h"

using namespace cpasync;
using llvm::json::Object;
using llvm::json::ObjectMapper;
using llvm::json::Value;
namespace lsp = llvm::lsp;

/// Reads the options of the user, who is told what is wrong with them.
static bool readOptions(const Value &V, std::vector<std::string> &Arguments,
                        llvm::json::Path At) {
  const Object *Options = V.getAsObject();
  if (!Options) {
    At.report("expected an object with 'arguments'");
    return false;
  }
  for (const auto &[Key, Given] : *Options)
    if (Key != "arguments") {
      At.field(Key).report("unknown; there is 'arguments', a list of strings");
      return false;
    }
  const Value *Given = Options->get("arguments");
  return !Given || fromJSON(*Given, Arguments, At.field("arguments"));
}

static std::optional<lsp::URIForFile> folder(const Value *V) {
  const auto Uri = V ? V->getAsString() : std::nullopt;
  if (!Uri)
    return std::nullopt;
  llvm::Expected<lsp::URIForFile> Folder = lsp::URIForFile::fromURI(*Uri);
  if (Folder)
    return *Folder;
  llvm::consumeError(Folder.takeError()); // no place for files
  return std::nullopt;
}

bool cpasync::fromJSON(const Value &V, Initialization &I, llvm::json::Path At) {
  const Object *Params = V.getAsObject();
  if (!Params) {
    At.report("expected object");
    return false;
  }
  I.Root = folder(Params->get("rootUri"));
  if (const auto *Folders = Params->getArray("workspaceFolders");
      !I.Root && Folders && !Folders->empty())
    if (const Object *First = Folders->front().getAsObject())
      I.Root = folder(First->get("uri"));
  const Value *Options = Params->get("initializationOptions");
  return !Options || Options->getAsNull() ||
         readOptions(*Options, I.Arguments, At.field("initializationOptions"));
}

bool cpasync::fromJSON(const Value &V, SavedDocument &S, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("textDocument", S.Document);
}

bool cpasync::fromJSON(const Value &V, ActionRequest &R, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  if (!Map || !Map.map("textDocument", R.Document) ||
      !Map.map("range", R.Range))
    return false;
  const Object *Context = V.getAsObject()->getObject("context");
  const Value *Only = Context ? Context->get("only") : nullptr;
  return !Only || Only->getAsNull() ||
         fromJSON(*Only, R.Only, At.field("context").field("only"));
}
