//===- Detection.h - What finds and what tells ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_DETECTION_H
#define CPASYNC_LIB_DETECT_DETECTION_H

#include "lib/detect/AbsentBlocks.h"
#include "lib/detect/BulkSources.h"
#include "lib/detect/Conflicts.h"
#include "lib/detect/Entanglement.h"
#include "lib/detect/MixedCopies.h"
#include "lib/detect/OmittedCopies.h"
#include "lib/detect/OpenBytes.h"
#include "lib/detect/PartialGroups.h"
#include "lib/detect/RowsInFlight.h"
#include "lib/detect/StuckPhases.h"
#include "lib/detect/UnwrittenReads.h"

namespace cpasync {

/// The detectors of one run, with what they share.
struct Detection {
  explicit Detection(KernelRun &Run)
      : Findings(Run), Comparisons(Run), Reads(Run, Findings, Comparisons),
        Exclusive(Run), Flights(Run), Fixes(Run),
        Witnesses(Run, Findings, Reads, Flights, Fixes, Exclusive), Copied(Run),
        Rows(Run, Exclusive),
        Order(Run, Findings, Reads, Witnesses, Exclusive, Copied, Rows),
        Mixed(Run, Reads, Exclusive, Copied), Entangled(Run, Findings),
        Omitted(Run, Findings, Reads), Unwritten(Run, Findings, Reads, Omitted),
        Stuck(Run, Findings, Mixed), Bytes(Run, Findings, Stuck),
        Sources(Run, Findings), Absent(Run, Findings), Partial(Run, Findings) {}

  /// All paths have been run. \p IsWhole: and nothing was left out.
  void report(const TileSizes &Tiles, bool IsWhole) {
    if (IsWhole)
      Unwritten.report(Tiles);
    Bytes.report();
  }

  FindingList Findings;
  ComparisonLog Comparisons;
  ReadLiveness Reads;
  Exclusion Exclusive;
  FlightPaths Flights;
  Repairs Fixes;
  Witness Witnesses;
  CopiedData Copied;
  RowsInFlight Rows;
  Conflicts Order;
  MixedCopies Mixed;
  Entanglement Entangled;
  OmittedCopies Omitted;
  UnwrittenReads Unwritten;
  StuckPhases Stuck;
  OpenBytes Bytes;
  BulkSources Sources;
  AbsentBlocks Absent;
  PartialGroups Partial;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_DETECTION_H
