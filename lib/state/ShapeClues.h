//===- ShapeClues.h - What a run shows of its block -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_SHAPECLUES_H
#define CPASYNC_LIB_STATE_SHAPECLUES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>
#include <string>

namespace cpasync {

/// What the runs of a kernel show of the shape of its block. Numbers are of
/// threads, each once, in the order they were come by.
class ShapeClues {
public:
  /// Where a total is from, the most telling first.
  enum Telling : unsigned {
    Stride,   ///< a loop goes on by what all threads cover together
    Extent,   ///< each thread has an element of an array
    Compared, ///< the number of a thread is compared with it
    Chunks,   ///< copies that fill an array
    NumTellings
  };
  /// What does not go together with the shape that a run had.
  struct Misfit {
    clang::SourceLocation Loc;
    std::string Why; ///< "thread 128 accesses 'Tile' beyond its end"
    /// The kernel may be wrong, for whatever block it is.
    bool MayBeDefect = false;
  };

  using Numbers = llvm::SmallVector<int64_t, 4>;
  std::array<Numbers, NumTellings> Totals; ///< of the whole block
  std::array<Numbers, 3> Along;            ///< x, y and z
  Numbers Widths; ///< of rows: each thread has threadIdx.y times it, plus .x
  Numbers Planes; ///< and threadIdx.z times this, plus that
  bool AsksY = false, AsksZ = false; ///< user code, for threadIdx
  bool AsksBlocks = false;           ///< how many the cluster has
  bool ReachesBlocks = false;        ///< some thread one of another block
  std::optional<Misfit> Against;     ///< the first

  /// All say whether that is new.
  bool addTotal(Telling From, int64_t N) { return add(Totals[From], N); }
  bool addAlong(unsigned Axis, int64_t N) { return add(Along[Axis], N); }
  bool addWidth(int64_t N) { return add(Widths, N); }
  bool addPlane(int64_t N) { return add(Planes, N); }
  void contradict(clang::SourceLocation Loc, std::string Why,
                  bool MayBeDefect = false) {
    if (!Against)
      Against = {Loc, std::move(Why), MayBeDefect};
  }
  /// All but Against, which is of one run.
  void unite(const ShapeClues &Other) {
    for (unsigned I = 0; I < NumTellings; ++I)
      for (int64_t N : Other.Totals[I])
        add(Totals[I], N);
    for (unsigned I = 0; I < 3; ++I)
      for (int64_t N : Other.Along[I])
        add(Along[I], N);
    for (int64_t N : Other.Widths)
      add(Widths, N);
    for (int64_t N : Other.Planes)
      add(Planes, N);
    AsksY |= Other.AsksY;
    AsksZ |= Other.AsksZ;
    AsksBlocks |= Other.AsksBlocks;
    ReachesBlocks |= Other.ReachesBlocks;
  }

private:
  static bool add(Numbers &To, int64_t N) {
    if (N < 1 || llvm::is_contained(To, N))
      return false;
    To.push_back(N);
    return true;
  }
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_SHAPECLUES_H
