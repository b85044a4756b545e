//===- CompilerFlags.cpp - Compiler flags that Clang can take -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/CompilerFlags.h"
#include "tool/input/Architectures.h"
#include "tool/input/NvccFlags.h"
#include "tool/input/OutputFlags.h"
#include "tool/input/ReadFile.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include <algorithm>

using namespace cpasync;
using llvm::StringRef;

/// Response files may name others; one that names itself must end somewhere.
static constexpr unsigned MaxResponseDepth = 10;

/// Of one command. Clang's driver takes a second for twice as many, and then
/// the square of that.
static constexpr size_t MaxFlags = 20000;

/// The value of \p Flags[I] if that is \p Name, as `Name=value` or as two
/// arguments (then \p I moves on).
static bool matches(llvm::ArrayRef<std::string> Flags, size_t &I,
                    StringRef Name, StringRef &Value) {
  StringRef Flag = Flags[I];
  if (!Flag.consume_front(Name))
    return false;
  if (Flag.consume_front("=")) {
    Value = Flag;
    return true;
  }
  if (!Flag.empty() || I + 1 == Flags.size())
    return false;
  Value = Flags[++I];
  return true;
}

namespace {

/// Puts the contents of response files in the place of their names.
class ResponseFiles {
public:
  ResponseFiles(StringRef Directory, std::vector<std::string> &Unreadable)
      : Directory(Directory), Unreadable(Unreadable) {}

  std::vector<std::string> expand(llvm::ArrayRef<std::string> Flags,
                                  unsigned Depth = 0);

private:
  void read(StringRef Name, unsigned Depth, std::vector<std::string> &Result);

  StringRef Directory;
  std::vector<std::string> &Unreadable;
  unsigned FilesRead = 0;
  uint64_t BytesRead = 0;
  size_t FlagsRead = 0;
  // What was said already: no more is read, or not of this file of the command.
  bool GaveUp = false;
  bool Loops = false;
};

} // namespace

void ResponseFiles::read(StringRef Name, unsigned Depth,
                         std::vector<std::string> &Result) {
  llvm::SmallString<128> Path = Name;
  if (!Directory.empty())
    llvm::sys::path::make_absolute(Directory, Path);
  const auto Refuse = [&](const llvm::Twine &Reason) {
    Unreadable.push_back((Path + ": " + Reason).str());
  };
  const auto GiveUp = [&](const llvm::Twine &Reason) {
    GaveUp = true;
    Refuse(Reason);
  };
  Loops &= Depth > 0;
  if (GaveUp || Loops)
    return;
  auto Buffer = readFile(Path, MaxResponseBytes);
  if (!Buffer)
    return Refuse(Buffer.getError().message());
  Loops = Depth == MaxResponseDepth;
  if (Loops)
    return Refuse("response files that name each other");
  BytesRead += (*Buffer)->getBufferSize();
  if (++FilesRead > MaxResponseFiles)
    return GiveUp("more than " + llvm::Twine(MaxResponseFiles) +
                  " response files");
  if (BytesRead > MaxResponseBytes)
    return GiveUp("more than " + llvm::Twine(MaxResponseBytes >> 20) +
                  " MiB of response files");
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *, 64> Words;
  llvm::cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver, Words);
  FlagsRead += Words.size();
  if (FlagsRead > MaxFlags)
    return GiveUp("more than " + llvm::Twine(MaxFlags) +
                  " flags in response files");
  const std::vector<std::string> Flags(Words.begin(), Words.end());
  llvm::append_range(Result, expand(Flags, Depth + 1));
}

std::vector<std::string>
ResponseFiles::expand(llvm::ArrayRef<std::string> Flags, unsigned Depth) {
  std::vector<std::string> Result;
  for (size_t I = 0; I < Flags.size(); ++I) {
    StringRef Value = Flags[I];
    if (Value.consume_front("@"))
      read(Value, Depth, Result);
    else if (matches(Flags, I, "--options-file", Value) ||
             matches(Flags, I, "-optf", Value))
      for (const std::string &File : splitNvccList(Value))
        read(File, Depth, Result);
    else
      Result.push_back(Flags[I]);
  }
  return Result;
}

/// Those of a compilation that say what is done with the result; ours says that
/// itself.
static bool isForOutput(const llvm::opt::Arg &A) {
  const llvm::opt::Option &O = A.getOption();
  return O.matches(clang::options::OPT_M_Group) ||
         O.matches(clang::options::OPT_Action_Group) ||
         O.matches(clang::options::OPT_o) || O.matches(clang::options::OPT_x) ||
         O.matches(clang::options::OPT_offload_device_only) ||
         O.matches(clang::options::OPT_offload_host_only) ||
         O.matches(clang::options::OPT_offload_host_device);
}

