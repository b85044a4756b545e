//===- Analyses.cpp - One file after another, in the background -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/lsp/Analyses.h"
#include "tool/lsp/EditorLint.h"
#include "tool/run/JobRunner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <unistd.h>

using namespace cpasync;

/// A file that is not analysed yet, or has errors, may read anything.
bool Analyses::mayRead(const std::string &Reader,
                       const std::string &File) const {
  const auto Known = Reports.find(Reader);
  return Known == Reports.end() || Known->second.Sources.empty() ||
         llvm::is_contained(Known->second.Sources, File);
}

void Analyses::opened(const std::string &File) { startWith({File}); }

void Analyses::changed(const std::string &File) {
  std::deque<std::string> Affected;
  if (Open.contains(File))
    Affected.push_back(File);
  for (const auto &[Reader, Doc] : Open)
    if (Reader != File && mayRead(Reader, File))
      Affected.push_back(Reader);
  startWith(std::move(Affected));
}

/// What is at work begins again behind them: whoever has just saved waits for
/// that file.
void Analyses::startWith(std::deque<std::string> Files) {
  if (Files.empty())
    return;
  if (Running)
    Waiting.push_back(Running->File);
  kill();
  for (const std::string &Other : Waiting)
    if (!llvm::is_contained(Files, Other))
      Files.push_back(Other);
  Waiting = std::move(Files);
  startNext();
}

EditorReport Analyses::forget(const std::string &File) {
  llvm::erase(Waiting, File);
  if (Running && Running->File == File)
    kill();
  EditorReport Old;
  if (const auto Known = Reports.find(File); Known != Reports.end()) {
    Old = std::move(Known->second);
    Reports.erase(Known);
  }
  startNext();
  return Old;
}

void Analyses::cancel() {
  Waiting.clear();
  kill();
}

void Analyses::kill() {
  if (!Running)
    return;
  Running->Child.kill();
  Running->Child.collect();
  Running.reset();
}

void Analyses::startNext() {
  while (!Running && !Waiting.empty()) {
    const std::string File = std::move(Waiting.front());
    Waiting.pop_front();
    auto Child = ChildProcess::start(WorkLimits(), [&] {
      // Nothing but messages may come to the client.
      ::dup2(STDERR_FILENO, STDOUT_FILENO);
      return llvm::formatv("{0}", toJSON(lintForEditor(Opts, Open, File)))
          .str();
    });
    if (Child)
      Running = {File, std::move(*Child)};
    else
      accept(File, failedReport(Open, File,
                                failureOf({WorkResult::Kind::NotStarted, "", 0},
                                          WorkLimits())));
  }
}

std::optional<int> Analyses::pipe() const {
  if (!Running)
    return std::nullopt;
  return Running->Child.pipe();
}

void Analyses::read() {
  if (!Running || Running->Child.read())
    return;
  const WorkResult Result = Running->Child.collect();
  const std::string File = Running->File;
  Running.reset();
  std::string Failure = failureOf(Result, WorkLimits());
  EditorReport Report;
  if (Failure.empty()) {
    llvm::Expected<EditorReport> Sent =
        llvm::json::parse<EditorReport>(Result.Output, "report");
    if (Sent)
      Report = std::move(*Sent);
    else
      Failure = "internal error: " + llvm::toString(Sent.takeError());
  }
  accept(File, Failure.empty() ? std::move(Report)
                               : failedReport(Open, File, Failure));
  startNext();
}

void Analyses::accept(const std::string &File, EditorReport Report) {
  EditorReport &Known = Reports[File];
  // Files that had findings before and have none any more.
  for (auto &[Path, Old] : Known.Files)
    if (Report.Files.find(Path) == Report.Files.end() && !Old.Findings.empty())
      Report.Files[Path].Uri = Old.Uri;
  Known = std::move(Report);
  Done(File);
}
