//===- HtmlFormat.cpp - A page with the timeline of every finding ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file, no scripts, nothing loaded: it can be mailed or kept as an artifact
// of a build. An index, the findings, and the pages of the checks that found
// them.
//
//===----------------------------------------------------------------------===//

#include "tool/input/Embedded.h"
#include "tool/report/Escape.h"
#include "tool/report/Formats.h"
#include "tool/report/Html.h"
#include "tool/report/Timeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace cpasync;
using llvm::StringRef;

std::string cpasync::html(StringRef Text) {
  std::string Shown;
  llvm::raw_string_ostream OS(Shown);
  llvm::interleave(
      llvm::split(Text, '\t'), OS,
      [&](StringRef Part) { llvm::printHTMLEscaped(escaped(Part), OS); }, "\t");
  return Shown;
}

namespace {

class PageWriter {
public:
  PageWriter(const RunReport &Run, llvm::raw_ostream &OS)
      : Run(Run), OS(OS), Findings(listFindings(Run)) {}

  void write();

private:
  void index();
  void finding(const ListedFinding &Listed, const std::string &Id);
  void facts(const ReportedFinding &F);
  void fact(StringRef Name, StringRef Value);
  void notes();
  void pages();

  const RunReport &Run;
  llvm::raw_ostream &OS;
  const std::vector<ListedFinding> Findings;
  SourceCache Sources;
};

} // namespace

static std::string idOf(size_t Finding) {
  return "f" + std::to_string(Finding + 1);
}

/// "unwaited-read" of "cpasync-unwaited-read"; null: it has no page.
static const EmbeddedFile *checkPage(StringRef Check) {
  Check.consume_front("cpasync-");
  const auto Pages = checkPages();
  const auto *Found = llvm::find_if(
      Pages, [&](const EmbeddedFile &Page) { return Page.Name == Check; });
  return Found == Pages.end() ? nullptr : Found;
}

void PageWriter::index() {
  if (Findings.empty())
    return;
  OS << "<nav aria-labelledby=\"findings\">\n<h2 id=\"findings\">"
     << "Findings</h2>\n<ol>\n";
  for (const auto &[I, Listed] : llvm::enumerate(Findings)) {
    const ReportedFinding &F = *Listed.Finding;
    OS << "<li><a href=\"#" << idOf(I) << "\">" << html(F.Message)
       << "</a> <span class=\"place\"><code>" << html(F.Check) << "</code> "
       << html(Listed.Path) << ':' << F.Where.Line << "</span></li>\n";
  }
  OS << "</ol>\n</nav>\n";
}

void PageWriter::fact(StringRef Name, StringRef Value) {
  if (!Value.empty())
    OS << "<dt>" << Name << "</dt><dd>" << Value << "</dd>\n";
}

/// What it holds for: kernels, memory, the iteration, assumptions.
void PageWriter::facts(const ReportedFinding &F) {
  OS << "<dl>\n";
  if (const EmbeddedFile *Page = checkPage(F.Check))
    fact("check", "<a href=\"#check-" + std::string(Page->Name) + "\">" +
                      html(F.Check) + "</a>");
  else
    fact("check", html(F.Check));
  const auto Code = [](StringRef Text) {
    return Text.empty() ? "" : "<code>" + html(Text) + "</code>";
  };
  fact("function", Code(F.Function));
  std::string Kernels;
  for (const std::string &Kernel : F.Kernels)
    Kernels += (Kernels.empty() ? "" : ", ") + Code(Kernel);
  fact(F.Kernels.size() == 1 ? "kernel" : "kernels", Kernels);
  fact("memory", Code(F.Object));
  std::string Assumed;
  for (const PathStep &Step : F.Path)
    if (llvm::is_contained({"assumed-threads", "made-up-arguments",
                            "launched-with", "assumed-aligned", "tile-size",
                            "assumed-harmless", "instance-of", "with-numbers",
                            "with-numbers-unconfirmed"},
                           Step.Kind))
      Assumed += (Assumed.empty() ? "" : "; ") + html(Step.Message);
  if (const Timeline T = makeTimeline(F); !T.isEmpty())
    fact("iteration", Code(T.Columns.back().Label));
  fact("holds", Assumed);
  OS << "</dl>\n";
}

void PageWriter::finding(const ListedFinding &Listed, const std::string &Id) {
  const ReportedFinding &F = *Listed.Finding;
  const HtmlFinding Of{Run, F, *Listed.Unit, Sources, Id};
  OS << "<article id=\"" << Id << "\" aria-labelledby=\"" << Id
     << "-name\">\n<h2 id=\"" << Id << "-name\">" << html(F.Message)
     << "</h2>\n<p class=\"place\">" << Of.placeText(F.Where) << "</p>\n";
  facts(F);
  writeHtmlTimeline(Of, OS);
  writeHtmlSteps(Of, OS);
  writeHtmlCalls(Of, OS);
  writeHtmlListing(Of, OS);
  writeHtmlFix(Of, OS);
  OS << "</article>\n";
}

void PageWriter::notes() {
  const std::vector<Notification> Notes = listNotifications(Run);
  if (Notes.empty())
    return;
  OS << "<section class=\"more\">\n<h2>Notes on the run</h2>\n<ul>\n";
  for (const Notification &N : Notes) {
    OS << "<li>" << html(N.Message) << " <span class=\"place\">"
       << html(N.Path);
    if (N.Line)
      OS << ':' << N.Line;
    OS << "</span></li>\n";
  }
  OS << "</ul>\n</section>\n";
}

void PageWriter::pages() {
  std::set<StringRef> Names;
  for (const ListedFinding &Listed : Findings)
    if (checkPage(Listed.Finding->Check))
      Names.insert(Listed.Finding->Check);
  if (Names.empty())
    return;
  OS << "<section class=\"more\">\n<h2>The checks</h2>\n";
  for (StringRef Name : Names) {
    const EmbeddedFile &Page = *checkPage(Name);
    OS << "<details>\n<summary><h3>" << html(Name)
       << "</h3></summary>\n<div class=\"page\" id=\"check-" << Page.Name
       << "\">\n";
    writeHtmlPage(Page.text(), OS);
    OS << "</div>\n</details>\n";
  }
  OS << "</section>\n";
}

void PageWriter::write() {
  OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, "
        "initial-scale=1\">\n<title>cpasync-tidy: "
     << html(Run.Total.line()) << "</title>\n<style>\n"
     << reportStyle() << "</style>\n</head>\n<body>\n";
  if (!Findings.empty())
    OS << "<a class=\"skip\" href=\"#f1\">Skip to the first finding</a>\n";
  OS << "<header>\n<h1>cpasync-tidy</h1>\n<p>" << html(Run.Total.line())
     << "</p>\n</header>\n<main>\n";
  index();
  for (const auto &[I, Listed] : llvm::enumerate(Findings))
    finding(Listed, idOf(I));
  notes();
  pages();
  OS << "</main>\n</body>\n</html>\n";
}

void cpasync::writeHtml(const RunReport &Run, llvm::raw_ostream &OS) {
  PageWriter(Run, OS).write();
}