/// Reads what is left with Clang's own parser.
static void readClangFlags(llvm::ArrayRef<std::string> Flags, Dialect As,
                           CompilerFlags &Result) {
  std::vector<const char *> Words;
  for (const std::string &Flag : Flags)
    Words.push_back(Flag.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  const llvm::opt::InputArgList Args = clang::getDriverOptTable().ParseArgs(
      Words, MissingIndex, MissingCount,
      llvm::opt::Visibility(clang::options::ClangOption));
  std::vector<std::string> ForFrontEnd;
  size_t Count = 0; // one flag of nvcc may have become any number of these
  for (const llvm::opt::Arg *A : Args) {
    const bool IsInput = A->getOption().matches(clang::options::OPT_INPUT);
    if (A->getOption().matches(clang::options::OPT_UNKNOWN) ||
        (IsInput && As == Dialect::Either)) {
      Result.Unknown.push_back(A->getAsString(Args));
      continue;
    }
    if (IsInput || isForOutput(*A) ||
        (As == Dialect::Nvcc && !isLanguageFlag(*A)))
      continue;
    ++Count;
    if (A->getOption().matches(clang::options::OPT_Xclang)) {
      ForFrontEnd.push_back(A->getValue());
      continue;
    }
    if (isOutputFlag(*A)) {
      Result.Dropped.push_back(A->getAsString(Args));
      continue;
    }
    llvm::opt::ArgStringList Rendered;
    A->render(Args, Rendered);
    Result.Kept.insert(Result.Kept.end(), Rendered.begin(), Rendered.end());
  }
  if (MissingCount > 0)
    Result.Unknown.push_back(Words[MissingIndex]);
  // Clang's driver puts them behind all others as well.
  llvm::append_range(
      Result.Kept, frontEndFlags(ForFrontEnd, Result.Dropped, Result.Unknown));
  if (Count > MaxFlags) {
    Result.Kept.clear();
    Result.TooMany = "more than " + std::to_string(MaxFlags) + " flags";
  }
}

/// nvcc lets a constant expression name a reference whose object it does not
/// know, in every language version (P2280). Clang does so in C++23 only. What
/// the library looks at stays the version that was asked for.
static void takeConstantsAsNvcc(std::vector<std::string> &Flags) {
  const auto IsStandard = [](StringRef Flag) {
    return Flag.starts_with("-std=");
  };
  const auto Last = std::find_if(Flags.rbegin(), Flags.rend(), IsStandard);
  if (Last == Flags.rend())
    return;
  const StringRef Asked = *Last;
  if (!llvm::is_contained(
          {"-std=c++20", "-std=c++2a", "-std=gnu++20", "-std=gnu++2a"}, Asked))
    return;
  *Last = Asked.contains("gnu") ? "-std=gnu++23" : "-std=c++23";
  Flags.insert(Flags.end(),
               {"-Wno-builtin-macro-redefined", "-D__cplusplus=202002L"});
}

CompilerFlags cpasync::readCompilerFlags(llvm::ArrayRef<std::string> Flags,
                                         Dialect As, StringRef Directory) {
  CompilerFlags Result;
  Architectures Asked;
  const auto AddArch = [&](StringRef Value) {
    for (const std::string &Name : Asked.add(Value))
      Result.Unknown.push_back("-arch=" + Name);
  };
  std::vector<std::string> Words =
      ResponseFiles(Directory, Result.Unreadable).expand(Flags);
  Words = takePreprocessorFlags(Words);
  if (As != Dialect::Clang) {
    NvccFlags Nvcc = translateNvccFlags(Words);
    Words = std::move(Nvcc.Args);
    for (const std::string &Value : Nvcc.Architectures)
      AddArch(Value);
  }
  std::vector<std::string> Rest;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Value;
    if (matches(Words, I, "--offload-arch", Value) ||
        matches(Words, I, "--cuda-gpu-arch", Value))
      AddArch(Value);
    else if (matches(Words, I, "--cuda-path", Value))
      Result.CudaPath = Value.str();
    else if (!StringRef(Words[I]).starts_with("--no-offload-arch="))
      Rest.push_back(Words[I]);
  }
  readClangFlags(Rest, As, Result);
  if (As != Dialect::Clang)
    takeConstantsAsNvcc(Result.Kept);
  Result.Archs = Asked.usable();
  Result.AsksForArch = !Asked.empty();
  Result.ArchRemarks = Asked.remarks();
  return Result;
}
