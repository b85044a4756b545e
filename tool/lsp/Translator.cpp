//===- Translator.cpp - A report in the words of the protocol -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/lsp/Translator.h"
#include "checks/Messages.h"
#include "tool/input/BoundedFiles.h"
#include "tool/input/CompileDatabase.h"
#include "tool/report/CheckUrl.h"
#include "tool/report/Uri.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace cpasync;
using llvm::StringRef;
using llvm::json::Object;
using llvm::json::Value;
using llvm::lsp::DiagnosticSeverity;
namespace lsp = llvm::lsp;

/// LLVM makes values that point into what they are made of.
static Value ownedCopy(const Value &Borrowed) {
  return llvm::cantFail(
      llvm::json::parse(llvm::formatv("{0}", Borrowed).str()));
}

EditorFile &Translator::fileOf(const std::string &Path) {
  const std::string Real = realPath(Path);
  const auto [It, IsNew] = To.Files.try_emplace(Real);
  EditorFile &Entry = It->second;
  if (!IsNew)
    return Entry;
  if (const auto Known = Open.find(Real); Known != Open.end())
    Entry.Uri = Known->second.Uri;
  else if (llvm::Expected<lsp::URIForFile> Uri =
               lsp::URIForFile::fromFile(Path))
    Entry.Uri = std::move(*Uri);
  else
    llvm::consumeError(Uri.takeError());
  if (const SourceText *Text = Sources.get(Path, ""))
    Entry.Digest = digestOf(Text->text());
  return Entry;
}

lsp::Position Translator::position(const std::string &Path, unsigned Line,
                                   unsigned Column) {
  const SourceText *Text = Sources.get(Path, "");
  return lsp::Position(
      static_cast<int>(Line - 1),
      static_cast<int>(Text ? utf16Column(Text->line(Line), Column) : Column) -
          1);
}

lsp::Location Translator::location(const Place &Where) {
  if (!Where.isValid())
    return {fileOf(File).Uri, lsp::Range()};
  const lsp::Position Begin = position(Where.File, Where.Line, Where.Column);
  const lsp::Position End =
      Where.EndLine == 0 ? Begin
                         : position(Where.File, Where.EndLine, Where.EndColumn);
  return {fileOf(Where.File).Uri, lsp::Range(Begin, End)};
}

EditorFinding &Translator::put(const Place &Where, StringRef Code,
                               DiagnosticSeverity Severity,
                               const std::string &Message,
                               llvm::ArrayRef<ReportedNote> Notes) {
  lsp::Diagnostic D;
  D.range = location(Where).range;
  D.severity = Severity;
  D.source = "cpasync-tidy";
  D.message = llvm::json::fixUTF8(Message);
  if (!Notes.empty())
    D.relatedInformation.emplace();
  for (const ReportedNote &Note : Notes)
    D.relatedInformation->emplace_back(
        location(Note.Where.isValid() ? Note.Where : Where),
        llvm::json::fixUTF8(Note.Message));
  Value Json = toJSON(D);
  Object &Fields = *Json.getAsObject();
  Fields["code"] = Code;
  if (const std::string Url = checkUrl(Code); !Url.empty())
    Fields["codeDescription"] = Object{{"href", Url}};
  EditorFile &In = fileOf(Where.isValid() ? Where.File : File);
  return In.Findings.emplace_back(EditorFinding{ownedCopy(Json), D.range, {}});
}

void Translator::addFix(EditorFinding &Finding, const std::vector<Edit> &Edits,
                        const std::string &Title, bool IsPreferred) {
  lsp::CodeAction Action;
  Action.title = llvm::json::fixUTF8(Title);
  Action.kind = lsp::CodeAction::kQuickFix.str();
  Action.isPreferred = IsPreferred;
  Action.edit.emplace();
  std::set<std::string> Files;
  for (const Edit &E : Edits) {
    const lsp::Location At = location(E.Where);
    Action.edit->changes[At.uri.uri().str()].push_back(
        {At.range, llvm::json::fixUTF8(E.Replacement)});
    Files.insert(realPath(E.Where.File));
  }
  Value Json = toJSON(Action);
  (*Json.getAsObject())["diagnostics"] = llvm::json::Array{Finding.Diagnostic};
  Finding.Fixes.push_back({ownedCopy(Json), {Files.begin(), Files.end()}});
}

