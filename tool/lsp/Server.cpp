//===- Server.cpp - A language server -------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/lsp/Server.h"
#include "tool/input/BoundedFiles.h"
#include "tool/input/CompileDatabase.h"
#include "tool/input/ReadFile.h"
#include "tool/lsp/Analyses.h"
#include "tool/lsp/ClientInput.h"
#include "tool/lsp/Requests.h"
#include "tool/run/Lint.h"
#include "tool/run/TidyOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace cpasync;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
namespace lsp = llvm::lsp;

namespace {

class Server {
public:
  Server(const Options &Opts, llvm::ArrayRef<const char *> Args);
  int run();

private:
  void listen();
  void onInitialize(const Initialization &Params, lsp::Callback<Value> Reply);
  void onShutdown(const lsp::NoParams &, lsp::Callback<Value> Reply);
  void onOpen(const lsp::DidOpenTextDocumentParams &Params);
  void onChange(const lsp::DidChangeTextDocumentParams &Params);
  void onSave(const SavedDocument &Params);
  void onClose(const lsp::DidCloseTextDocumentParams &Params);
  void onAction(const ActionRequest &Params, lsp::Callback<Value> Reply);
  void onHover(const lsp::TextDocumentPositionParams &Params,
               lsp::Callback<Value> Reply);

  /// Why a request cannot be answered now, if it cannot.
  llvm::Error checkState() const;
  llvm::Error takeArguments(llvm::ArrayRef<std::string> More);
  void refuse(lsp::ErrorCode Code, const std::string &Why);
  void log(lsp::MessageType Type, const std::string &Text);
  /// Whether \p File is what \p Digest was made of, to the client.
  bool isCurrent(const std::string &File, StringRef Digest) const;
  std::vector<const EditorFile *> current(const std::string &File) const;
  void publish(const std::string &File);
  void publishAll(const EditorReport &Report);

  Options Opts;
  const std::vector<std::string> Args;
  Documents Open;
  Analyses Work;
  ClientInput *Input; ///< the transport's
  lsp::JSONTransport Transport;
  lsp::MessageHandler Handler;
  enum class Phase { New, Serving, ShutDown } State = Phase::New;
};

} // namespace

/// The real path, also of a file that is not there yet.
static std::string pathOf(const lsp::URIForFile &Uri) {
  if (llvm::sys::fs::exists(Uri.file()))
    return realPath(Uri.file());
  llvm::SmallString<128> Path =
      StringRef(realPath(llvm::sys::path::parent_path(Uri.file())));
  llvm::sys::path::append(Path, llvm::sys::path::filename(Uri.file()));
  return Path.str().str();
}

Server::Server(const Options &Opts, llvm::ArrayRef<const char *> Args)
    : Opts(Opts), Args(Args.begin(), Args.end()),
      Work(this->Opts, Open,
           [this](const std::string &File) {
             const EditorReport &Report = Work.reports().at(File);
             for (const EditorMessage &Message : Report.Messages)
               log(Message.Type, Message.Text);
             publishAll(Report);
           }),
      Input(new ClientInput(
          STDIN_FILENO,
          {[this] { return Work.pipe(); }, [this] { Work.read(); },
           [this](lsp::ErrorCode Code, const std::string &Why) {
             refuse(Code, Why);
           }})),
      Transport(std::unique_ptr<lsp::JSONTransportInput>(Input), llvm::outs()),
      Handler(Transport) {
  listen();
}

void Server::listen() {
  Handler.method("initialize", this, &Server::onInitialize);
  Handler.method("shutdown", this, &Server::onShutdown);
  Handler.method("textDocument/codeAction", this, &Server::onAction);
  Handler.method("textDocument/hover", this, &Server::onHover);
  Handler.notification("textDocument/didOpen", this, &Server::onOpen);
  Handler.notification("textDocument/didChange", this, &Server::onChange);
  Handler.notification("textDocument/didSave", this, &Server::onSave);
  Handler.notification("textDocument/didClose", this, &Server::onClose);
}

int Server::run() {
  // Its error says no more than that the input has ended.
  llvm::consumeError(Transport.run(Handler));
  Work.cancel();
  if (Input->isBroken())
    return NotAnalysed;
  return State == Phase::ShutDown ? 0 : 1;
}

void Server::refuse(lsp::ErrorCode Code, const std::string &Why) {
  printError(Why);
  Transport.reply(nullptr, llvm::make_error<lsp::LSPError>(Why, Code));
}

