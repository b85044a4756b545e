//===- Options.cpp - The command line of cpasync-tidy ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Options.h"
#include "checks/FrontEnd.h"
#include "tool/report/Formats.h"
#include "tool/run/KnownNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using llvm::StringRef;

namespace {

/// One option: a switch or one with a value.
struct Spec {
  StringRef Name;
  bool Options::*Switch;
  std::string Options::*Value;
  StringRef Argument; ///< how --help calls the value
  StringRef Help;
  std::vector<std::string> Options::*Values = nullptr; ///< may be repeated
};

} // namespace

static constexpr Spec Specs[] = {
    {"p", nullptr, &Options::Build, "DIR",
     "build folder with a compile_commands.json, as nvcc's build wrote it"},
    {"all-archs", &Options::AllArchs, nullptr, "",
     "analyse for every architecture asked for, not only the lowest"},
    {"export-compile-commands", nullptr, &Options::ExportCommands, "FILE",
     "write the commands for clang-tidy and clangd, and analyse nothing"},
    {"j", nullptr, &Options::Workers, "N",
     "processes at a time, for files and for the kernels of a file (one for "
     "each core)"},
    {"timeout-per-file", nullptr, &Options::TimeoutPerFile, "SECONDS",
     "give up on a file after that long (600)"},
    {"timeout-per-kernel", nullptr, &Options::TimeoutPerKernel, "SECONDS",
     "processor time for the analysis of a kernel (60); 0: any"},
    {"memory-per-kernel", nullptr, &Options::MemoryPerKernel, "MIB",
     "memory for the analysis of a kernel (4096); 0: any"},
    {"memory-per-file", nullptr, &Options::MemoryPerFile, "MIB",
     "give up on a file if a process takes more memory (8192); 0: any"},
    {"checks", nullptr, &Options::Checks, "GLOBS",
     "checks to run, as in clang-tidy: '-*,cpasync-unwaited-read'"},
    {"list-checks", &Options::ListChecks, nullptr, "",
     "print every check: name, on or off, group, summary"},
    {"explain", nullptr, &Options::Explain, "CHECK",
     "print the page of a check"},
    {"skipped", &Options::Skipped, nullptr, "",
     "list what was not fully analysed, and why"},
    {"errors", &Options::Errors, nullptr, "",
     "print every error of the compiler, with its line of source"},
    {"timeline", &Options::Timeline, nullptr, "",
     "draw the path of every finding, and list all of its steps"},
    {"print-state", &Options::PrintState, nullptr, "",
     "print the analysis state at each operation, each file by itself"},
    {"offload-arch", nullptr, &Options::OffloadArch, "sm_N",
     "architecture to analyse, sm_80 or above"},
    {"extra-arg", nullptr, nullptr, "FLAG",
     "compiler flag, as after '--'; may be repeated", &Options::CompilerFlags},
    {"cuda", nullptr, &Options::Cuda, "auto|toolkit|bundled",
     "CUDA headers: an installed toolkit's or our own"},
    {"cuda-path", nullptr, &Options::CudaPath, "DIR",
     "where the CUDA toolkit is installed"},
    {"assumed-threads", nullptr, &Options::AssumedThreads, "BLOCKS",
     "threads of a block where the source does not tell, X[,Y[,Z]], or those "
     "of "
     "a kernel, KERNEL=X[,Y[,Z]]; several with ';' between"},
    {"header-filter", nullptr, &Options::HeaderFilter, "REGEX",
     "report findings in the headers that match ('.*')"},
    {"config", nullptr, &Options::Config, "YAML",
     "configuration to use instead of .clang-tidy files"},
    {"fix", &Options::Fix, nullptr, "",
     "apply the fixes that do not make a kernel slow"},
    {"fix-slow", &Options::FixSlow, nullptr, "",
     "apply those as well that keep copies from overlapping"},
    {"fix-notes", &Options::FixNotes, nullptr, "",
     "apply the fix of a note where a finding has just one"},
    {"export-fixes", nullptr, &Options::ExportFixes, "FILE",
     "write the fixes in the YAML of clang-apply-replacements"},
    {"format", nullptr, &Options::Format, "FORMAT",
     "of standard output: text, sarif, json, github, gitlab or html"},
    {"output", nullptr, nullptr, "FORMAT=FILE",
     "write a report as well; may be repeated", &Options::Outputs},
    {"baseline", nullptr, &Options::Baseline, "FILE",
     "do not show the findings recorded in FILE"},
    {"write-baseline", nullptr, &Options::WriteBaseline, "FILE",
     "record all findings in FILE and accept them"},
    {"diff", nullptr, &Options::Diff, "REVISION",
     "show findings on lines changed since a git revision only"},
    {"unused-suppressions", &Options::UnusedSuppressions, nullptr, "",
     "report NOLINT comments for our checks that silence nothing"},
    {"show-suppressed", &Options::ShowSuppressed, nullptr, "",
     "sarif has the findings that comments silence, too, as suppressed"},
    {"fail-on", nullptr, &Options::FailOn, "WHAT[,WHAT]",
     "exit with 1 for: findings, gaps, errors (findings)"},
    {"strict", &Options::Strict, nullptr, "",
     "exit with 1 if anything that copies was not fully analysed, too"},
    {"lsp", &Options::Lsp, nullptr, "",
     "serve an editor on standard input and output; see docs/editors.md"},
    {"quiet", &Options::Quiet, nullptr, "", "print no summary line"},
    {"version", &Options::Version, nullptr, "", "print the version"},
    {"help", &Options::Help, nullptr, "", "print this text"},
};

