//===- TimelineText.cpp - A timeline in a terminal ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//            before the loop | Tile = 0
//   step     1  2            | 3  4      5
//   Slot[0]  C!.+========================R!
//   threads     +            | w1 b
//
//===----------------------------------------------------------------------===//

#include "tool/report/TimelineText.h"
#include "tool/report/Escape.h"
#include "tool/report/Timeline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <set>

using namespace cpasync;
using llvm::StringRef;
using Bar = Timeline::Bar;

static constexpr unsigned Width = 80;
static constexpr unsigned MinCell = 3; ///< columns of a moment

namespace {

/// A kind of mark that has a letter; others have their word.
struct Letter {
  StringRef Text, Short, Meaning;
};

/// One line of a picture, a glyph for each column.
class Line {
public:
  explicit Line(unsigned Columns) : Glyphs(Columns, {" ", false}) {}
  /// From column \p At; what reaches beyond the end is cut off.
  void put(unsigned At, StringRef Text, bool IsRed = false);
  /// The same, but only where there is nothing yet.
  void putBehind(unsigned At, StringRef Glyph) {
    if (Glyphs[At].first == " ")
      put(At, Glyph);
  }
  void fill(unsigned From, unsigned To, StringRef Glyph, bool IsRed);
  void write(bool Color, llvm::raw_ostream &OS) const;

private:
  std::vector<std::pair<std::string, bool>> Glyphs;
};

/// Where moments lie: one band below the other, as staves of music.
struct Band {
  unsigned Begin = 0, End = 0; ///< moments
};

class Picture {
public:
  Picture(const Timeline &T, TextStyle Style, llvm::raw_ostream &OS);
  void write();

private:
  void layOut();
  void writeBand(const Band &B);
  Line columnLine(const Band &B) const;
  Line stepLine(const Band &B) const;
  Line laneLine(const Timeline::Lane &L, const Band &B) const;
  /// Between iterations.
  void putRules(Line &To, const Band &B) const;
  void putBar(Line &To, const Bar &Of, const Band &B) const;
  void writeLegend();
  void writeLine(StringRef Label, const Line &L);
  unsigned columnOf(unsigned Moment, const Band &B) const {
    return Starts[Moment] - Starts[B.Begin];
  }
  StringRef glyph(StringRef Unicode, StringRef Ascii) const {
    return Style.Unicode ? Unicode : Ascii;
  }

  const Timeline &T;
  const TextStyle Style;
  llvm::raw_ostream &OS;
  unsigned LabelWidth = 6;      ///< at least that of "step"
  std::vector<unsigned> Starts; ///< column of each moment; one more
  std::vector<Band> Bands;
};

} // namespace

static constexpr Letter Letters[] = {
    {"copy", "C", "copy"},
    {"commit", "+", "commit"},
    {"barrier", "b", "barrier"},
    {"read", "R", "read"},
    {"store", "S", "store"},
    {"overwrite", "O", "overwrite"},
    {"wait all", "wA", "wait for all"},
};

/// "wait 1" is "w1".
static std::string shortOf(const Timeline::Mark &M) {
  std::string Short = M.Text;
  for (const Letter &L : Letters)
    if (L.Text == M.Text)
      Short = L.Short.str();
  if (StringRef N = M.Text; N.consume_front("wait ") && N != "all")
    Short = "w" + N.str();
  return Short + (M.Clashes ? "!" : "");
}

static unsigned widthOf(StringRef Text) {
  const int Columns = llvm::sys::unicode::columnWidthUTF8(Text);
  return Columns < 0 ? Text.size() : Columns;
}

void Line::put(unsigned At, StringRef Text, bool IsRed) {
  // Names are put as a whole: a glyph of theirs may be several bytes.
  const unsigned Columns = widthOf(Text);
  if (At + Columns > Glyphs.size())
    return;
  for (unsigned I = 0; I < Columns; ++I)
    Glyphs[At + I] = {I == 0 ? Text.str() : "", IsRed};
}

void Line::fill(unsigned From, unsigned To, StringRef Glyph, bool IsRed) {
  for (unsigned I = From; I < std::min<size_t>(To, Glyphs.size()); ++I)
    Glyphs[I] = {Glyph.str(), IsRed};
}

void Line::write(bool Color, llvm::raw_ostream &OS) const {
  size_t Count = Glyphs.size();
  while (Count && Glyphs[Count - 1].first == " ")
    --Count;
  bool WasRed = false;
  for (size_t I = 0; I < Count; ++I) {
    if (Color && Glyphs[I].second != WasRed) {
      OS << (WasRed ? "\x1b[0m" : "\x1b[1;31m");
      WasRed = !WasRed;
    }
    OS << Glyphs[I].first;
  }
  if (WasRed)
    OS << "\x1b[0m";
}

