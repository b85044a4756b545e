//===- OutputFlags.cpp - Flags that make Clang write or print -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/OutputFlags.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

using namespace cpasync;
namespace options = clang::options;
using llvm::StringRef;

/// How the names of options begin that Clang has in no group of their own.
static constexpr StringRef Families[] = {"add-plugin",
                                         "analyzer-",
                                         "autocomplete",
                                         "ccc-print-",
                                         "code-completion-",
                                         "config",
                                         "dependency-",
                                         "diagnostic-log-file",
                                         "dump",
                                         "fcrash-diagnostics",
                                         "fcxx-modules",
                                         "fdump-",
                                         "fimplicit-module",
                                         "fix-",
                                         "fixit",
                                         "fmodule-output",
                                         "fmodules",
                                         "fpass-plugin",
                                         "fplugin",
                                         "fproc-stat-report",
                                         "ftime-report",
                                         "ftime-trace",
                                         "gen-",
                                         "header-include-",
                                         "help",
                                         "module-dependency-dir",
                                         "plugin",
                                         "print-",
                                         "save-stats",
                                         "save-temps",
                                         "serialize-diag",
                                         "show-includes",
                                         "stats-file",
                                         "trace-includes",
                                         "verify"};

/// Whole names, most too short for a family.
static constexpr StringRef Names[] = {
    "###", "H", "emit-symbol-graph", "load", "mllvm", "time", "v", "version"};

/// The flag that -Xarch_sm_80, -Xarch_device or -Xarch_host hands on.
static StringRef handedOn(const llvm::opt::Arg &A) {
  const llvm::opt::Option &O = A.getOption();
  const bool IsArch = O.matches(options::OPT_Xarch__) ||
                      O.matches(options::OPT_Xarch_device) ||
                      O.matches(options::OPT_Xarch_host);
  return IsArch ? A.getValues().back() : StringRef();
}

bool cpasync::isOutputFlag(const llvm::opt::Arg &A) {
  if (const StringRef Flag = handedOn(A); !Flag.empty()) {
    const std::string Copy = Flag.str();
    const char *Words[] = {Copy.c_str()};
    unsigned MissingIndex = 0, MissingCount = 0;
    const auto Args = clang::getDriverOptTable().ParseArgs(
        Words, MissingIndex, MissingCount,
        llvm::opt::Visibility(options::ClangOption));
    return llvm::any_of(
        Args, [](const llvm::opt::Arg *Inner) { return isOutputFlag(*Inner); });
  }
  const llvm::opt::Option O = A.getOption().getUnaliasedOption();
  const StringRef Name = O.getName();
  return O.matches(options::OPT_d_Group) ||
         O.matches(options::OPT_internal_debug_Group) ||
         llvm::is_contained(Names, Name) ||
         llvm::any_of(Families, [&](StringRef Family) {
           return Name.starts_with(Family);
         });
}

/// "-Wp,-MD,FILE" names the file as -MF does elsewhere.
static void appendParts(StringRef List, std::vector<std::string> &Result) {
  bool NamesFile = false;
  for (const StringRef Part : llvm::split(List, ',')) {
    if (NamesFile)
      Result.push_back("-MF");
    Result.push_back(Part.str());
    NamesFile = Part == "-MD" || Part == "-MMD";
  }
}

std::vector<std::string>
cpasync::takePreprocessorFlags(llvm::ArrayRef<std::string> Flags) {
  std::vector<std::string> Result;
  for (size_t I = 0; I < Flags.size(); ++I) {
    StringRef Flag = Flags[I];
    if (Flag.consume_front("-Wp,"))
      appendParts(Flag, Result);
    else if (Flag != "-Xpreprocessor" || I + 1 == Flags.size())
      Result.push_back(Flags[I]);
  }
  return Result;
}

std::vector<std::string>
cpasync::frontEndFlags(llvm::ArrayRef<std::string> Values,
                       std::vector<std::string> &Dropped,
                       std::vector<std::string> &Unknown) {
  std::vector<const char *> Words;
  for (const std::string &Value : Values)
    Words.push_back(Value.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  const auto Args = clang::getDriverOptTable().ParseArgs(
      Words, MissingIndex, MissingCount,
      llvm::opt::Visibility(options::CC1Option));
  std::vector<std::string> Kept;
  for (const llvm::opt::Arg *A : Args) {
    const llvm::opt::Option &O = A->getOption();
    llvm::opt::ArgStringList Rendered;
    A->render(Args, Rendered);
    std::vector<std::string> Flags, *To = &Kept;
    for (const char *Word : Rendered)
      Flags.insert(Flags.end(), {"-Xclang", Word});
    if (O.matches(options::OPT_UNKNOWN))
      To = &Unknown;
    else if (O.matches(options::OPT_INPUT) || O.matches(options::OPT_o) ||
             O.matches(options::OPT_Action_Group) ||
             O.matches(options::OPT_M_Group) || isOutputFlag(*A))
      To = &Dropped;
    if (To == &Kept)
      llvm::append_range(Kept, Flags);
    else
      To->push_back(llvm::join(Flags, " "));
  }
  if (MissingCount > 0)
    Unknown.push_back("-Xclang " + Values[MissingIndex]);
  return Kept;
}
