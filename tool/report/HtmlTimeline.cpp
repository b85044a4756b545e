//===- HtmlTimeline.cpp - The picture of a finding's path -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grids, one below the other as staves of music. The first row of each has the
// iterations, the first column the names of the lanes. A lane has a row for its
// marks and as many for its bars as lie beside each other.
//
//===----------------------------------------------------------------------===//

#include "tool/report/Html.h"
#include "tool/report/Timeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using llvm::StringRef;
using Bar = Timeline::Bar;

/// Moments of a grid: as many as a screen shows.
static constexpr unsigned MaxInGrid = 16;

namespace {

class Grid {
public:
  /// Of the moments from \p Begin up to \p End.
  Grid(const HtmlFinding &Of, const Timeline &T, unsigned Begin, unsigned End,
       llvm::raw_ostream &OS)
      : Of(Of), T(T), Begin(Begin), End(End), OS(OS) {}
  void write();

private:
  void columns();
  void lane(const Timeline::Lane &L);
  void mark(const Timeline::Mark &M);
  void bar(const Bar &B, unsigned BarRow);
  /// An element from the moment \p From up to \p To, of \p Rows rows; nothing
  /// if it is not of these moments.
  void element(StringRef Tag, StringRef Class, unsigned From, unsigned To,
               unsigned AtRow, unsigned Rows, StringRef More, StringRef Text);
  std::string columnOf(unsigned Moment) const;

  const HtmlFinding &Of;
  const Timeline &T;
  const unsigned Begin, End;
  llvm::raw_ostream &OS;
  unsigned Row = 2; ///< of the lane; the first has the iterations
};

} // namespace

static StringRef classOf(const Timeline::Mark &M) {
  if (M.Clashes)
    return "mark bad";
  const StringRef Text = M.Text;
  if (Text == "copy" || Text == "commit")
    return "mark copy";
  if (Text.contains("wait"))
    return "mark wait";
  return Text == "read" || Text == "matrix" ? "mark read" : "mark";
}

void Grid::element(StringRef Tag, StringRef Class, unsigned From, unsigned To,
                   unsigned AtRow, unsigned Rows, StringRef More,
                   StringRef Text) {
  From = std::max(From, Begin);
  To = std::min(To, End);
  if (From >= To)
    return;
  OS << '<' << Tag << " class=\"" << Class
     << "\" style=\"grid-column:" << From - Begin + 2 << '/' << To - Begin + 2
     << ";grid-row:" << AtRow;
  if (Rows > 1)
    OS << "/span " << Rows;
  OS << '"' << More << '>' << Text << "</" << Tag << ">\n";
}

std::string Grid::columnOf(unsigned Moment) const {
  for (const Timeline::Column &C : T.Columns)
    if (C.Begin <= Moment && Moment < C.End)
      return C.Label;
  return {};
}

static constexpr StringRef Decoration = " aria-hidden=\"true\"";

void Grid::columns() {
  unsigned Rows = 1;
  for (const Timeline::Lane &L : T.Lanes)
    Rows += 1 + L.barRows();
  for (const Timeline::Column &C : T.Columns) {
    const std::string Hidden =
        std::to_string(C.Hidden) +
        (C.Hidden == 1 ? " step left out" : " steps left out");
    element("span", "column", C.Begin, C.End, 1, 1, "",
            C.Hidden ? Hidden : html(C.Label));
    element("span", "border", C.Begin, C.Begin + 1, 1, Rows, Decoration, "");
  }
}

void Grid::mark(const Timeline::Mark &M) {
  std::string Text = html(M.Text);
  if (M.Count > 1)
    Text += " \u00d7" + std::to_string(M.Count);
  if (M.Clashes)
    Text += " \u2717";
  std::string Title = M.Text;
  if (const std::string In = columnOf(M.Moment); !In.empty())
    Title += ", " + In;
  if (!M.Threads.empty())
    Title += ", by threads " + M.Threads;
  if (M.Clashes)
    Title += ", here it goes wrong";
  std::string More = " title=\"" + html(Title) + "\"";
  if (M.Step) {
    More += " aria-label=\"step " + std::to_string(M.Step) + ": " +
            html(Title) + "\" href=\"#" + Of.stepId(M.Step) + "\"";
    Text = "<b>" + std::to_string(M.Step) + "</b>" + Text;
  }
  element(M.Step ? "a" : "span", classOf(M), M.Moment, M.Moment + 1, Row, 1,
          More, Text);
}

void Grid::bar(const Bar &B, unsigned BarRow) {
  const std::string Bad = B.Clashes ? " bad" : "";
  const bool IsLeft = B.How == Bar::Ending::InFlight;
  const unsigned Commit = B.Commit.value_or(B.End + 1);
  element("span",
          "bar open" + Bad +
              (B.Commit || B.End >= End ? ""
               : IsLeft                 ? " stops"
                                        : " ends"),
          B.Begin, Commit, BarRow, 1, Decoration, "");
  if (!B.Commit)
    return;
  const StringRef Ending = B.End >= End                     ? "" // goes on
                           : B.How == Bar::Ending::Complete ? " ends"
                                                            : " stops";
  std::string Text;
  if (B.Group && B.End > Commit)
    Text = "group " + std::to_string(*B.Group + 1) + (IsLeft ? ", " : "");
  if (IsLeft)
    Text += "in flight";
  element("span", "bar" + Bad + Ending.str(), Commit, B.End + 1, BarRow, 1,
          Decoration, Text);
}

