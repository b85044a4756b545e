//===- HtmlFix.cpp - An offered edit as a diff ----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Html.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using llvm::StringRef;

using DiffLines = llvm::SmallVector<StringRef, 4>;

static void writeLines(StringRef Tag, StringRef Sign,
                       llvm::ArrayRef<StringRef> Lines, llvm::raw_ostream &OS) {
  for (StringRef Line : Lines) {
    if (!Tag.empty())
      OS << '<' << Tag << '>';
    OS << Sign << ' ' << html(Line.rtrim('\r'));
    if (Tag.empty())
      OS << '\n';
    else
      OS << "</" << Tag << '>';
  }
}

/// Only the lines that differ, with those around.
static void writeDiff(llvm::ArrayRef<StringRef> Old,
                      llvm::ArrayRef<StringRef> New, llvm::raw_ostream &OS) {
  size_t Same = 0, SameAtEnd = 0;
  const size_t Fewer = std::min(Old.size(), New.size());
  while (Same < Fewer && Old[Same] == New[Same])
    ++Same;
  while (SameAtEnd < Fewer - Same &&
         Old[Old.size() - SameAtEnd - 1] == New[New.size() - SameAtEnd - 1])
    ++SameAtEnd;
  OS << "<pre class=\"diff\" tabindex=\"0\">";
  writeLines("", " ", Old.take_front(Same), OS);
  writeLines("del", "-", Old.drop_front(Same).drop_back(SameAtEnd), OS);
  writeLines("ins", "+", New.drop_front(Same).drop_back(SameAtEnd), OS);
  writeLines("", " ", Old.take_back(SameAtEnd), OS);
  OS << "</pre>\n";
}

/// The lines around \p E without and with it.
static void writeEdit(const HtmlFinding &Of, const Edit &E,
                      llvm::raw_ostream &OS) {
  const SourceText *Text = Of.Sources.get(E.Where.File, Of.Unit.Directory);
  if (!Text || E.Where.Line == 0 || E.Where.EndLine < E.Where.Line ||
      E.Where.EndLine > Text->lineCount())
    return;
  DiffLines Old, New, Edited;
  for (unsigned L = E.Where.Line; L <= E.Where.EndLine; ++L)
    Old.push_back(Text->line(L));
  const StringRef Rest = Old.back().drop_front(
      std::min<size_t>(E.Where.EndColumn - 1, Old.back().size()));
  const std::string Changed =
      (Old.front().take_front(E.Where.Column - 1) + E.Replacement + Rest).str();
  StringRef(Changed).split(Edited, '\n');
  const StringRef Above = Text->line(E.Where.Line - 1),
                  Below = Text->line(E.Where.EndLine + 1);
  OS << "<p class=\"place\">" << Of.placeText(E.Where) << "</p>\n";
  New.push_back(Above);
  New.append(Edited.begin(), Edited.end());
  New.push_back(Below);
  Old.insert(Old.begin(), Above);
  Old.push_back(Below);
  writeDiff(Old, New, OS);
}

void cpasync::writeHtmlFix(const HtmlFinding &Of, llvm::raw_ostream &OS) {
  const bool HasEdit = llvm::any_of(
      Of.F.Notes, [](const ReportedNote &N) { return !N.Fix.empty(); });
  if (!HasEdit && Of.F.Advice.empty())
    return;
  OS << "<h3>Repair</h3>\n";
  for (const ReportedNote &Note : Of.F.Notes) {
    if (Note.Fix.empty())
      continue;
    OS << "<p class=\"fix\">" << html(Note.Message) << "</p>\n";
    for (const Edit &E : Note.Fix)
      writeEdit(Of, E, OS);
  }
  if (!Of.F.Advice.empty())
    OS << "<p class=\"advice\">" << html(Of.F.Advice) << "</p>\n";
}
