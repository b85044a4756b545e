//===- Snippet.h - A few lines of a kernel, analysed ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a room makes of a few lines, without headers, tool or files. A body may
// use Tile (shared, 4096 bytes, float), In and Out (global), N, M (unknown
// numbers), G (a structure that the kernel is given), T (threadIdx.x, of 64
// threads), and these:
//
//   COPY(dst, src)  16 bytes      COMMIT      WAIT(n)      SYNC
//   USE(x)          x is used, as by a store to global memory
//   unknown(p)      has no body: may write what p points to
//   looksAt(p)      has no body: may read it
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_UNIT_SNIPPET_H
#define CPASYNC_TEST_UNIT_SNIPPET_H

#include "lib/Options.h"
#include <string>
#include <vector>

namespace cpasync {

struct SnippetResult {
  /// As "maybe ReadInFlight(WaitTooWeak) copy:4 wait:6 read:7": what, and
  /// where; lines of the body are counted from 1. In source order.
  std::vector<std::string> Findings;
  /// Edits that are offered, as "3: 0": in which line, and the new text's first
  /// line.
  std::vector<std::string> Repairs;
  /// As "3: reason".
  std::vector<std::string> Gaps;
  /// The lines in which the steps of the first finding stand: "1 2 4".
  std::string Steps;
  /// The numbers that show the first finding, "N = 1, M = 0"; with "? " before
  /// them if they do not.
  std::string Numbers;
  /// What the first finding is about, "Tile[2]"; "Tile[2]+1" if it is a byte
  /// within, "P[2] by pointer" if a pointer names it.
  std::string Element;
  /// The pipeline around the first finding, its steps as "I=1: 4: Tile[1]":
  /// round, line, bytes; then, if it is so, "x2" for two in a row, "by 0-31"
  /// for some threads, "in 3" for a group, "2 of 3" for what a wait completes,
  /// "!" for one of the two that clash.
  std::vector<std::string> Pictured;
  /// Findings that were refuted, as "5 by 1 2": their lines, and those in which
  /// was decided what cannot be together.
  std::vector<std::string> Refuted;
  bool operator==(const SnippetResult &) const = default;
};

/// \p Before: functions and types that the body uses. The test fails if it does
/// not compile.
SnippetResult analyzeBody(const std::string &Body,
                          const std::string &Before = "",
                          const AnalysisOptions &Options = {});

/// Findings, then gaps, separated by "; ". Empty: analysed, nothing found but
/// reads of what nothing is written to: most bodies fill only what matters.
std::string found(const std::string &Body, const std::string &Before = "");

/// SnippetResult::Steps of what is found.
std::string told(const std::string &Body, const std::string &Before = "");

/// Whether \p Condition holds behind \p Body: "always", "never", or "both" (in
/// some threads or on some paths, or it is not known); empty if that is not
/// reached.
std::string behind(const std::string &Body, const std::string &Condition,
                   const std::string &Before = "");

} // namespace cpasync

#endif // CPASYNC_TEST_UNIT_SNIPPET_H
