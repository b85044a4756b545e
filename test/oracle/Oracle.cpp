//===- Oracle.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two steps. Every thread is unrolled into the list of operations that it
// executes; no list depends on another thread. Then the lists are run together.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "Unroller.h"
#include <algorithm>
#include <array>
#include <iterator>

using namespace oracle;

//===----------------------------------------------------------------------===//
// All threads together
//===----------------------------------------------------------------------===//

namespace {

/// Clock[T] of a thread: it comes after everything that T did before its
/// barrier number Clock[T].
using Clock = std::vector<unsigned>;

struct Copy {
  unsigned Thread, Line;
  unsigned Word, Words;
  unsigned Filled; ///< words of the input; the rest is 0
  int64_t Source;
  unsigned Issued;        ///< the thread's own clock then
  unsigned Completed = 0; ///< 0: not yet
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
  std::vector<Access> Reads, Stores;
  std::vector<Access> Blind; ///< reads before which nothing was written
};

struct Thread {
  size_t Next = 0; ///< operation
  Clock Sees;
  std::vector<unsigned> Open;                ///< copies in no group
  std::vector<std::vector<unsigned>> Groups; ///< in flight, oldest first
  bool Waits = false;                        ///< at the barrier at Next
};

/// A thread came to a barrier and went on.
struct Arrival {
  unsigned Thread;
  Clock Sees;
};

/// How copies and threads are timed.
struct Timing {
  bool Early; ///< copies land when they are issued; else when they have to
  enum { InStep, Forwards, Backwards } Order;
  bool judges() const { return Order == InStep; }
};

/// One launch: one value of each parameter.
class Run {
public:
  using Lists = std::vector<std::vector<Op>>;
  Run(const Lists &Ops, unsigned Words, const Inputs &In, bool HasWork,
      bool IsUniform, Timing When, Verdict &V)
      : Ops(Ops), In(In), HasWork(HasWork), IsUniform(IsUniform), When(When),
        V(V), Memory(Words), Threads(Ops.size()), Seen(Ops.size()) {
    for (unsigned T = 0; T < Threads.size(); ++T) {
      Threads[T].Sees.assign(Threads.size(), 0);
      Threads[T].Sees[T] = 1;
    }
  }
  void run();
  /// What each thread read, in its order.
  const std::vector<std::vector<int64_t>> &seen() const { return Seen; }

private:
  unsigned now(unsigned T) const { return Threads[T].Sees[T]; }
  /// What \p By did when its clock was \p At comes before what \p T does next.
  bool before(unsigned By, unsigned At, unsigned T) const {
    return By == T || Threads[T].Sees[By] >= At;
  }
  bool complete(const Copy &C, unsigned T) const {
    return C.Completed && before(C.Thread, C.Completed, T);
  }
  /// \p InFlight: the earlier access has not come to its end.
  void defect(Defect D, unsigned Earlier, unsigned Later, unsigned W,
              bool InFlight);
  static void note(std::vector<Access> &Accesses, Access A);

  const Op *next(unsigned T) const {
    const Thread &X = Threads[T];
    return X.Waits || X.Next == Ops[T].size() ? nullptr : &Ops[T][X.Next];
  }
  void step(unsigned T);
  void runInStep();
  void runInTurn();
  void copy(unsigned T, const Op &O);
  void copyOver(unsigned T, const Copy &C, unsigned W);
  void read(unsigned T, const Op &O, unsigned W);
  void store(unsigned T, const Op &O, unsigned W);
  void complete(unsigned T, std::vector<unsigned> &Group);
  void wait(unsigned T, size_t N);
  /// A barrier, and how many threads it is for.
  using BarrierId = std::pair<int64_t, size_t>;
  bool hasLeft(unsigned T) const { return Threads[T].Next == Ops[T].size(); }
  void arrive(unsigned T, BarrierId At);
  bool passBarriers();
  void meet(const std::vector<unsigned> &Who,
            const std::vector<Arrival> &Others);
  bool areWholeWarps(const std::vector<unsigned> &Who,
                     const std::vector<Arrival> &Others) const;

