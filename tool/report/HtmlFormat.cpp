//===- HtmlFormat.cpp - A page with the timeline of every finding ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file, no scripts, nothing loaded: it can be mailed or kept as an artifact
// of a build. Each finding has its path as a list in execution order, with the
// source around each step.
//
//===----------------------------------------------------------------------===//

#include "tool/input/SourceText.h"
#include "tool/report/Escape.h"
#include "tool/report/Formats.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;
using llvm::StringRef;

/// Lines shown above and below a step.
static constexpr unsigned ContextLines = 2;

static constexpr llvm::StringLiteral Head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>cpasync-tidy</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto;
       padding: 0 1em; }
section { border-top: 1px solid #999; }
ol { border-left: 3px solid #76b900; list-style: none; padding-left: 1em; }
pre { background: #f4f4f4; overflow-x: auto; padding: .3em .6em; }
mark { background: #ffe08a; }
.place { color: #555; font-size: smaller; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #ddd; }
  pre { background: #2a2a2a; }
  mark { background: #6b5300; color: inherit; }
  .place { color: #aaa; }
}
</style>
</head>
<body>
)";

namespace {

class PageWriter {
public:
  PageWriter(const RunReport &Run, llvm::raw_ostream &OS) : Run(Run), OS(OS) {}

  void write();

private:
  llvm::raw_ostream &text(StringRef Text) {
    // A page is UTF-8 without control characters.
    llvm::interleave(
        llvm::split(Text, '\t'), OS,
        [&](StringRef Part) { llvm::printHTMLEscaped(escaped(Part), OS); },
        "\t");
    return OS;
  }
  void finding(const ListedFinding &F);
  void step(const Place &Where, StringRef Message, const FileReport &Unit,
            StringRef Class);
  void snippet(const Place &Where, StringRef Directory);

  const RunReport &Run;
  llvm::raw_ostream &OS;
  SourceCache Sources;
};

} // namespace

void PageWriter::snippet(const Place &Where, StringRef Directory) {
  const SourceText *Text = Sources.get(Where.File, Directory);
  if (!Text || !Where.isValid())
    return;
  OS << "<pre>";
  const unsigned First =
      Where.Line > ContextLines ? Where.Line - ContextLines : 1;
  const unsigned Last = std::min(Where.Line + ContextLines, Text->lineCount());
  for (unsigned Number = First; Number <= Last; ++Number) {
    const StringRef Line = Text->line(Number);
    OS << Number << "  ";
    if (Number != Where.Line) {
      text(Line) << '\n';
      continue;
    }
    const size_t Begin = Where.Column - 1;
    const size_t End =
        Where.EndLine == Where.Line ? Where.EndColumn - 1 : Line.size();
    text(Line.take_front(Begin)) << "<mark>";
    text(Line.slice(Begin, End)) << "</mark>";
    text(Line.drop_front(std::min(End, Line.size()))) << '\n';
  }
  OS << "</pre>\n";
}

void PageWriter::step(const Place &Where, StringRef Message,
                      const FileReport &Unit, StringRef Class) {
  OS << "<li class=\"" << Class << "\">";
  text(Message) << " <span class=\"place\">";
  text(Run.displayPath(Where.File, Unit.Directory))
      << ':' << Where.Line << ':' << Where.Column << "</span>\n";
  snippet(Where, Unit.Directory);
  OS << "</li>\n";
}

void PageWriter::finding(const ListedFinding &Listed) {
  const ReportedFinding &F = *Listed.Finding;
  OS << "<section>\n<h2>";
  text(F.Message) << "</h2>\n<p><code>";
  text(F.Check) << "</code>";
  if (!F.Function.empty()) {
    OS << " in <code>";
    text(F.Function) << "</code>";
  }
  OS << "</p>\n<ul>\n";
  step(F.Where, "reported here", *Listed.Unit, "warning");
  OS << "</ul>\n";
  if (!F.Path.empty()) {
    OS << "<ol>\n";
    for (const PathStep &Step : F.Path)
      step(Step.Where, Step.Message, *Listed.Unit, Step.Kind);
    OS << "</ol>\n";
  }
  for (const ReportedNote &Note : F.Notes)
    for (const Edit &E : Note.Fix) {
      OS << "<p class=\"fix\">";
      text(Note.Message) << ": write <code>";
      text(E.Replacement) << "</code></p>\n";
    }
  if (!F.Advice.empty()) {
    OS << "<p class=\"advice\">";
    text(F.Advice) << "</p>\n";
  }
  OS << "</section>\n";
}

void PageWriter::write() {
  OS << Head << "<h1>cpasync-tidy</h1>\n<p>";
  text(Run.Total.line()) << "</p>\n";
  for (const ListedFinding &F : listFindings(Run))
    finding(F);
  const std::vector<Notification> Notes = listNotifications(Run);
  if (!Notes.empty())
    OS << "<section>\n<h2>Notes on the run</h2>\n<ul>\n";
  for (const Notification &N : Notes) {
    OS << "<li>";
    text(N.Message) << " <span class=\"place\">";
    text(N.Path);
    if (N.Line)
      OS << ':' << N.Line;
    OS << "</span></li>\n";
  }
  if (!Notes.empty())
    OS << "</ul>\n</section>\n";
  OS << "</body>\n</html>\n";
}

void cpasync::writeHtml(const RunReport &Run, llvm::raw_ostream &OS) {
  PageWriter(Run, OS).write();
}
