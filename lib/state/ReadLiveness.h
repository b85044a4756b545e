//===- ReadLiveness.h - Whether what was read is ever used ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_READLIVENESS_H
#define CPASYNC_LIB_STATE_READLIVENESS_H

#include "lib/state/Checkpoints.h"
#include "lib/state/ComparisonLog.h"
#include "lib/state/FindingList.h"
#include <map>
#include <set>

namespace cpasync {

/// Where reads stand whose value can be followed, and the variables that it
/// goes to.
using ReadPlaces = std::map<clang::SourceLocation, std::set<const void *>>;

/// Follows what was read to its use: a finding about a value that nothing uses
/// is none. The first run notes which reads may matter; the second watches the
/// variables that their values go to.
class ReadLiveness : RunPart {
public:
  ReadLiveness(KernelRun &Run, FindingList &Findings,
               ComparisonLog &Comparisons)
      : RunPart(Run), Findings(Findings), Comparisons(Comparisons) {}

  // The first run: which reads may matter, and where paths come by them.

  const ReadPlaces &followed() const { return Followed; }
  /// Loaded values can be followed to there.
  static bool isFollowed(Value Place);
  /// It may turn out that nobody uses what was read.
  bool isDoubtful(EventId Read) const;
  /// The path makes a finding about the read.
  void noteDoubt(State &S, EventId Read);
  void setCheckpoint(State &S);
  void notePassed(State &S, Spot Here);
  /// The path ends as another was at \p Before.
  void noteEnd(State &S, Spot Before);

  // The second run: where their values go.

  /// Findings about reads that stand there count only where what was read is
  /// used; the program watches the variables that it goes to from now on. The
  /// run ends when all of \p ToConfirm are found again.
  void watchReads(const clang::FunctionDecl *Root, ReadPlaces ToWatch,
                  llvm::ArrayRef<Finding> ToConfirm);
  /// The same for the reads that findings were made about, from checkpoints on.
  void watchDoubted(const clang::FunctionDecl *Root,
                    llvm::ArrayRef<Finding> ToConfirm);
  bool isWatching() const { return !Watched.empty(); }
  bool isWatching(clang::SourceLocation Read) const {
    return Watched.count(Read);
  }
  bool isDone() const { return isWatching() && Findings.Unconfirmed.empty(); }
  /// From where the reads began; none if that cannot tell.
  std::vector<Checkpoints::Checkpoint> starts() const;
  Spot newSpot() { return Doubtful.newSpot(); }
  bool beginsAtCheckpoints() const { return FromCheckpoints; }
  bool missedValue() const { return MissedValue; }
  bool hasNothingToConfirm(State &S);
  /// From here on, the functions that it is in do not run all that they did, or
  /// did not run all that they will.
  void interrupt(const State &S);

  // Another run: what was read goes on through all that is made of it.

  void followSums() { Sums = true; }
  bool followsSums() const { return Sums; }

  // All of them.

  /// A new read, if it is one to watch and not in use already.
  void watch(State &S, EventId Read, int64_t Size, LoadedParts &To);
  void place(State &S, Value To, llvm::ArrayRef<LoadedPart> Parts);
  /// \p From, which has no name, is copied to \p To: so are reads whose values
  /// it may hold.
  void followOn(const Object *From, Value To);
  /// Bytes of a local are loaded: used, or with \p To on their way there.
  void loadUnused(State &S, Value From, int64_t Size, LoadedParts *To);
  /// What a call returned from there goes to its caller.
  void moveUnused(State &S, const Object *From, const clang::Expr *Call);
  void useResult(State &S);
  void useAll(State &S);
  /// All that can be got at from there; \p Size: there are no more bytes.
  void useReached(State &S, Value From, int64_t Size = 0);
  void uniteUnused(State &S, const Split &May);
  /// Reads whose value is gone were never made, as far as it matters.
  void forgetLost(State &S);
  /// A barrier is complete. The path ends if it has nothing to confirm.
  Step passCheckpoint(State &S);
  /// \p Local, which nobody stored anything in, is loaded from.
  void noteMissed(const Object *Local, clang::QualType T);
  void blame(State &S, EventId Copy, EventId Read);
  /// A finding about the read waits for a use of what it loaded. \p AtRead: it
  /// is about the newest run of it.
  static bool isHeldBack(const State &S, EventId Read, bool AtRead);
  /// \p Other: the other access. \p FirstByte: of those that are read, it is
  /// about those from there on.
  void reportOfRead(State &S, Finding F, EventId Read, EventId Other,
                    bool AtRead, int64_t FirstByte = 0);

private:
  /// What the read loaded is used, as far as its byte \p End: what was found
  /// about that counts.
  void use(State &S, EventId Read, int64_t End = INT64_MAX);
  /// A read that may turn out to be watched is not ordered before all threads.
  bool hasOpenReads(const State &S);

  FindingList &Findings;
  ComparisonLog &Comparisons;
  Checkpoints Doubtful;
  ReadPlaces Watched, Followed;
  std::set<clang::SourceLocation> Doubted; ///< of those followed: with findings
  /// What a path did after a read hangs on whether that is watched.
  bool HangsOnReads = false;
  /// Paths begin where others were that did not run all that is run now.
  bool FromCheckpoints = false;
  llvm::DenseSet<const clang::FunctionDecl *> Interrupted;
  bool MissedValue = false; ///< one that they would have known
  bool Sums = false;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_READLIVENESS_H
