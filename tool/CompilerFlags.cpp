//===- CompilerFlags.cpp - Compiler flags that Clang can take -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/CompilerFlags.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

using namespace cpasync;
using llvm::StringRef;

namespace {

/// A flag of nvcc that Clang does not know or takes for something else.
struct NvccFlag {
  StringRef Name;
  bool TakesValue;
};

/// Collects `sm_N` and `compute_N` and picks one.
class ArchChoice {
public:
  void add(StringRef Text);
  std::string pick() const { return "sm_" + (Best.empty() ? "80" : Best); }

private:
  unsigned BestNumber = ~0u;
  std::string Best;
};

} // namespace

static constexpr NvccFlag NvccFlags[] = {
    {"-G", false},
    {"--device-debug", false},
    {"-Xptxas", true},
    {"--ptxas-options", true},
    {"-Xcompiler", true},
    {"--compiler-options", true},
    {"-Xcudafe", true},
    {"-Xnvlink", true},
    {"-ccbin", true},
    {"--compiler-bindir", true},
    {"-code", true},
    {"--gpu-code", true},
    {"-maxrregcount", true},
    {"--maxrregcount", true},
    {"-rdc", true},
    {"--relocatable-device-code", true},
    {"-t", true},
    {"--threads", true},
};

/// Options whose value names architectures.
static constexpr StringRef ArchFlags[] = {
    "-arch",           "--gpu-architecture", "-gencode",
    "--generate-code", "--offload-arch",     "--cuda-gpu-arch"};

void ArchChoice::add(StringRef Text) {
  // arch= says what is compiled, code= what the result is packed as.
  if (const size_t Code = Text.find(",code="); Code != StringRef::npos)
    Text = Text.take_front(Code);
  Text.consume_front("arch=");
  llvm::SmallVector<StringRef, 4> Names;
  Text.split(Names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Name : Names) {
    if (!Name.consume_front("sm_") && !Name.consume_front("compute_"))
      continue;
    const StringRef Whole = Name;
    unsigned Number = 0;
    if (Name.consumeInteger(10, Number) || Number < MinArch ||
        Number >= BestNumber)
      continue;
    BestNumber = Number;
    // Clang has no family architectures; the specific one is the next best.
    Best = Whole.ends_with("f") ? Whole.drop_back().str() + "a" : Whole.str();
  }
}

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

/// Drops \p Flags[I] and its value if only nvcc knows it.
static bool dropNvccFlag(llvm::ArrayRef<std::string> Flags, size_t &I,
                         std::vector<std::string> &Dropped) {
  for (const NvccFlag &Known : NvccFlags) {
    StringRef Value;
    if (Flags[I] == Known.Name && !Known.TakesValue) {
      Dropped.push_back(Flags[I]);
      return true;
    }
    if (Known.TakesValue && matches(Flags, I, Known.Name, Value)) {
      Dropped.push_back((Known.Name + "=" + Value).str());
      return true;
    }
  }
  return false;
}

CompilerFlags cpasync::readCompilerFlags(llvm::ArrayRef<std::string> Flags) {
  CompilerFlags Result;
  ArchChoice Arch;
  std::vector<const char *> Rest;
  for (size_t I = 0; I < Flags.size(); ++I) {
    StringRef Value;
    if (llvm::any_of(ArchFlags, [&](StringRef Name) {
          return matches(Flags, I, Name, Value);
        }))
      Arch.add(Value);
    else if (matches(Flags, I, "--cuda-path", Value))
      Result.CudaPath = Value.str();
    else if (!dropNvccFlag(Flags, I, Result.Dropped))
      Rest.push_back(Flags[I].c_str());
  }
  Result.Arch = Arch.pick();

  unsigned MissingIndex = 0, MissingCount = 0;
  const llvm::opt::InputArgList Args = clang::getDriverOptTable().ParseArgs(
      Rest, MissingIndex, MissingCount,
      llvm::opt::Visibility(clang::options::ClangOption));
  for (const llvm::opt::Arg *A : Args) {
    const bool IsKnown = !A->getOption().matches(clang::options::OPT_UNKNOWN) &&
                         !A->getOption().matches(clang::options::OPT_INPUT);
    if (!IsKnown) {
      Result.Dropped.push_back(A->getAsString(Args));
      continue;
    }
    llvm::opt::ArgStringList Rendered;
    A->render(Args, Rendered);
    Result.Kept.insert(Result.Kept.end(), Rendered.begin(), Rendered.end());
  }
  if (MissingCount > 0)
    Result.Dropped.push_back(Rest[MissingIndex]);
  return Result;
}
