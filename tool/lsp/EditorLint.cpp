//===- EditorLint.cpp - Check a file for an editor ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/lsp/EditorLint.h"
#include "checks/FrontEnd.h"
#include "tool/input/CompileDatabase.h"
#include "tool/input/EditedTexts.h"
#include "tool/input/ReadFile.h"
#include "tool/lsp/Translator.h"
#include "tool/run/JobRunner.h"
#include "tool/run/Jobs.h"
#include "tool/run/RunFilter.h"
#include "tool/run/TidyOptions.h"
#include "llvm/Support/FileSystem.h"

using namespace cpasync;
using llvm::StringRef;
using llvm::lsp::MessageType;

/// What counts in the place of the disk from now on.
static void setTexts(const Documents &Open) {
  for (const auto &[Path, Doc] : Open) {
    const auto OnDisk = readFile(Path, MaxSourceBytes);
    if (OnDisk && (*OnDisk)->getBuffer() != Doc.Text)
      editedTexts().set(Path, Doc.Text);
  }
}

static std::string workingDirectory() {
  llvm::SmallString<128> Directory;
  // Without one, names of files are absolute all the same.
  if (llvm::sys::fs::current_path(Directory))
    return "/";
  return Directory.str().str();
}

/// As the editor names it: what it includes is looked for beside that.
static std::string asOpened(StringRef File, const Documents &Open) {
  const auto Doc = Open.find(File.str());
  return Doc == Open.end() ? File.str() : Doc->second.Uri.file().str();
}

namespace {

class EditorLint {
public:
  EditorLint(const Options &Asked, const Documents &Open, StringRef File)
      : Opts(Asked), Open(Open), File(asOpened(File, Open)),
        Directory(workingDirectory()) {
    Opts.Files = {this->File};
    Opts.Quiet = true;
    Opts.Errors = true;
    Run.Directory = Directory;
    Run.Root = findRoot(Directory);
  }

  EditorReport run(bool ShowsErrors);
  /// Nothing but that the file cannot be checked.
  void fail(std::string Failure);
  EditorReport take(bool ShowsErrors);

private:
  void say(MessageType Type, const std::string &Text) {
    Result.Messages.push_back({Type, llvm::json::fixUTF8(Text)});
  }
  llvm::Expected<Plan> plan();
  llvm::Error readConfiguration(const Plan &ThePlan);

  Options Opts;
  const Documents &Open;
  const std::string File;
  const std::string Directory;
  RunReport Run;
  EditorReport Result;
};

} // namespace

/// A database that nobody named may be broken, or about other languages.
llvm::Expected<Plan> EditorLint::plan() {
  if (!Opts.Build.empty())
    return planJobs(Opts, Directory);
  Opts.Build = findDatabaseAbove(File);
  if (!Opts.Build.empty()) {
    llvm::Expected<Plan> Found = planJobs(Opts, Directory);
    if (Found)
      return Found;
    say(MessageType::Warning,
        llvm::toString(Found.takeError()) + "; analysed without a database");
    Opts.Build.clear();
  }
  return planJobs(Opts, Directory);
}

/// Reads what the workers will read, for its problems.
llvm::Error EditorLint::readConfiguration(const Plan &ThePlan) {
  std::vector<ConfigProblem> Problems;
  auto Provider = makeTidyOptions(Opts, &Problems);
  if (!Provider)
    return Provider.takeError();
  readConfigurations(**Provider, ThePlan.Jobs);
  for (const ConfigProblem &Problem : Problems)
    say(Problem.NamesOurs ? MessageType::Error : MessageType::Warning,
        Problem.Message + "; analysed without this file");
  return llvm::Error::success();
}

void EditorLint::fail(std::string Failure) {
  FileReport Report;
  Report.File = File;
  Report.Directory = Directory;
  Report.Failure = std::move(Failure);
  Run.Files = {std::move(Report)};
}

EditorReport EditorLint::take(bool ShowsErrors) {
  for (const Notification &Note : Run.Notes)
    say(MessageType::Error, Note.Message);
  for (const FileReport &Report : Run.Files)
    Run.Total.add(Report);
  say(MessageType::Info, File + ": " + Run.Total.line());
  Translator(Open, {Opts.Skipped, ShowsErrors}, Result).add(Run);
  return std::move(Result);
}

EditorReport EditorLint::run(bool ShowsErrors) {
  setTexts(Open);
  frontEnd().TellsStates = true;
  llvm::Expected<Plan> ThePlan = plan();
  if (!ThePlan) {
    fail(llvm::toString(ThePlan.takeError()));
    return take(ShowsErrors);
  }
  for (const std::string &Note : ThePlan->Notes)
    say(MessageType::Log, Note);
  for (const std::string &Error : ThePlan->Errors)
    say(MessageType::Error, Error);
  if (llvm::Error Err = readConfiguration(*ThePlan)) {
    fail(llvm::toString(std::move(Err)));
    return take(ShowsErrors);
  }
  RunFilter Filter(Opts, Run);
  JobRunner(Opts, ThePlan->Jobs, Directory, [&](FileReport Report) {
    Filter.filter(Report);
    Run.Files.push_back(std::move(Report));
  }).run();
  return take(ShowsErrors);
}

EditorReport cpasync::lintForEditor(const Options &Opts, const Documents &Open,
                                    StringRef File) {
  return EditorLint(Opts, Open, File).run(Opts.Errors);
}

EditorReport cpasync::failedReport(const Documents &Open, StringRef File,
                                   std::string Failure) {
  EditorLint Lint(Options(), Open, File);
  Lint.fail(std::move(Failure));
  return Lint.take(/*ShowsErrors=*/false);
}
