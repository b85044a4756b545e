//===- State.h - One path of execution of a whole block ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_STATE_H
#define CPASYNC_LIB_STATE_STATE_H

#include "lib/Finding.h"
#include "lib/memory/BlockCopies.h"
#include "lib/source/FunctionInfo.h"
#include "lib/state/CallChains.h"
#include "lib/state/Checkpoints.h"
#include "lib/state/PathHistory.h"
#include "lib/state/UnusedReads.h"
#include "lib/values/PathCondition.h"

namespace cpasync {

/// Whether a path goes on.
enum class Step { Continue, PathEnds };

/// Frames are numbered by depth, from a multiple of this for each role.
inline constexpr unsigned CallsPerRole = 1024;

/// What locals hold. Other objects are never stored here: what shared or global
/// memory holds is not known. An object that is absent was never written.
class Memory {
public:
  /// Null if nothing is known of \p O.
  const Contents *find(const Object *O) const {
    if (Log && O->K == Object::Kind::Local &&
        (Log->empty() || Log->back() != O))
      Log->push_back(O);
    return peek(O);
  }
  /// The same for who does not compute with it.
  const Contents *peek(const Object *O) const;
  /// From now on, notes there which locals are asked for.
  void logTo(std::vector<const Object *> &Reads) { Log = &Reads; }
  void set(const Object *O, const Contents *C);
  void erase(const Object *O);
  void eraseIf(llvm::function_ref<bool(const Object *)> Gone);
  /// Forgets the locals of the call \p Number and of those it made.
  void pop(unsigned Number);

  using Entry = std::pair<const Object *, const Contents *>;
  llvm::ArrayRef<Entry> entries() const { return Entries; }
  UnusedReads &unused() { return Unused; }
  const UnusedReads &unused() const { return Unused; }
  bool operator==(const Memory &O) const {
    return Entries == O.Entries && Unused == O.Unused;
  }
  void addTo(Fingerprint &F) const;
  /// What matters of an object's contents; null: as if nothing was known.
  using Essence = llvm::function_ref<const Contents *(const Entry &)>;
  void addTo(Fingerprint &F, Essence Of) const;

