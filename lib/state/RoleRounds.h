//===- RoleRounds.h - Rounds that roles have in common ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A producer and its consumers go through the same items, each in its own time:
// `for (T = blockIdx.x; T < Tiles; T += gridDim.x)` in both. What they do for
// an item hangs on the item, by what a table holds for it or on how many there
// are left, and on none before. So where the last of them goes on to the next
// item, that one gets a name, the same whoever is the last. All others are
// where they are by how far they are ahead of it, and what is known of items
// goes by that name, too; of those that all have left nothing is known any
// more, but for what follows about the next. Where as much is known of the
// items that are under way, the state is one.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_ROLEROUNDS_H
#define CPASYNC_LIB_STATE_ROLEROUNDS_H

#include "lib/source/ModSets.h"
#include "lib/state/Symbols.h"

namespace cpasync {

class RoleRounds : RunPart {
public:
  RoleRounds(KernelRun &Run, Symbols &Names) : RunPart(Run), Names(Names) {}

  /// At the head of a loop of a kernel with roles: names the item that those
  /// who run are at, if they are the last.
  void moveOn(State &S);

private:
  using CellRef = Symbols::CellRef;
  /// The number of the item, which is \p Now and goes on by \p By.
  struct Walk {
    CellRef At;
    const Int *Now, *By;
    const Int::Term *Pivot; ///< of Now: all distances are free of its symbol
  };
  std::optional<Walk> walkOf(const State &S);
  /// How many items \p X is behind; none if that is not known.
  std::optional<int64_t> itemsBehind(const Walk &W, const Int *X);
  /// The most that a role is behind; none if one is not known to go the same
  /// way.
  std::optional<int64_t> farthestBehind(const State &S, const Walk &W);
  bool mayMove(const Walk &W, CellRef At);
  /// The most items that \p I, with the name \p Item in it, tells of behind
  /// that one.
  int64_t tellsOf(const Int *I, const Atom *Item, const Int *By);
  /// What is held and known, in terms of the item; but for what tells of items
  /// that all have left.
  struct Moving {
    const Int *Was; ///< the symbol of the pivot
    std::vector<std::pair<CellRef, const Int *>> Cells;
    std::vector<PathCondition::Bound> Bounds;
    std::vector<PathCondition::Choice> Choices;
    /// Conditions on the item that hold as others did of those before.
    struct Implied {
      const Int *Condition;
      bool Holds;
      llvm::SmallVector<FactId, 4> Because;
    };
    std::vector<Implied> Next;
  };
  /// What \p Of, which tells of an item that all have left, has made of the
  /// same question about the one that they are at.
  void imply(const State &S, const Walk &W, const Int *Of, int64_t Behind,
             Moving &M);
  Moving inTermsOf(const State &S, const Walk &W, const Int *Item);
  bool hasName(const Walk &W);
  void rename(State &S, const Walk &W);

  Symbols &Names;
  /// By how much it goes on, where that was seen: names hide it later.
  std::map<CellRef, const Int *> Steps;
  /// The place that the item is called by, whoever is the last.
  llvm::DenseMap<const Int *, CellRef> Named;
  ModSets Changes;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_ROLEROUNDS_H
