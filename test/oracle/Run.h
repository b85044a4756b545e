//===- Run.h - All threads together, once -----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One launch in one order of its threads: who knows of what (Knowledge), who
// goes next (Run.cpp), what an access meets (Accesses.cpp), and phases
// (Mbarriers.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_RUN_H
#define CPASYNC_TEST_ORACLE_RUN_H

#include "Generator.h"
#include "Oracle.h"

namespace oracle {

/// Clock[A] of an agent: it comes after everything that A did before its
/// barrier number Clock[A]. Behind the agents, one for each mbarrier: it comes
/// after so many phases of it.
using Clock = std::vector<unsigned>;

inline void join(Clock &Into, const Clock &C) {
  for (size_t I = 0; I < Into.size(); ++I)
    Into[I] = std::max(Into[I], C[I]);
}

/// What came before, and what of it a proxy fence came behind.
struct Knowledge {
  Clock Sees, Fenced;
  void join(const Knowledge &K) {
    oracle::join(Sees, K.Sees);
    oracle::join(Fenced, K.Fenced);
  }
  void fence() { oracle::join(Fenced, Sees); }
};

/// Into shared memory; or a bulk store, which reads there.
struct Copy {
  unsigned Thread, Line;
  unsigned Word, Words;
  unsigned Filled; ///< words of the input; the rest is 0
  int64_t Source;
  unsigned Issued;        ///< the thread's own clock then
  unsigned Completed = 0; ///< its clock, or the phase's number; 0: not yet
  int Mbarrier = -1;      ///< it completes there; below 0: by a wait for groups
  bool IsStore = false;   ///< a bulk store
  size_t SeenAt = 0;      ///< its first word among what its thread saw
  int64_t sourceOf(unsigned W) const {
    constexpr int64_t Zero = -1;
    return W < Word + Filled ? Source + ((W - Word) << 4) : Zero;
  }
};

/// The last read, or store, of a word by a thread at a line.
struct Access {
  unsigned Thread, Line, At;
};

struct Word {
  int64_t Holds = 0;            ///< a name for what was written last
  std::vector<unsigned> Copies; ///< indices
  std::vector<unsigned> BulkStores;
  std::vector<Access> Reads, Stores;
  std::vector<Access> Blind; ///< reads before which nothing was written
};

/// Of one kind of copies of a thread.
struct Groups {
  std::vector<unsigned> Open;                   ///< copies in no group
  std::vector<std::vector<unsigned>> Committed; ///< in flight, oldest first
  void commit() {
    Committed.push_back(std::move(Open));
    Open.clear();
  }
};

struct Thread {
  size_t Next = 0; ///< operation
  Groups Async, Bulk;
  bool Waits = false; ///< at the barrier, or for the phase, at Next
  bool Alone = false; ///< goes on though lanes behind it wait for a phase
};

/// A thread came to a barrier and went on.
struct Arrival {
  unsigned Thread;
  Knowledge Knows;
};

struct Mbarrier {
  int64_t Count = 0;    ///< arrivals of a phase; 0: not initialised
  int64_t Pending = 0;  ///< of them to come
  int64_t Bytes = 0;    ///< announced, and not copied yet; of the newest phase
  unsigned Phases = 0;  ///< that are complete
  unsigned EndedIn = 0; ///< the step in which arrivals completed the last one
  unsigned InitBy = 0, InitAt = 0;
  Knowledge Arrived;            ///< whoever came, in any phase
  Knowledge Released;           ///< up to the last complete phase
  std::vector<unsigned> Landed; ///< copies that count for the newest phase
};

/// How copies and threads are timed.
struct Timing {
  /// Copies land when they are issued; when they have to; at any time.
  enum Landing { Early, Late, Anytime } Lands;
  /// Alternating: a step of each at a time.
  enum Order { InStep, Alternating, Forwards, Backwards, AnyOrder } Goes;
  /// The lanes of a warp run in step, and what one knows they all know.
  bool ByWarps = false;
  uint64_t Seed = 0; ///< of what is any
};

/// One launch: one value of each parameter.
class Run {
public:
  using Lists = std::vector<std::vector<ThreadStep>>;
  struct Launch {
    const Kernel &K;
    const Lists &Ops;
    unsigned Words;
    const Inputs &In;
    bool HasWork, IsUniform;
  };
  /// \p Judges: defects are noted in \p V.
  Run(const Launch &L, Timing When, bool Judges, Verdict &V);
  void run();
  /// What each thread read, in its order.
  const std::vector<std::vector<int64_t>> &seen() const { return Seen; }
  bool wasStuck() const { return WasStuck; }

private:
  // Who knows what.
  unsigned agentOf(unsigned T) const { return When.ByWarps ? T / WarpSize : T; }
  Knowledge &knows(unsigned T) { return Agents[agentOf(T)]; }
  const Knowledge &knows(unsigned T) const { return Agents[agentOf(T)]; }
  unsigned now(unsigned T) const { return knows(T).Sees[agentOf(T)]; }
  /// What \p T does from now on is not what others know of.
  void release(unsigned T) { ++knows(T).Sees[agentOf(T)]; }
  unsigned phasesSeen(unsigned T, unsigned M) const {
    return knows(T).Sees[Agents.size() + M];
  }
  /// What \p By did when its clock was \p At comes before what \p T does next.
  bool before(unsigned By, unsigned At, unsigned T) const {
    return agentOf(By) == agentOf(T) || knows(T).Sees[agentOf(By)] >= At;
  }
  /// And a proxy fence lies between.
  bool fenced(const Access &A, unsigned T) const {
    return knows(T).Fenced[agentOf(A.Thread)] >= A.At;
  }
  bool complete(const Copy &C, unsigned T) const {
    return C.Completed &&
           (C.Mbarrier < 0 ? before(C.Thread, C.Completed, T)
                           : phasesSeen(T, C.Mbarrier) >= C.Completed);
  }

