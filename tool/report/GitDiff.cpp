//===- GitDiff.cpp - Lines changed since a revision -----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/GitDiff.h"
#include "tool/input/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <limits>
#include <map>
#include <optional>
#include <tuple>

using namespace cpasync;
namespace path = llvm::sys::path;
using llvm::StringRef;

static std::string realPath(StringRef File, StringRef Directory) {
  llvm::SmallString<128> Path = File, Real;
  path::make_absolute(Directory, Path);
  return std::string(llvm::sys::fs::real_path(Path, Real) ? Path : Real);
}

/// Standard output of `git -C Directory Arguments...`; none if it fails.
static std::optional<std::string> runGit(StringRef Git, StringRef Directory,
                                         llvm::ArrayRef<StringRef> Arguments) {
  llvm::SmallString<128> Output;
  if (llvm::sys::fs::createTemporaryFile("cpasync-tidy", "git", Output))
    return std::nullopt;
  const llvm::FileRemover Remover(Output);
  std::vector<StringRef> Line = {Git, "-C", Directory};
  Line.insert(Line.end(), Arguments.begin(), Arguments.end());
  const std::optional<StringRef> Redirects[] = {StringRef(), Output.str(),
                                                StringRef()};
  if (llvm::sys::ExecuteAndWait(Git, Line, /*Env=*/std::nullopt, Redirects))
    return std::nullopt;
  const auto Buffer = readFile(Output, MaxDiffBytes);
  if (!Buffer)
    return std::nullopt;
  return (*Buffer)->getBuffer().str();
}

llvm::Expected<GitDiff> GitDiff::since(StringRef Revision,
                                       StringRef Directory) {
  const auto Git = llvm::sys::findProgramByName("git");
  if (!Git)
    return llvm::createStringError("'--diff' needs git, which is not there");
  auto Top = runGit(*Git, Directory, {"rev-parse", "--show-toplevel"});
  if (!Top)
    return llvm::createStringError("'--diff': " + Directory +
                                   " is not in a git repository");
  const std::string Folder = StringRef(*Top).rtrim('\n').str();
  const std::string Commit = (Revision + "^{commit}").str();
  if (!runGit(*Git, Folder,
              {"rev-parse", "--verify", "--quiet", "--end-of-options", Commit}))
    return llvm::createStringError("'--diff': '" + Revision +
                                   "' is not a revision of " + Folder);
  const auto Diff = runGit(
      *Git, Folder,
      {"-c", "core.quotePath=false", "diff", "--unified=0", "--no-color",
       "--no-ext-diff", "--no-textconv", "--find-renames", "--src-prefix=a/",
       "--dst-prefix=b/", "--end-of-options", Commit, "--"});
  const auto Files = runGit(*Git, Folder, {"ls-files", "-z"});
  if (!Diff || !Files)
    return llvm::createStringError("'--diff': git cannot compare " + Folder +
                                   " with '" + Revision + "'");
  GitDiff Result;
  Result.addUnifiedDiff(*Diff, Folder);
  for (StringRef File : llvm::split(*Files, '\0'))
    if (!File.empty())
      Result.track((Folder + "/" + File).str());
  return Result;
}

void GitDiff::track(StringRef File) { Tracked.insert(realPath(File, "")); }

/// The name after "+++ ": git quotes one with special characters as C does, and
/// ends one with blanks by a tab. Empty for /dev/null.
static std::string newName(StringRef Text) {
  std::string Name;
  Text = Text.rtrim('\t');
  const bool Quoted = Text.consume_front("\"") && Text.consume_back("\"");
  for (size_t I = 0; I < Text.size(); ++I) {
    if (!Quoted || Text[I] != '\\' || I + 1 == Text.size()) {
      Name += Text[I];
      continue;
    }
    unsigned Octal = 0;
    if (!Text.substr(I + 1, 3).getAsInteger(8, Octal)) {
      Name += char(Octal);
      I += 3;
    } else {
      const char C = Text[++I];
      Name += C == 'n' ? '\n' : C == 't' ? '\t' : C;
    }
  }
  return StringRef(Name).starts_with("b/") ? Name.substr(2) : "";
}

/// "12,3" or "12".
static std::pair<unsigned, unsigned> lineRange(StringRef Text) {
  unsigned First = 0, Count = 1;
  Text.consumeInteger(10, First);
  if (Text.consume_front(","))
    Text.consumeInteger(10, Count);
  return {First, Count};
}

void GitDiff::addUnifiedDiff(StringRef Text, StringRef Top) {
  std::vector<Lines> *Current = nullptr;
  unsigned ToSkip = 0; // lines of the hunk; they may look like headers
  for (StringRef Line : llvm::split(Text, '\n')) {
    if (ToSkip > 0) {
      ToSkip -= !Line.starts_with("\\"); // "\ No newline at end of file"
    } else if (Line.consume_front("+++ ")) {
      const std::string Name = newName(Line);
      Current = Name.empty() ? nullptr : &Changed[realPath(Name, Top)];
    } else if (Line.consume_front("@@ -")) {
      const auto [Old, New] = Line.split(" +");
      const auto [First, Count] = lineRange(New);
      ToSkip = lineRange(Old).second + Count;
      // Lines that are gone touch those around them.
      if (Current)
        Current->push_back({First, Count ? First + Count - 1 : First + 1});
    }
  }
}

bool GitDiff::changed(StringRef File, unsigned First, unsigned Last) const {
  const auto It = Changed.find(File);
  return It != Changed.end() && llvm::any_of(It->second, [&](const Lines &L) {
           return L.First <= Last && First <= L.Last;
         });
}

bool GitDiff::touches(const ReportedFinding &F, StringRef Directory) const {
  const std::string Own = realPath(F.Where.File, Directory);
  if (!Tracked.contains(Own))
    return true;
  // First and last line of each function on the path.
  std::map<std::pair<std::string, unsigned>, unsigned> Stretches;
  const auto Add = [&](const std::string &File, unsigned First, unsigned Last) {
    unsigned &End = Stretches[{File, First}];
    End = std::max(End, Last);
  };
  Add(Own, F.FunctionLine ? F.FunctionLine : F.Where.Line, F.Where.EndLine);
  for (const PathStep &Step : F.Path) {
    const bool Repeats =
        Step.Kind == "iteration" || Step.Kind == "loop-entered";
    Add(realPath(Step.Where.File, Directory),
        Step.FunctionLine ? Step.FunctionLine : Step.Where.Line,
        Repeats ? std::max(Step.FunctionEndLine, Step.Where.EndLine)
                : Step.Where.EndLine);
  }
  return llvm::any_of(Stretches, [&](const auto &Stretch) {
    return changed(Stretch.first.first, Stretch.first.second, Stretch.second);
  });
}

void GitDiff::filter(FileReport &Report) const {
  llvm::erase_if(Report.Findings, [&](ReportedFinding &F) {
    if (!F.isOurs() || touches(F, Report.Directory))
      return false;
    Report.Untouched.push_back(F);
    return true;
  });
}