static constexpr StringRef NeverEmpty[] = {
    "p",           "export-compile-commands",
    "baseline",    "write-baseline",
    "diff",        "cuda-path",
    "export-fixes"};

/// MiB that a worker takes before it reads anything, generously.
static constexpr uint64_t MinMemory = 128;
/// More than any machine has, and few enough for a number of bytes.
static constexpr uint64_t MaxMemory = uint64_t(1) << 40;

static llvm::Error usageError(const llvm::Twine &Message) {
  return llvm::createStringError(Message + "; see --help");
}

/// \p Arg, which \p Name was made of, is none of ours.
static llvm::Error unknownOption(StringRef Arg, StringRef Name) {
  std::vector<std::string> Known;
  for (const Spec &S : Specs)
    if (S.Name.size() > 1)
      Known.push_back(("--" + S.Name).str());
  std::string Hint = suggestion(("--" + Name).str(), Known);
  // Compilers' flags have one dash, and "--expt-" and the like are nvcc's.
  const bool IsCompilers = !Arg.starts_with("--") ||
                           Name.starts_with("expt-") ||
                           Name.starts_with("gpu-") || Name == "std";
  if (Hint.empty() && IsCompilers)
    Hint = "; flags for the compiler come behind '--'";
  return usageError("unknown option '" + Arg + "'" + Hint);
}

bool Options::failsOn(StringRef What) const {
  return (Strict && What == "gaps") ||
         llvm::is_contained(llvm::split(FailOn, ','), What);
}

/// What an editor cannot ask for.
static llvm::Error validateForEditor(const Options &Opts) {
  if (!Opts.Files.empty())
    return usageError("with '--lsp' the editor names the files, not '" +
                      Opts.Files.front() + "'");
  const std::pair<bool, StringRef> Others[] = {
      {Opts.Fix, "fix"},
      {Opts.FixSlow, "fix-slow"},
      {Opts.FixNotes, "fix-notes"},
      {Opts.PrintState, "print-state"},
      {Opts.UnusedSuppressions, "unused-suppressions"},
      {Opts.ShowSuppressed, "show-suppressed"},
      {Opts.Format != "text", "format"},
      {!Opts.Outputs.empty(), "output"},
      {!Opts.ExportFixes.empty(), "export-fixes"},
      {!Opts.ExportCommands.empty(), "export-compile-commands"},
      {!Opts.WriteBaseline.empty(), "write-baseline"}};
  for (const auto &[IsGiven, Name] : Others)
    if (IsGiven)
      return usageError("'--" + Name + "' does not go with '--lsp'");
  return llvm::Error::success();
}

