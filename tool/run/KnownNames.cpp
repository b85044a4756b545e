//===- KnownNames.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/KnownNames.h"
#include "checks/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"

using namespace cpasync;
using llvm::StringRef;

static constexpr StringRef Prefix = "cpasync-";

std::string cpasync::suggestion(StringRef Given,
                                llvm::ArrayRef<std::string> Known) {
  // A third of the letters may be other ones.
  unsigned Best = Given.size() / 3 + 1;
  StringRef Meant;
  for (StringRef Name : Known)
    if (unsigned Distance = Given.edit_distance(Name, true, Best);
        Distance < Best) {
      Best = Distance;
      Meant = Name;
    }
  return Meant.empty() ? "" : ("; did you mean '" + Meant + "'?").str();
}

static std::vector<std::string> checkNames() {
  std::vector<std::string> Names;
  for (const CheckInfo &Info : allChecks())
    Names.push_back((Prefix + Info.Name).str());
  return Names;
}

static std::string noCheck(StringRef Name) {
  const std::vector<std::string> Known = checkNames();
  const std::string WithPrefix = (Prefix + Name).str();
  return ("no check is called '" + Name + "'").str() +
         (llvm::is_contained(Known, WithPrefix)
              ? "; did you mean '" + WithPrefix + "'?"
              : suggestion(Name, Known));
}

std::string cpasync::wrongChecks(StringRef Globs, bool AllAreOurs) {
  llvm::SmallVector<StringRef> Parts;
  llvm::SplitString(Globs, Parts, ",\n");
  for (StringRef Glob : Parts) {
    Glob = Glob.trim();
    Glob.consume_front("-");
    const bool IsOther =
        Glob.starts_with("clang-") || !(AllAreOurs || Glob.starts_with(Prefix));
    if (Glob.empty() || Glob == "*" || IsOther)
      continue;
    auto Pattern = llvm::GlobPattern::create(Glob);
    if (!Pattern) {
      llvm::consumeError(Pattern.takeError());
      continue;
    }
    if (llvm::none_of(checkNames(),
                      [&](StringRef Name) { return Pattern->match(Name); }))
      return Glob.contains('*')
                 ? ("no check of ours is called like '" + Glob + "'").str()
                 : noCheck(Glob);
  }
  return "";
}

std::string cpasync::wrongOption(StringRef Key) {
  std::vector<std::string> Known(std::begin(AnalysisOptionNames),
                                 std::end(AnalysisOptionNames));
  const bool IsGlobal = !Key.contains('.');
  const auto [Check, Name] =
      IsGlobal ? std::pair(StringRef(), Key) : Key.split('.');
  if (!IsGlobal) {
    if (!Check.starts_with(Prefix))
      return "";
    if (!llvm::is_contained(checkNames(), Check))
      return noCheck(Check);
  }
  for (const CheckOption &Option : checkOptions())
    if (IsGlobal || Check.drop_front(Prefix.size()) == Option.Check)
      Known.push_back(Option.Name.str());
  if (llvm::is_contained(Known, Name))
    return "";
  const std::string Meant = suggestion(Name, Known);
  // One without a check may be another module's.
  if (IsGlobal && Meant.empty())
    return "";
  return "no option is called '" + Key.str() + "'" + Meant;
}
