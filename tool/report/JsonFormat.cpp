//===- JsonFormat.cpp - JSON of our own -----------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/report.schema.json describes it.
//
//===----------------------------------------------------------------------===//

#include "checks/Messages.h"
#include "tool/report/Formats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::fixUTF8;
using llvm::json::Object;

static Object place(const Place &P, const RunReport &Run, StringRef Directory) {
  return Object{{"file", fixUTF8(Run.displayPath(P.File, Directory))},
                {"line", P.Line},
                {"column", P.Column},
                {"endLine", P.EndLine},
                {"endColumn", P.EndColumn}};
}

static Array edits(const std::vector<Edit> &Edits, const RunReport &Run,
                   StringRef Directory) {
  Array List;
  for (const Edit &E : Edits)
    List.push_back(Object{{"place", place(E.Where, Run, Directory)},
                          {"offset", E.Where.Offset},
                          {"length", E.Where.Length},
                          {"replacement", fixUTF8(E.Replacement)}});
  return List;
}

static Object finding(const ListedFinding &Listed, const RunReport &Run) {
  const ReportedFinding &F = *Listed.Finding;
  const StringRef Directory = Listed.Unit->Directory;
  Array Path, Notes;
  for (const PathStep &Step : F.Path)
    Path.push_back(Object{{"kind", Step.Kind},
                          {"message", fixUTF8(Step.Message)},
                          {"depth", Step.Depth},
                          {"values", valuesToJson(Step)},
                          {"place", place(Step.Where, Run, Directory)}});
  for (const ReportedNote &Note : F.Notes)
    Notes.push_back(Object{{"message", fixUTF8(Note.Message)},
                           {"place", place(Note.Where, Run, Directory)},
                           {"fix", edits(Note.Fix, Run, Directory)}});
  const PathStep *Given = numbersOf(F);
  return Object{
      {"check", F.Check},
      {"severity", F.IsError || F.WarningAsError ? "error" : "warning"},
      {"message", fixUTF8(F.Message)},
      {"place", place(F.Where, Run, Directory)},
      {"function", fixUTF8(F.Function)},
      {"object", fixUTF8(F.Object)},
      {"advice", fixUTF8(F.Advice)},
      {"numbers", Given ? valuesToJson(*Given) : Object()},
      {"numbersConfirmed",
       Given ? llvm::json::Value(areConfirmed(*Given)) : nullptr},
      {"fixIsSlow", F.IsSlowFix},
      {"kernels", F.Kernels},
      {"fingerprint", Listed.Identity},
      {"path", std::move(Path)},
      {"notes", std::move(Notes)}};
}

static Object notification(const Notification &N) {
  return Object{{"severity", severityName(N.Severity)},
                {"id", N.Id},
                {"message", fixUTF8(N.Message)},
                {"file", fixUTF8(N.Path)},
                {"line", N.Line},
                {"column", N.Column}};
}

static Object suppressed(const ReportedFinding &F, const RunReport &Run,
                         StringRef Directory) {
  return Object{{"check", F.Check},
                {"message", fixUTF8(F.Message)},
                {"place", place(F.Where, Run, Directory)},
                {"function", fixUTF8(F.Function)},
                {"reason", fixUTF8(F.Reason)}};
}

static Object file(const FileReport &File, const RunReport &Run) {
  return Object{{"file", fixUTF8(Run.displayPath(File.File, Run.Directory))},
                {"analysed", File.Failure.empty()},
                {"parseErrors", File.ParseErrors},
                {"kernels", File.Kernels},
                {"functions", File.Functions},
                {"notFullyAnalysed", File.NotFullyAnalysed},
                {"assumedBlocks", assumptionsToJson(File.AssumedBlocks)},
                {"assumedSizes", assumptionsToJson(File.AssumedSizes)},
                {"madeUpTemplates", File.MadeUp}};
}

void cpasync::writeJson(const RunReport &Run, llvm::raw_ostream &OS) {
  Array Findings, Suppressed, Notifications, Files;
  for (const ListedFinding &F : listFindings(Run))
    Findings.push_back(finding(F, Run));
  for (const Notification &N : listNotifications(Run))
    Notifications.push_back(notification(N));
  std::vector<const FileReport *> Sorted;
  for (const FileReport &F : Run.Files)
    Sorted.push_back(&F);
  llvm::sort(Sorted, [](const FileReport *A, const FileReport *B) {
    return A->File < B->File;
  });
  for (const FileReport *F : Sorted) {
    Files.push_back(file(*F, Run));
    for (const ReportedFinding &Silent : F->Suppressed)
      Suppressed.push_back(suppressed(Silent, Run, F->Directory));
  }
  llvm::json::OStream(OS, /*IndentSize=*/1)
      .value(Object{{"version", 1},
                    {"tool", Object{{"name", "cpasync-tidy"},
                                    {"version", CPASYNC_VERSION}}},
                    {"root", fixUTF8(Run.Root)},
                    {"exitCode", Run.ExitCode},
                    {"summary", fixUTF8(Run.Total.line())},
                    {"files", std::move(Files)},
                    {"known", Run.Total.Known},
                    {"untouched", Run.Total.Untouched},
                    {"findings", std::move(Findings)},
                    {"suppressed", std::move(Suppressed)},
                    {"notifications", std::move(Notifications)}});
  OS << '\n';
}
