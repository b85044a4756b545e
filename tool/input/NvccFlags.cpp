//===- NvccFlags.cpp - Flags of nvcc in Clang's spelling ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/NvccFlags.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace cpasync;
using llvm::StringRef;

namespace {

enum class ValueKind { None, Required, Kind, Joined, Number };

enum class Action {
  Drop,
  Define,
  Undefine,
  IncludePath,
  SystemInclude,
  PreInclude,
  Standard,
  Architecture,
  RelocatableIfTrue,
  Relocatable,
  RelaxedConstexpr,
  ExtendedLambda,
  DeviceDebug,
  WholeProgram,
  DefaultStream,
  FastMath,
  NoExceptions,
  TemplateDepth,
  HostOptions,
};

struct NvccOption {
  StringRef Long;
  StringRef Short;
  ValueKind Value;
  Action Does;
};

/// An option as it was found on a command line.
struct Match {
  const NvccOption *Option = nullptr;
  StringRef Value;
  size_t Words = 1;
};

} // namespace

static constexpr NvccOption Options[] = {
#define NVCC(LONG, SHORT, VALUE, ACTION)                                       \
  {LONG, SHORT, ValueKind::VALUE, Action::ACTION},
#include "tool/input/NvccFlags.def"
};

/// Host flags that change what the device side sees.
static constexpr clang::options::ID LanguageFlags[] = {
    clang::options::OPT_D,
    clang::options::OPT_U,
    clang::options::OPT_I,
    clang::options::OPT_isystem,
    clang::options::OPT_isystem_after,
    clang::options::OPT_idirafter,
    clang::options::OPT_iquote,
    clang::options::OPT_isysroot,
    clang::options::OPT__sysroot_EQ,
    clang::options::OPT__sysroot,
    clang::options::OPT_nostdinc,
    clang::options::OPT_nostdincxx,
    clang::options::OPT_include,
    clang::options::OPT_imacros,
    clang::options::OPT_std_EQ,
    clang::options::OPT_gcc_toolchain,
    clang::options::OPT_gcc_install_dir_EQ,
    clang::options::OPT_fexceptions,
    clang::options::OPT_fno_exceptions,
    clang::options::OPT_frtti,
    clang::options::OPT_fno_rtti,
    clang::options::OPT_fsigned_char,
    clang::options::OPT_fno_signed_char,
    clang::options::OPT_funsigned_char,
    clang::options::OPT_fno_unsigned_char,
    clang::options::OPT_fchar8__t,
    clang::options::OPT_fno_char8__t,
    clang::options::OPT_fms_extensions,
    clang::options::OPT_foperator_names,
    clang::options::OPT_fno_operator_names,
    clang::options::OPT_ftemplate_depth_EQ,
    clang::options::OPT_fconstexpr_depth_EQ,
    clang::options::OPT_fconstexpr_steps_EQ,
    clang::options::OPT_fbracket_depth_EQ,
    clang::options::OPT_fgpu_rdc,
    clang::options::OPT_fno_gpu_rdc,
    clang::options::OPT_ffast_math,
    clang::options::OPT_pthread,
};

bool cpasync::isLanguageFlag(const llvm::opt::Arg &A) {
  return llvm::any_of(LanguageFlags, [&](clang::options::ID Flag) {
    return A.getOption().matches(Flag);
  });
}

static std::vector<std::string>
flagsOfLanguage(llvm::ArrayRef<std::string> Args) {
  llvm::SmallVector<const char *, 32> Words;
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  const llvm::opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      Words, MissingIndex, MissingCount,
      llvm::opt::Visibility(clang::options::ClangOption));
  std::vector<std::string> Kept;
  for (const llvm::opt::Arg *A : Parsed) {
    if (!isLanguageFlag(*A))
      continue;
    llvm::opt::ArgStringList Rendered;
    A->render(Parsed, Rendered);
    Kept.insert(Kept.end(), Rendered.begin(), Rendered.end());
  }
  return Kept;
}

std::vector<std::string> cpasync::splitNvccList(StringRef Value) {
  std::vector<std::string> Parts(1);
  bool Quoted = false;
  for (size_t I = 0; I < Value.size(); ++I) {
    if (Value[I] == '\\' && I + 1 < Value.size()) {
      Parts.back() += Value[++I];
      continue;
    }
    Quoted ^= Value[I] == '"';
    if (Value[I] == ',' && !Quoted)
      Parts.emplace_back();
    else
      Parts.back() += Value[I];
  }
  llvm::erase_if(Parts, [](const std::string &Part) { return Part.empty(); });
  return Parts;
}

std::vector<StringRef> cpasync::nvccOptionNames() {
  std::vector<StringRef> Names;
  for (const NvccOption &Option : Options)
    Names.push_back(Option.Long);
  return Names;
}

