//===- Executor.h - Run a kernel on every path ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path-sensitive execution of one kernel over clang::CFG, by a whole block of
// threads at once (State.h). The pieces, one file each:
//
//  - Executor.cpp: the work list, blocks, returns
//  - Loops.cpp: visits of a loop head, until the loop settles
//  - Havoc.cpp: numbers that outlive the symbols they were computed from
//  - CanonicalStates.cpp: decisions and locals that cannot matter any more
//  - Branches.cpp: fork the path, split the block, or run both sides
//  - Switches.cpp: a path for each case
//  - Evaluate.cpp: expressions
//  - InBounds.cpp, InRows.cpp: which bytes an index can lead to
//  - Arithmetic.cpp: operations on their values
//  - Storage.cpp: loads, stores and copies of objects
//  - Calls.cpp: calls and constructors
//  - MemoizedCalls.cpp: calls that are run once
//  - CallTape.cpp: what these did to shared memory
//  - ApiCalls.cpp: functions with a meaning of their own (AsyncApis.def)
//  - AsmInterpreter.cpp: inline PTX
//  - WarpOps.cpp: shuffles, votes, elections
//  - Operations.cpp: copies, commits, waits, barriers, shared reads
//  - PointerSets.cpp: pointers to one of several objects
//  - ScopedCopies.cpp: memcpy_async of libcu++ and cooperative groups
//  - MbarrierPhases.cpp: cuda::barrier, cuda::pipeline
//  - Barriers.cpp: barriers, and who runs while others wait at one
//  - BulkStores.cpp: bulk copies out of shared memory
//  - Lifetimes.cpp: what class an object is of, and where it ends
//  - Conflicts.cpp: accesses of different threads that nothing orders
//  - MixedCopies.cpp: threads that copy different data to one place
//  - Entanglement.cpp: the groups of a warp, as the hardware counts them
//  - ReadLiveness.cpp: whether a value that was read is ever used
//  - Revalidation.cpp: paths that run again to find that out
//  - Witness.cpp: findings with their trace (PathNotes.h)
//  - Repairs.cpp, Insertions.cpp: edits that repair them
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_EXECUTOR_H
#define CPASYNC_LIB_ENGINE_EXECUTOR_H

#include "lib/detect/Conflicts.h"
#include "lib/detect/Entanglement.h"
#include "lib/detect/MixedCopies.h"
#include "lib/inference/AffineAddresses.h"
#include "lib/inference/DivergentExits.h"
#include "lib/inference/RunAssumptions.h"
#include "lib/inference/Subobjects.h"
#include "lib/memory/IndexedPlace.h"
#include "lib/state/KernelRun.h"
#include "lib/state/MemoizedCalls.h"
#include "lib/state/Subsumption.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/TypeOrdering.h"
#include <deque>
#include <set>

namespace cpasync {

class Executor : RunPart {
public:
  /// \p Cost: of all runs of this kernel. \p ElectLast: where one thread of a
  /// warp is elected, take the last one.
  Executor(KernelRun &Run, RunAssumptions Known, Budget &Cost,
           bool ElectLast = false);

  /// Runs \p Root and fills \p Report; appends to \p Findings. False, with
  /// neither, if the block has threads along an axis that its shape has not, or
  /// a premise comes late.
  bool run(const clang::FunctionDecl *Root, KernelReport &Report,
           std::vector<Finding> &Findings);
  /// After run().
  const RunAssumptions &premises() const { return Known; }
  /// What was found hangs on which threads were elected, if any.
  bool usedElection() const { return UsedElection; }

  /// A budget was exceeded, or a loop did not settle: there is more to see.
  bool isCutShort() const { return Run.CutShort; }
  FindingList &findings() { return Findings; }
  ReadLiveness &reads() { return Reads; }
  /// After run(): watches the reads that it made findings about, and runs again
  /// from where these began. False: that cannot tell, another executor has to
  /// watch all and run from the beginning.
  bool confirm(const clang::FunctionDecl *Root,
               llvm::ArrayRef<Finding> ToConfirm, KernelReport &Report,
               std::vector<Finding> &Findings);