  const Lists &Ops;
  const Inputs &In;
  const bool HasWork, IsUniform;
  const Timing When;
  Verdict &V;
  std::vector<Word> Memory;
  std::vector<Copy> Copies;
  std::vector<Thread> Threads;
  std::vector<std::vector<int64_t>> Seen;
  std::map<BarrierId, std::vector<Arrival>> Arrived;
};

} // namespace

void Run::defect(Defect D, unsigned Earlier, unsigned Later, unsigned W,
                 bool InFlight) {
  const bool InStep =
      InFlight || Earlier == Later || Earlier / WarpSize != Later / WarpSize;
  const auto [Known, IsNew] = V.Defects.try_emplace(D);
  const Witness New = {In, Earlier, Later, W, HasWork, InStep, IsUniform};
  if (IsNew || New.isBetterThan(Known->second))
    Known->second = New;
}

void Run::note(std::vector<Access> &Accesses, Access A) {
  for (Access &Old : Accesses)
    if (Old.Thread == A.Thread && Old.Line == A.Line) {
      Old.At = A.At;
      return;
    }
  Accesses.push_back(A);
}

void Run::copy(unsigned T, const Op &O) {
  const unsigned Id = Copies.size();
  Copies.push_back({T, O.Line, O.Word, O.Words, O.Filled, O.Source, now(T)});
  V.Copies += When.judges();
  Threads[T].Open.push_back(Id);
  for (unsigned W = O.Word; W < O.Word + O.Words; ++W) {
    if (When.judges())
      copyOver(T, Copies[Id], W);
    Memory[W].Copies.push_back(Id);
    if (When.Early)
      Memory[W].Holds = Copies[Id].sourceOf(W);
  }
}

void Run::copyOver(unsigned T, const Copy &C, unsigned W) {
  using Kind = Defect::Kind;
  for (unsigned Id : Memory[W].Copies) {
    const Copy &Old = Copies[Id];
    if (!complete(Old, T) && Old.sourceOf(W) != C.sourceOf(W))
      defect({Kind::CopyOverCopy, Old.Line, C.Line}, Old.Thread, T, W,
             !Old.Completed);
  }
  for (const Access &R : Memory[W].Reads)
    if (!before(R.Thread, R.At, T))
      defect({Kind::CopyOverRead, R.Line, C.Line}, R.Thread, T, W, false);
  for (const Access &S : Memory[W].Stores)
    if (!before(S.Thread, S.At, T))
      defect({Kind::CopyOverStore, S.Line, C.Line}, S.Thread, T, W, false);
  for (const Access &R : Memory[W].Blind)
    if (before(R.Thread, R.At, T))
      defect({Kind::ReadBeforeCopy, R.Line, C.Line}, R.Thread, T, W, false);
}

void Run::read(unsigned T, const Op &O, unsigned W) {
  using Kind = Defect::Kind;
  Seen[T].push_back(Memory[W].Holds);
  if (!When.judges())
    return;
  bool Blind = true;
  for (unsigned Id : Memory[W].Copies) {
    const Copy &Old = Copies[Id];
    Blind &= !before(Old.Thread, Old.Issued, T);
    if (!complete(Old, T))
      defect({Old.Thread == T  ? Kind::OwnReadInFlight
              : !Old.Completed ? Kind::ReadInFlight
                               : Kind::Unsynchronized,
              Old.Line, O.Line},
             Old.Thread, T, W, !Old.Completed);
  }
  for (const Access &S : Memory[W].Stores) {
    if (before(S.Thread, S.At, T)) {
      Blind = false;
      continue;
    }
    V.PlainRace = true;
    if (!Memory[W].Copies.empty())
      defect({Kind::StoreUnderRead, S.Line, O.Line}, S.Thread, T, W, false);
  }
  const Access A{T, O.Line, now(T)};
  note(Memory[W].Reads, A);
  if (Blind)
    note(Memory[W].Blind, A);
}

