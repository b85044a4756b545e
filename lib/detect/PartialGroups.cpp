//===- PartialGroups.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/PartialGroups.h"
#include "lib/report/PathNotes.h"

using namespace clang;
using namespace cpasync;

// Threads that have left are missing as well, but not those that only may have
// left: of a path that parts them others tell.
void PartialGroups::checkCopy(State &S, const Object *Dst, unsigned Tile,
                              SourceLocation At) {
  if (!S.May.empty())
    return;
  const PerThread *All = S.Parted ? Run.livingThreads(S) : L.all();
  const unsigned OfBlock = Shape.threadsOfBlock();
  const unsigned OfGroup = Tile ? Tile : OfBlock;
  unsigned End = 0;
  for (unsigned First = 0; First < Shape.threads(); First = End) {
    // The last tile of a block may be a part of one.
    const unsigned Block = Run.Blocks.blockOf(First);
    End = std::min(First + OfGroup, (Block + 1) * OfBlock);
    int Absent = -1;
    int64_t Come = 0, Members = 0;
    for (unsigned T = First; T < End; ++T) {
      Come += (*S.Active)[T];
      Members += (*All)[T];
      if (Absent < 0 && (*All)[T] && !(*S.Active)[T])
        Absent = int(T);
    }
    if (!Come || Absent < 0)
      continue;
    Finding F;
    F.Kind = FindingKind::PartialGroup;
    F.Object = Run.nameOf(Dst).str();
    F.At.Copy = At;
    F.Value = Come;
    F.Limit = Members;
    F.Thread = Absent;
    F.OnEveryPath = isUnconditional(S.Trace);
    return Findings.add(S, std::move(F));
  }
}