  struct AsmRun;

private:
  // Executor.cpp
  State initialState(const clang::FunctionDecl *Root);
  void runPaths();
  Step step(State &S);
  void execute(State &S, const clang::CFGElement &E);
  void executeStmt(State &S, const clang::Stmt *St);
  /// \p Done was run: if it is a full expression, nothing uses its parts again.
  void dropTemps(State &S, const clang::Stmt *Done);
  Step enter(State &S, const clang::CFGBlock *B);
  Step returnFromCall(State &S);
  // CanonicalStates.cpp
  /// Locals that nothing reads again, temporaries that nothing refers to.
  void forgetDeadLocals(State &S);
  /// Replaces what locals hold by its value where the path has decided that.
  void putInDecided(State &S);
  void forgetDeadConditions(State &S);
  /// What paths that meet need to agree on; null: nothing.
  const Contents *essence(const State &S, Memory::Entry E);
  /// Another path was in this state, had no fewer blanks, and needed nothing
  /// decided that this one has not.
  bool alreadySeen(State &S, Spot Here);
  /// Why \p F, which has a body, has no control-flow graph.
  llvm::StringRef whyNotRun(const clang::FunctionDecl *F);

  // Loops.cpp
  Step visitLoopHead(State &S, const clang::CFGBlock *B);
  void iteration(State &S, const Site &Where, int64_t N, unsigned Effects);
  /// Is the state at this head what it was one and two periods ago, but for
  /// numbers that grow steadily? Then how many periods can be skipped before a
  /// comparison changes its outcome (-1: none ever does)?
  std::optional<int64_t> periodsToSkip(const LoopVisit &L, const State &S,
                                       unsigned Period);
  bool alwaysGrew(const LoopVisit &Loop, unsigned Period);
  void skipPeriods(State &S, const LoopVisit::Snapshot &Before, int64_t N);

  // Havoc.cpp
  /// A cell of an object, by its offset.
  using CellRef = std::pair<const Object *, int64_t>;
  /// What all values of a number have in common: Base + Step * something.
  struct Pattern {
    const PerThread *Base; ///< 0 in thread 0
    int64_t Step;          ///< 0 if the number is Base
    Uniformity Same;       ///< threads for which `something` is the same
  };
  Pattern patternOf(const Int *I);
  Pattern common(Pattern A, Pattern B);
  const Int *symbolFor(CellRef At, Uniformity Same);
  Value named(CellRef At, Value V);
  /// \p Because: what they follow from.
  void keepBounds(State &S, Value V, Interval Known,
                  llvm::ArrayRef<FactId> Because);
  /// Gives the numbers that are \p Held at those places, and all that were
  /// computed from the symbol \p Gone or from one of these, names of their own.
  /// Returns the symbols that stand for something else now.
  llvm::SmallVector<const Atom *, 8>
  rename(State &S, llvm::ArrayRef<CellRef> Held, const Atom *Gone = nullptr);
  /// What \p E is worth, a long number, under the name of the variable that
  /// holds it, if \p E is one: asked again, the same two are compared.
  Value nameVariable(State &S, const clang::Expr *E, Value Val);
  /// A number that is not what it was at the head before.
  struct MovedCell {
    CellRef At;
    const Int *Now;
    const Int *By; ///< computed from what the kernel was given
  };
  llvm::SmallVector<MovedCell, 4>
  movedByGiven(const State &S, const LoopVisit &Loop, bool BesideCounters);
  /// At a loop head: renames what moves on by what the kernel was given, and
  /// what is known of it. Drops those of \p Moved for which it cannot.
  void moveOn(State &S, llvm::SmallVectorImpl<MovedCell> &Moved);
  void moveOn(State &S, const MovedCell &Leader,
              llvm::ArrayRef<MovedCell> Beside);
  /// At a loop head: renames what differs in every round.
  void widen(State &S);
  bool neverRepeats(const LoopVisit &Loop, const Object *O, const Cell &Now,
                    bool ButSteadily);