void Run::store(unsigned T, const Op &O, unsigned W) {
  using Kind = Defect::Kind;
  Memory[W].Holds = int64_t(O.Line) << 32 | T << 16 | Threads[T].Next << 1;
  if (!When.judges())
    return;
  for (unsigned Id : Memory[W].Copies) {
    const Copy &Old = Copies[Id];
    if (!complete(Old, T))
      defect({Kind::StoreOverCopy, Old.Line, O.Line}, Old.Thread, T, W,
             !Old.Completed);
  }
  for (const Access &R : Memory[W].Reads) {
    if (before(R.Thread, R.At, T))
      continue;
    V.PlainRace = true;
    if (!Memory[W].Copies.empty())
      defect({Kind::StoreOverRead, R.Line, O.Line}, R.Thread, T, W, false);
  }
  for (const Access &S : Memory[W].Stores)
    V.PlainRace |= !before(S.Thread, S.At, T);
  note(Memory[W].Stores, {T, O.Line, now(T)});
}

void Run::complete(unsigned T, std::vector<unsigned> &Group) {
  for (unsigned C : Group) {
    Copies[C].Completed = now(T);
    for (unsigned W = 0; W < Copies[C].Words && !When.Early; ++W)
      Memory[Copies[C].Word + W].Holds = Copies[C].sourceOf(Copies[C].Word + W);
  }
  Group.clear();
}

// PTX ISA, "cp.async.wait_group": only N or fewer of the most recent groups
// are pending, and all prior groups are complete.
void Run::wait(unsigned T, size_t N) {
  auto &Groups = Threads[T].Groups;
  while (Groups.size() > N) {
    complete(T, Groups.front());
    Groups.erase(Groups.begin());
  }
}

// The next operation of a thread; at a barrier it stays there.
void Run::step(unsigned T) {
  const Op &O = Ops[T][Threads[T].Next];
  switch (O.K) {
  case Stmt::Kind::Copy:
    copy(T, O);
    break;
  case Stmt::Kind::Commit:
    Threads[T].Groups.push_back(std::move(Threads[T].Open));
    Threads[T].Open.clear();
    break;
  case Stmt::Kind::Wait:
    wait(T, O.N);
    break;
  case Stmt::Kind::WaitAll:
    complete(T, Threads[T].Open);
    wait(T, 0);
    break;
  case Stmt::Kind::Read:
    for (unsigned W = O.Word; W < O.Word + O.Words; ++W)
      read(T, O, W);
    break;
  case Stmt::Kind::Store:
    for (unsigned W = O.Word; W < O.Word + O.Words; ++W)
      store(T, O, W);
    break;
  case Stmt::Kind::NamedArrive:
    arrive(T, {O.N, O.Threads});
    break;
  default: // a barrier; branches and loops are unrolled
    Threads[T].Waits = true;
    return;
  }
  ++Threads[T].Next;
}

// Everything that they did comes before everything they do from now on.
void Run::meet(const std::vector<unsigned> &Who,
               const std::vector<Arrival> &Others) {
  Clock Joined(Threads.size(), 0);
  auto Join = [&](const Clock &C) {
    for (unsigned I = 0; I < Joined.size(); ++I)
      Joined[I] = std::max(Joined[I], C[I]);
  };
  for (unsigned T : Who)
    Join(Threads[T].Sees);
  for (const Arrival &A : Others)
    Join(A.Sees);
  for (unsigned T : Who) {
    Threads[T].Sees = Joined;
    ++Threads[T].Sees[T];
    Threads[T].Waits = false;
    ++Threads[T].Next;
  }
}

void Run::arrive(unsigned T, BarrierId At) {
  for (const Arrival &A : Arrived[At])
    if (A.Thread == T)
      V.Invalid = "a thread arrives twice before the barrier is complete";
  Arrived[At].push_back({T, Threads[T].Sees});
  ++Threads[T].Sees[T];
  V.Arrives = true;
}

// PTX ISA, "bar": arrivals are those of whole warps.
bool Run::areWholeWarps(const std::vector<unsigned> &Who,
                        const std::vector<Arrival> &Others) const {
  std::vector<unsigned> Came(Threads.size() / WarpSize, 0);
  for (unsigned T : Who)
    ++Came[T / WarpSize];
  for (const Arrival &A : Others)
    ++Came[A.Thread / WarpSize];
  return std::all_of(Came.begin(), Came.end(), [](unsigned Lanes) {
    return Lanes == 0 || Lanes == WarpSize;
  });
}

