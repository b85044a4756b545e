//===- Lint.cpp - Run the checks over files -------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/Lint.h"
#include "checks/Check.h"
#include "checks/FrontEnd.h"
#include "checks/Messages.h"
#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "tool/CompilerFlags.h"
#include "tool/Cuda.h"
#include "tool/Formats.h"
#include "tool/QuietStderr.h"
#include "tool/TidyErrors.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using namespace clang::tidy;
using llvm::StringRef;

/// Deep recursion in a kernel must not overflow the parser's stack.
static constexpr unsigned StackBytes = 64 << 20;

void cpasync::printError(const llvm::Twine &Message) {
  llvm::outs().flush();
  llvm::errs() << "cpasync-tidy: error: " << Message << '\n';
}

static void printWarning(const llvm::Twine &Message) {
  llvm::outs().flush();
  llvm::errs() << "cpasync-tidy: warning: " << Message << '\n';
}

namespace {

/// One command for every file: its device side.
class DeviceCommands : public clang::tooling::CompilationDatabase {
public:
  DeviceCommands(std::string Directory, std::vector<std::string> Flags)
      : Directory(std::move(Directory)), Flags(std::move(Flags)) {}

  std::vector<clang::tooling::CompileCommand>
  getCompileCommands(StringRef File) const override {
    std::vector<std::string> Line = {"clang++"};
    Line.insert(Line.end(), Flags.begin(), Flags.end());
    Line.insert(Line.end(), {"-x", "cuda", File.str()});
    return {{Directory, File, std::move(Line), /*Output=*/""}};
  }

private:
  std::string Directory;
  std::vector<std::string> Flags;
};

/// A .clang-tidy that never names a cpasync check was written for other checks:
/// its `-*` is not about ours. Everything else in it is honoured.
template <class Provider> class OurChecks : public Provider {
public:
  using Provider::Provider;

  std::vector<ClangTidyOptionsProvider::OptionsSource>
  getRawOptions(StringRef File) override {
    auto Sources = Provider::getRawOptions(File);
    for (auto &[Values, Source] : Sources)
      if (Values.Checks && !StringRef(*Values.Checks).contains("cpasync") &&
          Source !=
              ClangTidyOptionsProvider::OptionsSourceTypeCheckCommandLineOption)
        Values.Checks.reset();
    return Sources;
  }
};

class Linter {
public:
  Linter(const Options &Opts, std::vector<std::string> Flags,
         std::unique_ptr<ClangTidyOptionsProvider> Provider,
         std::string Directory)
      : Opts(Opts), Directory(Directory),
        Commands(std::move(Directory), std::move(Flags)),
        Context(std::move(Provider)), FileSystem(fileSystemWithCudaHeaders()) {
    Run.Directory = this->Directory;
    Run.Root = findRoot(this->Directory);
  }

  /// Everything that can be said about one file; prints nothing.
  FileReport analyze(StringRef File);
  /// Takes the report of the next file and prints what it says.
  void accept(FileReport Report);
  ExitCode finish();

private:
  bool parseAndCheck(StringRef File, std::vector<ClangTidyError> &Errors);
  void dropRepeated(FileReport &Report);
  void printFindings(const FileReport &Report);
  bool writeReports();

  const Options &Opts;
  std::string Directory;
  DeviceCommands Commands;
  ClangTidyContext Context;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FileSystem;
  SourceCache Sources;
  RunReport Run;
  llvm::StringSet<> Seen; ///< findings in headers come once per including file
};

} // namespace

/// "line 3: text", with the name of the file if it is not \p File.
static std::string parseErrorText(const clang::tooling::DiagnosticMessage &What,
                                  StringRef File) {
  auto Buffer = llvm::MemoryBuffer::getFile(What.FilePath);
  if (What.FilePath.empty() || !Buffer)
    return What.Message;
  const StringRef Before = (*Buffer)->getBuffer().take_front(What.FileOffset);
  std::string Text =
      "line " + std::to_string(Before.count('\n') + 1) + ": " + What.Message;
  if (!llvm::sys::fs::equivalent(What.FilePath, File))
    Text = llvm::sys::path::filename(What.FilePath).str() + ", " + Text;
  return Text;
}

/// False if the analysis crashed.
bool Linter::parseAndCheck(StringRef File,
                           std::vector<ClangTidyError> &Errors) {
  llvm::CrashRecoveryContext Crash;
  frontEnd().Report = PassReport();
  QuietStderr Quiet;
  const bool Finished = Crash.RunSafelyOnThread(
      [&] {
        Errors = runClangTidy(Context, Commands, {File.str()}, FileSystem,
                              Opts.FixNotes, /*EnableCheckProfile=*/false,
                              /*StoreCheckProfile=*/"", /*Quiet=*/true);
      },
      StackBytes);
  Quiet.release();
  return Finished;
}