/// Checks the values that do not depend on the machine.
static llvm::Error validate(const Options &Opts) {
  if (Opts.Cuda != "auto" && Opts.Cuda != "toolkit" && Opts.Cuda != "bundled")
    return usageError("'--cuda' is auto, toolkit or bundled, not '" +
                      Opts.Cuda + "'");
  if (!findFormat(Opts.Format))
    return usageError("'--format' is " + formatNames() + ", not '" +
                      Opts.Format + "'");
  if (Opts.Lsp)
    if (llvm::Error Err = validateForEditor(Opts))
      return Err;
  if (Opts.Format != "text" && Opts.fixes())
    return usageError("fixes are applied with '--format=text' only; write '" +
                      Opts.Format + "' with '--output'");
  for (const std::string &Output : Opts.Outputs)
    if (auto Parsed = parseOutput(Output); !Parsed)
      return usageError(llvm::toString(Parsed.takeError()));
  std::string Wrong;
  if (!Opts.HeaderFilter.empty() &&
      !llvm::Regex(Opts.HeaderFilter).isValid(Wrong))
    return usageError("'--header-filter' is a regular expression, not '" +
                      Opts.HeaderFilter + "': " + Wrong);
  if (!Opts.AssumedThreads.empty() && !parseBlocks(Opts.AssumedThreads))
    return usageError("'--assumed-threads' is " + BlockOptionSyntax +
                      ", not '" + Opts.AssumedThreads + "'");
  llvm::SmallVector<StringRef> Reasons;
  StringRef(Opts.FailOn).split(Reasons, ',');
  for (StringRef Reason : Reasons)
    if (!llvm::is_contained({"findings", "gaps", "errors"}, Reason))
      return usageError("'--fail-on' is findings, gaps or errors, or several "
                        "of these with commas, not '" +
                        Opts.FailOn + "'");
  unsigned Number = 0;
  if (!Opts.Workers.empty() &&
      (StringRef(Opts.Workers).getAsInteger(10, Number) || Number < 1))
    return usageError("'-j' is a number from 1, not '" + Opts.Workers + "'");
  if (!Opts.TimeoutPerFile.empty() &&
      (StringRef(Opts.TimeoutPerFile).getAsInteger(10, Number) || Number < 1))
    return usageError("'--timeout-per-file' is a number of seconds, not '" +
                      Opts.TimeoutPerFile + "'");
  if (!Opts.TimeoutPerKernel.empty() &&
      StringRef(Opts.TimeoutPerKernel).getAsInteger(10, Number))
    return usageError("'--timeout-per-kernel' is a number of seconds, not '" +
                      Opts.TimeoutPerKernel + "'");
  if (!Opts.MemoryPerKernel.empty() &&
      StringRef(Opts.MemoryPerKernel).getAsInteger(10, Number))
    return usageError("'--memory-per-kernel' is a number of MiB, not '" +
                      Opts.MemoryPerKernel + "'");
  uint64_t Memory = 0;
  if (!Opts.MemoryPerFile.empty() &&
      (StringRef(Opts.MemoryPerFile).getAsInteger(10, Memory) ||
       (Memory != 0 && Memory < MinMemory) || Memory > MaxMemory))
    return usageError("'--memory-per-file' is a number of MiB from " +
                      llvm::Twine(MinMemory) + ", or 0, not '" +
                      Opts.MemoryPerFile + "'");
  return llvm::Error::success();
}

llvm::Expected<Options>
cpasync::parseOptions(llvm::ArrayRef<const char *> Args) {
  Options Opts;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg == "--") {
      Opts.CompilerFlags.insert(Opts.CompilerFlags.end(), Args.begin() + I + 1,
                                Args.end());
      break;
    }
    if (!Arg.starts_with("-") || Arg == "-") {
      Opts.Files.push_back(Arg.str());
      continue;
    }
    auto [Name, Value] =
        Arg.drop_front(Arg.starts_with("--") ? 2 : 1).split('=');
    bool HasValue = Arg.contains('=');
    if (Arg.size() > 2 && Arg.starts_with("-j") && llvm::isDigit(Arg[2])) {
      Name = "j";
      Value = Arg.drop_front(2);
      HasValue = true;
    }
    const Spec *Found =
        llvm::find_if(Specs, [&](const Spec &S) { return S.Name == Name; });
    if (Found == std::end(Specs))
      return unknownOption(Arg, Name);
    if (Found->Switch) {
      if (HasValue)
        return usageError("option '--" + Name + "' takes no value");
      Opts.*Found->Switch = true;
      continue;
    }
    const StringRef Dashes = Name.size() == 1 ? "-" : "--";
    if (!HasValue && I + 1 == Args.size())
      return usageError("option '" + Dashes + Name + "' needs a value");
    std::string Given = HasValue ? Value.str() : Args[++I];
    // An unset variable in a script must not switch anything off.
    if (Given.empty() && llvm::is_contained(NeverEmpty, Name))
      return usageError("option '" + Dashes + Name + "' needs a value");
    if (Found->Values)
      (Opts.*Found->Values).push_back(std::move(Given));
    else
      Opts.*Found->Value = std::move(Given);
  }
  if (llvm::Error Err = validate(Opts))
    return std::move(Err);
  return Opts;
}

void cpasync::printHelp(llvm::raw_ostream &OS) {
  OS << "usage: cpasync-tidy [options] FILE... [-- COMPILER FLAGS]\n"
        "       cpasync-tidy [options] -p BUILD_DIR [FILE...]\n"
        "       cpasync-tidy [options] --lsp [-- COMPILER FLAGS]\n\n"
        "Finds misuse of asynchronous copies in CUDA C++. Exit status: 0 "
        "nothing found,\n1 findings, 2 something could not be analysed at "
        "all.\n\n";
  for (const Spec &S : Specs) {
    const bool IsLetter = S.Name.size() == 1;
    std::string Left = ((IsLetter ? "  -" : "  --") + S.Name).str();
    if (!S.Argument.empty())
      Left += ((IsLetter ? " " : "=") + S.Argument).str();
    OS << Left;
    OS.indent(Left.size() < 30 ? 30 - Left.size() : 1) << S.Help << '\n';
  }
}
