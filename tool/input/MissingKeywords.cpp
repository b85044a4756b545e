//===- MissingKeywords.cpp ------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/MissingKeywords.h"
#include "tool/input/CompileDatabase.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;
using clang::tooling::DiagnosticMessage;
using clang::tooling::Replacement;
using clang::tooling::Replacements;
using llvm::StringRef;

unsigned ParseResult::otherErrors() const {
  return llvm::count_if(Errors, [&](const clang::tidy::ClangTidyError &E) {
    return E.DiagnosticName == "clang-diagnostic-error" &&
           llvm::none_of(Report.MissingKeywords, [&](const MissingKeyword &K) {
             return K.Where.File == E.Message.FilePath &&
                    K.Where.Offset == E.Message.FileOffset;
           });
  });
}

bool MissingKeywords::add(const PassReport &Report) {
  bool New = false;
  for (const MissingKeyword &K : Report.MissingKeywords)
    if (Sources.get(K.Where.File, Directory))
      New |= Insertions[absolutePath(K.Where.File, Directory)]
                 .try_emplace(K.Where.Offset, K.Text)
                 .second;
  return New;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
MissingKeywords::fileSystem(
    const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &Base) const {
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &[File, Keywords] : Insertions) {
    std::string Text = Sources.get(File, Directory)->text().str();
    for (const auto &[Offset, Keyword] : llvm::reverse(Keywords))
      Text.insert(Offset, Keyword.str());
    Memory->addFile(File, /*ModificationTime=*/0,
                    llvm::MemoryBuffer::getMemBufferCopy(Text, File));
  }
  auto Files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(Base);
  Files->pushOverlay(Memory);
  return Files;
}

const std::map<unsigned, StringRef> *
MissingKeywords::insertionsIn(StringRef File) const {
  if (File.empty())
    return nullptr;
  auto I = Insertions.find(absolutePath(File, Directory));
  return I == Insertions.end() ? nullptr : &I->second;
}

unsigned MissingKeywords::restored(StringRef File, unsigned Offset) const {
  const std::map<unsigned, StringRef> *In = insertionsIn(File);
  if (!In)
    return Offset;
  for (const auto &[At, Keyword] : *In) {
    if (Offset <= At)
      break;
    Offset -= std::min<unsigned>(Keyword.size(), Offset - At);
  }
  return Offset;
}

void MissingKeywords::restore(DiagnosticMessage &Message) const {
  Message.FileOffset = restored(Message.FilePath, Message.FileOffset);
  for (clang::tooling::FileByteRange &Range : Message.Ranges)
    Range.FileOffset = restored(Range.FilePath, Range.FileOffset);
  for (auto &[File, Fix] : Message.Fix) {
    Replacements Restored;
    for (const Replacement &R : Fix)
      // Edits keep their order and stay apart.
      llvm::cantFail(Restored.add(
          Replacement(R.getFilePath(), restored(File, R.getOffset()),
                      R.getLength(), R.getReplacementText())));
    Fix = std::move(Restored);
  }
}

void MissingKeywords::restore(Place &P) const {
  if (!insertionsIn(P.File))
    return;
  P.Offset = restored(P.File, P.Offset);
  Sources.get(P.File, Directory)->locate(P);
}

// For a place of which the line and the column are known and nothing else.
void MissingKeywords::restoreLine(Place &P) const {
  const std::map<unsigned, StringRef> *In = insertionsIn(P.File);
  if (!In)
    return;
  const SourceText *Text = Sources.get(P.File, Directory);
  const unsigned Start = Text->line(P.Line).data() - Text->text().data();
  unsigned Before = 0;
  for (const auto &[At, Keyword] :
       llvm::make_range(In->begin(), In->lower_bound(Start)))
    Before += Keyword.size();
  P.Column = restored(P.File, Start + Before + P.Column - 1) - Start + 1;
}

void MissingKeywords::restore(ParseResult &Result) const {
  for (clang::tidy::ClangTidyError &Error : Result.Errors) {
    restore(Error.Message);
    for (DiagnosticMessage &Note : Error.Notes)
      restore(Note);
  }
  PassReport &Report = Result.Report;
  for (ReportedFinding &F : Report.Emitted) {
    restore(F.Where);
    for (PathStep &Step : F.Path)
      restore(Step.Where);
  }
  for (ReportedGap &Gap :
       llvm::concat<ReportedGap>(Report.Gaps, Report.Refuted))
    restoreLine(Gap.Where);
  for (ReportedState &State : Report.States)
    restoreLine(State.Where);
  for (MissingKeyword &K : Report.MissingKeywords)
    restore(K.Where);
}
