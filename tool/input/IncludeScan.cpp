//===- IncludeScan.cpp - Which file includes a header ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/IncludeScan.h"
#include "tool/input/CompileDatabase.h"
#include "tool/input/ReadFile.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/Path.h"

using namespace cpasync;
using llvm::StringRef;

/// Files looked at for one answer; the largest header libraries have fewer.
static constexpr size_t MaxFiles = 20000;

const std::vector<IncludeScan::Include> &
IncludeScan::includesOf(StringRef File) {
  const auto [It, IsNew] = Includes.try_emplace(File);
  if (!IsNew)
    return It->second;
  auto Buffer = readFile(File, MaxSourceBytes);
  if (!Buffer)
    return It->second;
  for (llvm::line_iterator Line(**Buffer); !Line.is_at_eof(); ++Line) {
    StringRef Text = Line->ltrim();
    if (!Text.consume_front("#"))
      continue;
    Text = Text.ltrim();
    if (!Text.consume_front("include"))
      continue;
    Text = Text.ltrim();
    const bool IsAngled = Text.starts_with("<");
    if (!IsAngled && !Text.starts_with("\""))
      continue;
    const auto [Name, After] = Text.drop_front().split(IsAngled ? '>' : '"');
    It->second.push_back({Name.str(), IsAngled});
  }
  return It->second;
}

bool IncludeScan::exists(StringRef File) {
  const auto [It, IsNew] = Existing.try_emplace(File);
  if (IsNew)
    It->second = llvm::sys::fs::exists(File);
  return It->second;
}

/// The directories that \p Flags name, in the order of the command line;
/// quoted includes search all of them, the others skip -iquote.
static std::vector<std::string> searchPath(llvm::ArrayRef<std::string> Flags,
                                           StringRef Directory) {
  std::vector<std::string> Path;
  for (size_t I = 0; I + 1 < Flags.size(); ++I)
    for (StringRef Flag : {"-iquote", "-I", "-isystem", "-idirafter"})
      if (Flags[I] == Flag)
        Path.push_back(absolutePath(Flags[I + 1], Directory));
  return Path;
}

std::optional<unsigned> IncludeScan::distance(StringRef File, StringRef Header,
                                              llvm::ArrayRef<std::string> Flags,
                                              StringRef Directory) {
  const std::vector<std::string> Path = searchPath(Flags, Directory);
  llvm::StringSet<> Seen;
  std::vector<std::pair<std::string, unsigned>> Work = {{File.str(), 0}};
  unsigned Depth = 1;
  const auto Visit = [&](std::string Candidate) {
    if (!exists(Candidate))
      return false;
    if (Seen.insert(Candidate).second)
      Work.emplace_back(std::move(Candidate), Depth);
    return true;
  };
  const auto Search = [&](StringRef Name) {
    for (const std::string &Where : Path)
      if (Visit(absolutePath(Name, Where)))
        return;
  };
  for (size_t I = 0; I + 1 < Flags.size(); ++I)
    if (Flags[I] == "-include" && !Visit(absolutePath(Flags[I + 1], Directory)))
      Search(Flags[I + 1]);
  // Nearer files come first.
  for (size_t Next = 0; Next < Work.size() && Next < MaxFiles; ++Next) {
    const auto [Current, At] = Work[Next];
    if (Current == Header || llvm::sys::fs::equivalent(Current, Header))
      return At;
    Depth = At + 1;
    const StringRef Beside = llvm::sys::path::parent_path(Current);
    for (const Include &I : includesOf(Current))
      if (I.IsAngled || !Visit(absolutePath(I.Name, Beside)))
        Search(I.Name);
  }
  return std::nullopt;
}