// Lets those go on whose barrier is complete; false if there are none. All
// threads that have not left the kernel have to meet at the same
// __syncthreads; that hardware forgives those that came to another one is
// nothing to rely on. Those who left are done with what they did.
bool Run::passBarriers() {
  std::map<BarrierId, std::vector<unsigned>> Waiting;
  std::map<std::array<unsigned, 3>, std::vector<unsigned>> Lanes;
  std::vector<Arrival> Gone;
  for (unsigned T = 0; T < Threads.size(); ++T) {
    if (hasLeft(T))
      Gone.push_back({T, Threads[T].Sees});
    if (!Threads[T].Waits)
      continue;
    const Op &O = Ops[T][Threads[T].Next];
    if (O.K == Stmt::Kind::WarpBarrier) {
      const unsigned Size = O.Threads ? O.Threads : WarpSize;
      Lanes[{T / Size, Size, O.Line}].push_back(T);
    } else if (O.K == Stmt::Kind::NamedBarrier) {
      Waiting[{O.N, O.Threads}].push_back(T);
    } else {
      Waiting[{-int64_t(O.Line), 0}].push_back(T);
    }
  }
  bool Any = false;
  for (const auto &[Which, Who] : Waiting) {
    const bool IsNamed = Which.second != 0;
    std::vector<Arrival> Others = IsNamed ? Arrived[Which] : Gone;
    const size_t Needed = IsNamed ? Which.second : Threads.size();
    if (Who.size() + Others.size() > Needed)
      V.Invalid = "more threads at a barrier than it is for";
    if (Who.size() + Others.size() != Needed)
      continue;
    if (IsNamed && !areWholeWarps(Who, Others))
      V.Invalid = "part of a warp at a barrier of its own";
    Arrived.erase(Which);
    meet(Who, Others);
    Any = true;
  }
  for (const auto &[Which, Who] : Lanes) {
    const unsigned Size = Which[1];
    std::vector<Arrival> Left;
    std::copy_if(Gone.begin(), Gone.end(), std::back_inserter(Left),
                 [&](const Arrival &A) { return A.Thread / Size == Which[0]; });
    if (Who.size() + Left.size() != Size)
      continue;
    meet(Who, Left);
    Any = true;
  }
  return Any;
}

// Those who are behind go first.
void Run::runInStep() {
  for (;;) {
    const Position *First = nullptr;
    for (unsigned T = 0; T < Threads.size(); ++T)
      if (const Op *O = next(T); O && (!First || O->At < *First))
        First = &O->At;
    if (!First)
      return;
    for (unsigned T = 0; T < Threads.size(); ++T)
      if (const Op *O = next(T); O && O->At == *First)
        step(T);
    passBarriers(); // nobody waits for those that are not expected
  }
}

void Run::runInTurn() {
  for (unsigned I = 0; I < Threads.size(); ++I) {
    const unsigned T =
        When.Order == Timing::Backwards ? Threads.size() - 1 - I : I;
    while (next(T))
      step(T);
  }
}

void Run::run() {
  do {
    When.Order == Timing::InStep ? runInStep() : runInTurn();
  } while (passBarriers() && V.Invalid.empty());
  for (const Thread &T : Threads)
    for (unsigned C : T.Open)
      V.OpenAtEnd.insert(Copies[C].Line);
  for (unsigned T = 0; T < Threads.size(); ++T)
    if (Threads[T].Waits && V.Invalid.empty())
      V.Invalid =
          "deadlock at line " + std::to_string(Ops[T][Threads[T].Next].Line);
}

//===----------------------------------------------------------------------===//
// All launches
//===----------------------------------------------------------------------===//

