//===- Lint.cpp - Run the checks over files -------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Lint.h"
#include "checks/FrontEnd.h"
#include "checks/Messages.h"
#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "tool/input/BoundedFiles.h"
#include "tool/input/Cuda.h"
#include "tool/input/ReplaceFile.h"
#include "tool/report/Escape.h"
#include "tool/report/Formats.h"
#include "tool/report/TimelineText.h"
#include "tool/run/Analyzer.h"
#include "tool/run/ExportCommands.h"
#include "tool/run/Fixer.h"
#include "tool/run/JobRunner.h"
#include "tool/run/Jobs.h"
#include "tool/run/Progress.h"
#include "tool/run/RunFilter.h"
#include "tool/run/ShownNames.h"
#include "tool/run/TidyErrors.h"
#include "tool/run/TidyOptions.h"
#include "tool/run/Workers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <optional>

using namespace cpasync;
using namespace clang::tidy;
using llvm::StringRef;

void cpasync::printError(const llvm::Twine &Message) {
  llvm::outs().flush();
  llvm::errs() << "cpasync-tidy: error: " << escaped(Message.str()) << '\n';
}

void cpasync::printNote(const llvm::Twine &Message) {
  llvm::outs().flush();
  llvm::errs() << "cpasync-tidy: note: " << escaped(Message.str()) << '\n';
}

void cpasync::printWarning(const llvm::Twine &Message) {
  llvm::outs().flush();
  llvm::errs() << "cpasync-tidy: warning: " << escaped(Message.str()) << '\n';
}

namespace {

class Linter {
public:
  Linter(const Options &Opts,
         std::unique_ptr<ClangTidyOptionsProvider> Provider,
         StringRef Directory)
      : Opts(Opts), Directory(Directory), Context(std::move(Provider)),
        FileSystem(fileSystemWithCudaHeaders(
            llvm::makeIntrusiveRefCnt<BoundedFiles>())) {
    Run.Directory = this->Directory;
    Run.Root = findRoot(this->Directory);
    Run.ShowsSuppressed = Opts.ShowSuppressed;
    Run.ShowsTimelines = Opts.Timeline;
    Filter.emplace(Opts, Run);
    if (Opts.fixes())
      TheFixer.emplace(Context, Opts.FixSlow || Opts.FixNotes);
  }

  /// Says that something is not as it was asked for: the run fails then.
  void addError(std::string Id, const std::string &Message);
  /// Takes the report of the next file and prints what it says.
  void accept(FileReport Report);
  ExitCode finish();

private:
  void dropRepeated(FileReport &Report);
  void printFindings(const FileReport &Report);
  void addUnusedComments();
  bool writeReports();

  const Options &Opts;
  std::string Directory;
  ClangTidyContext Context; ///< for printing
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FileSystem;
  RunReport Run;
  std::optional<RunFilter> Filter; ///< always there; made when Run is
  std::optional<Fixer> TheFixer;   ///< if there is anything to fix
  llvm::StringSet<> Seen; ///< findings in headers come once per including file
  bool CannotFix = false;
  bool HasErrors = false; ///< of addError()
};

} // namespace

void Linter::addError(std::string Id, const std::string &Message) {
  printError(Message);
  Run.Notes.push_back(
      {Notification::Level::Error, std::move(Id), Message, "", 0, 0});
  HasErrors = true;
}

void Linter::dropRepeated(FileReport &Report) {
  llvm::erase_if(Report.Findings, [&](const ReportedFinding &F) {
    return !Seen.insert(F.Check + '\0' + F.Where.File + '\0' +
                        std::to_string(F.Where.Offset) + '\0' + F.Message)
                .second;
  });
}

void Linter::accept(FileReport Report) {
  if (Report.Failure.empty() && Report.ParseErrors)
    printWarning(
        Report.File + ": parsed with " + counted(Report.ParseErrors, "error") +
        "; results may be incomplete; the first is: " + Report.FirstParseError);
  writeErrors(Report, Directory,
              Opts.Format == "text" ? llvm::outs() : llvm::errs());
  dropRepeated(Report);
  Filter->filter(Report);
  if (Opts.Format == "text")
    printFindings(Report);
  if (!Report.Failure.empty())
    printError(Report.File + ": " + Report.Failure);
  Run.Total.add(Report);
  Run.Files.push_back(std::move(Report));
}

/// Text comes out, and fixes are made, while later files are still to do.
void Linter::printFindings(const FileReport &Report) {
  std::vector<ClangTidyError> Errors;
  std::vector<ReportedFinding> Findings = Report.Findings;
  for (ReportedFinding &F : Findings) {
    shortenPaths(F, Report, Directory);
    Errors.push_back(toTidyError(F, Report.Directory));
  }
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Shown = FileSystem;
  if (TheFixer) {
    TheFixer->fix(Errors, Report, Directory);
    Shown = TheFixer->asAnalysed(FileSystem, Report);
  }
  Shown = withShownNames(Errors, std::move(Shown), Directory);
  unsigned WarningsAsErrors = 0;
  const TextStyle Style = {TextStyle::hasUnicode(),
                           Context.getOptions().UseColor.value_or(
                               llvm::sys::Process::StandardOutHasColors())};
  if (!Opts.Timeline)
    handleErrors(Errors, Context, FB_NoFix, WarningsAsErrors, Shown);
  else
    for (const auto &[F, Error] : llvm::zip_equal(Findings, Errors)) {
      handleErrors({Error}, Context, FB_NoFix, WarningsAsErrors, Shown);
      writeTimeline(F, Style, llvm::outs());
    }
  llvm::outs().flush();
  if (TheFixer && !TheFixer->report())
    CannotFix = true;
}

