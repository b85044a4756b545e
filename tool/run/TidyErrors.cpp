//===- TidyErrors.cpp - clang-tidy's diagnostics as a report --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/TidyErrors.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "tool/report/Fingerprint.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace cpasync;
using namespace clang::tidy;
using clang::tooling::DiagnosticMessage;
using clang::tooling::Replacements;
using llvm::StringRef;

namespace {

/// Turns the parts of one file's diagnostics.
class Reader {
public:
  Reader(SourceCache &Sources, StringRef Directory)
      : Sources(Sources), Directory(Directory) {}

  Place place(StringRef File, unsigned Offset);
  std::vector<Edit> edits(const llvm::StringMap<Replacements> &Fix);
  ReportedFinding finding(const ClangTidyError &Error);

private:
  SourceCache &Sources;
  StringRef Directory;
};

} // namespace

Place Reader::place(StringRef File, unsigned Offset) {
  Place P;
  P.File = File.str();
  if (File.empty())
    return P;
  P.Offset = Offset;
  if (const SourceText *Text = Sources.get(File, Directory))
    Text->locateToken(P);
  return P;
}

std::vector<Edit> Reader::edits(const llvm::StringMap<Replacements> &Fix) {
  std::vector<Edit> Edits;
  for (const auto &File : Fix)
    for (const clang::tooling::Replacement &R : File.second) {
      Edit E;
      E.Where.File = R.getFilePath().str();
      E.Where.Offset = R.getOffset();
      E.Where.Length = R.getLength();
      E.Replacement = R.getReplacementText().str();
      if (const SourceText *Text = Sources.get(E.Where.File, Directory))
        Text->locate(E.Where);
      Edits.push_back(std::move(E));
    }
  llvm::sort(Edits, [](const Edit &A, const Edit &B) {
    return std::tie(A.Where.File, A.Where.Offset) <
           std::tie(B.Where.File, B.Where.Offset);
  });
  return Edits;
}

ReportedFinding Reader::finding(const ClangTidyError &Error) {
  ReportedFinding F;
  F.Check = Error.DiagnosticName;
  F.IsError = Error.DiagLevel == clang::tooling::Diagnostic::Error;
  F.WarningAsError = Error.IsWarningAsError;
  F.Message = Error.Message.Message;
  F.Where = place(Error.Message.FilePath, Error.Message.FileOffset);
  F.Fix = edits(Error.Message.Fix);
  for (const DiagnosticMessage &Note : Error.Notes)
    F.Notes.push_back(
        {place(Note.FilePath, Note.FileOffset), Note.Message, edits(Note.Fix)});
  return F;
}

static bool sameFinding(const ReportedFinding &A, const ReportedFinding &B) {
  return A.Check == B.Check && A.Where.Offset == B.Where.Offset &&
         A.Where.File == B.Where.File && A.Message == B.Message;
}

void cpasync::readTidyErrors(llvm::ArrayRef<ClangTidyError> Errors,
                             const PassReport &Pass, SourceCache &Sources,
                             FileReport &Report) {
  Report.Kernels = Pass.Kernels;
  Report.Functions = Pass.Functions;
  Report.NotFullyAnalysed = Pass.NotFullyAnalysed;
  Report.AssumedBlocks = Pass.AssumedBlocks;
  Report.AssumedSizes = Pass.AssumedSizes;
  Report.MadeUp = Pass.MadeUp;
  Report.Launches = Pass.Launches;
  Report.Unlaunched = Pass.Unlaunched;
  Report.Gaps = Pass.Gaps;
  Report.Refuted = Pass.Refuted;
  Report.States = Pass.States;
  Report.Sources = Pass.Sources;
  Report.Checks = Pass.Checks;
  Reader Read(Sources, Report.Directory);
  std::vector<bool> Passed(Pass.Emitted.size());
  for (const ClangTidyError &Error : Errors) {
    ReportedFinding F = Read.finding(Error);
    for (const auto &[I, Emitted] : llvm::enumerate(Pass.Emitted)) {
      if (!sameFinding(Emitted, F))
        continue;
      Passed[I] = true;
      F.Path = Emitted.Path;
      F.Around = Emitted.Around;
      F.Kernels = Emitted.Kernels;
      F.Function = Emitted.Function;
      F.Object = Emitted.Object;
      F.Advice = Emitted.Advice;
      F.IsSlowFix = Emitted.IsSlowFix;
      F.FunctionLine = Emitted.FunctionLine;
      F.FunctionEndLine = Emitted.FunctionEndLine;
    }
    setFingerprints(F, Sources, Report.Directory);
    Report.Findings.push_back(std::move(F));
  }
  for (const auto &[I, Emitted] : llvm::enumerate(Pass.Emitted))
    if (!Passed[I])
      Report.Suppressed.push_back(Emitted);
}

std::vector<ReportedFinding>
cpasync::readParseErrors(llvm::ArrayRef<ClangTidyError> Errors,
                         SourceCache &Sources, StringRef Directory) {
  Reader Read(Sources, Directory);
  std::vector<ReportedFinding> All;
  for (const ClangTidyError &Error : Errors) {
    ReportedFinding F = Read.finding(Error);
    F.Fix.clear();
    for (ReportedNote &Note : F.Notes)
      Note.Fix.clear();
    All.push_back(std::move(F));
  }
  return All;
}

static DiagnosticMessage toTidyMessage(const Place &Where, StringRef Text,
                                       llvm::ArrayRef<Edit> Fix) {
  DiagnosticMessage Message(Text);
  Message.FilePath = Where.File;
  Message.FileOffset = Where.Offset;
  for (const Edit &E : Fix)
    // Edits that clang-tidy once accepted together do not overlap.
    llvm::cantFail(Message.Fix[E.Where.File].add(clang::tooling::Replacement(
        E.Where.File, E.Where.Offset, E.Where.Length, E.Replacement)));
  return Message;
}

ClangTidyError cpasync::toTidyError(const ReportedFinding &F,
                                    StringRef Directory) {
  ClangTidyError Error(F.Check,
                       F.IsError ? clang::tooling::Diagnostic::Error
                                 : clang::tooling::Diagnostic::Warning,
                       Directory, F.WarningAsError);
  Error.Message = toTidyMessage(F.Where, F.Message, F.Fix);
  for (const ReportedNote &Note : F.Notes)
    Error.Notes.push_back(toTidyMessage(Note.Where, Note.Message, Note.Fix));
  return Error;
}
