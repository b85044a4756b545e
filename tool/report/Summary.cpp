//===- Summary.cpp - The last line of the output --------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Summary.h"
#include "checks/Check.h"
#include "checks/Messages.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace cpasync;

/// Different reasons named in the summary; --skipped has them all.
static constexpr size_t MaxReasons = 2;

void Summary::add(const FileReport &Report) {
  for (const ReportedFinding &F : Report.Findings) {
    if (!F.isOurs())
      continue;
    ++Findings;
    ChecksWithFindings.insert(F.Check);
    for (const std::string &Kernel : F.Kernels)
      KernelsWithFindings.insert(Report.File + ":" + Kernel);
  }
  if (!Report.Failure.empty()) {
    ++FilesNotAnalysed;
    return;
  }
  Known += Report.Known.size();
  Untouched += Report.Untouched.size();
  FilesWithErrors += Report.ParseErrors != 0;
  Kernels += Report.Kernels;
  Functions += Report.Functions;
  NotFullyAnalysed += Report.NotFullyAnalysed;
  MadeUp += Report.MadeUp;
  for (const auto &[To, From] :
       {std::pair(&AssumedBlocks, &Report.AssumedBlocks),
        {&AssumedSizes, &Report.AssumedSizes}})
    for (const auto &[What, Analysed] : *From)
      (*To)[What] += Analysed;
  Refuted += Report.Refuted.size();
  Skipped.insert(Skipped.end(), Report.Gaps.begin(), Report.Gaps.end());
}

static std::string reasons(const std::vector<ReportedGap> &Skipped) {
  llvm::SmallVector<llvm::StringRef, 4> Different;
  for (const ReportedGap &Kernel : Skipped)
    if (const auto Short = llvm::StringRef(Kernel.Reason).split(": ").first;
        !llvm::is_contained(Different, Short))
      Different.push_back(Short);
  std::string Text;
  for (llvm::StringRef Reason :
       llvm::ArrayRef(Different).take_front(MaxReasons))
    Text += (Text.empty() ? "" : "; ") + Reason.str();
  if (Different.size() > MaxReasons)
    Text += "; and others";
  return Text;
}

/// Empty where nothing is.
static std::string assumptions(const Assumptions &Assumed, bool Functions,
                               llvm::StringRef What) {
  unsigned All = 0;
  std::string Each;
  for (const auto &[Text, Analysed] : Assumed) {
    All += Analysed;
    if (Each.empty() || Assumed.size() <= MaxReasons)
      Each += (Each.empty() ? "" : " or ") + Text;
  }
  if (Assumed.size() > MaxReasons)
    Each += " and others";
  return All ? "; " + counted(All, Functions ? "function" : "kernel") +
                   " analysed for assumed " + What.str() + " " + Each
             : "";
}

std::string Summary::hint() const {
  std::vector<llvm::StringRef> Pages;
  for (const CheckInfo &Info : allChecks())
    if (ChecksWithFindings.contains(("cpasync-" + Info.Name).str()))
      Pages.push_back(Info.Name);
  if (Pages.empty())
    return {};
  std::string Names;
  for (llvm::StringRef Name : Pages)
    Names += (Names.empty() ? "cpasync-" : ", cpasync-") + Name.str();
  return "how to repair it: see --explain " +
         (Pages.size() == 1 ? Names : "CHECK for " + Names) + "\n";
}

std::string Summary::line() const {
  std::string Text = Findings ? counted(Findings, "finding") : "no findings";
  Text += " in ";
  if (Findings)
    Text += std::to_string(KernelsWithFindings.size()) + " of ";
  Text += counted(Kernels, "kernel");
  if (Functions)
    Text += " and " + counted(Functions, "device function");
  if (Known)
    Text += "; " + counted(Known, "finding") + " known from the baseline";
  if (Untouched)
    Text += "; " + counted(Untouched, "finding") + " off the changed lines";
  if (SuppressionsNotJudged)
    Text +=
        "; " + counted(SuppressionsNotJudged, "suppression") + " not judged";
  if (Refuted)
    Text += "; " + counted(Refuted, "finding") + " refuted: see --skipped";
  if (NotFullyAnalysed)
    Text += "; " +
            counted(NotFullyAnalysed, Functions ? "function" : "kernel") +
            " not fully analysed (" + reasons(Skipped) + "): see --skipped";
  Text += assumptions(AssumedBlocks, Functions != 0, "blocks of");
  Text += assumptions(AssumedSizes, Functions != 0, "sizes");
  if (MadeUp)
    Text +=
        "; " + counted(MadeUp, "template") + " analysed with made-up arguments";
  if (FilesWithErrors)
    Text += "; " + counted(FilesWithErrors, "file") + " parsed with errors";
  if (FilesNotAnalysed)
    Text += "; " + counted(FilesNotAnalysed, "file") + " not analysed";
  return Text;
}