/// Takes compile errors out of \p Errors and counts them in \p Report.
static void countParseErrors(std::vector<ClangTidyError> &Errors,
                             FileReport &Report) {
  llvm::erase_if(Errors, [&](const ClangTidyError &Error) {
    if (Error.DiagnosticName != "clang-diagnostic-error")
      return false;
    if (Report.ParseErrors++ == 0)
      Report.FirstParseError = parseErrorText(Error.Message, Report.File);
    return true;
  });
}

static std::error_code checkReadable(StringRef File) {
  llvm::sys::fs::file_status Status;
  if (std::error_code Code = llvm::sys::fs::status(File, Status))
    return Code;
  if (llvm::sys::fs::is_directory(Status))
    return std::make_error_code(std::errc::is_a_directory);
  return llvm::MemoryBuffer::getFile(File).getError();
}

FileReport Linter::analyze(StringRef File) {
  FileReport Report;
  Report.File = File.str();
  Report.Directory = Directory;
  if (std::error_code Code = checkReadable(File)) {
    Report.Failure = Code.message();
    return Report;
  }
  std::vector<ClangTidyError> Errors;
  if (!parseAndCheck(File, Errors)) {
    Report.Failure = "internal error while analysing; please report it";
    return Report;
  }
  countParseErrors(Errors, Report);
  const PassReport &Pass = frontEnd().Report;
  if (Report.ParseErrors &&
      (!Pass.Analysed || Pass.Kernels + Pass.Functions == 0)) {
    Report.Failure = Report.FirstParseError;
    return Report;
  }
  readTidyErrors(Errors, Pass, Sources, Report);
  if (!Pass.Analysed)
    Report.Failure = "no cpasync check is enabled for this file";
  return Report;
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
  dropRepeated(Report);
  if (Opts.Format == "text")
    printFindings(Report);
  if (!Report.Failure.empty())
    printError(Report.File + ": " + Report.Failure);
  Run.Total.add(Report);
  Run.Files.push_back(std::move(Report));
}

/// Text comes out while later files are still to do; clang-tidy's printer
/// applies the fixes as well.
void Linter::printFindings(const FileReport &Report) {
  const FixBehaviour Fix = Opts.FixNotes ? FB_FixNotes
                           : Opts.Fix    ? FB_Fix
                                         : FB_NoFix;
  std::vector<ClangTidyError> Errors;
  for (ReportedFinding F : Report.Findings) {
    shortenPaths(F, Report, Directory);
    Errors.push_back(toTidyError(F, Report.Directory));
  }
  unsigned WarningsAsErrors = 0;
  handleErrors(Errors, Context, Fix, WarningsAsErrors, FileSystem);
  llvm::outs().flush();
}

/// Every finding as clang-tidy knows it.
static std::vector<ClangTidyError> allErrors(const RunReport &Run) {
  std::vector<ClangTidyError> Errors;
  for (const FileReport &File : Run.Files)
    for (const ReportedFinding &F : File.Findings)
      Errors.push_back(toTidyError(F, File.Directory));
  return Errors;
}