void Server::log(lsp::MessageType Type, const std::string &Text) {
  Transport.notify("window/logMessage",
                   lsp::ShowMessageParams(Type, llvm::json::fixUTF8(Text)));
}

llvm::Error Server::checkState() const {
  if (State == Phase::New)
    return llvm::make_error<lsp::LSPError>(
        "nothing can be asked before 'initialize'",
        lsp::ErrorCode::ServerNotInitialized);
  if (State == Phase::ShutDown)
    return llvm::make_error<lsp::LSPError>(
        "nothing can be asked after 'shutdown'",
        lsp::ErrorCode::InvalidRequest);
  return llvm::Error::success();
}

/// Reads the command line again, with what the client adds.
llvm::Error Server::takeArguments(llvm::ArrayRef<std::string> More) {
  const auto Split = [](llvm::ArrayRef<std::string> From) {
    const auto *Dashes = llvm::find(From, "--");
    return std::pair(From.take_front(Dashes - From.begin()),
                     From.drop_front(std::min<size_t>(
                         From.size(), Dashes - From.begin() + 1)));
  };
  const auto [Front, Flags] = Split(Args);
  const auto [MoreFront, MoreFlags] = Split(More);
  std::vector<const char *> All;
  const auto Add = [&](llvm::ArrayRef<std::string> Words) {
    for (const std::string &Word : Words)
      All.push_back(Word.c_str());
  };
  Add(Front);
  Add(MoreFront);
  All.push_back("--");
  Add(Flags);
  Add(MoreFlags);
  llvm::Expected<Options> Read = parseOptions(All);
  if (!Read)
    return Read.takeError();
  if (auto Provider = makeTidyOptions(*Read); !Provider)
    return Provider.takeError();
  Opts = std::move(*Read);
  return llvm::Error::success();
}

void Server::onInitialize(const Initialization &Params,
                          lsp::Callback<Value> Reply) {
  if (State != Phase::New)
    return Reply(llvm::make_error<lsp::LSPError>(
        "'initialize' comes once", lsp::ErrorCode::InvalidRequest));
  if (llvm::Error Err = takeArguments(Params.Arguments))
    return Reply(llvm::make_error<lsp::LSPError>(
        "initializationOptions.arguments: " + llvm::toString(std::move(Err)),
        lsp::ErrorCode::InvalidParams));
  if (Params.Root)
    if (std::error_code Code =
            llvm::sys::fs::set_current_path(Params.Root->file()))
      log(lsp::MessageType::Warning,
          Params.Root->file().str() + ": " + Code.message());
  State = Phase::Serving;
  Object Sync{{"openClose", true},
              {"change", static_cast<int>(lsp::TextDocumentSyncKind::Full)},
              {"save", Object{{"includeText", false}}}};
  Object Actions{{"codeActionKinds", Array{lsp::CodeAction::kQuickFix}}};
  Reply(
      Object{{"capabilities", Object{{"textDocumentSync", std::move(Sync)},
                                     {"codeActionProvider", std::move(Actions)},
                                     {"hoverProvider", true}}},
             {"serverInfo",
              Object{{"name", "cpasync-tidy"}, {"version", CPASYNC_VERSION}}}});
}

void Server::onShutdown(const lsp::NoParams &, lsp::Callback<Value> Reply) {
  if (llvm::Error Err = checkState())
    return Reply(std::move(Err));
  Work.cancel();
  State = Phase::ShutDown;
  Reply(nullptr);
}

void Server::onOpen(const lsp::DidOpenTextDocumentParams &Params) {
  if (State != Phase::Serving)
    return;
  const lsp::TextDocumentItem &Item = Params.textDocument;
  const std::string File = pathOf(Item.uri);
  Open[File] = {Item.uri, Item.version, Item.text};
  if (const std::error_code Code = checkFile(File, MaxSourceBytes))
    log(lsp::MessageType::Warning,
        File + ": " + Code.message() + "; analysed when it is saved");
  else
    Work.opened(File);
}

void Server::onChange(const lsp::DidChangeTextDocumentParams &Params) {
  const auto Found = Open.find(pathOf(Params.textDocument.uri));
  if (Found == Open.end() || Params.contentChanges.empty())
    return;
  Found->second.Version = Params.textDocument.version;
  Found->second.Text = Params.contentChanges.back().text;
}

void Server::onSave(const SavedDocument &Params) {
  if (State == Phase::Serving)
    Work.changed(pathOf(Params.Document.uri));
}