  // Branches.cpp
  Step branch(State &S);
  static const char GridNames[]; ///< origin of blockIdx, then of gridDim
  static bool isGiven(const Int *I);
  bool isFromNonZero(const State &S, const Int *I);
  bool isForNoWork(const State &S, const clang::CFGBlock *B, const Int *C,
                   const clang::CFGBlock *OnTrue,
                   const clang::CFGBlock *OnFalse);
  Step branchOn(State &S, const clang::CFGBlock *B, const Int *Condition,
                const clang::CFGBlock *OnTrue, const clang::CFGBlock *OnFalse,
                clang::SourceLocation Loc);
  /// The true side is the one to run first.
  static bool endsSooner(const State &S, const clang::CFGBlock *B,
                         const clang::CFGBlock *OnTrue,
                         const clang::CFGBlock *OnFalse);
  Step splitThreads(State &S, const clang::CFGBlock *B, const PerThread *True,
                    const PerThread *False, const clang::CFGBlock *OnTrue,
                    const clang::CFGBlock *OnFalse);
  Step runBothSides(State &S, const clang::CFGBlock *B, const Int *Condition,
                    const PerThread *True, const PerThread *False,
                    const clang::CFGBlock *OnTrue,
                    const clang::CFGBlock *OnFalse, clang::SourceLocation Loc);
  /// Records that \p B goes one way; what follows is within that decision.
  void traceDecision(State &S, const clang::CFGBlock *B, TraceNode N);
  void traceSide(State &S, const Split &Both, bool Holds);
  /// Threads that leave something early while others go on.
  void traceLeaving(State &S, const clang::CFGBlock *B);
  /// The sides of the innermost decision have met.
  static void closeDecision(State &S);
  TraceNode::LoopRole loopRole(const State &S, const clang::CFGBlock *B,
                               const clang::CFGBlock *Next);
  /// Handles splits that meet at \p B; returns where to go on instead, or \p B,
  /// or null if other threads run now.
  const clang::CFGBlock *joinAt(State &S, const clang::CFGBlock *B);
  const Int *condition(State &S, Value V, const clang::Expr *E);
  void part(const State &S, const clang::CFGBlock *B, const Int *C,
            const PerThread *Open, const clang::CFGBlock *OnTrue,
            const clang::CFGBlock *OnFalse, clang::SourceLocation Loc);
  void fork(State &S); ///< counts it
  /// Goes on from here twice, with \p C true and with \p C false.
  Step forkOn(State &S, const Int *C, clang::SourceLocation Loc);

  // Evaluate.cpp
  Value eval(State &S, const clang::Expr *E);
  Value address(State &S, const clang::Expr *E); ///< of a glvalue
  Value evalCast(State &S, const clang::CastExpr *E);
  Value evalUnary(State &S, const clang::UnaryOperator *E);
  Value evalBinary(State &S, const clang::BinaryOperator *E);
  Value evalConstant(const clang::Expr *E);
  /// Of a variable that is no local: the same on all paths.
  Value placeOutside(const clang::VarDecl *D);
  Value evalUnvisited(State &S, const clang::Expr *E);
  Value variable(State &S, const clang::VarDecl *D, const clang::Expr *E);

  // Arithmetic.cpp
  Value arithmetic(State &S, clang::BinaryOperatorKind Op, Value A, Value B,
                   clang::QualType AType, clang::QualType BType,
                   clang::QualType Result);
  void assumePositive(State &S, const Int *Divisor);
  Value compare(State &S, clang::BinaryOperatorKind Op, Value A, Value B);
  Value convert(Value V, clang::QualType To);
  const Int *truth(Value V); ///< null if unknown
  Value simplify(const State &S, Value V);
  /// A fresh symbol in place of an integer that has grown too heavy.
  Value named(State &S, const clang::Expr *E, Value V);
  Value offsetBy(Value Pointer, const Int *Bytes);

  // InBounds.cpp
  /// \p Local holds \p To at its byte \p At.
  void notePart(const Object *Local, int64_t At, Value To);
  /// Which threads or rounds come by here is not known.
  static bool hangsOnUnknowns(const State &S);
  /// For each thread, what \p Base, which points to \p From, points into;
  /// empty: no part of anything.
  std::vector<Subobject> partsOf(State &S, const clang::Expr *Base, Value From);
  /// \p To, which \p Index leads to from \p Base, but not in another part.
  Value indexed(State &S, const clang::Expr *Base, const clang::Expr *Index,
                Value From, Value To);
  /// Begins the places of threads that go beyond a part, or did before.
  void begin(std::vector<IndexedPlace> &Places, const PerThread &Bytes);
  /// Lets \p Places of threads that \p To has beyond a part be in its room.
  void stayInPart(State &S, const AffineAddress &How, const clang::Expr *Base,
                  Value From, Value To, std::vector<IndexedPlace> &Places);

