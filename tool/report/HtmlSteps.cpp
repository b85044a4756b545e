//===- HtmlSteps.cpp - The path of a finding in words ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Html.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace cpasync;

std::string HtmlFinding::placeText(const Place &P) const {
  if (!P.isValid())
    return {};
  return html(Run.displayPath(P.File, Unit.Directory)) + ":" +
         std::to_string(P.Line) + ":" + std::to_string(P.Column);
}

unsigned HtmlFinding::wrongStep() const {
  for (size_t I = F.Path.size(); I-- > 0;)
    if (F.Path[I].Where.Offset == F.Where.Offset &&
        F.Path[I].Where.File == F.Where.File)
      return I + 1;
  return 0;
}

void cpasync::writeHtmlSteps(const HtmlFinding &Of, llvm::raw_ostream &OS) {
  if (Of.F.Path.empty())
    return;
  OS << "<h3>Steps</h3>\n<ol class=\"steps\">\n";
  const unsigned Wrong = Of.wrongStep();
  for (const auto &[I, Step] : llvm::enumerate(Of.F.Path)) {
    const unsigned Number = I + 1;
    OS << "<li class=\"" << Step.Kind << "\" id=\"" << Of.stepId(Number)
       << "\"><a class=\"number-of" << (Number == Wrong ? " bad" : "")
       << "\" href=\"#" << Of.Id << "-m" << Number << "\" aria-label=\"step "
       << Number << " in the source\">" << Number << "</a><span>"
       << html(Step.Message) << " <span class=\"place\">"
       << Of.placeText(Step.Where) << "</span></span></li>\n";
  }
  OS << "</ol>\n";
}

/// The steps that open calls which are still open at the end, outermost first.
static std::vector<const PathStep *> openCalls(const ReportedFinding &F) {
  std::vector<const PathStep *> Open, Around;
  for (const PathStep &Step : F.Path) {
    if (Step.Kind == "called-from") { // what was told before is inside of it
      Around.insert(Around.begin(), &Step);
      continue;
    }
    Open.resize(std::min<size_t>(Open.size(), Step.Depth));
    if (Step.Kind == "called")
      Open.push_back(&Step);
  }
  Around.insert(Around.end(), Open.begin(), Open.end());
  return Around;
}

void cpasync::writeHtmlCalls(const HtmlFinding &Of, llvm::raw_ostream &OS) {
  const std::vector<const PathStep *> Calls = openCalls(Of.F);
  if (Calls.empty())
    return;
  OS << "<h3>Calls</h3>\n<ol>\n";
  for (const std::string &Kernel : Of.F.Kernels) {
    OS << "<li><code>" << html(Kernel) << "</code></li>\n";
    break; // the others come to the same
  }
  for (const PathStep *Call : Calls)
    OS << "<li>" << html(Call->Message) << " <span class=\"place\">"
       << Of.placeText(Call->Where) << "</span></li>\n";
  OS << "</ol>\n";
}