void Translator::addFinding(const ListedFinding &Listed) {
  const ReportedFinding &F = *Listed.Finding;
  EditorFinding &Put =
      put(F.Where, F.Check,
          F.IsError || F.WarningAsError ? DiagnosticSeverity::Error
                                        : DiagnosticSeverity::Warning,
          F.Message, F.Notes);
  struct Way {
    const std::vector<Edit> *Edits;
    const std::string *Text;
    bool IsOfWarning;
  };
  std::vector<Way> Ways = {{&F.Fix, &F.Message, true}};
  for (const ReportedNote &Note : F.Notes)
    Ways.push_back({&Note.Fix, &Note.Message, false});
  llvm::erase_if(Ways, [](const Way &W) {
    return W.Edits->empty() || llvm::any_of(*W.Edits, [](const Edit &E) {
             return !E.Where.isValid();
           });
  });
  (*Put.Diagnostic.getAsObject())["data"] =
      Object{{"fingerprint", Listed.Identity}, {"fixes", Ways.size()}};
  const std::string OneOf =
      Ways.size() < 2 ? ""
                      : " (one of " + std::to_string(Ways.size()) + " ways)";
  // Nobody has to look at the fix of a warning; one on a note changes what the
  // code does.
  for (const Way &W : Ways)
    addFix(Put, *W.Edits, *W.Text + OneOf, W.IsOfWarning);
}

/// Where \p F is, if that is in \p File.
static Place placeIn(const std::string &File, const ReportedFinding &F) {
  return F.Where.isValid() && realPath(F.Where.File) == realPath(File)
             ? F.Where
             : Place();
}

void Translator::addFailure(const FileReport &Report) {
  put(Report.Errors.empty() ? Place() : placeIn(File, Report.Errors.front()),
      "file-not-analysed", DiagnosticSeverity::Error,
      "not analysed: " + Report.Failure);
}

void Translator::addErrors(const FileReport &Report) {
  if (Report.ParseErrors)
    put(Report.Errors.empty() ? Place() : placeIn(File, Report.Errors.front()),
        "parsed-with-errors", DiagnosticSeverity::Information,
        "parsed with " + counted(Report.ParseErrors, "error") +
            "; results may be incomplete; the first is: " +
            Report.FirstParseError);
  if (What.Errors)
    for (const ReportedFinding &F : Report.Errors)
      put(F.Where, F.Check, DiagnosticSeverity::Error, F.Message, F.Notes);
}

void Translator::addGaps(const FileReport &Report) {
  if (What.Gaps)
    for (const ReportedGap &Gap : Report.Gaps)
      put(Gap.Where, "not-fully-analysed", DiagnosticSeverity::Information,
          "'" + Gap.Kernel + "' not fully analysed: " + Gap.Reason);
}

void Translator::addStates(const FileReport &Report) {
  for (const ReportedState &State : Report.States)
    if (State.Where.isValid())
      fileOf(State.Where.File)
          .States.push_back({static_cast<int>(State.Where.Line) - 1,
                             llvm::json::fixUTF8(State.Text)});
}

void Translator::add(const RunReport &Run) {
  for (const FileReport &Report : Run.Files) {
    File = absolutePath(Report.File, Run.Directory);
    fileOf(File);
    if (!Report.Failure.empty())
      addFailure(Report);
    else
      addErrors(Report);
    addGaps(Report);
    addStates(Report);
    // With errors it did not come to all that it includes.
    if (Report.Failure.empty() && !Report.ParseErrors)
      for (const std::string &Source : Report.Sources)
        To.Sources.push_back(realPath(Source));
  }
  for (const ListedFinding &F : listFindings(Run))
    addFinding(F);
}