/// Writes what --export-fixes, --output and --format ask for; false if a file
/// could not be written.
bool Linter::writeReports() {
  bool Written = true;
  if (!Opts.ExportFixes.empty()) {
    std::error_code Code;
    llvm::raw_fd_ostream OS(Opts.ExportFixes, Code, llvm::sys::fs::OF_None);
    Written = !Code;
    if (Code)
      printError(Opts.ExportFixes + ": " + Code.message());
    else
      exportReplacements(Opts.Files.front(), allErrors(Run), OS);
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
  const ExitCode Code = Run.Total.FilesNotAnalysed ? NotAnalysed
                        : Run.Total.Findings       ? FindingsFound
                                                   : NothingFound;
  Run.ExitCode = Code;
  const bool Written = writeReports();
  // Standard output belongs to the report if it is not text.
  llvm::raw_ostream &OS = Opts.Format == "text" ? llvm::outs() : llvm::errs();
  if (Opts.Skipped)
    for (const FileReport &File : Run.Files)
      for (const ReportedGap &Gap : File.Gaps)
        OS << shortPath(Gap.Where.File, File, Directory) << ':'
           << Gap.Where.Line << ':' << Gap.Where.Column << ": " << Gap.Kernel
           << ": " << Gap.Reason << '\n';
  llvm::outs().flush();
  if (!Opts.Quiet)
    OS << Run.Total.line() << '\n';
  OS.flush();
  return Written ? Code : NotAnalysed;
}

/// Flags of the device side, in the order that lets a user's own flags win
/// where that makes sense and ours where it does not.
static std::vector<std::string>
allFlags(const CudaHeaders &Cuda, const CompilerFlags &User, StringRef Arch) {
  std::vector<std::string> Flags = {"-resource-dir", CPASYNC_RESOURCE_DIR};
  Flags.insert(Flags.end(), Cuda.FlagsBefore.begin(), Cuda.FlagsBefore.end());
  Flags.insert(Flags.end(), User.Kept.begin(), User.Kept.end());
  Flags.insert(Flags.end(), Cuda.FlagsAfter.begin(), Cuda.FlagsAfter.end());
  Flags.insert(Flags.end(),
               {"-fsyntax-only", "--cuda-device-only", "--no-offload-arch=all",
                ("--offload-arch=" + Arch).str(), "-nocudalib",
                "-Wno-unknown-cuda-version", "-ferror-limit=0"});
  return Flags;
}

static llvm::Expected<std::string> chooseArch(const Options &Opts,
                                              const CompilerFlags &User) {
  if (Opts.OffloadArch.empty())
    return User.Arch;
  StringRef Number = Opts.OffloadArch;
  unsigned Value = 0;
  if (!Number.consume_front("sm_") || Number.consumeInteger(10, Value) ||
      Value < MinArch)
    return llvm::createStringError("'--offload-arch' is sm_" +
                                   llvm::Twine(MinArch) + " or above, not '" +
                                   Opts.OffloadArch + "'");
  return Opts.OffloadArch;
}

/// Defaults, then .clang-tidy or --config, then the command line.
static llvm::Expected<std::unique_ptr<ClangTidyOptionsProvider>>
makeProvider(const Options &Opts) {
  ClangTidyOptions Defaults = ClangTidyOptions::getDefaults();
  Defaults.Checks = "-*";
  for (const CheckInfo &Info : allChecks())
    if (Info.OnByDefault)
      *Defaults.Checks += (",cpasync-" + Info.Name).str();
  Defaults.HeaderFilterRegex = ".*";
  ClangTidyOptions Override;
  // "*" means our checks; the library brings the static analyser along.
  Override.Checks = Opts.Checks + ",-clang-analyzer-*,-clang-diagnostic-*";
  if (!Opts.HeaderFilter.empty())
    Override.HeaderFilterRegex = Opts.HeaderFilter;
  if (!Opts.AssumedThreads.empty())
    Override.CheckOptions["AssumedThreads"] =
        ClangTidyOptions::ClangTidyValue(Opts.AssumedThreads, 10000);
  if (Opts.Config.empty())
    return std::make_unique<OurChecks<FileOptionsProvider>>(
        ClangTidyGlobalOptions(), Defaults, Override,
        llvm::vfs::getRealFileSystem());
  llvm::ErrorOr<ClangTidyOptions> Config = parseConfiguration(
      llvm::MemoryBufferRef(Opts.Config, "the value of --config"));
  if (!Config)
    return llvm::createStringError("'--config' is not valid YAML for "
                                   "clang-tidy: " +
                                   Config.getError().message());
  return std::make_unique<OurChecks<ConfigOptionsProvider>>(
      ClangTidyGlobalOptions(), Defaults, *Config, Override,
      llvm::vfs::getRealFileSystem());
}

ExitCode cpasync::lint(const Options &Opts) {
  if (Opts.Files.empty()) {
    printError("no file to check; see --help");
    return NotAnalysed;
  }
  const CompilerFlags User = readCompilerFlags(Opts.CompilerFlags);
  if (!User.Dropped.empty())
    printWarning("dropped what Clang does not understand of the compiler "
                 "flags: " +
                 llvm::join(User.Dropped, " "));
  llvm::Expected<std::string> Arch = chooseArch(Opts, User);
  if (!Arch) {
    printError(llvm::toString(Arch.takeError()));
    return NotAnalysed;
  }
  llvm::Expected<CudaHeaders> Cuda = findCudaHeaders(
      Opts.Cuda, Opts.CudaPath.empty() ? User.CudaPath : Opts.CudaPath);
  if (!Cuda) {
    printError(llvm::toString(Cuda.takeError()));
    return NotAnalysed;
  }
  auto Provider = makeProvider(Opts);
  if (!Provider) {
    printError(llvm::toString(Provider.takeError()));
    return NotAnalysed;
  }
  llvm::SmallString<128> Directory;
  if (std::error_code Code = llvm::sys::fs::current_path(Directory)) {
    printError("working directory: " + Code.message());
    return NotAnalysed;
  }
  if (Opts.PrintState)
    frontEnd().PrintState =
        Opts.Format == "text" ? &llvm::outs() : &llvm::errs();

  llvm::CrashRecoveryContext::Enable();
  Linter TheLinter(Opts, allFlags(*Cuda, User, *Arch), std::move(*Provider),
                   Directory.str().str());
  for (const std::string &File : Opts.Files)
    TheLinter.accept(TheLinter.analyze(File));
  return TheLinter.finish();
}
