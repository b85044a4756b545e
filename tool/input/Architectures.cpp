//===- Architectures.cpp - GPU architectures of a command line ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/Architectures.h"
#include "clang/Basic/OffloadArch.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cpasync;
using llvm::StringRef;

static bool clangKnows(StringRef Arch) {
  return clang::StringToOffloadArch(Arch) != clang::OffloadArch::UNKNOWN;
}

/// Splits "compute_90a" into 90 and "a".
static bool split(StringRef Name, unsigned &Number, StringRef &Suffix) {
  if (!Name.consume_front("sm_") && !Name.consume_front("compute_") &&
      !Name.consume_front("lto_"))
    return false;
  if (Name.consumeInteger(10, Number))
    return false;
  Suffix = Name;
  return Suffix.empty() || Suffix == "a" || Suffix == "f";
}

std::string cpasync::clangArch(StringRef Name) {
  unsigned Number = 0;
  StringRef Suffix;
  if (!split(Name, Number, Suffix))
    return "";
  const std::string Specific = Suffix.empty() ? "" : "a";
  for (; Number >= MinArch; --Number)
    for (const std::string &Try : {"sm_" + std::to_string(Number) + Specific,
                                   "sm_" + std::to_string(Number)})
      if (clangKnows(Try))
        return Try;
  return ("sm_" + llvm::Twine(Number) + Suffix).str();
}

bool Architectures::addName(StringRef Name) {
  if (Name == "native") // what the machine has is not known here
    return true;
  // All that nvcc compiles for by itself; a code path for one major is seen
  // with any of its members.
  if (Name == "all" || Name == "all-major") {
    for (const char *Major : {"sm_80", "sm_90", "sm_100", "sm_120"})
      addName(Major);
    return true;
  }
  const std::string Arch = clangArch(Name);
  unsigned Number = 0, Wanted = 0;
  StringRef Suffix, Ignored;
  if (!split(Arch, Number, Suffix))
    return false;
  if (Number < MinArch) {
    TooOld.insert(Name.str());
    return true;
  }
  if (split(Name, Wanted, Ignored) && Wanted != Number)
    Unheard[Name.str()] = Arch;
  Known.insert({Number, Suffix.str()});
  return true;
}

std::vector<std::string> Architectures::add(StringRef Value) {
  // arch= says what is compiled, code= what the result is packed as.
  const size_t Arch = Value.find("arch=");
  if (Arch != StringRef::npos)
    Value = Value.substr(Arch + 5);
  if (const size_t Code = Value.find(",code="); Code != StringRef::npos)
    Value = Value.take_front(Code);
  llvm::SmallVector<StringRef, 4> Names;
  Value.split(Names, ',', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Unknown;
  for (StringRef Name : Names)
    if (!addName(Name.trim(" \"")))
      Unknown.push_back(Name.str());
  return Unknown;
}

std::vector<std::string> Architectures::remarks() const {
  std::vector<std::string> All;
  for (const auto &[Name, Instead] : Unheard)
    All.push_back(llvm::formatv("no architecture '{0}' is known: analysed for "
                                "{1}",
                                Name, Instead));
  if (Known.empty() && !TooOld.empty())
    All.push_back(
        llvm::formatv("'{0}' has no asynchronous copies: analysed for {1}",
                      *TooOld.rbegin(), usable().front()));
  return All;
}

std::vector<std::string> Architectures::usable() const {
  std::vector<std::string> Names;
  for (const auto &[Number, Suffix] : Known)
    Names.push_back("sm_" + std::to_string(Number) + Suffix);
  if (Names.empty())
    Names.push_back("sm_" + std::to_string(MinArch));
  return Names;
}

// A mention in a comment is taken for a use: at worst the file is analysed as a
// later architecture sees it. PTX ISA, the "Target ISA Notes" of each.
std::string cpasync::archFor(StringRef Source) {
  if (Source.contains("tcgen05"))
    return "sm_100a";
  for (const StringRef Since90 :
       {"cp.async.bulk", "cp_async_bulk", "CUtensorMap", "mbarrier.try_wait",
        "mbarrier_try_wait", "expect_tx", "memcpy_async_tx", "wgmma",
        "setmaxnreg", "barrier.cluster", "barrier_cluster", "__cluster_dims__",
        "cluster_ctarank", "cluster_group", "this_cluster", "shared::cluster",
        "fence.proxy.async", "cuda/ptx"})
    if (Source.contains(Since90))
      return "sm_90a";
  return "sm_" + std::to_string(MinArch);
}
