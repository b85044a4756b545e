//===- HtmlListing.cpp - The source on the way to a finding ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every line once, however many steps are in it.
//
//===----------------------------------------------------------------------===//

#include "tool/report/Html.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace cpasync;
using llvm::StringRef;

/// Lines shown above and below a step.
static constexpr unsigned ContextLines = 2;

namespace {

/// Bytes of a line that a step or the warning is about.
struct Marked {
  size_t Begin, End;
  bool IsWarning;
  bool operator<(const Marked &O) const {
    return std::tie(Begin, O.End) < std::tie(O.Begin, End);
  }
};

struct ListedLine {
  std::vector<unsigned> Steps; ///< from 1
  std::set<Marked> Places;
};

/// The lines of one file.
using Lines = std::map<unsigned, ListedLine>;

class Listing {
public:
  Listing(const HtmlFinding &Of, llvm::raw_ostream &OS) : Of(Of), OS(OS) {}
  void write();

private:
  void add(const Place &P, unsigned Step);
  void file(const std::string &Name, const SourceText &Text, const Lines &L);
  void line(unsigned Number, StringRef Text, const ListedLine &L);

  const HtmlFinding &Of;
  llvm::raw_ostream &OS;
  std::vector<std::string> Files; ///< the one of the warning first
  std::map<std::string, Lines> Shown;
  std::set<unsigned> Anchored; ///< steps
};

} // namespace

void Listing::add(const Place &P, unsigned Step) {
  const SourceText *Text = Of.Sources.get(P.File, Of.Unit.Directory);
  if (!Text || !P.isValid() || P.Line > Text->lineCount())
    return;
  if (!llvm::is_contained(Files, P.File))
    Files.push_back(P.File);
  Lines &Of = Shown[P.File];
  const unsigned First = P.Line > ContextLines ? P.Line - ContextLines : 1;
  const unsigned Last = std::min(P.Line + ContextLines, Text->lineCount());
  for (unsigned L = First; L <= Last; ++L)
    Of.try_emplace(L);
  ListedLine &Here = Of[P.Line];
  if (Step)
    Here.Steps.push_back(Step);
  const size_t Size = Text->line(P.Line).size();
  const size_t End = P.EndLine == P.Line ? P.EndColumn - 1 : Size;
  Here.Places.insert(
      {std::min<size_t>(P.Column - 1, Size), std::min(End, Size), Step == 0});
}

void Listing::line(unsigned Number, StringRef Text, const ListedLine &L) {
  OS << "<span class=\"line\"><span class=\"no\">" << Number
     << "</span><span class=\"in\">";
  for (unsigned Step : L.Steps)
    OS << "<a class=\"number-of\" id=\"" << Of.Id << "-m" << Step
       << "\" href=\"#" << Of.stepId(Step) << "\" aria-label=\"step " << Step
       << "\">" << Step << "</a>";
  OS << "</span><span>";
  size_t At = 0;
  for (const Marked &M : L.Places) {
    if (M.Begin < At || M.Begin >= M.End)
      continue; // inside of one that is marked
    const bool IsBad = llvm::any_of(L.Places, [&](const Marked &X) {
      return X.IsWarning && M.Begin <= X.Begin && X.End <= M.End;
    });
    OS << html(Text.slice(At, M.Begin))
       << (IsBad ? "<mark class=\"bad\">" : "<mark>")
       << html(Text.slice(M.Begin, M.End)) << "</mark>";
    At = M.End;
  }
  OS << html(Text.drop_front(At)) << "</span></span>\n";
}

void Listing::file(const std::string &Name, const SourceText &Text,
                   const Lines &L) {
  const std::string Shown = html(Of.Run.displayPath(Name, Of.Unit.Directory));
  if (Files.size() > 1)
    OS << "<h4>" << Shown << "</h4>\n";
  OS << "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""
     << Shown << "\">\n<div class=\"listing\">\n";
  unsigned Next = 0;
  for (const auto &[Number, Listed] : L) {
    // A hole of one line takes as much room as the line.
    if (Next && Number == Next + 1)
      line(Next, Text.line(Next), {});
    else if (Next && Number > Next)
      OS << "<span class=\"line hole\" aria-label=\"lines left "
            "out\">\u22ef</span>\n";
    line(Number, Text.line(Number), Listed);
    Next = Number + 1;
  }
  OS << "</div>\n</div>\n";
}

void Listing::write() {
  add(Of.F.Where, 0);
  for (const auto &[I, Step] : llvm::enumerate(Of.F.Path)) {
    add(Step.Where, I + 1);
    // The line that the function begins in says where this is.
    if (auto File = Shown.find(Step.Where.File);
        File != Shown.end() && Step.FunctionLine)
      File->second.try_emplace(Step.FunctionLine);
  }
  if (Files.empty())
    return;
  OS << "<h3>Source</h3>\n";
  for (const std::string &Name : Files)
    if (const SourceText *Text = Of.Sources.get(Name, Of.Unit.Directory))
      file(Name, *Text, Shown[Name]);
}

void cpasync::writeHtmlListing(const HtmlFinding &Of, llvm::raw_ostream &OS) {
  Listing(Of, OS).write();
}
