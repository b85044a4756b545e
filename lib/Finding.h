//===- Finding.h - What the analysis proves, as data ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding is a proved fact with its witness: the path in execution order, the
// iteration, the threads and the bytes. It holds no English; each file in
// checks/ decides which findings are its own and puts words on them.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_FINDING_H
#define CPASYNC_LIB_FINDING_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
}

namespace cpasync {

/// What threads leave by a return, continue or break.
enum LeftKind : int64_t { LeftKernel, LeftFunction, LeftIteration, LeftLoop };

/// A number that a run begins with, as the author names it.
struct NamedNumber {
  std::string Name;
  int64_t Value;
};
/// "tiles = 1, n = 64"
std::string textOfNumbers(llvm::ArrayRef<NamedNumber> Numbers);

/// One step of the witness, in execution order.
struct TraceStep {
  enum class Kind {
    CopyIssued,      ///< Name: object copied into
    CopyOfLaterSlot, ///< the copy that first fills bytes already read; Name
    Committed,       ///< this commit closed the group of the copy
    CommitSkipped, ///< this commit ran without the copy: it was not issued yet,
                   ///< or only by other threads (Name: which, "0-31, 64")
    Waited,        ///< N: groups this wait leaves in flight at most
    WaitedAll,     ///< wait_all
    TriedOnce,     ///< a try to wait for a phase, whose result nobody asks for
                   ///< (Flag: that gives up)
    WaitedEarly,   ///< N: parity of the phase before, which this waits for
    WaitSkipped,   ///< this wait ran only in other threads (Name: which)
    BarrierSkipped, ///< a barrier of the block that only some threads come to
                    ///< (Flag: more than it waits for)
                    ///< (Name: which)
    Left,           ///< threads (Name: which) leave what others go on with;
                    ///< N: a LeftKind
    BranchTaken,    ///< Flag: the condition was true (else false)
    CaseTaken,      ///< Flag: this label of a switch was chosen (else none)
    LoopEntered,    ///< N: iterations run on this path (Flag: loop was skipped;
                    ///< below 0: how many is not known)
    Iteration, ///< the steps below are in iteration N (0-based; below 0: which
               ///< is not known) of this loop; Name: its variable, which is
               ///< Value in it, or is when it begins (Flag)
    LoopLeft,  ///< the steps below come after this loop
    Barrier,   ///< a barrier: orders threads, completes nothing
    BulkCommitted,     ///< a commit of bulk copies
    BulkWaited,        ///< a wait for bulk copies
    WaitDone,          ///< the wait that completed the copy
    MbarrierInit,      ///< Name: the mbarrier, N: arrivals that a phase expects
    MbarrierArrived,   ///< somebody arrives there
    MbarrierUsed,      ///< Name: the mbarrier, N: the thread
    BlockReached,      ///< Name: an object of another block of the cluster
    BytesAnnounced,    ///< bytes are announced for a phase
    PhaseAwaited,      ///< a wait for a phase; Name: the mbarrier
    CopiedInBulk,      ///< a bulk copy reads; Name: object
    MatrixRead,        ///< a matrix product reads; Name: object
    MatricesCommitted, ///< a commit of matrix products
    MatricesWaited,    ///< a wait for matrix products
    KernelEnd,         ///< the kernel ends
    Read,              ///< Name: object read
    Stored,            ///< an ordinary store; Name: object
    CopyLeftOut,       ///< a copy that some threads leave out; Name: object
    ResultStored,      ///< what was made of what was read leaves the block
    Overwritten,       ///< the write that comes too early; Name: object
    CalledFrom,        ///< Name: function; the step above it is inside the call
    Called,     ///< Name: function, empty: a lambda; the steps below are inside
                ///< the call, up to the next that says otherwise
    InstanceOf, ///< Name: the kernel, with the arguments of its template
    AssumedThreads,  ///< Name: threads assumed in a block, "16x8 threads"
    MadeUpArguments, ///< Name: arguments of a template that nothing
                     ///< instantiates, "T = float, Stages = 2"; empty: it has
                     ///< defaults for all
    LaunchedWith,    ///< Name: threads in a block of this launch (Flag), or of
                     ///< one in another file; the others do not show it
    AssumedAligned,  ///< Name: pointer, N: alignment in bytes that was assumed
    TileSize,        ///< N: bytes that a copy of a tile has, by its tensor map,
                     ///< which is encoded here (Flag), or by what is announced
    TileRoom,        ///< N: bytes that a tile copied here has room for
    TilesTogether,   ///< N: bytes announced here for all tiles of a phase
    AssumedHarmless, ///< Loc: code that does not compile and so never ran
    WithNumbers, ///< Numbers with which a run takes the path (Flag: with these
                 ///< decided it is found again); none: whether a run takes it
                 ///< was not decided
  };
  Kind K;
  clang::SourceLocation Loc;
  std::string Name;
  int64_t N = 0;
  bool Flag = false;
  std::optional<int64_t> Value = std::nullopt; ///< Iteration: of the variable
  unsigned Depth = 0; ///< calls around it that the trace names (Called)
  /// Of what it tells, in the path's history, from 1; 0: it has none.
  unsigned Place = 0;
  std::vector<NamedNumber> Numbers;
};

/// What the path did with shared memory on the way to a finding, where the
/// trace tells the few steps that made the difference. What is not known is
/// left out.
struct Pipeline {
  /// An iteration that commits, waits or meets.
  struct Round {
    clang::SourceLocation Loc; ///< of the loop
    std::string Variable;      ///< empty: there is none whose value is known
    int64_t Value = 0;
    int64_t N = 0;  ///< as in TraceStep::Kind::Iteration
    int Outer = -1; ///< the round around it; below 0: none
  };
  /// Operations of one kind in a row, of the same threads and the same bytes.
  struct Step {
    TraceStep::Kind K;
    clang::SourceLocation Loc; ///< of the first
    unsigned Place = 0;        ///< as in TraceStep, of the first
    unsigned LastPlace = 0;    ///< of the last
    unsigned Count = 1;        ///< how many
    int Round = -1;            ///< in Rounds; below 0: outside of all
    std::string Threads;       ///< who, "0-31, 64"; empty: the whole block
    bool IsOwn = true;         ///< the owner is among them
    std::string Slot;          ///< copy, read, store: "Slot[1]", or the object
    int64_t Begin = -1, End = 0; ///< bytes that all touch; below 0: not known
    /// Copy, commit: the group of the owner, in the order of its commits.
    std::optional<unsigned> Group;
    int64_t N = 0; ///< Waited: groups it leaves in flight at most
    /// Wait of the owner: groups in flight before it. Those that it completes
    /// are the oldest of them.
    std::optional<unsigned> InFlight, Completes;
    bool Clashes = false; ///< one of the two accesses that go wrong
  };
  int Owner = -1;          ///< the thread whose groups these are
  bool IsInFlight = false; ///< the copy that clashes, up to the end
  bool IsAlone = false;    ///< it completes by itself, and no commit is for it
  std::vector<Round> Rounds;
  std::vector<Step> Steps; ///< in execution order, of a long path the newest
  unsigned Before = 0; ///< steps of the path before those that were looked at
};

/// An edit that repairs every path the finding was reported on.
struct Repair {
  enum class Kind {
    WaitForAll,   ///< replace the wait's operand by a smaller count: N
    InsertCommit, ///< insert a commit after the copy
    InsertWait,   ///< insert a wait before the read
    UseCacheAll,  ///< .cg -> .ca
    CommitAlways, ///< insert a commit where a branch goes round one
  };
  /// Right, but what overlaps now would not any more: WaitForAll in a loop.
  enum class Slowness {
    None,
    ByCommits, ///< only where a branch has gone round a commit is it needed
    ByLoopEnd, ///< only behind the loop
    ByStart,   ///< only for what was copied before the loop
  };
  Kind K;
  clang::SourceLocation Loc;    ///< where the note points
  clang::CharSourceRange Range; ///< replaced text; empty range: insertion
  std::string Code;
  int64_t N = 0;
  Slowness Slow = Slowness::None;
};

/// Divergent: how threads that ran the commit or wait and those that did not
/// lie in the block.
enum class Divergence {
  Threads, ///< not known
  Warps,   ///< whole warps
  Lanes,   ///< threads of one warp
};

enum class FindingKind {
  ReadInFlight,     ///< bytes are read while a copy into them is in flight
  ReadBeforeCopy,   ///< bytes are read that nothing has written yet and that a
                    ///< later copy on the path fills
  UnwrittenRead,    ///< bytes are read that no copy, store or atomic writes on
                    ///< any path, of an object that is copied to
  BadOperand,       ///< a copy, commit or wait that ptxas refuses or misreads
  WaitCountRange,   ///< wait_group N that the hardware cannot encode, or a
                    ///< __pipeline_wait_prior above its clamp
  UncommittedAtEnd, ///< the kernel ends with a copy that is in no group
  Misaligned,       ///< an address that is not a multiple of cp-size
  UnsynchronizedRead, ///< another thread's copy is complete, but no barrier
                      ///< orders the read after the wait of that thread
  WrongSpace,   ///< the destination is not shared, or the source not global;
                ///< Text: where it is ("local", ...)
  MapSpace,     ///< a tensor copy's map (Object) is where the copy cannot read
                ///< it; Text: "local" or "shared"
  Overwrite,    ///< bytes are written that an earlier access still needs
  StuckPhase,   ///< a wait (At.Wait) for a phase of an mbarrier (Object) that
                ///< never completes: Value arrivals came of Limit, and Copied
                ///< more bytes are announced than copied
  StuckStage,   ///< the same of a stage of a pipeline (Object) that is acquired
                ///< and never given back
  StuckBarrier, ///< a wait (At.Wait) at the barrier with a number (Text), of
                ///< Limit threads, to which fewer come (Value), or more at once
  ExtraArrivals, ///< Value threads arrive (At.Operand) in a phase of an
                 ///< mbarrier (Object) that waits for Limit
  UnorderedInit, ///< an mbarrier (Object) is used (At.Operand) with no barrier
                 ///< behind its initialisation (At.Write) by another thread
  MissingBlock,  ///< shared memory (Object) of the block of rank Value is
                 ///< reached (At.Operand) in a cluster of Limit blocks
  EndedBlock,    ///< the same of one that may have ended
  MissingFence,  ///< a bulk copy or a matrix product (At.Copy) reads what was
                ///< written (At.Write) through the generic proxy, with no proxy
                ///< fence between
  UnorderedSource, ///< one (At.Copy) reads what another thread has
                   ///< written (At.Write) with no barrier between
  PartialGroup, ///< a copy (At.Copy) that the Limit threads of a group divide
                ///< among them is run by Value of them only
  OverWait, ///< a wait counts groups (Limit) of the warp, more than a thread
            ///< committed (NewerGroups): it waits for more than it has to
};

/// Overwrite: what the write is not ordered after. MissingFence,
/// UnorderedSource: what reads, BulkRead or MatrixRead.
enum class OverwriteCause {
  InFlight,   ///< a copy into the bytes is in flight
  StillRead,  ///< another thread may still read them
  AfterCopy,  ///< another thread's copy is complete, but no barrier follows
  AfterStore, ///< another thread stores to them
  BulkRead,   ///< a bulk copy still reads them
  SentRead,   ///< the same: one that completes with a phase of a block
  BulkReadOtherKind, ///< the same: its commit (At.Commit) or else its wait
                     ///< (At.Wait) is that of cp.async
  MatrixRead,        ///< a matrix product still reads them
};

/// Why a copy is still in flight at the read (ReadInFlight).
enum class InFlightCause {
  NeverWaited,      ///< no wait ran between the copy and the read
  NotCommitted,     ///< a wait ran, the copy was in no group yet
  WaitBeforeCommit, ///< a wait ran, then the commit, then the read
  WaitTooWeak, ///< a wait ran after the commit and left the group in flight
  Divergent,   ///< a commit or wait ran for other threads only
  Entangled,   ///< the same, but other lanes of the warp committed: the
               ///< hardware, which groups by warp, has the copy all the same
  OtherKind,   ///< the commit (At.Commit) or else the wait (At.Wait) is that of
               ///< the other kind of group
  LeftOut,     ///< of what nobody wrote: a copy would have, and is left out
               ///< under a condition
};

/// BadOperand: which rule of PTX ISA "cp.async" is broken.
enum class OperandRule {
  CacheGlobalSize, ///< .cg with cp-size (Value) other than 16
  CopySize,        ///< cp-size (Value) not 4, 8 or 16
  SrcSize,         ///< src-size (Value) above cp-size (Limit)
  SrcSizeNegative, ///< src-size (Value) below 0
  ZeroFill,        ///< __pipeline_memcpy_async zfill (Value) above size (Limit)
  BulkSize,        ///< bytes (Value) of a bulk copy: not a multiple of 16
  Malformed,       ///< Text says what ptxas would refuse
};

struct Finding {
  FindingKind Kind = FindingKind::ReadInFlight;