  // InRows.cpp
  /// The same as stayInPart() for rows.
  void stayInRows(State &S, const AffineAddress &How, Value To,
                  std::vector<IndexedPlace> &Places);
  /// Bytes of the row whose beginning \p E points to, at \p To; 0: it is none,
  /// or there is no \p Limit.
  int64_t rowAt(State &S, const clang::Expr *E, Value To, const void *Limit);
  /// \p To lies \p Offset behind the beginning of a row.
  void stayInRow(State &S, const AffineAddress::Level &Level, Value To,
                 const PerThread &Offset, std::vector<IndexedPlace> &Places);

  // Storage.cpp
  Value load(State &S, Value Pointer, clang::QualType T, const clang::Expr *E);
  void store(State &S, Value Pointer, Value V, clang::QualType T,
             const clang::Stmt *At);
  void storeBytes(State &S, Value Pointer, int64_t Size, Value V,
                  const clang::Stmt *At);
  void copyObject(State &S, Value To, Value From, clang::QualType T,
                  const clang::Expr *At);
  void initialise(State &S, Value To, const clang::Expr *Init,
                  clang::QualType T);
  void fillFromConstant(Memory &Mem, const Object *O, int64_t Offset,
                        const clang::APValue &V, clang::QualType T);
  void forgetTarget(State &S, Value Pointer);
  /// Null if nothing is known of \p O.
  const Contents *contentsOf(const State &S, const Object *O) const {
    return O->K == Object::Kind::Device ? Constants.find(O) : S.Mem.find(O);
  }
  /// Events know \p I.
  void hold(const Int *I);
  const Footprint *footprint(const State &S, Value Pointer, int64_t Size);
  Value freshSymbol(State &S, const clang::Expr *E, Uniformity Same);
  Value loadedSymbol(State &S, const clang::Expr *E, Value From);
  /// A symbol for a new value; whatever held its old one forgets it.
  const Int *freshName(State &S, const void *Origin, int64_t Number,
                       Uniformity Same, Interval Range = {});
  Value pointerFrom(State &S, const Object *Base, int64_t Offset,
                    clang::QualType T);
  /// Places in \p Of, an object or what a pointer points to; unknown, and a
  /// gap, where its class has no layout.
  Value memberOf(State &S, Value Of, const clang::FieldDecl *F);
  Value baseOf(State &S, Value Of, clang::QualType Base,
               const clang::CXXRecordDecl *Class);
  Value noLayout(State &S, const clang::RecordDecl *Class);
  /// Threads that can still see the locals of the current path.
  const PerThread *livingThreads(const State &S);

  // Calls.cpp
  /// Default arguments are in no CFG: calls in those of \p Call are run before
  /// it. True if one has begun; the element is run again after it.
  bool runDefaultArguments(State &S, const clang::Expr *Call);
  /// The first call in \p In that has no value yet.
  const clang::Expr *firstToRun(const State &S, const clang::Stmt *In);
  void call(State &S, const clang::CallExpr *E);
  void construct(State &S, const clang::CXXConstructExpr *E);
  void beginFrame(State &S, const clang::FunctionDecl *Callee,
                  const clang::Expr *Call, clang::SourceLocation Loc,
                  Value This);
  void enterFrame(State &S);
  void pushFrame(State &S, const clang::FunctionDecl *Callee,
                 const clang::Expr *Call,
                 llvm::ArrayRef<const clang::Expr *> Args, Value This);
  void pushFrame(State &S, const clang::FunctionDecl *Callee,
                 const clang::Expr *Call, llvm::ArrayRef<Value> Args,
                 Value This);
  bool staysInRegisters(State &S, const clang::FunctionDecl *Body,
                        llvm::ArrayRef<const clang::Expr *> Args, Value This);
  /// \p Callee is not run, though it should be.
  void leaveOut(const clang::FunctionDecl *Callee);
  bool canFollow(State &S, const clang::FunctionDecl *Callee,
                 clang::SourceLocation Loc);
  void inheritConstructor(State &S, const clang::CXXInheritedCtorInitExpr *E,
                          Value This);
  void unknownCall(State &S, llvm::ArrayRef<const clang::Expr *> Args,
                   const clang::Expr *Call);
  /// Back in the caller: \p Returned is what the result of \p F holds.
  void finishCall(State &S, const clang::Expr *Call,
                  const clang::FunctionDecl *F, const Contents *Returned);
  void setTemp(State &S, const clang::Expr *E, Value V);
  const Value *findTemp(const State &S, const clang::Expr *E) const;

