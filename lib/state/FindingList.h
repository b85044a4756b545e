//===- FindingList.h - What a run has found ---------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_FINDINGLIST_H
#define CPASYNC_LIB_STATE_FINDINGLIST_H

#include "lib/state/KernelRun.h"
#include <map>
#include <tuple>

namespace cpasync {

/// What tells one clash from another: the places, and what its cause hangs on
/// if all threads commit and wait alike.
struct ClashKind {
  clang::SourceLocation First, Second, Commit = {}, Wait = {};
  std::pair<FindingKind, unsigned> What;
  bool SameThread = false;
  bool operator<(const ClashKind &K) const {
    auto Tie = [](const ClashKind &X) {
      return std::tie(X.First, X.Second, X.Commit, X.Wait, X.What,
                      X.SameThread);
    };
    return Tie(*this) < Tie(K);
  }
};

/// The findings of one run: each fact once, with its shortest path.
class FindingList : RunPart {
public:
  explicit FindingList(KernelRun &Run) : RunPart(Run) {}

  void add(State &S, Finding F);
  /// \p F, with what its path tells; none if it is not to be told.
  std::optional<Finding> complete(State &S, Finding F);
  /// \p F is what these two do, each in one thread, below 0: in any.
  void noteDecisions(const State &S, Finding &F, EventId A, int ThreadOfA,
                     EventId B, int ThreadOfB);
  /// Findings that one edit would repair.
  static bool haveSameCause(const Finding &A, const Finding &B);
  /// \p X, or another that the same edit would repair, is one of \p All.
  static bool contains(llvm::ArrayRef<Finding> All, const Finding &X);
  /// And that go wrong at one place.
  static bool areSame(const Finding &A, const Finding &B);
  /// A run with the numbers that are told comes to it, or none are needed.
  static bool isShown(const Finding &X);
  static void merge(std::vector<Finding> &To, Finding F);
  /// Of a cluster: bytes are counted from where their block begins.
  void nameBlocks(Finding &F) const;
  /// Adds what the sizes of tiles are known from.
  void tellTiles(Finding &F) const;
  /// Nothing that was to be found again is like \p F.
  bool isConfirmed(const Finding &F) const;

  std::vector<Finding> *To = nullptr;
  std::vector<Finding> Unconfirmed;       ///< to be found again
  std::map<ClashKind, unsigned> Tellings; ///< how often it was told
  bool ReadInFlight = false;              ///< a finding was made of one

private:
  /// Both become what repairs both.
  static void mergeRepairs(Finding &Old, Finding &New);
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_FINDINGLIST_H