  /// Invalid where they play no part. Each is in the innermost function that is
  /// not a thin wrapper around one instruction.
  struct Places {
    clang::SourceLocation Copy, Commit, Wait, Read, Operand;
    clang::SourceLocation Write;   ///< Overwrite: the write
    clang::SourceLocation Barrier; ///< the last barrier before both accesses
    /// The call that makes it wrong, where other calls of the same function do
    /// not: the warning stands there.
    clang::SourceLocation Call;
    /// Other reads that go wrong for the same reason, where the warning does
    /// not stand at the read.
    std::vector<clang::SourceLocation> OtherReads;
  } At;

  /// The first kernel it was found in, as in KernelReport.
  struct Root {
    std::string Name;
    clang::SourceLocation Loc;
    std::vector<std::string> Others; ///< that are wrong in the same way
    /// Another instance of its template is told to do the same: this one was
    /// not run again for it.
    bool IsTold = false;
  };
  Root Kernel;
  std::string Object; ///< user's name of the shared object (or source pointer)
  /// ReadInFlight; UnwrittenRead: Divergent, if threads that would copy left
  /// (At.Operand).
  InFlightCause Cause = InFlightCause::NeverWaited;
  Divergence Split = Divergence::Threads;
  OverwriteCause Overwritten = OverwriteCause::InFlight;
  bool ByStore = false; ///< Overwrite: an ordinary store, not a copy
  OperandRule Rule = OperandRule::Malformed;
  /// BadOperand Malformed; WaitCountRange: the API's name; misaligned: what has
  /// to be 1, "blockIdx.x", empty: nothing; StuckBarrier: its number.
  std::string Text;

