//===- Html.h - The parts of a page -----------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each part is in the file of its name. Whatever comes from a source or a path
// goes through html(). Ids begin with that of the finding, "f3".
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_HTML_H
#define CPASYNC_TOOL_REPORT_HTML_H

#include "tool/input/SourceText.h"
#include "tool/report/RunReport.h"

namespace llvm {
class raw_ostream;
}

namespace cpasync {

/// \p Text as it is shown, on a page that is UTF-8 without control characters
/// but tabs.
std::string html(llvm::StringRef Text);

/// What the parts of one finding are written from.
struct HtmlFinding {
  const RunReport &Run;
  const ReportedFinding &F;
  const FileReport &Unit;
  SourceCache &Sources;
  const std::string Id; ///< "f3"

  /// "src/kernel.cu:12:3".
  std::string placeText(const Place &P) const;
  std::string stepId(unsigned Step) const {
    return Id + "-s" + std::to_string(Step);
  }
  /// Where the step is told that goes wrong: the number of the last one at the
  /// place of the warning; 0: none is.
  unsigned wrongStep() const;
};

/// The picture, its legend and its table; nothing if there is no path.
void writeHtmlTimeline(const HtmlFinding &Of, llvm::raw_ostream &OS);
/// Every step of the path, by number.
void writeHtmlSteps(const HtmlFinding &Of, llvm::raw_ostream &OS);
/// The calls that are open where it goes wrong.
void writeHtmlCalls(const HtmlFinding &Of, llvm::raw_ostream &OS);
/// The lines of all steps, once each, with the numbers of the steps beside.
void writeHtmlListing(const HtmlFinding &Of, llvm::raw_ostream &OS);
/// The edits that notes offer, as a diff of the lines.
void writeHtmlFix(const HtmlFinding &Of, llvm::raw_ostream &OS);
/// The page of a check, without its title.
void writeHtmlPage(llvm::StringRef Markdown, llvm::raw_ostream &OS);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_HTML_H