  // Accesses.cpp
  /// \p InFlight: the earlier access has not come to its end.
  void defect(Defect D, unsigned Earlier, unsigned Later, unsigned W,
              bool InFlight = false);
  static void note(std::vector<Access> &Accesses, Access A);
  void copy(unsigned T, const ThreadStep &O);
  void copyOver(unsigned T, const Copy &C, unsigned W);
  void read(unsigned T, const ThreadStep &O, unsigned W);
  void store(unsigned T, const ThreadStep &O, unsigned W);
  void bulkStore(unsigned T, const ThreadStep &O);
  void readInBulk(unsigned T, const ThreadStep &O, unsigned W);
  /// A read of a word by \p T meets copies that may still write it.
  bool meetsCopies(unsigned T, const ThreadStep &O, unsigned W);
  void look(const Copy &C);
  void overBulkStores(Defect::Kind K, unsigned T, unsigned Line, unsigned W);
  void write(const Copy &C);
  void complete(unsigned T, std::vector<unsigned> &Group);
  void wait(unsigned T, Groups &Of, size_t N);

  // Mbarriers.cpp
  void phase(unsigned T, const ThreadStep &O);
  bool isInitialised(unsigned T, const ThreadStep &O);
  bool isExpected(unsigned T, const ThreadStep &O);
  void arrive(unsigned T, const ThreadStep &O);
  int64_t bytesOnTheWay(unsigned M) const;
  void endPhase(unsigned M);
  bool passPhase(unsigned T);
  void land(unsigned C);
  bool landOne();

  // Run.cpp
  const ThreadStep *next(unsigned T) const {
    const Thread &X = Threads[T];
    return X.Waits || hasLeft(T) || Undefined || isHeld(T) ? nullptr
                                                           : &Ops[T][X.Next];
  }
  bool waitsForPhase(unsigned T) const {
    return Threads[T].Waits &&
           Ops[T][Threads[T].Next].K == Stmt::Kind::WaitPhase;
  }
  bool isHeld(unsigned T) const;
  bool letLanesGo();
  void setWaits(unsigned T, bool Waits);
  void step(unsigned T);
  /// Whoever is behind of those in [First, End); false if nobody can go on.
  bool stepAmong(unsigned First, unsigned End);
  void runInStep();
  void runInTurn();
  void runAlternating();
  void runInAnyOrder();
  /// A barrier, and how many threads it is for.
  using BarrierId = std::pair<int64_t, size_t>;
  bool hasLeft(unsigned T) const { return Threads[T].Next == Ops[T].size(); }
  void arrive(unsigned T, BarrierId At);
  bool passBarriers();
  bool passLanes(const std::vector<Arrival> &Gone);
  void meet(const std::vector<unsigned> &Who,
            const std::vector<Arrival> &Others);
  bool areWholeWarps(const std::vector<unsigned> &Who,
                     const std::vector<Arrival> &Others) const;
  void tellWhoIsLeft();
  bool giveUp();

  const Lists &Ops;
  const Launch &Given;
  const Timing When;
  const bool Judges;
  Verdict &V;
  Random Dice;
  std::vector<Word> Memory;
  std::vector<Copy> Copies;
  std::vector<unsigned> Flying; ///< bulk loads that have not landed
  std::vector<Thread> Threads;
  std::vector<Knowledge> Agents; ///< threads or warps
  std::vector<unsigned> Waiting; ///< of each agent, lanes that wait for a phase
  std::vector<Mbarrier> Mbarriers;
  std::vector<std::vector<int64_t>> Seen;
  std::map<BarrierId, std::vector<Arrival>> Arrived;
  unsigned Step = 0; ///< counts those of stepAmong
  bool WasStuck = false;
  bool Ended = false;     ///< see Verdict::Beyond
  bool Undefined = false; ///< what happens now means nothing
};

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_RUN_H
