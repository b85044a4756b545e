//===- GroupModel.h - What groups mean, slowly ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers every question about cp.async groups from the full history of one
// thread, with the sentences of the PTX ISA as code. Keeps no state but the
// history, so there is nothing to get wrong between operations. Each question
// costs a walk over everything that ever happened: for tests only.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_UNIT_GROUPMODEL_H
#define CPASYNC_TEST_UNIT_GROUPMODEL_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace groupmodel {

struct GroupEvent {
  enum Kind { Copy, Commit, WaitGroup, WaitAll } What;
  unsigned Id = 0;
  unsigned N = 0; ///< WaitGroup
};

class History {
public:
  std::vector<GroupEvent> Events;

  /// The commit or wait_all that took copy \p I out of the open set, or end.
  size_t closedAt(size_t I) const {
    for (size_t J = I + 1; J < Events.size(); ++J)
      if (Events[J].What == GroupEvent::Commit ||
          Events[J].What == GroupEvent::WaitAll)
        return J;
    return Events.size();
  }

  bool isOpen(size_t Copy) const { return closedAt(Copy) == Events.size(); }

  /// "wait until only N or fewer of the most recent cp.async-groups are
  /// pending and all the prior cp.async-groups are complete": does the wait at
  /// \p Wait complete the group committed at \p Commit?
  bool completes(size_t Wait, size_t Commit) const {
    if (Wait < Commit)
      return false;
    if (Events[Wait].What == GroupEvent::WaitAll)
      return true;
    if (Events[Wait].What != GroupEvent::WaitGroup)
      return false;
    unsigned MoreRecent = 0;
    for (size_t J = Commit + 1; J < Wait; ++J)
      MoreRecent += Events[J].What == GroupEvent::Commit;
    return MoreRecent >= Events[Wait].N;
  }

  bool isInFlight(size_t Commit) const {
    for (size_t J = Commit + 1; J < Events.size(); ++J)
      if (completes(J, Commit))
        return false;
    return true;
  }

  /// The copies of the group committed at \p Commit, as indices.
  std::vector<size_t> copiesOf(size_t Commit) const {
    std::vector<size_t> Copies;
    for (size_t I = 0; I < Commit; ++I)
      if (Events[I].What == GroupEvent::Copy && closedAt(I) == Commit)
        Copies.push_back(I);
    return Copies;
  }

  bool isDone(size_t Copy) const {
    size_t Closed = closedAt(Copy);
    if (Closed == Events.size())
      return false;
    return Events[Closed].What == GroupEvent::WaitAll || !isInFlight(Closed);
  }

  /// Id of the newest wait_group in [From, To), 0 if there is none.
  unsigned newestWait(size_t From, size_t To) const {
    for (size_t J = To; J-- > From;)
      if (Events[J].What == GroupEvent::WaitGroup)
        return Events[J].Id;
    return 0;
  }

  /// "c1 C2 c3 W1#4 A": copy 1, commit 2, copy 3, wait_group 1 as event 4,
  /// wait_all.
  std::string str() const {
    std::string S;
    for (const GroupEvent &E : Events) {
      S += S.empty() ? "" : " ";
      S += "cCWA"[E.What];
      if (E.What == GroupEvent::WaitGroup)
        S += std::to_string(E.N) + "#";
      if (E.What != GroupEvent::WaitAll)
        S += std::to_string(E.Id);
    }
    return S;
  }
};

} // namespace groupmodel

#endif // CPASYNC_TEST_UNIT_GROUPMODEL_H