/// The option at \p Args[I] where its name stands by itself or before a '='.
static Match matchWhole(llvm::ArrayRef<std::string> Args, size_t I) {
  const auto [Name, Value] = StringRef(Args[I]).split('=');
  for (const NvccOption &Option : Options) {
    StringRef Bare = Name;
    const bool IsLong = Bare.consume_front("--");
    if (!IsLong && !Bare.consume_front("-"))
      return {};
    if (Bare != (IsLong ? Option.Long : Option.Short))
      continue;
    const bool HasValue = Name.size() != Args[I].size();
    if (HasValue && Option.Value == ValueKind::None)
      continue;
    if (HasValue || Option.Value == ValueKind::None)
      return {&Option, Value, 1};
    const bool HasNext = I + 1 < Args.size();
    if (Option.Value == ValueKind::Kind &&
        (!HasNext || StringRef(Args[I + 1]).starts_with("-")))
      return {&Option, "", 1};
    return HasNext ? Match{&Option, Args[I + 1], 2} : Match{&Option, "", 1};
  }
  return {};
}

/// The option at the start of \p Arg with its value glued to it: "-DX", "-t4".
static Match matchJoined(StringRef Arg) {
  if (!Arg.consume_front("-"))
    return {};
  for (const NvccOption &Option : Options) {
    if (Option.Value != ValueKind::Joined && Option.Value != ValueKind::Number)
      continue;
    StringRef Value = Arg;
    if (!Value.consume_front(Option.Short) || Value.empty())
      continue;
    if (Option.Value == ValueKind::Number &&
        !llvm::all_of(Value, llvm::isDigit))
      continue;
    return {&Option, Value, 1};
  }
  return {};
}

/// nvcc replaces the commas of -Xcompiler and pastes the rest into a command
/// for a shell.
static std::vector<std::string> hostFlags(StringRef Value) {
  const std::string Command = llvm::join(splitNvccList(Value), " ");
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *, 8> Words;
  llvm::cl::TokenizeGNUCommandLine(Command, Saver, Words);
  return flagsOfLanguage(std::vector<std::string>(Words.begin(), Words.end()));
}

static bool isTrue(StringRef Value) {
  return Value == "true" || Value == "1" || Value == "on" || Value == "yes";
}

static void apply(const Match &Found, NvccFlags &Result) {
  std::vector<std::string> &Args = Result.Args;
  const auto Each = [&](const char *Flag) {
    for (std::string &Part : splitNvccList(Found.Value)) {
      Args.emplace_back(Flag);
      Args.push_back(std::move(Part));
    }
  };
  switch (Found.Option->Does) {
  case Action::Drop:
    return;
  case Action::Define:
    return Each("-D");
  case Action::Undefine:
    return Each("-U");
  case Action::IncludePath:
    return Each("-I");
  case Action::SystemInclude:
    return Each("-isystem");
  case Action::PreInclude:
    return Each("-include");
  case Action::Standard:
    Args.push_back(("-std=" + Found.Value).str());
    return;
  case Action::Architecture:
    Result.Architectures.push_back(Found.Value.str());
    return;
  case Action::RelocatableIfTrue:
    if (!isTrue(Found.Value))
      return;
    [[fallthrough]];
  case Action::Relocatable:
    // Without it, Clang rejects `extern __shared__` arrays with a bound.
    Args.insert(Args.end(), {"-fgpu-rdc", "-D__CUDACC_RDC__"});
    return;
  case Action::RelaxedConstexpr:
    Args.push_back("-D__CUDACC_RELAXED_CONSTEXPR__");
    return;
  case Action::ExtendedLambda:
    Args.push_back("-D__CUDACC_EXTENDED_LAMBDA__");
    return;
  case Action::DeviceDebug:
    Args.push_back("-D__CUDACC_DEBUG__");
    return;
  case Action::WholeProgram:
    Args.push_back("-D__CUDACC_EWP__");
    return;
  case Action::DefaultStream:
    if (Found.Value == "per-thread")
      Args.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    return;
  case Action::FastMath:
    Args.push_back("-D__USE_FAST_MATH__=1");
    return;
  case Action::NoExceptions:
    Args.push_back("-fno-exceptions");
    return;
  case Action::TemplateDepth:
    Args.push_back(("-ftemplate-depth=" + Found.Value).str());
    return;
  case Action::HostOptions:
    llvm::append_range(Args, hostFlags(Found.Value));
    return;
  }
}

/// Whether a word of Clang's has the next one for its value, whatever that
/// looks like.
static bool takesNextWord(StringRef Word) {
  return Word == "-Xclang" || Word == "-mllvm" || Word.starts_with("-Xarch_");
}

NvccFlags cpasync::translateNvccFlags(llvm::ArrayRef<std::string> Args) {
  NvccFlags Result;
  for (size_t I = 0; I < Args.size();) {
    Match Found = matchWhole(Args, I);
    if (!Found.Option)
      Found = matchJoined(Args[I]);
    if (Found.Option)
      apply(Found, Result);
    else
      Result.Args.push_back(Args[I]);
    if (!Found.Option && takesNextWord(Args[I]) && I + 1 < Args.size())
      Result.Args.push_back(Args[++I]);
    I += Found.Words;
  }
  return Result;
}
