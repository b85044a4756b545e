//===- RunFilter.cpp - What of a run is shown -----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/RunFilter.h"
#include "checks/Check.h"
#include "tool/run/KnownNames.h"
#include "tool/run/Lint.h"

using namespace cpasync;

RunFilter::RunFilter(const Options &Opts, RunReport &Run)
    : Opts(Opts), Run(Run) {
  const auto Fail = [&](llvm::Error Err) {
    const std::string Message = llvm::toString(std::move(Err));
    printError(Message);
    Run.Notes.push_back(
        {Notification::Level::Error, "filter-not-applied", Message, "", 0, 0});
    Missing = true;
  };
  if (!Opts.Baseline.empty()) {
    if (llvm::Expected<Baseline> Read = Baseline::read(Opts.Baseline))
      Known = std::move(*Read);
    else
      Fail(Read.takeError());
  }
  if (!Opts.Diff.empty()) {
    if (llvm::Expected<GitDiff> Read = GitDiff::since(Opts.Diff, Run.Directory))
      Changes = std::move(*Read);
    else
      Fail(Read.takeError());
  }
}

void RunFilter::filter(FileReport &Report) {
  if (Known)
    Known->filter(Report, Run);
  if (Changes)
    Changes->filter(Report);
}

std::vector<UnusedComment> RunFilter::unusedComments() {
  SourceCache Sources;
  unsigned NotJudged = 0;
  std::vector<MisspeltComment> Misspelt;
  std::vector<UnusedComment> Unused =
      judgeSuppressions(Run, Sources, NotJudged, Misspelt);
  std::vector<std::string> Known;
  for (const CheckInfo &Info : allChecks())
    Known.push_back(("cpasync-" + Info.Name).str());
  for (const MisspeltComment &X : Misspelt) {
    const std::string Text = "there is no check '" + X.Check + "' to silence" +
                             suggestion(X.Check, Known);
    printWarning(X.Path + ":" + std::to_string(X.Line) + ": " + Text);
    Run.Notes.push_back({Notification::Level::Warning, "unknown-check", Text,
                         X.Path, X.Line, X.Column});
  }
  if (!Opts.UnusedSuppressions)
    return {};
  Run.Total.SuppressionsNotJudged = NotJudged;
  return Unused;
}

void RunFilter::reportFixed() {
  if (!Known)
    return;
  for (const BaselineEntry &E : Known->fixed(Run)) {
    const std::string Message = Opts.Baseline + ": " + E.Check + " in '" +
                                E.Function + "' of " + E.File +
                                " is fixed and can be removed";
    printNote(Message);
    Run.Notes.push_back(
        {Notification::Level::Note, "fixed-finding", Message, E.File, 0, 0});
  }
}

llvm::Error RunFilter::writeBaseline() const {
  // A baseline that could not be read may still be mended: it stays.
  if (Opts.WriteBaseline.empty() || (!Opts.Baseline.empty() && !Known))
    return llvm::Error::success();
  return Baseline::write(
      Run, Known ? Known->unjudged(Run) : std::vector<BaselineEntry>(),
      Opts.WriteBaseline);
}
