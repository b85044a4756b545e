//===- TextFormat.cpp - Findings as a compiler prints them ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/CompileDatabase.h"
#include "tool/report/Escape.h"
#include "tool/report/Formats.h"
#include "tool/report/TimelineText.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace clang;
using namespace cpasync;

namespace {

/// Hands reported findings to Clang's own printer.
class TextPrinter {
public:
  /// \p Directory is where relative names start.
  TextPrinter(llvm::raw_ostream &OS, llvm::StringRef Directory)
      : Directory(Directory), Printer(OS, Options), Files(FileSystemOptions()),
        Diags(DiagnosticIDs::create(), Options, &Printer,
              /*ShouldOwnClient=*/false),
        Sources(Diags, Files) {
    Printer.BeginSourceFile(LangOptions(), nullptr);
  }
  ~TextPrinter() { Printer.EndSourceFile(); }

  void print(const ReportedFinding &F);

private:
  SourceLocation location(const Place &Where);
  void print(const Place &Where, DiagnosticsEngine::Level Level,
             const std::string &Message, llvm::ArrayRef<Edit> Fix);

  const std::string Directory;
  DiagnosticOptions Options;
  TextDiagnosticPrinter Printer;
  FileManager Files;
  DiagnosticsEngine Diags;
  SourceManager Sources;
  /// Of files, by their absolute names: an edit may name its file otherwise
  /// than the note that it belongs to. Invalid: cannot be read.
  llvm::StringMap<FileID> Ids;
};

} // namespace

SourceLocation TextPrinter::location(const Place &Where) {
  if (Where.File.empty())
    return {};
  auto [It, IsNew] = Ids.try_emplace(absolutePath(Where.File, Directory));
  if (IsNew)
    if (auto Buffer = Files.getBufferForFile(Where.File))
      // Under a name that may be printed.
      It->second = Sources.createFileID(llvm::MemoryBuffer::getMemBufferCopy(
          (*Buffer)->getBuffer(), escapedPath(Where.File)));
  if (It->second.isInvalid())
    return {};
  return Sources.getLocForStartOfFile(It->second)
      .getLocWithOffset(Where.Offset);
}

void TextPrinter::print(const Place &Where, DiagnosticsEngine::Level Level,
                        const std::string &Message, llvm::ArrayRef<Edit> Fix) {
  // "%0" keeps a '%' in a user's name out of the format string.
  DiagnosticBuilder Diag =
      Diags.Report(location(Where), Diags.getCustomDiagID(Level, "%0"))
      << escaped(Message);
  for (const Edit &E : Fix) {
    const SourceLocation Begin = location(E.Where);
    Diag << FixItHint::CreateReplacement(
        CharSourceRange::getCharRange(Begin,
                                      Begin.getLocWithOffset(E.Where.Length)),
        E.Replacement);
  }
}

void TextPrinter::print(const ReportedFinding &F) {
  const bool IsError = F.IsError || F.WarningAsError;
  print(F.Where,
        IsError ? DiagnosticsEngine::Error : DiagnosticsEngine::Warning,
        F.Message + " [" + F.Check +
            (F.WarningAsError ? ",-warnings-as-errors]" : "]"),
        F.Fix);
  for (const ReportedNote &Note : F.Notes)
    print(Note.Where, DiagnosticsEngine::Note, Note.Message, Note.Fix);
}

void cpasync::writeErrors(const FileReport &File, llvm::StringRef Directory,
                          llvm::raw_ostream &OS) {
  TextPrinter Printer(OS, Directory);
  for (ReportedFinding F : File.Errors) {
    shortenPaths(F, File, Directory);
    Printer.print(F);
  }
}

void cpasync::writeText(const RunReport &Run, llvm::raw_ostream &OS) {
  std::optional<TextPrinter> Printer;
  for (const FileReport &File : Run.Files)
    for (ReportedFinding F : File.Findings) {
      shortenPaths(F, File, Run.Directory);
      if (!Printer)
        Printer.emplace(OS, Run.Directory);
      Printer->print(F);
      if (!Run.ShowsTimelines)
        continue;
      Printer.reset(); // which keeps lines to itself
      writeTimeline(F, {TextStyle::hasUnicode()}, OS);
    }
  Printer.reset();
  OS << Run.Total.hint() << escaped(Run.Total.line()) << '\n';
}