bool TextStyle::hasUnicode() {
  for (const char *Name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char *Value = std::getenv(Name); Value && *Value) {
      const StringRef Locale = Value;
      return Locale.contains_insensitive("utf-8") ||
             Locale.contains_insensitive("utf8");
    }
  return false;
}

Picture::Picture(const Timeline &T, TextStyle Style, llvm::raw_ostream &OS)
    : T(T), Style(Style), OS(OS) {
  for (const Timeline::Lane &L : T.Lanes)
    LabelWidth = std::max(LabelWidth, widthOf(escaped(L.Name)) + 2);
  layOut();
}

void Picture::layOut() {
  std::vector<unsigned> Cells(T.Moments, MinCell);
  const auto Widen = [](unsigned &Cell, size_t Wanted) {
    Cell = std::max<unsigned>(Cell, Wanted);
  };
  for (const Timeline::Lane &L : T.Lanes)
    for (const Timeline::Mark &M : L.Marks)
      Widen(Cells[M.Moment], shortOf(M).size() + 1);
  for (const Timeline::Column &C : T.Columns) {
    unsigned Columns = 2; // the rule before it
    for (unsigned M = C.Begin; M < C.End; ++M)
      Columns += Cells[M];
    const unsigned Label =
        C.Hidden ? std::to_string(C.Hidden).size() + 9
                 : std::min(widthOf(escaped(C.Label)), Width / 2) + 3;
    if (Label > Columns)
      Cells[C.End - 1] += Label - Columns;
    Cells[C.End - 1] += 2;
  }
  Starts.push_back(0);
  for (unsigned Cell : Cells)
    Starts.push_back(Starts.back() + Cell);
  const unsigned Room = Width > LabelWidth + 20 ? Width - LabelWidth : 20;
  const auto Spans = [&](unsigned Begin, unsigned End) {
    return Starts[End] - Starts[Begin];
  };
  Bands.push_back({0, 0});
  for (const Timeline::Column &C : T.Columns) {
    // An iteration stays together where it can.
    if (Spans(Bands.back().Begin, C.End) > Room &&
        Bands.back().End > Bands.back().Begin)
      Bands.push_back({C.Begin, C.Begin});
    for (unsigned M = C.Begin; M < C.End; ++M) {
      if (Spans(Bands.back().Begin, M + 1) > Room &&
          Bands.back().End > Bands.back().Begin)
        Bands.push_back({M, M});
      Bands.back().End = M + 1;
    }
  }
}

Line Picture::columnLine(const Band &B) const {
  Line To(Starts[B.End] - Starts[B.Begin]);
  for (const Timeline::Column &C : T.Columns) {
    if (C.End <= B.Begin || C.Begin >= B.End)
      continue;
    const std::string Label =
        C.Hidden
            ? std::to_string(C.Hidden) + (C.Hidden == 1 ? " step" : " steps")
            : escaped(C.Label);
    To.put(columnOf(std::max(C.Begin, B.Begin), B), Label);
  }
  putRules(To, B);
  return To;
}

void Picture::putRules(Line &To, const Band &B) const {
  for (const Timeline::Column &C : T.Columns)
    if (B.Begin < C.Begin && C.Begin < B.End)
      To.putBehind(columnOf(C.Begin, B) - 2, glyph("│", "|"));
}

Line Picture::stepLine(const Band &B) const {
  Line To(Starts[B.End] - Starts[B.Begin]);
  for (const Timeline::Lane &L : T.Lanes)
    for (const Timeline::Mark &M : L.Marks)
      if (M.Step && B.Begin <= M.Moment && M.Moment < B.End)
        To.put(columnOf(M.Moment, B), std::to_string(M.Step), M.Clashes);
  putRules(To, B);
  return To;
}

void Picture::putBar(Line &To, const Bar &Of, const Band &B) const {
  const auto Column = [&](unsigned Moment) {
    return columnOf(std::clamp(Moment, B.Begin, B.End), B);
  };
  if (Of.End < B.Begin || Of.Begin >= B.End)
    return;
  const unsigned Commit = Of.Commit.value_or(Of.End);
  To.fill(Column(Of.Begin), Column(Commit), glyph("┄", "."), Of.Clashes);
  To.fill(Column(Commit), Column(Of.End), glyph("━", "="), Of.Clashes);
  if (Of.Commit && Commit != Of.Begin && B.Begin <= Commit && Commit < B.End &&
      !T.isGap(Commit))
    To.put(Column(Commit), glyph("┿", "+"), Of.Clashes);
  if (Of.How == Bar::Ending::Complete && B.Begin <= Of.End && Of.End < B.End)
    To.put(Column(Of.End), glyph("┫", "]"), Of.Clashes);
}