  // MemoizedCalls.cpp
  /// What was done since something happened that cannot be done again.
  std::vector<TapeStep> &tape();
  /// Does again what the call did. False if that is not all that happens now:
  /// then nothing was done.
  bool replay(State &S, const clang::Expr *Call,
              llvm::ArrayRef<CallStep> Steps);
  /// True if what the call gives is known: it is done.
  bool recallCall(State &S, const clang::FunctionDecl *Callee,
                  const clang::Expr *Call, llvm::ArrayRef<Value> Args,
                  Value This);
  /// \p Done has just left the frames.
  void rememberCall(State &S, const Frame &Done, const Contents *Returned);

  // ApiCalls.cpp
  bool callApi(State &S, const clang::CallExpr *E, ApiKind K,
               const clang::FunctionDecl *F);
  Value specialRegister(llvm::StringRef Name);

  // ScopedCopies.cpp
  struct MemcpyAsync;
  bool scopedCopy(State &S, const clang::CallExpr *E);
  bool groupCopy(State &S, const clang::CallExpr *E);
  Value somewhereIn(State &S, Value To, const clang::Expr *ToExpr,
                    const clang::Expr *SizeExpr, int64_t Piece);
  /// False if not enough is known of the copy.
  bool copyBytes(State &S, const clang::CallExpr *E, MemcpyAsync M);
  Value argument(State &S, const clang::Expr *E);
  std::optional<int64_t> shapeOf(State &S, const clang::Expr *E,
                                 int64_t &Alignment);

  // MbarrierPhases.cpp
  void callOfBarrier(State &S, const clang::CallExpr *E, ApiKind K);
  void makePipeline(State &S, const clang::CallExpr *E);
  /// False if nothing is known of the pipeline.
  bool callOfPipeline(State &S, const clang::CallExpr *E, ApiKind K);
  size_t phaseBarrier(State &S, const Object *O, int64_t Offset,
                      unsigned Part = 0);
  /// Closes a group of the active threads whose copies are complete with the
  /// phase of the barrier at \p Place; false if it is not known which it is.
  bool commitTo(State &S, const clang::CallExpr *E, Value Place, bool Told);
  void arrive(State &S, size_t Barrier, const PerThread *Threads,
              int64_t Count);
  void waitForPhase(State &S, size_t Barrier, const PhaseBarrier::Waiter &W,
                    bool Parity);
  /// \p Forced: nobody will ever complete it.
  void completePhase(State &S, size_t Barrier, bool Forced);
  void passEarly(State &S, size_t Barrier, const PhaseBarrier::Waiter &W,
                 bool Parity);
  /// \p W goes on after the phases that are complete.
  void passPhase(State &S, size_t Barrier, const PhaseBarrier::Waiter &W,
                 bool Forced);
  // WarpOps.cpp
  /// What a thread takes from another of its warp; \p Width divides it.
  enum class Shuffle : uint8_t { Index, Up, Down, Xor };
  Value shuffle(Shuffle How, Value Val, Value Lane, Value Width);
  enum class Vote : uint8_t { Any, All, Ballot };
  /// \p Other: a name for what a ballot is that is not known.
  Value vote(State &S, Vote How, const Int *Predicate, Value Mask,
             unsigned Neighbours, const void *Other);
  /// One truth for each thread: the only one of its warp for which it holds.
  Value elect(State &S, Value Mask);
  /// Threads of the warp with the same value, as bits.
  Value matching(State &S, Value Val, Value Mask);
  /// The threads that execute a warp's operation, if the path knows them.
  const PerThread *voters(const State &S, Value Mask);
  bool warpOperation(State &S, const clang::CallExpr *E, ApiKind K,
                     llvm::StringRef Name);

  // AsmInterpreter.cpp
  void executeAsm(State &S, const clang::GCCAsmStmt *A);
  bool warpInstruction(AsmRun &Asm, const PtxInstruction &I); // WarpOps.cpp
  bool shuffleInstruction(AsmRun &Asm, const PtxInstruction &I);
  void executeInstruction(AsmRun &Asm, const PtxOp &Op);
  Value asmOperand(AsmRun &Asm, const PtxOperand &O);
  void asmAssign(AsmRun &Asm, const PtxOperand &O, Value V);
  void asmSharedRead(AsmRun &Asm, const PtxInstruction &I, Value From,
                     int64_t Size, const PerThread *Threads);

