//===- HtmlPage.cpp - The page of a check ---------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As much of Markdown as docs/checks uses: headings, paragraphs, lists, tables,
// blocks of code and names in backquotes; test/reports/html_test.py looks for
// what would be left over.
//
//===----------------------------------------------------------------------===//

#include "tool/report/Html.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <utility>

using namespace cpasync;
using llvm::StringRef;

namespace {

class PageReader {
public:
  explicit PageReader(llvm::raw_ostream &OS) : OS(OS) {}
  void read(StringRef Markdown);

private:
  enum class Block { None, Paragraph, Item, Row, Code };
  void line(StringRef Line);
  void text(StringRef Line);
  void row(StringRef Line);
  void begin(Block Next);

  llvm::raw_ostream &OS;
  Block In = Block::None;
  bool IsFirstRow = true;
  bool IsCode = false; ///< in a paragraph, between backquotes
};

} // namespace

/// Ends what is open, unless \p Next goes on with it.
void PageReader::begin(Block Next) {
  if (std::exchange(IsCode, false))
    OS << "</code>";
  if (In == Block::Item)
    OS << "</li>\n";
  if (In == Block::Paragraph)
    OS << "</p>\n";
  if (In == Block::Item && Next != Block::Item)
    OS << "</ul>\n";
  if (In == Block::Row && Next != Block::Row)
    OS << "</table>\n</div>\n";
  if (In != Block::Item && Next == Block::Item)
    OS << "<ul>\n";
  if (In != Block::Row && Next == Block::Row) {
    OS << "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Table\">\n<table>\n";
    IsFirstRow = true;
  }
  if (Next == Block::Paragraph)
    OS << "<p>";
  if (Next == Block::Item)
    OS << "<li>";
  In = Next;
}

/// Names in backquotes are code, also across lines; of a link its words are
/// left.
void PageReader::text(StringRef Line) {
  bool IsFirst = true;
  for (StringRef Part : llvm::split(Line, '`')) {
    if (!std::exchange(IsFirst, false)) {
      OS << (IsCode ? "</code>" : "<code>");
      IsCode = !IsCode;
    }
    while (!IsCode) {
      const auto [Before, Rest] = Part.split('[');
      const auto [Words, Behind] = Rest.split("](");
      if (!Behind.contains(')'))
        break;
      OS << html(Before) << html(Words);
      Part = Behind.split(')').second;
    }
    OS << html(Part);
  }
}

void PageReader::row(StringRef Line) {
  if (Line.find_first_not_of("|-: ") == Line.npos)
    return; // below the head
  begin(Block::Row);
  OS << "<tr>";
  Line = Line.trim().trim('|');
  for (StringRef Cell : llvm::split(Line, '|')) {
    OS << (IsFirstRow ? "<th scope=\"col\">" : "<td>");
    text(Cell.trim());
    OS << (IsFirstRow ? "</th>" : "</td>");
  }
  OS << "</tr>\n";
  IsFirstRow = false;
}

void PageReader::line(StringRef Line) {
  if (Line.starts_with("```")) {
    const bool Ends = In == Block::Code;
    begin(Ends ? Block::None : Block::Code);
    OS << (Ends ? "</code></pre>\n" : "<pre tabindex=\"0\"><code>");
  } else if (In == Block::Code) {
    OS << html(Line) << '\n';
  } else if (Line.starts_with("<!--")) {
    return; // for tests
  } else if (Line.trim().empty()) {
    begin(Block::None);
  } else if (Line.consume_front("## ")) {
    begin(Block::None);
    OS << "<h4>";
    text(Line);
    OS << "</h4>\n";
  } else if (Line.starts_with("|")) {
    row(Line);
  } else if (Line.consume_front("* ")) {
    begin(Block::Item);
    text(Line);
  } else {
    if (In == Block::None || In == Block::Row)
      begin(Block::Paragraph);
    else
      OS << '\n';
    text(Line.trim());
  }
}

void PageReader::read(StringRef Markdown) {
  for (StringRef Line : llvm::split(Markdown, '\n'))
    line(Line);
  begin(Block::None);
}

void cpasync::writeHtmlPage(StringRef Markdown, llvm::raw_ostream &OS) {
  PageReader(OS).read(Markdown.split('\n').second);
}
