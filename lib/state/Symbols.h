//===- Symbols.h - Names of numbers that are not known ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_SYMBOLS_H
#define CPASYNC_LIB_STATE_SYMBOLS_H

#include "lib/state/Exclusion.h"
#include "lib/state/KernelRun.h"
#include <map>
#include <set>

namespace cpasync {

/// Names of unknown numbers. One that stands for something new is taken from
/// all that still holds what it stood for before (havoc), with what stays true.
class Symbols : RunPart {
public:
  /// Heads of loops whose counters go by names.
  using LoopHeads = llvm::DenseSet<const clang::CFGBlock *>;

  Symbols(KernelRun &Run, const LoopHeads &Unsettled)
      : RunPart(Run), Unsettled(Unsettled) {}

  /// Bounds beyond this are forgotten, or counters would have a new bound in
  /// every round. What is left to do is compared with the stages of a ring: at
  /// most 8 in public code.
  static constexpr int64_t MaxKeptBound = 8;
  /// Those that hold in any round are kept up to here: rounds of a loop that
  /// are worth counting.
  static constexpr int64_t MaxTile = 64;

  /// A cell of an object, by its offset.
  using CellRef = std::pair<const Object *, int64_t>;
  /// What all values of a number have in common: Base + Step * something.
  struct Pattern {
    const PerThread *Base; ///< 0 in thread 0
    int64_t Step;          ///< 0 if the number is Base
    Uniformity Same;       ///< threads for which `something` is the same
  };

  Pattern patternOf(const Int *I);
  /// What \p I lies in whatever a path decides.
  Interval inAnyRound(const Int *I);
  /// \p Because: what the \p Known ones follow from.
  void keepBounds(State &S, Value V, Interval Known, Interval Always,
                  llvm::ArrayRef<FactId> Because);
  /// At a loop head: renames what differs in every round.
  void widen(State &S);
  /// At the head of a loop that does not settle:
  /// UnorderedAccesses::forgetOlderConditions().
  void forgetOlderConditions(State &S) {
    if (Unsettled.contains(S.Loops.back().Head))
      S.Copies.unordered().forgetOlderConditions(
          Events, ForgottenCondition,
          [&](EventId Was, EventId Is) { S.Copies.notes().rename(Was, Is); });
  }
  static bool isGiven(const Int *I);
  /// Some threads wait for phases of others, which run elsewhere.
  static bool hasRoles(const State &S);
  /// Events know \p I.
  void hold(const Int *I);
  bool isHeld(const Atom *Symbol) const { return HeldSymbols.contains(Symbol); }
  Value freshSymbol(State &S, const clang::Expr *E, Uniformity Same);
  /// A symbol for a new value; whatever held its old one forgets it.
  const Int *freshName(State &S, const void *Origin, int64_t Number,
                       Uniformity Same, Interval Range = {});
  /// Origins of what says where a block is, and then of what is the same for
  /// all blocks: Grid + one of these.
  enum InGrid : uint8_t {
    BlockIndex,
    ClusterIndex,
    ClusterRank,
    BlockCount,
    ClusterCount,
    ClusterSize
  };
  static const char Grid[];
  static bool isInGrid(const Atom *Symbol);
  /// It is the name of what some place holds.
  static bool isOfPlace(const Atom *Symbol);
  /// Of the item that some threads are at, of a list that others go through,
  /// too; they hold it there.
  static const Int *nameOfItem(ValueContext &V, CellRef At);
  static bool isBlockIndex(const Atom *Symbol);
  /// What \p Symbol is in a grid of one block, if it is in the grid.
  static std::optional<int64_t> ifOneBlock(const Atom *Symbol);
  /// blockIdx.x and gridDim.x, or those of another direction.
  static bool isBlockOf(const Atom *Index, const Atom *Count);