  // PointerSets.cpp
  /// Calls \p Do with \p P, a pointer; of a choice, with what it points to in
  /// shared memory, for the threads, and under the conditions, for which it
  /// does. False: not all is known.
  bool forEachChosen(State &S, Value P, llvm::function_ref<void(Value)> Do,
                     unsigned Depth = 0);

  // Operations.cpp
  struct CopyRequest; ///< CopyRequest.h
  /// \p X is an address of shared memory, as what copies go to. A function that
  /// is not a kernel may be given it, as a number too: a premise.
  void noteShared(const State &S, Value X);
  void copy(State &S, const CopyRequest &R);
  EventId commit(State &S, const void *Site, clang::SourceLocation Loc);
  void wait(State &S, const void *Site, clang::SourceLocation Loc, Value N,
            const clang::Expr *NExpr, bool Pipeline);
  void waitAll(State &S, const void *Site, clang::SourceLocation Loc);
  /// \p To: what is loaded goes to a place that can be followed; the caller
  /// says which, by place().
  void sharedRead(State &S, const void *Site, clang::SourceLocation Loc,
                  Value Pointer, int64_t Size, LoadedParts *To = nullptr);
  void sharedWrite(State &S, const void *Site, clang::SourceLocation Loc,
                   Value Pointer, int64_t Size);
  /// Meets copies as a read does; nothing races with what it stores.
  void sharedAtomic(State &S, const void *Site, clang::SourceLocation Loc,
                    Value Pointer, int64_t Size);
  void atomicStore(State &S, const Site &Where, Value Pointer, int64_t Size);
  void sharedRead(State &S, const Site &Where, Value Pointer, int64_t Size,
                  LoadedParts *To);
  void sharedWrite(State &S, const Site &Where, Value Pointer, int64_t Size);
  /// memcpy and memmove, or memset.
  void moveMemory(State &S, const clang::CallExpr *E, bool IsCopy);
  void matrixAccess(State &S, const clang::CallExpr *E, bool IsLoad);

  // Lifetimes.cpp
  /// \p Object, a \p T, goes out of scope.
  void destroy(State &S, Value Object, clang::QualType T,
               clang::SourceLocation Loc);
  /// \p Maker has made a temporary that not every path makes.
  void noteMade(State &S, const clang::Expr *Maker);
  /// At the end of \p B: is there a temporary to destroy?
  Step branchOnMade(State &S, const clang::CFGBlock *B);
  /// Where the temporary that \p B binds is.
  Value temporary(State &S, const clang::CXXBindTemporaryExpr *B);
  /// In the frame of a constructor or destructor: its object is of that class.
  void setClass(State &S);
  /// The method that runs when \p M is called for \p This, which becomes the
  /// object of its class; null if it is not known.
  const clang::CXXMethodDecl *
  finalOverrider(State &S, const clang::CXXMethodDecl *M, Value &This);

  // Switches.cpp
  Step switchOn(State &S, const clang::CFGBlock *B);

  // BulkStores.cpp
  void bulkStore(State &S, const void *Site, clang::SourceLocation Loc,
                 Value Source, Value Size);
  void bulkCommit(State &S, const void *Site, clang::SourceLocation Loc);
  void bulkWait(State &S, const void *Site, clang::SourceLocation Loc, Value N);

  bool checkSizes(State &S, const CopyRequest &R, int64_t Size);
  void assumeAligned(State &S, Value To, int64_t Size);
  bool checkSpace(State &S, const CopyRequest &R, bool IsSource);
  bool checkAlignment(State &S, const CopyRequest &R, int64_t Size,
                      bool IsSource);
  void printState(State &S, llvm::StringRef What, clang::SourceLocation Loc);
  std::string describe(const State &S);

  // Barriers.cpp
  /// One of the barriers with a number: 0 for __syncthreads. Without a count
  /// all living threads take part.
  void barrier(State &S, clang::SourceLocation Loc, Value Id, Value Count,
               bool ArriveOnly = false);
  /// The same of any barrier that threads arrive at.
  void meetAt(State &S, clang::SourceLocation Loc, Value Id, Value Count,
              bool ArriveOnly = false);
  /// Those who wait at the barrier go on after those who arrived.
  void release(State &S, int64_t Barrier);
  void tileBarrier(State &S, const clang::CallExpr *E);
  /// The running threads wait at a barrier: others go on.
  Step runOthers(State &S);
  /// Goes on with a stopped context instead of the running one, or with
  /// threads that leave the kernel: returns the block they enter, else null.
  const clang::CFGBlock *resume(State &S);
  const clang::CFGBlock *sendHome(State &S);
  /// Other threads that branched at \p Sp are still on the way to its join.
  static bool othersAreComing(const State &S, const Split &Sp);
  /// Something that is not modelled synchronised: everything may be ordered.
  void unknownOrder(State &S);

