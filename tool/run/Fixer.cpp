//===- Fixer.cpp - Apply fixes to files -----------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/run/Fixer.h"
#include "checks/Messages.h"
#include "tool/input/BoundedFiles.h"
#include "tool/input/ReplaceFile.h"
#include "tool/report/RunReport.h"
#include "tool/run/Jobs.h"
#include "tool/run/Lint.h"
#include "clang/Format/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace cpasync;
using namespace clang::tidy;
using clang::tooling::DiagnosticMessage;
using clang::tooling::Replacement;
using clang::tooling::Replacements;
using llvm::StringRef;

/// Adds \p New to \p Edits; one that overlaps another counts from where that
/// one leaves it, as in clang-tidy. False if it cannot.
static bool add(Replacements &Edits, const Replacement &New) {
  if (llvm::is_contained(Edits, New))
    return true; // two findings, one remedy
  llvm::Error Conflict = Edits.add(New);
  if (!Conflict)
    return true;
  llvm::consumeError(std::move(Conflict));
  const unsigned Offset = Edits.getShiftedCodePosition(New.getOffset());
  const unsigned End =
      Edits.getShiftedCodePosition(New.getOffset() + New.getLength());
  if (End - Offset != New.getLength())
    return false;
  Edits = Edits.merge(Replacements(Replacement(
      New.getFilePath(), Offset, New.getLength(), New.getReplacementText())));
  return true;
}

namespace {

/// One replacement of one finding.
struct Attempt {
  size_t Error; ///< its index
  Replacement What;
  bool Fits; ///< with those before it
};

} // namespace

void Fixer::fix(std::vector<ClangTidyError> &Errors, const FileReport &Report,
                StringRef Directory) {
  std::vector<Attempt> Attempts;
  std::map<std::string, Replacements> ByFile;
  for (const auto &[I, Error] : llvm::enumerate(Errors)) {
    const auto *Fix = getFixIt(Error, /*AnyFix=*/true);
    if (!Fix)
      continue;
    if (Report.Findings[I].IsSlowFix && !Slow) {
      ++Left;
      continue;
    }
    for (const auto &[File, Edits] : *Fix)
      for (const Replacement &R : Edits)
        Attempts.push_back({I, R, add(ByFile[File.str()], R)});
  }
  std::set<std::string> Unchanged;
  for (auto &[File, Edits] : ByFile) {
    const auto Read = Report.Read.find(File);
    const std::string Digest = Read == Report.Read.end() ? "" : Read->second;
    if (llvm::Error Err = apply(File, Digest, std::move(Edits))) {
      Unchanged.insert(File);
      Failures.push_back(shortPath(File, Directory) + ": " +
                         llvm::toString(std::move(Err)));
    }
  }
  for (const Attempt &A : llvm::reverse(Attempts)) {
    const std::string File = A.What.getFilePath().str();
    const bool Done = A.Fits && !Unchanged.count(File);
    ++Wanted;
    Applied += Done;
    DiagnosticMessage Note(Done ? "FIX-IT applied suggested code changes"
                                : "FIX-IT unable to apply suggested code "
                                  "changes");
    Note.FilePath = shortPath(File, Report, Directory).str();
    Note.FileOffset = A.What.getOffset();
    auto &Notes = Errors[A.Error].Notes;
    Notes.insert(Notes.begin(), std::move(Note));
  }
}

/// What clang-tidy does after it has collected the edits of a file.
llvm::Expected<std::string> Fixer::edited(StringRef File, StringRef Text,
                                          const Replacements &Edits) {
  auto Style = clang::format::getStyle(
      *Context.getOptionsForFile(File).FormatStyle, File, "none");
  if (!Style)
    return Style.takeError();
  auto Clean = clang::format::cleanupAroundReplacements(Text, Edits, *Style);
  if (!Clean)
    return Clean.takeError();
  auto Formatted = clang::format::formatReplacements(Text, *Clean, *Style);
  if (!Formatted)
    return Formatted.takeError();
  return clang::tooling::applyAllReplacements(Text, *Formatted);
}

llvm::Error Fixer::apply(const std::string &File, const std::string &Digest,
                         Replacements Edits) {
  const auto Earlier = Changes.find(File);
  const bool Again =
      Earlier != Changes.end() && Earlier->second.BeforeDigest == Digest;
  Change New;
  New.BeforeDigest = Digest;
  if (Again) {
    // Analysed before we changed it: all edits are made once more.
    New.Edits = Earlier->second.Edits;
    for (const Replacement &R : Edits)
      if (!add(New.Edits, R))
        return llvm::createStringError(
            "fixes that were applied before are in the way; not fixed");
  } else {
    New.Edits = std::move(Edits);
  }
  if (llvm::Error Err =
          changeFile(File, [&](StringRef Text) -> llvm::Expected<std::string> {
            if (digestOf(Text) !=
                (Again ? Earlier->second.AfterDigest : Digest))
              return llvm::createStringError(
                  "changed while it was analysed; not fixed");
            New.Before = Again ? Earlier->second.Before : Text.str();
            auto Result = edited(File, New.Before, New.Edits);
            if (Result)
              New.AfterDigest = digestOf(*Result);
            return Result;
          }))
    return Err;
  Changes[File] = std::move(New);
  return llvm::Error::success();
}

llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
Fixer::asAnalysed(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base,
                  const FileReport &Report) const {
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &[File, Digest] : Report.Read)
    if (const auto It = Changes.find(File);
        It != Changes.end() && It->second.BeforeDigest == Digest)
      Memory->addFile(File, /*ModificationTime=*/0,
                      llvm::MemoryBuffer::getMemBuffer(It->second.Before));
  auto Files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(Base));
  Files->pushOverlay(Memory);
  return Files;
}

bool Fixer::report() {
  for (const std::string &Failure : Failures)
    printError(Failure);
  // Beside a failure, "0 of 1" says nothing new.
  if (Applied > 0 || (Wanted > 0 && Failures.empty())) {
    llvm::outs().flush();
    llvm::errs() << "clang-tidy applied " << Applied << " of " << Wanted
                 << " suggested fixes.\n";
  }
  if (Left > 0)
    printNote(counted(Left, "edit") + (Left == 1 ? " is" : " are") +
              " right but slow, and left: see --fix-slow");
  const bool All = Failures.empty();
  Failures.clear();
  Wanted = Applied = Left = 0;
  return All;
}