void Server::onClose(const lsp::DidCloseTextDocumentParams &Params) {
  const std::string File = pathOf(Params.textDocument.uri);
  if (Open.erase(File))
    publishAll(Work.forget(File));
}

bool Server::isCurrent(const std::string &File, StringRef Digest) const {
  if (const auto Found = Open.find(File); Found != Open.end())
    return digestOf(Found->second.Text) == Digest;
  const auto OnDisk = readFile(File, MaxSourceBytes);
  return OnDisk && digestOf((*OnDisk)->getBuffer()) == Digest;
}

/// What the analyses say of \p File, as far as it is still about its text.
std::vector<const EditorFile *> Server::current(const std::string &File) const {
  std::vector<const EditorFile *> Found;
  for (const auto &[Unit, Report] : Work.reports())
    if (const auto Of = Report.Files.find(File);
        Of != Report.Files.end() && isCurrent(File, Of->second.Digest))
      Found.push_back(&Of->second);
  return Found;
}

void Server::publish(const std::string &File) {
  Array Diagnostics;
  lsp::URIForFile Uri;
  for (const auto &[Unit, Report] : Work.reports())
    if (const auto Of = Report.Files.find(File); Of != Report.Files.end()) {
      Uri = Of->second.Uri;
      for (const EditorFinding &F : Of->second.Findings)
        if (!llvm::is_contained(Diagnostics, F.Diagnostic))
          Diagnostics.push_back(F.Diagnostic);
    }
  if (!Uri) {
    llvm::Expected<lsp::URIForFile> Gone = lsp::URIForFile::fromFile(File);
    if (!Gone)
      return llvm::consumeError(Gone.takeError());
    Uri = *Gone;
  }
  Transport.notify(
      "textDocument/publishDiagnostics",
      Object{{"uri", Uri}, {"diagnostics", std::move(Diagnostics)}});
}

void Server::publishAll(const EditorReport &Report) {
  for (const auto &[File, Of] : Report.Files)
    publish(File);
}

static bool wantsFixes(llvm::ArrayRef<std::string> Kinds) {
  return Kinds.empty() || llvm::any_of(Kinds, [](StringRef Kind) {
           return Kind.empty() || Kind == lsp::CodeAction::kQuickFix;
         });
}

void Server::onAction(const ActionRequest &Params, lsp::Callback<Value> Reply) {
  if (llvm::Error Err = checkState())
    return Reply(std::move(Err));
  Array Actions;
  const std::string File = pathOf(Params.Document.uri);
  const auto Touches = [&](const EditorFinding &F) {
    return F.Range.start <= Params.Range.end &&
           Params.Range.start <= F.Range.end;
  };
  if (wantsFixes(Params.Only))
    for (const auto &[Unit, Report] : Work.reports()) {
      const auto Of = Report.Files.find(File);
      if (Of == Report.Files.end())
        continue;
      for (const EditorFinding &F : Of->second.Findings)
        for (const EditorFix &Fix : F.Fixes)
          if (Touches(F) && !llvm::is_contained(Actions, Fix.Action) &&
              isCurrent(File, Of->second.Digest) &&
              llvm::all_of(Fix.Files, [&](const std::string &Changed) {
                return isCurrent(Changed, Report.Files.at(Changed).Digest);
              }))
            Actions.push_back(Fix.Action);
    }
  Reply(std::move(Actions));
}

void Server::onHover(const lsp::TextDocumentPositionParams &Params,
                     lsp::Callback<Value> Reply) {
  if (llvm::Error Err = checkState())
    return Reply(std::move(Err));
  std::vector<StringRef> Lines;
  for (const EditorFile *Of : current(pathOf(Params.textDocument.uri)))
    for (const EditorState &State : Of->States)
      if (State.Line == Params.position.line &&
          !llvm::is_contained(Lines, State.Text))
        Lines.push_back(State.Text);
  if (Lines.empty())
    return Reply(nullptr);
  lsp::MarkupContent Content;
  Content.kind = lsp::MarkupKind::PlainText;
  Content.value = llvm::join(Lines, "\n");
  Reply(Object{{"contents", toJSON(Content)}});
}

int cpasync::serveEditor(const Options &Opts,
                         llvm::ArrayRef<const char *> Args) {
  if (auto Provider = makeTidyOptions(Opts); !Provider) {
    printError(llvm::toString(Provider.takeError()));
    return NotAnalysed;
  }
  return Server(Opts, Args).run();
}
