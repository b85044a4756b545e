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
#include "tool/QuietStderr.h"
#include "tool/Summary.h"
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
        Context(std::move(Provider)), FileSystem(fileSystemWithCudaHeaders()) {}

  void lintFile(StringRef File);
  ExitCode finish();

private:
  std::vector<ClangTidyError> parseAndCheck(StringRef File);
  void printFindings(StringRef File, std::vector<ClangTidyError> &Errors);
  bool reportParseErrors(StringRef File, std::vector<ClangTidyError> &Errors);
  void fail(const llvm::Twine &Message) {
    printError(Message);
    ++Total.FilesNotAnalysed;
  }

  const Options &Opts;
  std::string Directory;
  DeviceCommands Commands;
  ClangTidyContext Context;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> FileSystem;
  Summary Total;
  std::vector<ClangTidyError> AllErrors; ///< for --export-fixes
  llvm::StringSet<> Seen; ///< findings in headers come once per including file
  bool FixesNotWritten = false;
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

std::vector<ClangTidyError> Linter::parseAndCheck(StringRef File) {
  std::vector<ClangTidyError> Errors;
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
  if (!Finished)
    fail(File + ": internal error while analysing; please report it");
  return Errors;
}

/// Takes compile errors out of \p Errors and says so in one line. False if
/// nothing of the file could be analysed.
bool Linter::reportParseErrors(StringRef File,
                               std::vector<ClangTidyError> &Errors) {
  unsigned Count = 0;
  std::string First;
  llvm::erase_if(Errors, [&](const ClangTidyError &Error) {
    if (Error.DiagnosticName != "clang-diagnostic-error")
      return false;
    if (Count++ == 0)
      First = parseErrorText(Error.Message, File);
    return true;
  });
  const PassReport &Report = frontEnd().Report;
  if (Count == 0)
    return true;
  if (!Report.Analysed || Report.Kernels + Report.Functions == 0) {
    fail(File + ": " + First);
    Errors.clear();
    return false;
  }
  ++Total.FilesWithErrors;
  printWarning(File + ": parsed with " + counted(Count, "error") +
               "; results may be incomplete; the first is: " + First);
  return true;
}

/// The path as a user would write it: relative if below \p Directory.
static void shorten(std::string &Path, StringRef Directory) {
  StringRef Rest = Path;
  if (Rest.consume_front(Directory) && Rest.consume_front("/"))
    Path = Rest.str();
}

void Linter::lintFile(StringRef File) {
  llvm::sys::fs::file_status Status;
  std::error_code Code = llvm::sys::fs::status(File, Status);
  if (!Code && llvm::sys::fs::is_directory(Status))
    Code = std::make_error_code(std::errc::is_a_directory);
  if (!Code)
    Code = llvm::sys::fs::access(File, llvm::sys::fs::AccessMode::Exist);
  if (!Code)
    Code = llvm::MemoryBuffer::getFile(File).getError();
  if (Code)
    return fail(File + ": " + Code.message());

  std::vector<ClangTidyError> Errors = parseAndCheck(File);
  const bool Usable = reportParseErrors(File, Errors);
  printFindings(File, Errors);
  if (!Usable)
    return;
  if (!frontEnd().Report.Analysed)
    return fail(File + ": no cpasync check is enabled for this file");
  if (llvm::sys::path::is_relative(File))
    for (SkippedKernel &Kernel : frontEnd().Report.Skipped)
      shorten(Kernel.File, Directory);
  Total.add(frontEnd().Report);
}

void Linter::printFindings(StringRef File,
                           std::vector<ClangTidyError> &Errors) {
  llvm::erase_if(Errors, [&](const ClangTidyError &Error) {
    return !Seen.insert(Error.DiagnosticName + '\0' + Error.Message.FilePath +
                        '\0' + std::to_string(Error.Message.FileOffset) + '\0' +
                        Error.Message.Message)
                .second;
  });
  AllErrors.insert(AllErrors.end(), Errors.begin(), Errors.end());
  for (ClangTidyError &Error : Errors) {
    if (StringRef(Error.DiagnosticName).starts_with("cpasync-"))
      ++Total.Findings;
    for (const EmittedFinding &Emitted : frontEnd().Report.Emitted)
      if (Emitted.Check == Error.DiagnosticName &&
          Emitted.Offset == Error.Message.FileOffset &&
          Emitted.Message == Error.Message.Message)
        Total.KernelsWithFindings.insert((File + ":" + Emitted.Kernel).str());
    if (llvm::sys::path::is_relative(File)) {
      shorten(Error.Message.FilePath, Directory);
      for (clang::tooling::DiagnosticMessage &Note : Error.Notes)
        shorten(Note.FilePath, Directory);
    }
  }
  const FixBehaviour Fix = Opts.FixNotes ? FB_FixNotes
                           : Opts.Fix    ? FB_Fix
                                         : FB_NoFix;
  unsigned WarningsAsErrors = 0;
  handleErrors(Errors, Context, Fix, WarningsAsErrors, FileSystem);
  llvm::outs().flush();
}

ExitCode Linter::finish() {
  if (!Opts.ExportFixes.empty()) {
    std::error_code Code;
    llvm::raw_fd_ostream OS(Opts.ExportFixes, Code, llvm::sys::fs::OF_None);
    FixesNotWritten = bool(Code);
    if (Code)
      printError(Opts.ExportFixes + ": " + Code.message());
    else
      exportReplacements(Opts.Files.front(), AllErrors, OS);
  }
  if (Opts.Skipped)
    for (const SkippedKernel &Kernel : Total.Skipped)
      llvm::outs() << Kernel.File << ':' << Kernel.Line << ':' << Kernel.Column
                   << ": " << Kernel.Kernel << ": " << Kernel.Reason << '\n';
  if (!Opts.Quiet)
    llvm::outs() << Total.line() << '\n';
  llvm::outs().flush();
  if (Total.FilesNotAnalysed || FixesNotWritten)
    return NotAnalysed;
  return Total.Findings ? FindingsFound : NothingFound;
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
    frontEnd().PrintState = &llvm::outs();

  llvm::CrashRecoveryContext::Enable();
  Linter TheLinter(Opts, allFlags(*Cuda, User, *Arch), std::move(*Provider),
                   Directory.str().str());
  for (const std::string &File : Opts.Files)
    TheLinter.lintFile(File);
  return TheLinter.finish();
}