  /// Begins to watch which calls' locals change; to be handed to unwatch(),
  /// which says the lowest number of such a call. Watches nest.
  unsigned watch() { return std::exchange(Touched, ~0u); }
  unsigned unwatch(unsigned Outer) {
    const unsigned Inner = Touched;
    Touched = std::min(Outer, Inner);
    return Inner;
  }

private:
  std::vector<const Object *> *Log = nullptr;
  unsigned Touched = ~0u;               ///< since the newest watch
  llvm::SmallVector<Entry, 16> Entries; ///< sorted by object id
  UnusedReads Unused;
};

/// One step of the path's history; a list that forks share.
struct TraceNode {
  TraceStep::Kind K;
  clang::SourceLocation Loc;
  EventId Event = 0;
  const PerThread *Mask = nullptr;
  int64_t N = 0;     ///< Iteration: below 0 if it is not known
  bool Flag = false; ///< Barrier: of the whole block; Waited: for a phase;
                     ///< Iteration: the body changes the variable
  /// BranchTaken: whether the condition differs by thread; and on a path beside
  /// this one it is so for one thread alone.
  enum class Spread : uint8_t {
    Alike,
    Divergent,
    BesideOne
  } Over = Spread::Alike;
  bool isDivergent() const { return Over != Spread::Alike; }
  /// BranchTaken, Divergent: the condition, where it decides a path.
  const Int *Condition = nullptr;
  /// BranchTaken: nothing was decided, this is one of two sides that both run.
  bool May = false;
  /// BranchTaken: the threads in which it is true, where they part.
  const PerThread *OnlyIn = nullptr;
  /// Up to here some threads committed or waited, or may have, and others did
  /// not; or there were groups of another kind.
  bool Uneven = false;
  /// BranchTaken: a loop's own condition, which goes on with the loop or
  /// leaves it.
  enum class LoopRole : uint8_t { None, Stays, Leaves } Role = LoopRole::None;
  unsigned Effects = 0; ///< BranchTaken, Iteration: of what it is about
  llvm::StringRef Name; ///< Iteration: the loop's variable
  Value Source;         ///< CopyIssued: where the data come from,
  const PerThread *Part =
      nullptr; ///< and how many bytes; null: not known
               ///< Iteration: Source is the variable's value
  const TraceNode *Prev = nullptr;
  /// The newest decision, this one included; and the newest copy.
  const TraceNode *Decided = nullptr, *Copied = nullptr;
  /// The decision that this step hangs on: its sides have not met yet.
  const TraceNode *Within = nullptr;
  /// The iteration of the innermost loop around this step.
  const TraceNode *InLoop = nullptr;
  /// BranchTaken: the block that branches, and where its sides meet.
  const clang::CFGBlock *Branch = nullptr, *Join = nullptr;
  const CallChain *Calls = nullptr; ///< that it is inside of
  unsigned Place = 0;               ///< in the path's history, from 1
  unsigned depth() const { return Calls ? Calls->Depth : 0; } ///< of the frame
  bool isDecision() const {
    return K == TraceStep::Kind::BranchTaken || K == TraceStep::Kind::CaseTaken;
  }
};

/// What a comparison was decided on: the difference of its sides, which is
/// known. A list that forks share.
struct Comparison {
  Comparison(const Int *Difference, const Comparison *Prev)
      : Difference(Difference), Prev(Prev), Place(Prev ? Prev->Place + 1 : 1) {}
  const Int *Difference;
  const Comparison *Prev;
  unsigned Place; ///< in the list, from 1
};

struct Frame {
  const FunctionInfo *Fn = nullptr;
  const clang::CFGBlock *Block = nullptr;
  unsigned Element = 0;
  const clang::Expr *Call = nullptr; ///< in the caller; null for the root
  clang::SourceLocation CallLoc;
  /// Found when it is first asked for; what it is follows from the rest.
  struct KnownChain {
    mutable const CallChain *Chain = nullptr;
    bool operator==(const KnownChain &) const { return true; }
  } Calls;
  Value This;
  unsigned Number = 0; ///< tells its locals from those of other calls
  /// Values of elements that a later element of the expression uses.
  llvm::SmallVector<std::pair<const clang::Expr *, Value>, 4> Temps;
  /// Temporaries that only some paths make, and the threads for which this one
  /// did; null: perhaps.
  llvm::SmallVector<std::pair<const clang::Expr *, const PerThread *>, 1> Made;
  void addTo(Fingerprint &F) const;
  bool operator==(const Frame &) const = default;
};

/// A branch whose sides have not met again yet.
struct Split {
  unsigned Depth;                         ///< of the frame that branched
  const clang::CFGBlock *Join;            ///< where the sides meet
  const PerThread *JoinMask;              ///< threads that go on from there
  const clang::CFGBlock *Other = nullptr; ///< side still to run
  const PerThread *OtherMask = nullptr;
  unsigned Role = 0; ///< of those that branched
  /// The frames at the branch; only if a side may stop at a barrier.
  std::shared_ptr<const std::vector<Frame>> Frames;

  /// The condition is not known and neither side commits, waits, synchronises
  /// or leaves: both run, one after the other, and what they did "may" be.
  const Int *MayCondition = nullptr;
  struct Sides {
    Memory Mem;
    BlockCopies Copies;
    bool operator==(const Sides &) const = default;
  };
  std::shared_ptr<const Sides> Start; ///< may: before either side
  std::shared_ptr<const Sides> First; ///< may: after the side where it holds
  const clang::CFGBlock *Branch = nullptr; ///< may: where it is decided
  clang::SourceLocation Loc;               ///< may: of the condition

  /// Its threads have not begun, and wait for nobody.
  bool hasSideToRun() const { return Other && Frames && !MayCondition; }
  void addTo(Fingerprint &F) const;
  bool operator==(const Split &) const;
};

/// A loop the path is in, with what the state was at earlier visits of its
/// head.
struct LoopVisit {
  struct Snapshot; ///< below
  unsigned Depth;
  const clang::CFGBlock *Head;
  unsigned Visits = 0;
  const TraceNode *Newest = nullptr; ///< the visit that goes on now
  std::vector<std::shared_ptr<const Snapshot>> History; ///< newest last
  bool Forked = false;   ///< the path forked in it
  bool OpenEnd = false;  ///< on whether to leave it
  unsigned Counted = 0;  ///< visits before it did: their number was known
  bool GivenEnd = false; ///< that hangs on what the kernel was given
  bool Skipped = false;  ///< by a number of rounds that nobody knows
  bool InRoles = false;  ///< when it was visited last
  /// An access that left its array, to that byte of it, and the visit.
  struct {
    clang::SourceLocation At;
    int64_t To = 0;
    unsigned Visit = 0;
  } Beyond;
  /// How many rounds there are is not known, whatever the path decided.
  bool mayGoOn() const { return OpenEnd || GivenEnd; }
};

/// Threads that run together, and where they are.
struct Context {
  std::vector<Frame> Frames;
  std::vector<Split> Splits;
  llvm::SmallVector<MayCondition, 2> May; ///< of the may-sides being run
  const PerThread *Active;                ///< threads executing now
  std::vector<LoopVisit> Loops;
  /// Tells the sides of a branch apart when they run alongside each other:
  /// warp-specialised kernels. 0 unless one of them stopped at a barrier.
  unsigned Role = 0;
  std::optional<Awaited> StoppedAt;  ///< what it waits for
  const TraceNode *Within = nullptr; ///< the innermost open decision
  /// The innermost one after which a copy was issued.
  const TraceNode *CopiedWithin = nullptr;