static void launch(const Kernel &K, const std::vector<unsigned> &Base,
                   unsigned Words, const Inputs &In, Verdict &V) {
  Run::Lists Ops;
  bool HasWork = true;
  for (unsigned T = 0; T < K.Threads && V.Invalid.empty(); ++T) {
    Unroller U(K, Base, T, In);
    U.run();
    V.Invalid = std::move(U.Invalid);
    HasWork &= U.HasWork;
    Ops.push_back(std::move(U.Ops));
  }
  bool IsUniform = true;
  for (size_t I = 0; I < K.Loads.size(); ++I)
    IsUniform &= isUniform(K.Loads[I], In.Patterns[I]);
  std::optional<std::vector<std::vector<int64_t>>> Seen;
  for (Timing When : {Timing{false, Timing::InStep},
                      {true, Timing::Forwards},
                      {false, Timing::Backwards},
                      {true, Timing::Backwards}}) {
    // What has a defect may read anything.
    const bool Wrong = !V.Defects.empty() || V.PlainRace;
    if (!V.Invalid.empty() || (!When.judges() && Wrong && !V.Arrives))
      return;
    Run R(Ops, Words, In, HasWork, IsUniform, When, V);
    R.run();
    V.Contradicts |= !Wrong && V.Defects.empty() && !V.PlainRace && Seen &&
                     *Seen != R.seen();
    Seen = R.seen();
  }
}

/// Numbers of tiles are not negative; nothing says so to the analysis.
static constexpr int64_t LeastParameter = -1;

// As an odometer counts; false after the last.
static bool nextInputs(const Kernel &K, int64_t More, Inputs &In) {
  for (size_t I = 0; I < In.Parameters.size(); ++I) {
    if (++In.Parameters[I] <= K.ParameterLimit[I] + More)
      return true;
    In.Parameters[I] = LeastParameter;
  }
  for (size_t I = 0; I < In.Patterns.size(); ++I) {
    if (++In.Patterns[I] < patternsOf(K.Loads[I], More))
      return true;
    In.Patterns[I] = 0;
  }
  return false;
}

uint64_t oracle::launchesOf(const Kernel &K) {
  uint64_t N = 1;
  for (int64_t Limit : K.ParameterLimit)
    N *= Limit - LeastParameter + 1;
  for (const Load &L : K.Loads)
    N *= patternsOf(L);
  return N;
}

Verdict oracle::judge(const Kernel &K, int64_t More) {
  std::vector<unsigned> Base;
  unsigned Words = K.poolBytes() / WordBytes; // the pool comes first
  for (const Array &A : K.Arrays) {
    Base.push_back(A.InPool ? A.PoolOffset / WordBytes : Words);
    Words += A.InPool ? 0 : A.bytes() / WordBytes;
  }
  Verdict V;
  Inputs In = {std::vector<int64_t>(K.ParameterLimit.size(), LeastParameter),
               std::vector<unsigned>(K.Loads.size(), 0)};
  do {
    launch(K, Base, Words, In, V);
  } while (V.Invalid.empty() && nextInputs(K, More, In));
  return V;
}

std::string oracle::describe(const Defect &D, const Witness &W) {
  static const char *const Text[] = {"a thread reads its own copy in flight",
                                     "another thread's copy in flight is read",
                                     "nothing orders a copy before the read",
                                     "read before the copy",
                                     "copied over what may still be read",
                                     "copied over a copy in flight",
                                     "copied over what may still be stored",
                                     "stored over a copy in flight",
                                     "stored over what may still be read",
                                     "stored under what may still be read"};
  std::string S = Text[static_cast<int>(D.K)];
  S += ": line " + std::to_string(D.Earlier) + " by thread " +
       std::to_string(W.Earlier) + ", then line " + std::to_string(D.Later) +
       " by thread " + std::to_string(W.Later) + ", word " +
       std::to_string(W.Word);
  for (size_t I = 0; I < W.In.Parameters.size(); ++I)
    S += ", P" + std::to_string(I) + " = " + std::to_string(W.In.Parameters[I]);
  for (size_t I = 0; I < W.In.Patterns.size(); ++I)
    S += ", L" + std::to_string(I) + " in pattern " +
         std::to_string(W.In.Patterns[I]);
  return S + (W.InStep ? "" : " (only if the warp does not run in step)");
}
