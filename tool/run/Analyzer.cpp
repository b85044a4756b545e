//===- Analyzer.cpp - Analyse one file ------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Analyzer.h"
#include "checks/FrontEnd.h"
#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "lib/Finding.h"
#include "tool/input/CompileDatabase.h"
#include "tool/input/Cuda.h"
#include "tool/input/HostBodies.h"
#include "tool/input/LargeVariables.h"
#include "tool/input/PragmaMacros.h"
#include "tool/input/ReadFile.h"
#include "tool/run/LastWords.h"
#include "tool/run/QuietStderr.h"
#include "tool/run/TidyErrors.h"
#include "tool/run/TidyOptions.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/thread.h"
#include <optional>
#include <set>

using namespace cpasync;
using namespace clang::tidy;
using llvm::StringRef;

/// Deep recursion in a kernel must not overflow the parser's stack.
static constexpr unsigned StackBytes = 64 << 20;

/// A function that compiles at last may call others that do not yet, and of an
/// expression Clang tells one place at a time.
static constexpr unsigned MaxRounds = 8;

namespace {

/// The one command of a job.
class DeviceCommand : public clang::tooling::CompilationDatabase {
public:
  explicit DeviceCommand(const Job &J) : TheJob(J) {}

  std::vector<clang::tooling::CompileCommand>
  getCompileCommands(StringRef /*File*/) const override {
    std::vector<std::string> Line = {"clang++"};
    llvm::append_range(Line, TheJob.Flags);
    llvm::append_range(Line, clangHeaderFlags());
    // A header that was asked for may be a system header.
    if (TheJob.OnlyIn.empty())
      llvm::append_range(Line, skipHostBodies());
    // Ours are not Clang's, and some of Clang's would count as errors.
    Line.push_back("-Wno-everything");
    // File has slashes in the place of backslashes.
    llvm::SmallString<128> Source = StringRef(TheJob.Source);
    llvm::sys::path::make_absolute(TheJob.Directory, Source);
    llvm::sys::path::remove_dots(Source);
    Line.insert(Line.end(), {"-x", "cuda", Source.str().str()});
    return {{TheJob.Directory, Source, std::move(Line), /*Output=*/""}};
  }

private:
  const Job &TheJob;
};

} // namespace

/// "line 3: text", with the name of the file if it is not \p File.
static std::string parseErrorText(const clang::tooling::DiagnosticMessage &What,
                                  StringRef File) {
  auto Buffer = readFile(What.FilePath, MaxSourceBytes);
  if (What.FilePath.empty() || !Buffer)
    return What.Message;
  const StringRef Before = (*Buffer)->getBuffer().take_front(What.FileOffset);
  std::string Text =
      "line " + std::to_string(Before.count('\n') + 1) + ": " + What.Message;
  if (!llvm::sys::fs::equivalent(What.FilePath, File))
    Text = llvm::sys::path::filename(What.FilePath).str() + ", " + Text;
  return Text;
}

/// Clang says of an include that may not be read why, and that it is not there.
static void dropNotFound(std::vector<ClangTidyError> &Errors) {
  const auto Where = [](const ClangTidyError &Error) {
    return std::pair(Error.Message.FilePath, Error.Message.FileOffset);
  };
  std::set<std::pair<std::string, unsigned>> Refused;
  for (const ClangTidyError &Error : Errors)
    if (StringRef(Error.Message.Message).starts_with("cannot open file '"))
      Refused.insert(Where(Error));
  llvm::erase_if(Errors, [&](const ClangTidyError &Error) {
    return StringRef(Error.Message.Message).ends_with("' file not found") &&
           Refused.count(Where(Error));
  });
}

/// Takes compile errors out of \p Errors and counts them in \p Report.
static std::vector<ClangTidyError>
takeParseErrors(std::vector<ClangTidyError> &Errors, StringRef Source,
                FileReport &Report) {
  dropNotFound(Errors);
  std::vector<ClangTidyError> Taken;
  llvm::erase_if(Errors, [&](const ClangTidyError &Error) {
    if (Error.DiagnosticName != "clang-diagnostic-error")
      return false;
    if (Report.ParseErrors++ == 0)
      Report.FirstParseError = parseErrorText(Error.Message, Source);
    Taken.push_back(Error);
    return true;
  });
  return Taken;
}

/// Clang ends the program where it cannot go.
static std::error_code checkEnterable(StringRef Directory) {
  llvm::sys::fs::file_status Status;
  if (std::error_code Code = llvm::sys::fs::status(Directory, Status))
    return Code;
  return llvm::sys::fs::is_directory(Status)
             ? std::error_code()
             : std::make_error_code(std::errc::not_a_directory);
}

