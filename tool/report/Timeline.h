//===- Timeline.h - The way to a finding, as a picture ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time goes to the right, a moment for each operation in the order of the path.
// A slot of shared memory has a lane with the copies into it, as bars from the
// copy over the commit to the wait that completes them; the threads have lanes
// for what they commit and wait for, one for each role. What the path does not
// prove is not drawn: a bar whose end is not known stops at its commit.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_TIMELINE_H
#define CPASYNC_TOOL_REPORT_TIMELINE_H

#include "checks/FrontEnd.h"

namespace cpasync {

struct Timeline {
  /// Moments of one iteration, from Begin up to End.
  struct Column {
    std::string Label; ///< "Tile = 0", "before the loop"; empty: no loop
    unsigned Begin = 0, End = 0;
    unsigned Hidden = 0; ///< it stands for so many steps that are left out
  };
  /// Something that happens at a moment.
  struct Mark {
    unsigned Moment = 0;
    std::string Text;  ///< "copy", "wait 1"
    unsigned Step = 0; ///< of ReportedFinding::Path, from 1; 0: it tells none
    std::string Threads;
    unsigned Count = 1;
    bool Clashes = false;
  };
  /// Copies into a slot that complete together.
  struct Bar {
    unsigned Begin = 0;
    std::optional<unsigned> Commit; ///< moments
    unsigned End = 0;               ///< where it is complete, or drawn to
    enum class Ending {
      Complete, ///< by what happens there
      InFlight, ///< still there, where the picture ends
      Unknown,
    } How = Ending::Unknown;
    std::optional<unsigned> Group;
    bool Clashes = false;
    unsigned Row = 0; ///< of the lane, so that none lies over another
  };
  struct Lane {
    std::string Name;
    bool IsSlot = false; ///< else of threads
    std::vector<Bar> Bars;
    std::vector<Mark> Marks;
    unsigned barRows() const;
  };
  /// What a wait of the owner of the groups does, or the access that clashes.
  struct Row {
    std::string Iteration;
    std::string What;  ///< "wait 1", "read"
    std::string Slots; ///< of the groups, or that it touches
    std::optional<unsigned> InFlight;
    std::optional<int64_t> N;
    std::string Does; ///< completes "group 1", "nothing"; empty: not known;
                      ///< meets what "is in flight"
    unsigned Step = 0;
    bool Clashes = false;
  };

  unsigned Moments = 0;
  std::string Owner; ///< the thread whose groups are shown; empty: not told
  std::vector<Column> Columns;
  std::vector<Lane> Lanes; ///< slots first
  unsigned OtherSlots = 0; ///< that are left out
  std::vector<Row> Rows;

  bool isEmpty() const { return Lanes.empty(); }
  /// It stands for steps that are left out.
  bool isGap(unsigned Moment) const;
  /// Moments that are shown of a longer path, beside those that it tells.
  static constexpr unsigned MaxMoments = 32;
};

/// Empty if the finding has no path of several operations.
Timeline makeTimeline(const ReportedFinding &F);

/// In words, for who cannot see it.
std::string describe(const Timeline &T);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_TIMELINE_H