void Grid::lane(const Timeline::Lane &L) {
  const unsigned Rows = 1 + L.barRows();
  OS << "<span class=\"lane\" style=\"grid-column:1;grid-row:" << Row;
  if (Rows > 1)
    OS << "/span " << Rows;
  OS << "\">" << html(L.Name) << "</span>\n";
  OS << "<span class=\"track\" style=\"grid-column:2/-1;grid-row:" << Row
     << "/span " << Rows << '"' << Decoration << "></span>\n";
  for (const Timeline::Mark &M : L.Marks)
    mark(M);
  for (const Bar &B : L.Bars)
    bar(B, Row + 1 + B.Row);
  Row += Rows;
}

void Grid::write() {
  OS << "<div class=\"timeline\" style=\"--moments:" << End - Begin << "\">\n";
  columns();
  for (const Timeline::Lane &L : T.Lanes)
    lane(L);
  OS << "</div>\n";
}

/// The first moments of grids: iterations stay together where they can.
static std::vector<unsigned> gridsOf(const Timeline &T) {
  std::vector<unsigned> Begins = {0};
  for (const Timeline::Column &C : T.Columns) {
    if (C.End - Begins.back() > MaxInGrid && C.Begin > Begins.back())
      Begins.push_back(C.Begin);
    while (C.End - Begins.back() > MaxInGrid)
      Begins.push_back(Begins.back() + MaxInGrid);
  }
  return Begins;
}

static void writeFigure(const HtmlFinding &Of, const Timeline &T,
                        llvm::raw_ostream &OS) {
  OS << "<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"Timeline\" aria-describedby=\""
     << Of.Id << "-words\">\n";
  const std::vector<unsigned> Begins = gridsOf(T);
  for (size_t I = 0; I < Begins.size(); ++I)
    Grid(Of, T, Begins[I], I + 1 < Begins.size() ? Begins[I + 1] : T.Moments,
         OS)
        .write();
  OS << "</div>\n<figcaption>Time goes to the right";
  if (!T.Owner.empty())
    OS << "; the groups are those of " << T.Owner;
  OS << ".";
  if (llvm::any_of(T.Lanes, [](const auto &L) { return !L.Bars.empty(); }))
    OS << " <span class=\"key\"><span class=\"bar open\"></span>copied, not "
          "committed</span><span class=\"key\"><span class=\"bar\"></span>in "
          "flight</span><span class=\"key\"><span class=\"bar "
          "ends\"></span>complete</span>";
  if (T.OtherSlots)
    OS << T.OtherSlots << " more slots are not shown.";
  OS << "</figcaption>\n<p class=\"unseen\" id=\"" << Of.Id << "-words\">"
     << html(describe(T)) << "</p>\n</figure>\n";
}

template <typename T> static std::string orNothing(const std::optional<T> &N) {
  return N ? std::to_string(*N) : "\u2013";
}

static void writeWaits(const HtmlFinding &Of, const Timeline &T,
                       llvm::raw_ostream &OS) {
  if (T.Rows.empty())
    return;
  OS << "<h3>Waits</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"Waits\">\n<table class=\"waits\">\n<tr>";
  for (StringRef Head : {"step", "iteration", "operation", "slot",
                         "groups in flight", "N", "what it completes"})
    OS << "<th scope=\"col\">" << Head << "</th>";
  OS << "</tr>\n";
  for (const Timeline::Row &R : T.Rows) {
    OS << (R.Clashes ? "<tr class=\"bad\">" : "<tr>") << "<td>";
    if (!R.Step)
      OS << "\u2013";
    else
      OS << "<a href=\"#" << Of.stepId(R.Step) << "\">" << R.Step << "</a>";
    const auto OrDash = [](const std::string &Text) {
      return Text.empty() ? std::string("\u2013") : html(Text);
    };
    OS << "</td><td>" << OrDash(R.Iteration) << "</td><td>" << html(R.What)
       << "</td><td><code>" << OrDash(R.Slots)
       << "</code></td><td class=\"number\">" << orNothing(R.InFlight)
       << "</td><td class=\"number\">" << orNothing(R.N) << "</td><td>"
       << OrDash(R.Does) << "</td></tr>\n";
  }
  OS << "</table>\n</div>\n";
}

void cpasync::writeHtmlTimeline(const HtmlFinding &Of, llvm::raw_ostream &OS) {
  const Timeline T = makeTimeline(Of.F);
  if (T.isEmpty())
    return;
  OS << "<h3>Timeline</h3>\n";
  writeFigure(Of, T, OS);
  writeWaits(Of, T, OS);
}