Line Picture::laneLine(const Timeline::Lane &L, const Band &B) const {
  Line To(Starts[B.End] - Starts[B.Begin]);
  for (const Bar &Each : L.Bars)
    putBar(To, Each, B);
  for (const Timeline::Mark &M : L.Marks)
    if (B.Begin <= M.Moment && M.Moment < B.End)
      To.put(columnOf(M.Moment, B), shortOf(M), M.Clashes);
  putRules(To, B);
  return To;
}

void Picture::writeLine(StringRef Label, const Line &L) {
  const std::string Shown = escaped(Label);
  OS << "  " << Shown;
  OS.indent(LabelWidth - widthOf(Shown));
  L.write(Style.Color, OS);
  OS << '\n';
}

void Picture::writeBand(const Band &B) {
  if (llvm::any_of(T.Columns, [](const Timeline::Column &C) {
        return C.Hidden || !C.Label.empty();
      }))
    writeLine("", columnLine(B));
  writeLine("step", stepLine(B));
  for (const Timeline::Lane &L : T.Lanes)
    writeLine(L.Name, laneLine(L, B));
}

void Picture::writeLegend() {
  std::set<std::string> Used;
  bool HasWait = false;
  unsigned Clashes = 0;
  for (const Timeline::Lane &L : T.Lanes)
    for (const Timeline::Mark &M : L.Marks) {
      Used.insert(M.Text);
      Clashes += M.Clashes;
      StringRef N = M.Text;
      HasWait |= N.consume_front("wait ") && N != "all";
    }
  std::string Words;
  for (const Letter &L : Letters)
    if (Used.contains(L.Text.str()))
      Words += "  " + L.Short.str() + " " + L.Meaning.str();
  if (HasWait)
    Words += "  wN wait for all but N groups";
  if (!Words.empty())
    OS << Words << '\n';
  if (llvm::any_of(T.Lanes, [](const auto &L) { return !L.Bars.empty(); }))
    OS << "  " << glyph("┄", ".") << " not committed  " << glyph("━", "=")
       << " in flight";
  OS << (Clashes == 0   ? "\n"
         : Clashes == 1 ? "  ! here it goes wrong\n"
                        : "  ! they clash\n");
}

void Picture::write() {
  OS << "  timeline";
  if (!T.Owner.empty())
    OS << ", with the groups of " << T.Owner;
  OS << ":\n";
  for (const Band &B : Bands)
    writeBand(B);
  if (T.OtherSlots)
    OS << "  " << T.OtherSlots << " more slots are not shown\n";
  writeLegend();
}

/// Columns as wide as what is in them.
static void writeTable(llvm::ArrayRef<std::vector<std::string>> Rows,
                       llvm::raw_ostream &OS) {
  std::vector<unsigned> Widths(Rows.front().size());
  for (const auto &Row : Rows)
    for (const auto &[I, Cell] : llvm::enumerate(Row))
      Widths[I] = std::max(Widths[I], widthOf(Cell));
  for (const auto &Row : Rows) {
    std::string Text;
    for (const auto &[I, Cell] : llvm::enumerate(Row))
      Text += Cell + std::string(Widths[I] - widthOf(Cell) + 2, ' ');
    OS << "  " << StringRef(Text).rtrim() << '\n';
  }
}

static std::string orDash(const std::string &Text) {
  return Text.empty() ? "-" : escaped(Text);
}

static void writeRows(const Timeline &T, llvm::raw_ostream &OS) {
  std::vector<std::vector<std::string>> Rows = {
      {"iteration", "", "slot", "in flight", "N", "completes"}};
  for (const Timeline::Row &R : T.Rows)
    Rows.push_back({orDash(R.Iteration), R.What, orDash(R.Slots),
                    R.InFlight ? std::to_string(*R.InFlight) : "-",
                    R.N ? std::to_string(*R.N) : "-", orDash(R.Does)});
  if (Rows.size() > 1)
    writeTable(Rows, OS);
}

void cpasync::writeTimeline(const ReportedFinding &F, TextStyle Style,
                            llvm::raw_ostream &OS) {
  const Timeline T = makeTimeline(F);
  if (T.isEmpty())
    return;
  Picture(T, Style, OS).write();
  writeRows(T, OS);
  OS << "  steps:\n";
  for (const auto &[I, Step] : llvm::enumerate(F.Path)) {
    const std::string Number = std::to_string(I + 1);
    OS.indent(Number.size() < 4 ? 4 - Number.size() : 0)
        << Number << "  " << escapedPath(Step.Where.File) << ':'
        << Step.Where.Line << ':' << Step.Where.Column << ": "
        << escaped(Step.Message) << '\n';
  }
}