/// Names every place in \p Report by its absolute path.
static void makeAbsolute(FileReport &Report, StringRef Directory) {
  const auto Absolute = [&](std::string &File) {
    if (!File.empty())
      File = absolutePath(File, Directory);
  };
  const auto AllOf = [&](std::vector<ReportedFinding> &Findings) {
    for (ReportedFinding &F : Findings) {
      Absolute(F.Where.File);
      for (Edit &E : F.Fix)
        Absolute(E.Where.File);
      for (PathStep &Step : F.Path)
        Absolute(Step.Where.File);
      for (ReportedNote &Note : F.Notes) {
        Absolute(Note.Where.File);
        for (Edit &E : Note.Fix)
          Absolute(E.Where.File);
      }
    }
  };
  AllOf(Report.Errors);
  AllOf(Report.Findings);
  AllOf(Report.Suppressed);
  for (ReportedGap &Gap :
       llvm::concat<ReportedGap>(Report.Gaps, Report.Refuted))
    Absolute(Gap.Where.File);
  for (ReportedState &State : Report.States)
    Absolute(State.Where.File);
  for (std::string &Source : Report.Sources)
    Absolute(Source);
}

/// Says what the files were that the findings of \p Report speak of.
static void addDigests(FileReport &Report, const BoundedFiles &Files) {
  const auto Add = [&](StringRef File) {
    if (auto [It, IsNew] = Report.Read.try_emplace(File.str()); IsNew)
      It->second = Files.digest(File);
  };
  const auto AddAll = [&](llvm::ArrayRef<Edit> Edits) {
    for (const Edit &E : Edits)
      Add(E.Where.File);
  };
  for (const ReportedFinding &F : Report.Findings) {
    Add(F.Where.File);
    AddAll(F.Fix);
    for (const ReportedNote &Note : F.Notes) {
      Add(Note.Where.File);
      AddAll(Note.Fix);
    }
  }
}

/// Whether \p Gap is a template in \p Header without an instance.
static bool isUninstantiated(const ReportedGap &Gap, StringRef Header) {
  return StringRef(Gap.Reason).starts_with(NeverInstantiated) &&
         llvm::sys::fs::equivalent(Gap.Where.File, Header);
}

/// Keeps only what is said about \p Header.
static void keepOnly(FileReport &Report, StringRef Header) {
  const auto IsElsewhere = [&](const Place &Where) {
    return !Where.File.empty() && Where.File != Header &&
           !llvm::sys::fs::equivalent(Where.File, Header);
  };
  const auto IsOther = [&](const ReportedFinding &F) {
    return IsElsewhere(F.Where);
  };
  llvm::erase_if(Report.Findings, IsOther);
  llvm::erase_if(Report.Suppressed, IsOther);
}

/// Takes the templates in \p Header that \p Report has seen no instance of out
/// of it, except those that \p Other has not seen either.
static void dropInstantiated(FileReport &Report, StringRef Header,
                             const FileReport &Other) {
  const size_t Before = Report.Gaps.size();
  llvm::erase_if(Report.Gaps, [&](const ReportedGap &Gap) {
    return isUninstantiated(Gap, Header) &&
           llvm::none_of(Other.Gaps, [&](const ReportedGap &Same) {
             return isUninstantiated(Same, Header) &&
                    Same.Kernel == Gap.Kernel &&
                    Same.Where.Line == Gap.Where.Line;
           });
  });
  // Each of them is the only gap of its kernel.
  Report.NotFullyAnalysed -= Before - Report.Gaps.size();
}

Analyzer::Analyzer(const Options &Opts, StringRef Directory)
    : Opts(Opts), Directory(Directory),
      Disk(llvm::makeIntrusiveRefCnt<BoundedFiles>()),
      FileSystem(fileSystemWithCudaHeaders(Disk)) {
  spareLargeVariables();
}