  // Conflicts.cpp

  // MixedCopies.cpp

  // Entanglement.cpp

  // Witness.cpp

  // ReadLiveness.cpp
  /// Evaluates what is about to be stored; what it loads goes to \p To.
  Value evalToStore(State &S, const clang::Expr *E, LoadedParts &To);
  void loadResult(State &S, const clang::CallExpr *Call);
  /// It is not known what of this expression is used.
  void useWithin(State &S, const clang::Stmt *E);
  // Revalidation.cpp

  // Repairs.cpp
  // Insertions.cpp
  Budget &Cost;
  FindingList Findings{Run};
  ComparisonLog Comparisons{Run};
  ReadLiveness Reads{Run, Findings, Comparisons};
  Exclusion Exclusive{Run};
  FlightPaths Flights{Run};
  Repairs Fixes{Run};
  Witness Witnesses{Run, Findings, Reads, Flights, Fixes, Exclusive};
  CopiedData Copied{Run};
  Conflicts Order{Run, Findings, Reads, Witnesses, Exclusive, Copied};
  MixedCopies Mixed{Run, Reads, Exclusive, Copied};
  Entanglement Entangled{Run, Findings};
  DivergentExits Leaving;
  /// Symbols of all footprints and of conditions that events hang on, and the
  /// integers that they were found in.
  llvm::DenseSet<const Atom *> HeldSymbols;
  llvm::DenseSet<const Int *> HeldIntegers;
  uint64_t SourceSymbols = 0; ///< of the sources of copies
  /// A condition on what its symbols stood for once: nothing decides it.
  const Int *const ForgottenCondition =
      V.symbol(&Events, 0, Uniformity::Thread, {}, /*Stable=*/true);
  /// Where conditions stand that values were selected by.
  llvm::DenseMap<const Int *, clang::SourceLocation> ConditionLocs;
  std::deque<State> Work; ///< states are large: none is moved
  Subsumption Met{Run.Facts, Run.Written};
  Subobjects Divided;
  DefUse From{P, Shape};
  AffineAddresses Sums{From, P};
  RunAssumptions Known;
  llvm::DenseMap<const Contents *, const Contents *> Essences;
  std::map<CellRef, Pattern> Patterns;
  /// By the head of the loop and the number of the frame.
  std::map<std::pair<const clang::CFGBlock *, unsigned>, std::vector<CellRef>>
      NeverRepeat;
  unsigned Steps = 0, Forks = 0;
  Memory Constants; ///< of variables outside functions; the same on all paths
  // What is the same whenever it is asked for.
  llvm::DenseMap<const clang::VarDecl *, Value> PlacesOutside;
  llvm::DenseMap<const clang::Expr *, Value> ConstantValues;
  llvm::DenseMap<const clang::CXXRecordDecl *,
                 llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *>>
      Captures; ///< by the class of the lambda
  llvm::StringMap<const Int *> Registers;
  std::vector<RecordedCall> Recordings; ///< by the depth of the frame
  llvm::DenseSet<Fingerprint::Digest> CallsOfThisRun; ///< with followed reads
  uint64_t TapedSince = 0;
  std::vector<TapeStep> Tape; ///< while Noise was TapedSince
  std::set<const void *> CopySites;
  /// A matrix product that reads shared memory by descriptors.
  clang::SourceLocation DescriptorLoc;
  bool UsedElection = false; ///< one of a warp's threads was elected
  const bool ElectLast;
  bool BarrierIsDone = false;
  /// A load whose value is about to be stored, and what it loads.
  const clang::Expr *ToStore = nullptr;
  LoadedParts *Loaded = nullptr;
  /// Set by an operation whose operands hang on this condition: it is undone
  /// and done again on a path for each outcome.
  const Int *DecideFirst = nullptr;
  /// Set by an operation after which nothing is known of the path any more.
  bool PathIsLost = false;
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_EXECUTOR_H
