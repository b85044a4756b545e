//===- RunAssumptions.h - What a run takes for granted ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some things show only while a function is run that had to be known when it
// began. It is run again then.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_RUNASSUMPTIONS_H
#define CPASYNC_LIB_INFERENCE_RUNASSUMPTIONS_H

#include "lib/inference/RowPitch.h"
#include "lib/inference/TileSizes.h"
#include "lib/source/BlockShape.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clang {
class CFGBlock;
} // namespace clang

namespace cpasync {

/// A symbol that means the same in all runs, and the number that it is.
struct DecidedNumber {
  DecidedNumber(const Atom *Symbol, int64_t Is)
      : Origin(Symbol->Origin), Number(Symbol->Number), Same(Symbol->Same),
        Range(Symbol->Range), Is(Is) {}
  const Int *symbol(ValueContext &V) const {
    return V.symbol(Origin, Number, Same, Range, /*Stable=*/true);
  }
  /// Whatever it is.
  bool isSame(const DecidedNumber &X) const {
    return Origin == X.Origin && Number == X.Number;
  }

  const void *Origin; ///< a declaration, or where it is in the grid
  int64_t Number;
  Uniformity Same;
  Interval Range;
  int64_t Is;
};

struct RunAssumptions {
  BlockShape Shape;
  /// Of its arrays.
  RowPitches Lengths;
  /// Of its tensors.
  TileSizes Tiles;
  /// Parameters of a function that is not a kernel, pointers or numbers: they
  /// are addresses of shared memory.
  llvm::DenseSet<const void *> Shared;
  bool FoundShared = false; ///< one of them in this run
  /// Bulk copies read shared memory: what is written there matters to another
  /// proxy.
  bool Proxies = false;
  bool FoundProxies = false; ///< in this run
  /// Heads of loops that do not settle as long as rounds are counted.
  using LoopHeads = llvm::DenseSet<const clang::CFGBlock *>;
  LoopHeads Unsettled, FoundUnsettled; ///< before this run, and in it
  /// Loops that were taken to end where an array does; those that may have a
  /// round behind it, in this run, and do have one: the next is within again.
  LoopHeads FoundEnds, Endless, FoundRings;
  /// A tile that is no whole one has one row, or none: each length would be
  /// another state.
  bool ShortTiles = false;
  bool FoundTiles = false; ///< in this run, that hang on tables
  /// Of what the function is given, or of the grid.
  std::vector<DecidedNumber> Numbers;
  unsigned Runs = 1; ///< this one included
  bool IsLast = false;

  /// Lengths that still come late after so many runs are not waited for.
  static constexpr unsigned MaxRuns = 4;

  /// Of proxies it is asked once, in the last run, too: without them it would
  /// see nothing of what they are told.
  bool cameLate() const {
    return (FoundProxies && !Proxies) ||
           (!IsLast && (FoundShared || (Lengths.cameLate() && Runs < MaxRuns)));
  }
  /// At the end of the run: it has shown what another could begin with.
  bool showedMore() const { return Runs < MaxRuns && Tiles.cameLate(); }
  /// \p Symbol is one of the Numbers.
  bool decides(const Atom *Symbol, ValueContext &V) const {
    return llvm::any_of(Numbers, [&](const DecidedNumber &N) {
      return N.symbol(V) == Symbol->Alone;
    });
  }
  /// Nothing was chosen that the function itself does not tell.
  bool isPlain() const {
    return Numbers.empty() && Unsettled.empty() && Endless.empty() &&
           !ShortTiles;
  }
  RunAssumptions forNextRun() const {
    RunAssumptions Next{Shape};
    Next.Lengths = Lengths.forNextRun();
    Next.Tiles = Tiles.forNextRun();
    Next.Shared = Shared;
    Next.Proxies = Proxies || FoundProxies;
    Next.Unsettled = Unsettled;
    Next.Endless = Endless;
    Next.ShortTiles = ShortTiles;
    Next.Numbers = Numbers;
    Next.Runs = Runs + 1;
    return Next;
  }
  /// One that has to come to its end.
  RunAssumptions forLastRun() const {
    RunAssumptions Next = forNextRun();
    Next.IsLast = true;
    return Next;
  }
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_RUNASSUMPTIONS_H