ParseResult
Analyzer::parse(const Job &J,
                llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> Files) {
  // A context remembers which check has which number in a diagnostics engine,
  // and every run has an engine of its own.
  ClangTidyContext Context(llvm::cantFail(
      makeTidyOptions(Opts, /*Problems=*/nullptr, !J.OnlyIn.empty())));
  const DeviceCommand Command(J);
  ParseResult Result;
  frontEnd().Report = PassReport();
  frontEnd().HidesRepaired = true;
  frontEnd().IsAlone = true;
  frontEnd().Templates = {J.OnlyIn, std::nullopt};
  if (!J.OnlyIn.empty())
    frontEnd().Templates.Lines = J.Uninstantiated;
  frontEnd().Prepare = [](clang::Preprocessor &PP) {
    acceptPragmaMacros(PP);
    markSharedVariables(PP);
  };
  QuietStderr Quiet;
  llvm::thread Runner(std::optional(StackBytes), [&] {
    const StackWatch Watch;
    Result.Errors =
        runClangTidy(Context, Command, {J.Source}, Files, Opts.fixes(),
                     /*EnableCheckProfile=*/false,
                     /*StoreCheckProfile=*/"", /*Quiet=*/true);
  });
  Runner.join();
  Quiet.release();
  Result.Report = std::move(frontEnd().Report);
  return Result;
}

FileReport Analyzer::analyzeAlone(const Job &J) {
  FileReport Report;
  Report.File = J.File;
  Report.Directory = Directory;
  if (std::error_code Code = readFile(J.Source, MaxSourceBytes).getError()) {
    Report.Failure = Code.message();
    return Report;
  }
  if (std::error_code Code = checkEnterable(J.Directory)) {
    Report.Failure = J.Directory + ": " + Code.message();
    return Report;
  }
  ParseResult Result = parse(J, FileSystem);
  MissingKeywords Missing(Sources, J.Directory);
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    if (!Missing.add(Result.Report))
      break;
    ParseResult Again = parse(J, Missing.fileSystem(FileSystem));
    // A name may be a type for some arguments of a template and none for
    // others.
    if (Again.otherErrors() > Result.otherErrors())
      break;
    Missing.restore(Again);
    Result = std::move(Again);
  }
  const std::vector<ClangTidyError> Taken =
      takeParseErrors(Result.Errors, J.Source, Report);
  if (Opts.Errors)
    Report.Errors = readParseErrors(Taken, Sources, J.Directory);
  const PassReport &Pass = Result.Report;
  if (Report.ParseErrors &&
      (!Pass.Analysed || Pass.Kernels + Pass.Functions == 0)) {
    Report.Failure = Report.FirstParseError;
    makeAbsolute(Report, J.Directory);
    return Report;
  }
  Report.Directory = J.Directory;
  readTidyErrors(Result.Errors, Pass, Sources, Report);
  makeAbsolute(Report, J.Directory);
  Report.Directory = Directory;
  if (!J.OnlyIn.empty())
    keepOnly(Report, J.OnlyIn);
  addDigests(Report, *Disk);
  if (!Pass.Analysed)
    Report.Failure = "no cpasync check is enabled for this file";
  return Report;
}

/// Has instances made of the templates that no file instantiates.
static void makeInstances(FileReport &Report, const Job &J,
                          llvm::function_ref<FileReport(const Job &)> Analyze) {
  Job Last = J;
  for (const ReportedGap &Gap : Report.Gaps)
    if (isUninstantiated(Gap, J.OnlyIn))
      Last.Uninstantiated.insert(Gap.Where.Line);
  if (Last.Uninstantiated.empty())
    return;
  FileReport Made = Analyze(Last);
  if (!Made.Failure.empty())
    return;
  // Others have an instance that it does not see.
  llvm::erase_if(Made.Gaps, [&](const ReportedGap &Gap) {
    const bool IsOther = isUninstantiated(Gap, J.OnlyIn) &&
                         !Last.Uninstantiated.count(Gap.Where.Line);
    Made.NotFullyAnalysed -= IsOther;
    return IsOther;
  });
  // Which of them there is nothing to make of, it knows better.
  dropInstantiated(Report, J.OnlyIn, FileReport());
  mergeReport(Report, std::move(Made));
}

FileReport
Analyzer::analyze(const Job &J,
                  llvm::function_ref<FileReport(const Job &)> Analyze) {
  FileReport Report = Analyze(J);
  const Job *Seen = &J;
  for (const Job &Other : J.Others) {
    const bool Failed = !Report.Failure.empty();
    if (!Failed && llvm::none_of(Report.Gaps, [&](const ReportedGap &Gap) {
          return isUninstantiated(Gap, J.OnlyIn);
        }))
      break;
    FileReport Next = Analyze(Other);
    if (!Next.Failure.empty())
      continue;
    if (Failed) {
      Report = std::move(Next);
      Seen = &Other;
      continue;
    }
    const FileReport Old = Report;
    dropInstantiated(Report, J.OnlyIn, Next);
    dropInstantiated(Next, J.OnlyIn, Old);
    mergeReport(Report, std::move(Next));
  }
  makeInstances(Report, *Seen, Analyze);
  return Report;
}
