//===- Subsumption.h - Paths that come to one state -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path ends where another was in the same state, if it can do nothing from
// there that the other has not done. The other may have decided more: only what
// was asked for since counts. Paths are run depth first, so that most often all
// that follows from a state has been run when the next path comes by.
//
// What follows from a state may end where a path has come by again, round a
// loop: what that one needs is not known before the loop is done. Such states
// are known together, with the first of them (they are what Tarjan called a
// strongly connected component); until then, whatever may be needed is.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_SUBSUMPTION_H
#define CPASYNC_LIB_STATE_SUBSUMPTION_H

#include "lib/state/State.h"
#include "lib/support/Budget.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <deque>
#include <optional>
#include <vector>

namespace cpasync {

class Subsumption {
public:
  Subsumption(FactTable &Facts, WrittenBytesTable &Written,
              const EventTable &Events)
      : Facts(Facts), Written(Written), Events(Events) {}

  /// Where a path was in this state that did all that this one would; if none
  /// was, it is known as \p Here from now on. \p Waiting: paths that have not
  /// been run yet.
  /// \p ButUnordered: \p Is says nothing of the accesses that no barrier has
  /// ordered yet; each of them is one that a path had which was here, and may
  /// have had more.
  std::optional<Spot> before(Fingerprint::Digest Is, State &S, size_t Waiting,
                             Spot Here, bool ButUnordered = false);
  /// The path ends in a loop: it would do from here on what it did from
  /// \p Before on.
  void repeat(Spot Before, const State &S);
  /// A read finds that something was written to its bytes before.
  void need(const State &S, const Footprint *Read);
  /// The running path has ended. Where \p Cost is spent no other will run, and
  /// what follows from what is left open.
  void close(size_t Waiting, Budget *Cost = nullptr);
  /// Steps of histories at which paths that had decided against a copy met
  /// others that had written more: they were not followed any further.
  llvm::ArrayRef<unsigned> wroteLess() const { return WroteLess; }
  /// Other paths begin, of which nothing is known.
  void forgetAll();

private:
  using Number = unsigned;
  /// Of a path, from where it met others last.
  struct Way {
    WriteHistory::SinceMeeting Since;
    unsigned ChoseNotToCopy; ///< as State::ChoseNotToCopy
    static Way of(const State &S) {
      return {S.Copies.history().sinceMeeting(), S.ChoseNotToCopy};
    }
  };
  struct Meeting {
    PathCondition Decided; ///< as far as it may be needed
    /// Where that may tell states apart that are one otherwise.
    std::optional<UnorderedAccesses> Unordered;
    WriteHistory::Blanks Blanks;
    size_t Waiting;
    Spot Here;
    Number First; ///< it is known together with that one, or one before
    uint64_t Begin;
    unsigned Length; ///< of the history of the path that was here first
    Way Before;      ///< of that path
    /// Of paths that ended here, while it was not known.
    llvm::SmallVector<Way, 1> Ended;
    /// Reads after it that bytes written before it keep from being blind;
    /// NeedsAll: too many to be told, and so it is before it.
    llvm::SmallPtrSet<const Footprint *, 4> Needed;
    bool NeedsAll = false;
    uint64_t End = 0;
    bool Known = false; ///< what is needed, for good
  };
  /// If the path that came by at that moment needs \p Needed as the one did
  /// which was in its state before, it uses \p Fact.
  struct UseIf {
    Number Before;
    FactId Needed, Fact;
    uint64_t Moment;
  };

  bool isCovered(const Meeting &M, const State &S);
  void end(const State &S, Number Before);
  void noteLess(const Meeting &M, const State &S);
  void need(Way From, const Footprint *Read);
  void needAll(Number N);
  /// All that follows from the state has been run.
  void exhaust(Number N, Budget *Cost);
  /// So it has of all those that are known together with it.
  void settle(Number First, Budget *Cost);

  FactTable &Facts;
  WrittenBytesTable &Written;
  const EventTable &Events;
  std::deque<Meeting> All;
  llvm::DenseMap<Fingerprint::Digest, llvm::SmallVector<Number, 1>> InState;
  llvm::DenseMap<Spot, Number> Numbers;
  std::vector<Number> Running; ///< something that follows has not been run
  std::vector<Number> Unknown; ///< not known for good; in their order
  std::vector<UseIf> Uses;     ///< of those
  llvm::SmallVector<unsigned, 4> WroteLess;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_SUBSUMPTION_H
