//===- TimelineText.h - A timeline in a terminal ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_TIMELINETEXT_H
#define CPASYNC_TOOL_REPORT_TIMELINETEXT_H

#include "checks/FrontEnd.h"

namespace llvm {
class raw_ostream;
}

namespace cpasync {

/// What a terminal can show.
struct TextStyle {
  bool Unicode = false;
  bool Color = false;
  /// By the locale of the environment: LC_ALL, LC_CTYPE, LANG.
  static bool hasUnicode();
};

/// The timeline of \p F, its table, and every step of its path; nothing if it
/// has none. No line is wider than 80 columns, but for names and messages.
void writeTimeline(const ReportedFinding &F, TextStyle Style,
                   llvm::raw_ostream &OS);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_TIMELINETEXT_H