void Linter::addUnusedComments() {
  for (UnusedComment &Comment : Filter->unusedComments()) {
    FileReport Addition;
    Addition.File = Comment.Unit->File;
    Addition.Directory = Comment.Unit->Directory;
    Addition.Findings = {Comment.Finding};
    Addition.Read = Comment.Unit->Read;
    if (Opts.Format == "text")
      printFindings(Addition);
    ++Run.Total.Findings;
    Comment.Unit->Findings.push_back(std::move(Comment.Finding));
  }
}

/// Every finding as clang-tidy knows it.
static std::vector<ClangTidyError> allErrors(const RunReport &Run) {
  std::vector<ClangTidyError> Errors;
  for (const FileReport &File : Run.Files)
    for (const ReportedFinding &F : File.Findings)
      Errors.push_back(toTidyError(F, File.Directory));
  return Errors;
}

/// Writes what --export-fixes, --write-baseline, --output and --format ask for;
/// false if a file could not be written.
bool Linter::writeReports() {
  bool Written = true;
  if (!Opts.ExportFixes.empty()) {
    if (llvm::Error Err =
            writeFile(Opts.ExportFixes, [&](llvm::raw_ostream &OS) {
              exportReplacements(Run.Files.front().File, allErrors(Run), OS);
            })) {
      printError(llvm::toString(std::move(Err)));
      Written = false;
    }
  }
  if (llvm::Error Err = Filter->writeBaseline()) {
    printError(llvm::toString(std::move(Err)));
    Written = false;
  }
  for (const std::string &Text : Opts.Outputs)
    if (llvm::Error Err = writeOutput(Run, llvm::cantFail(parseOutput(Text)))) {
      printError(llvm::toString(std::move(Err)));
      Written = false;
    }
  if (Opts.Format != "text")
    findFormat(Opts.Format)->Write(Run, llvm::outs());
  return Written;
}

ExitCode Linter::finish() {
  addUnusedComments();
  Filter->reportFixed();
  const bool Accepted = !Opts.WriteBaseline.empty();
  const bool Fails =
      (Run.Total.Findings && !Accepted && Opts.failsOn("findings")) ||
      (Run.Total.NotFullyAnalysed && Opts.failsOn("gaps")) ||
      (Run.Total.FilesWithErrors && Opts.failsOn("errors"));
  const ExitCode Code =
      Run.Total.FilesNotAnalysed || Filter->missing() || HasErrors ? NotAnalysed
      : Fails ? FindingsFound
              : NothingFound;
  Run.ExitCode = Code;
  const bool Written = writeReports();
  // Standard output belongs to the report if it is not text.
  llvm::raw_ostream &OS = Opts.Format == "text" ? llvm::outs() : llvm::errs();
  if (Opts.Skipped)
    for (const FileReport &File : Run.Files)
      for (const ReportedGap &Gap :
           llvm::concat<const ReportedGap>(File.Gaps, File.Refuted))
        OS << escapedPath(shortPath(Gap.Where.File, File, Directory)) << ':'
           << Gap.Where.Line << ':' << Gap.Where.Column << ": "
           << escaped(Gap.Kernel + ": " + Gap.Reason) << '\n';
  llvm::outs().flush();
  if (!Opts.Quiet && Opts.Format == "text")
    OS << Run.Total.hint();
  if (!Opts.Quiet)
    OS << escaped(Run.Total.line()) << '\n';
  OS.flush();
  return Written && !CannotFix ? Code : NotAnalysed;
}

ExitCode cpasync::lint(const Options &Opts) {
  llvm::SmallString<128> Directory;
  if (std::error_code Code = llvm::sys::fs::current_path(Directory)) {
    printError("working directory: " + Code.message());
    return NotAnalysed;
  }
  llvm::Expected<Plan> ThePlan = planJobs(Opts, Directory);
  if (!ThePlan) {
    printError(llvm::toString(ThePlan.takeError()));
    return NotAnalysed;
  }
  std::vector<ConfigProblem> Problems;
  auto Provider = makeTidyOptions(Opts, &Problems);
  if (!Provider) {
    printError(llvm::toString(Provider.takeError()));
    return NotAnalysed;
  }
  for (const std::string &Note : ThePlan->Notes)
    printNote(Note);
  if (!Opts.ExportCommands.empty()) {
    if (llvm::Error Err = exportCommands(ThePlan->Jobs, Opts.ExportCommands)) {
      printError(llvm::toString(std::move(Err)));
      return NotAnalysed;
    }
    for (const std::string &Error : ThePlan->Errors)
      printError(Error);
    return ThePlan->Errors.empty() ? NothingFound : NotAnalysed;
  }
  if (Opts.PrintState)
    frontEnd().PrintState = [&](StringRef Line) {
      (Opts.Format == "text" ? llvm::outs() : llvm::errs())
          << escapedPath(Line) << '\n';
    };

  readConfigurations(**Provider, ThePlan->Jobs);
  Linter TheLinter(Opts, std::move(*Provider), Directory);
  for (const auto &[Message, NamesOurs] : Problems)
    if (NamesOurs)
      TheLinter.addError("configuration-not-read",
                         shortPath(Message, Directory));
    else
      printWarning(shortPath(Message, Directory) +
                   "; analysed without this file");
  for (const std::string &Error : ThePlan->Errors)
    TheLinter.addError("flags-not-read", Error);
  JobRunner(Opts, ThePlan->Jobs, Directory, [&](FileReport Report) {
    TheLinter.accept(std::move(Report));
  }).run();
  return TheLinter.finish();
}