  /// Gives the numbers that are \p Held at those places, and all that were
  /// computed from the symbol \p Gone or from one of these, names of their own.
  /// Returns the symbols that stand for something else now.
  llvm::SmallVector<const Atom *, 8>
  rename(State &S, llvm::ArrayRef<CellRef> Held, const Atom *Gone = nullptr);
  /// Gives the number that is held there a name of its own, and what is known
  /// of it or lies at a distance from it goes by that name.
  void name(State &S, CellRef At);
  /// Null: nothing, or no number.
  static const Int *heldAt(const Memory &Mem, CellRef At);
  /// \p I is held there from now on, where a number is held already.
  static void hold(ValueContext &V, Memory &Mem, CellRef At, const Int *I);
  uint64_t SourceSymbols = 0; ///< of the sources of copies

private:
  /// A number that is not what it was at the head before.
  struct MovedCell {
    CellRef At;
    const Int *Now;
    const Int *By; ///< computed from what the kernel was given
    bool InAll;    ///< threads; elsewhere By is 0
  };
  Pattern common(Pattern A, Pattern B);
  /// With names in it replaced by what they were given to, last.
  const Int *inFull(const Int *I) const;
  const Int *symbolFor(CellRef At, Uniformity Same);
  Value named(CellRef At, Value V);
  llvm::SmallVector<MovedCell, 4>
  movedByGiven(const State &S, const LoopVisit &Loop, bool BesideCounters);
  /// At a loop head: renames what moves on by what the kernel was given, and
  /// what is known of it. Drops those of \p Moved for which it cannot.
  void moveOn(State &S, llvm::SmallVectorImpl<MovedCell> &Moved);
  /// The threads in which the number held there, which is \p Times what moved
  /// on and \p Rest, goes along.
  using GoesAlong = llvm::function_ref<const PerThread *(CellRef, int64_t Times,
                                                         const Int *Rest)>;
  /// The same for one. Those of which \p IsAlong says so stay so many times it
  /// and the rest, and are added to \p Together. False: it cannot.
  bool moveOn(State &S, const MovedCell &Leader, std::vector<CellRef> &Together,
              GoesAlong IsAlong);
  /// A number is \p Times what moved on and \p Rest, which is 0 elsewhere, in
  /// these threads.
  struct Share {
    int64_t Times;
    const Int *Rest;
    const PerThread *In;
  };
  /// By the symbol that both hang on; none: it is not.
  std::optional<Share> shareOf(const Int *I, const MovedCell &Leader,
                               const Int::Term &Pivot);
  /// Of a form that is \p Times what moved on, and \p Rest.
  struct MovedFact {
    int64_t Times;
    const Int *Rest;
    PathCondition::Bound Of;
  };
  /// What was known of the number that is \p Now is known again.
  void assumeMoved(State &S, const Int *Now,
                   llvm::SmallVectorImpl<MovedFact> &Moving);
  /// The threads in which \p B was \p Distance more than \p A in an earlier
  /// round as well.
  const PerThread *whereDistanceIsKept(const State &S, const MovedCell &A,
                                       CellRef B, const Int *Distance);
  /// A known number that grows by the same in every round.
  struct Counter {
    CellRef At;
    int64_t By;
  };
  struct CountedLoop {
    std::vector<Counter> Counters; ///< the others move along with the first
    int64_t Step = 0;  ///< that goes by a multiple of it; 0: by no name
    int64_t First = 0; ///< from this number on
    /// How much farther each thread is in the first of them.
    const Int *Apart = nullptr;
  };
  /// At the head of a loop that does not settle: its counters get names.
  void nameCounters(State &S);
  void findCounters(const State &S, CountedLoop &Loop);
  void nameFirst(State &S, const CountedLoop &Loop);
  bool neverRepeats(const State &S, const Object *O, const Cell &Now,
                    bool ButSteadily);

  const LoopHeads &Unsettled;
  Exclusion Exclusive{Run};
  /// By the head of the loop and the number of the frame.
  std::map<std::pair<const clang::CFGBlock *, unsigned>, CountedLoop> Counted;
  /// Symbols of all footprints and of conditions that events hang on, and the
  /// integers that they were found in.
  llvm::DenseSet<const Atom *> HeldSymbols;
  llvm::DenseSet<const Int *> HeldIntegers;
  /// A condition on what its symbols stood for once: nothing decides it.
  const Int *const ForgottenCondition =
      V.symbol(&Events, 0, Uniformity::Thread, {}, /*Stable=*/true);
  std::map<CellRef, Pattern> Patterns;
  llvm::DenseMap<const Atom *, const Int *> InFull;
  /// By the head of the loop and the number of the frame.
  std::map<std::pair<const clang::CFGBlock *, unsigned>, std::vector<CellRef>>
      NeverRepeat;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_SYMBOLS_H