  Frame &frame() { return Frames.back(); }
  const Frame &frame() const { return Frames.back(); }
  unsigned depth() const { return Frames.size() - 1; }
  /// The same future: everything but the decisions it is within and the history
  /// of loops.
  bool sameFuture(const Context &O) const;
  void addTo(Fingerprint &F) const;
};

/// What the state was at a loop head.
struct LoopVisit::Snapshot {
  Memory Mem;
  BlockCopies Copies;
  PathCondition Condition;
  std::vector<Context> Stopped;
  const Comparison *Compared; ///< the newest; those of an iteration lie between
  Spot Here;
};

/// A barrier that threads have come to and that is not complete.
struct Arrival {
  BarrierId Barrier;
  const PerThread *Times;   ///< that each has come, if only to arrive
  const PerThread *Waiting; ///< wait for the others
  /// Of so many threads, in whole warps; 0: of all that have not left the
  /// kernel.
  int64_t Needed;
  clang::SourceLocation At; ///< of those who came last
  bool operator==(const Arrival &) const = default;

  /// Threads that have come at all.
  const PerThread *arrived(PerThreadContext &L) const {
    return L.apply(LaneOp::Ne, Times, L.none());
  }
  /// Threads that it counts of a block of \p Threads: a warp counts whole, each
  /// time that it comes. PTX ISA, "bar, barrier".
  int64_t threads(unsigned Threads) const;
};

struct State : Context {
  State(PerThreadContext &L, WrittenBytesTable &W) : Copies(L, W) {
    Active = L.all();
  }

  std::vector<Context> Stopped; ///< other sides of branches: at a barrier, or
                                ///< past it but not running now
  llvm::SmallVector<Arrival, 2> Arrivals;
  Memory Mem;
  PathCondition Condition;
  BlockCopies Copies;
  const TraceNode *Trace = nullptr;
  unsigned Length = 0;                   ///< of the trace
  const PastDecision *Decided = nullptr; ///< the newest
  const Comparison *Compared = nullptr;  ///< the newest
  /// The newest decision against a copy, by its place; 0: there is none. A slot
  /// may be empty because there was nothing left to fill it with.
  unsigned ChoseNotToCopy = 0;
  /// Symbols that sources of copies were computed from, and what the newest
  /// step was when they last got another meaning.
  llvm::SmallVector<std::pair<const Atom *, const TraceNode *>, 2> Renewed;
  /// Paths met where a call ended: to be looked up when a block is entered.
  bool MayMeet = false;
  /// Some threads left at a condition that nobody knows, others stayed.
  bool Parted = false;
  /// Where that was decided; null: nowhere.
  const TraceNode *parting() const;
  /// Something that is not modelled synchronised: KernelRun::guessOrder().
  bool OrderIsGuessed = false;
  /// Nothing can be found any more but who uses what was read.
  bool OnlyUses = false;
  /// The active threads tried to wait for a phase of this barrier and gave up:
  /// it is not complete yet. All that is told of such a path is what they read
  /// too early; it ends where they wait for it after all. Else unknown.
  Value GaveUpOn;
  /// The try to wait that comes next is in time.
  const clang::Stmt *InTime = nullptr;
  /// Of the path before all reads that are not ordered yet; see Checkpoints.h.
  Checkpoints::Checkpoint Checkpoint;
  llvm::SmallVector<Spot, 4> Passed; ///< since then

  /// Of everything but what was decided, the blanks of the copies, the trace
  /// and what belongs to it.
  Fingerprint::Digest digest(Memory::Essence Of,
                             bool WithUnordered = true) const;
  /// What must be true between two steps and is not; empty: all is as it
  /// should be.
  llvm::StringRef broken(PerThreadContext &L) const;
  /// Other sides of branches are where they were in \p O.
  bool sameOthers(llvm::ArrayRef<Context> O) const;
  /// The path decided something about what a table holds.
  bool hangsOnTables() const;
  /// Threads that run elsewhere are in that call, too: their locals are the
  /// same objects.
  bool hasOthersIn(const Frame &Call) const;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_STATE_H
