//===- RunReport.cpp - What a run says, for every format ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/RunReport.h"
#include "checks/Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <tuple>

using namespace cpasync;
namespace path = llvm::sys::path;
using llvm::StringRef;

std::string RunReport::displayPath(StringRef File, StringRef Directory) const {
  if (File.empty())
    return {};
  llvm::SmallString<128> Path = File;
  path::make_absolute(Directory, Path);
  path::remove_dots(Path, /*remove_dot_dot=*/true);
  StringRef Rest = Path;
  if (Rest.consume_front(Root) && (Rest.consume_front("/") || Root == "/"))
    return Rest.str();
  return Path.str().str();
}

bool RunReport::exists(StringRef Displayed) const {
  llvm::SmallString<128> Path = Displayed;
  path::make_absolute(Root, Path);
  return llvm::sys::fs::exists(Path);
}

StringRef cpasync::shortPath(StringRef Path, const FileReport &Unit,
                             StringRef WorkingDirectory) {
  StringRef Rest = Path;
  return path::is_relative(Unit.File) && Rest.consume_front(WorkingDirectory) &&
                 Rest.consume_front("/")
             ? Rest
             : Path;
}

void cpasync::shortenPaths(ReportedFinding &F, const FileReport &Unit,
                           StringRef WorkingDirectory) {
  const auto Shorten = [&](std::string &Path) {
    Path = shortPath(Path, Unit, WorkingDirectory).str();
  };
  Shorten(F.Where.File);
  for (ReportedNote &Note : F.Notes)
    Shorten(Note.Where.File);
  for (PathStep &Step : F.Path)
    Shorten(Step.Where.File);
}

static auto orderOf(const ListedFinding &Listed) {
  const ReportedFinding &F = *Listed.Finding;
  return std::tie(Listed.Path, F.Where.Line, F.Where.Column, F.Check,
                  F.Message);
}

static void sortFindings(std::vector<ListedFinding> &List) {
  llvm::sort(List, [](const ListedFinding &A, const ListedFinding &B) {
    return orderOf(A) < orderOf(B);
  });
}

std::vector<ListedFinding> cpasync::listSilenced(const RunReport &Run) {
  std::vector<ListedFinding> List;
  for (const FileReport &File : Run.Files)
    for (const ReportedFinding &F : File.Suppressed)
      if (F.IsSilenced)
        List.push_back(
            {&F, &File, Run.displayPath(F.Where.File, File.Directory), ""});
  sortFindings(List);
  List.erase(llvm::unique(List,
                          [](const ListedFinding &A, const ListedFinding &B) {
                            return orderOf(A) == orderOf(B);
                          }),
             List.end());
  return List;
}

std::vector<ListedFinding> cpasync::listFindings(const RunReport &Run) {
  std::vector<ListedFinding> List;
  for (const FileReport &File : Run.Files)
    for (const ReportedFinding &F : File.Findings)
      if (F.isOurs())
        List.push_back(
            {&F, &File, Run.displayPath(F.Where.File, File.Directory), ""});
  sortFindings(List);
  llvm::StringMap<unsigned> Count;
  for (ListedFinding &F : List) {
    const unsigned N = ++Count[F.Path + '\0' + F.Finding->Fingerprint];
    F.Identity = F.Finding->Fingerprint + ":" + std::to_string(N);
  }
  return List;
}

StringRef cpasync::severityName(Notification::Level Level) {
  switch (Level) {
  case Notification::Level::Note:
    return "note";
  case Notification::Level::Warning:
    return "warning";
  case Notification::Level::Error:
    return "error";
  }
  llvm_unreachable("all levels have names");
}

std::vector<Notification> cpasync::listNotifications(const RunReport &Run) {
  using Level = Notification::Level;
  std::vector<Notification> List = Run.Notes;
  for (const FileReport &File : Run.Files) {
    const std::string Path = Run.displayPath(File.File, File.Directory);
    if (!File.Failure.empty())
      List.push_back(
          {Level::Error, "file-not-analysed", File.Failure, Path, 0, 0});
    else if (File.ParseErrors)
      List.push_back({Level::Warning, "parsed-with-errors",
                      "parsed with " + counted(File.ParseErrors, "error") +
                          "; results may be incomplete; the first is: " +
                          File.FirstParseError,
                      Path, 0, 0});
    for (const ReportedGap &Gap : File.Gaps)
      List.push_back({Level::Warning, "not-fully-analysed",
                      "'" + Gap.Kernel + "' not fully analysed: " + Gap.Reason,
                      Run.displayPath(Gap.Where.File, File.Directory),
                      Gap.Where.Line, Gap.Where.Column});
    for (const ReportedFinding &F : File.Findings)
      if (!F.isOurs())
        List.push_back({F.IsError ? Level::Error : Level::Warning, F.Check,
                        F.Message,
                        Run.displayPath(F.Where.File, File.Directory),
                        F.Where.Line, F.Where.Column});
  }
  const auto Key = [](const Notification &N) {
    return std::tie(N.Path, N.Line, N.Column, N.Id, N.Message);
  };
  llvm::sort(List, [&](const Notification &A, const Notification &B) {
    return Key(A) < Key(B);
  });
  // A header says the same in every file that includes it.
  List.erase(llvm::unique(List,
                          [&](const Notification &A, const Notification &B) {
                            return Key(A) == Key(B);
                          }),
             List.end());
  return List;
}

std::string cpasync::findRoot(StringRef Directory) {
  for (StringRef Folder = Directory; !Folder.empty();
       Folder = path::parent_path(Folder)) {
    llvm::SmallString<128> Git = Folder;
    path::append(Git, ".git");
    if (llvm::sys::fs::exists(Git))
      return Folder.str();
  }
  return Directory.str();
}