  int64_t Value =
      0; ///< wait: N as written; operand: value; misaligned: residue
  int64_t Limit =
      0; ///< wait: largest N that would do; misaligned: bytes needed
  int64_t Copied = 0; ///< cp-size in bytes
  /// ReadInFlight: groups committed after the one that is read (0: the newest).
  int64_t NewerGroups = 0;
  bool IsLiteral = false;   ///< operand: it is a number as it is written
  bool IsSource = false;    ///< misaligned: the source, not the destination
  bool OnEveryPath = false; ///< holds whenever the place is reached

  int Thread = -1;   ///< witness thread (linear index in the block)
  int Reader = -1;   ///< the thread that reads
  int Other = -1;    ///< Overwrite: the thread of the earlier access
  int64_t Byte = -1; ///< first byte that clashes, offset in Object
  /// The same, as the source names it.
  struct ElementName {
    std::string Name;       ///< "Slot[0][255]"; empty: it has none
    int64_t Byte = 0;       ///< of the element
    bool OfPointer = false; ///< named by a pointer into Object
  } Element;
  struct WitnessPath {
    unsigned Length = 0; ///< steps
    /// What was decided on it, by its number in the history of its run; 0:
    /// nothing, or that history is gone.
    unsigned Decided = 0;
    int Iteration = -1; ///< of the innermost loop at the read, 0-based
    /// Of a cluster, the threads of each of its blocks, which are numbered one
    /// block after the other. 0: there is one block.
    unsigned ThreadsOfBlock = 0;
    /// How the threads of a block lie, where that is not in a row; 0: they do.
    unsigned BlockX = 0, BlockY = 0;
    /// It is wrong only if lanes of a warp do not run in step.
    bool OfLanes = false;
    /// Something that is not modelled had synchronised on it.
    bool OrderIsGuessed = false;
    /// Threads took part by numbers of their own that nobody knows.
    bool HangsOnThreads = false;
    /// It leaves open how many bytes Copied is: more, or less below zero.
    bool LeavesOpen = false;
    /// Calls around the place, from the inside; up to where they differ, if it
    /// was found through several.
    std::vector<clang::SourceLocation> Calls;
    Pipeline Around; ///< all that it did with its slots
  } Path;            ///< on which it was found

  std::vector<TraceStep> Trace;
  std::vector<Repair> Repairs;

  /// Where it goes wrong.
  clang::SourceLocation place() const {
    for (clang::SourceLocation L : {At.Read, At.Write, At.Wait, At.Copy})
      if (L.isValid())
        return L;
    return At.Operand;
  }
};

/// The reason of a kernel template that has no instance: seen through another
/// file, it may have one.
inline constexpr llvm::StringLiteral NeverInstantiated =
    "template is never instantiated";

/// Reason of another one.
inline constexpr llvm::StringLiteral CodePassedOver =
    "code that does not compile is passed over";

/// Begins that of an instruction which ptxas refuses.
inline constexpr llvm::StringLiteral InvalidPtx =
    "instruction is not valid PTX: ";

/// A construct that kept a kernel from being fully analysed.
struct AnalysisGap {
  clang::SourceLocation Loc;
  std::string Reason; ///< lower case, no period: "path budget of 4096 exceeded"
  bool operator==(const AnalysisGap &) const = default;
};

/// What is in flight behind an operation, in words.
struct OperationState {
  clang::SourceLocation Loc; ///< of the operation
  std::string Text;          ///< "copy: threads 0-127: groups [] open {Tile}"
  bool operator==(const OperationState &) const = default;
};

/// One root of the analysis: a kernel, or a device function that issues copies
/// and that nothing in the file calls.
struct KernelReport {
  std::string Name; ///< with template arguments
  clang::SourceLocation Loc;
  bool IsKernel = true;
  unsigned Copies = 0; ///< copy sites reached
  /// "128 threads": nothing tells how many a block has, or there may be
  /// launches with others, and what was looked at hangs on it. Empty: it is
  /// known.
  std::string AssumedBlock;
  /// "pitch = 1024, stages = 4": what numbers that the function is given were
  /// taken to be, as addresses in shared memory hang on them. Empty: on none.
  std::string AssumedSizes;
  void assumeSizes(llvm::StringRef Text) {
    AssumedSizes += AssumedSizes.empty() ? "" : ", ";
    AssumedSizes += Text;
  }
  /// It copies to shared memory in bulk.
  bool LoadsInBulk = false;
  /// Something that is not modelled synchronised: a gap says what.
  bool OrderIsGuessed = false;
  /// A template that nothing in the file instantiates, looked at with arguments
  /// that were made up.
  bool MadeUp = false;
  std::vector<AnalysisGap> Gaps; ///< empty: fully analysed
  /// Findings that were dropped, as no run takes a path to them: their places,
  /// and why.
  std::vector<AnalysisGap> Refuted;
};

} // namespace cpasync

#endif // CPASYNC_LIB_FINDING_H
