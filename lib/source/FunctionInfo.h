//===- FunctionInfo.h - A function's CFG and what matters in it -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slicing: only statements from which an asynchronous operation, a memory
// access that may be shared, or a value that one of them uses can be reached
// are relevant. Accumulators and matrix-multiply loops are not, and cost
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_FUNCTIONINFO_H
#define CPASYNC_LIB_SOURCE_FUNCTIONINFO_H

#include "lib/source/ComparedNumbers.h"
#include "lib/source/Coordinates.h"
#include "lib/source/GlobalPointers.h"
#include "lib/source/Layouts.h"
#include "lib/source/LiveLocals.h"
#include "lib/source/ModSets.h"
#include "lib/source/Recognizer.h"
#include "lib/source/ResultUses.h"
#include "lib/source/VirtualCalls.h"
#include "lib/source/WatchedVariables.h"
#include "lib/support/Fixpoint.h"
#include "clang/Analysis/Analyses/Dominators.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SparseBitVector.h"
#include <map>
#include <memory>
#include <optional>

namespace clang {
class ASTContext;
class CXXRecordDecl;
class VarDecl;
} // namespace clang

namespace cpasync {

class Program;
class Spellings;

/// The blocks between a branch and its immediate post-dominator.
struct Region {
  llvm::SparseBitVector<> Blocks; ///< by block id; without the join
  unsigned Effects = 0;           ///< of every relevant statement in it
  bool Relevant = false;
  bool HasLoop = false;
};

class FunctionInfo {
public:
  FunctionInfo(Program &P, const clang::FunctionDecl *F);

  const clang::FunctionDecl *decl() const { return F; }
  /// Null if Clang cannot build one.
  const clang::CFG *cfg() const { return Graph.get(); }
  /// The element has to be executed: it is relevant, or something relevant
  /// uses its value.
  bool shouldRun(const clang::Stmt *S, const clang::CFGBlock *B) const;
  bool isRelevant(const clang::VarDecl *V) const {
    return slice().Variables.contains(V) || isSeenOutside(V);
  }
  /// Whether or not anything is watched.
  bool isAlwaysRelevant(const clang::VarDecl *V) const {
    return (Plain && Plain->Variables.contains(V)) || isSeenOutside(V);
  }

  /// Where the sides of a branch meet again; the exit block at the latest.
  const clang::CFGBlock *join(const clang::CFGBlock *B) const;
  const Region &region(const clang::CFGBlock *B) const;
  /// Whoever comes to \p B stops the kernel, or never comes to it.
  bool stopsKernel(const clang::CFGBlock *B) const {
    return Stops.test(B->getBlockID());
  }
  /// A local whose value nothing needs from there on.
  bool isDead(const void *Local, const clang::CFGBlock *B) const {
    return Live->isDead(Local, B);
  }
  bool isDeadWithin(const void *Local, const clang::CFGBlock *B) const {
    return Live->isDeadWithin(Local, B);
  }
  /// Blocks of the natural loop with this head; null if it is no loop head.
  const llvm::SparseBitVector<> *loop(const clang::CFGBlock *Head) const;
  /// The statement whose head \p B is; a jump for loops made of gotos.
  static const clang::Stmt *loopStmt(const clang::CFGBlock *B);
  /// The statement is a full expression: nothing uses its value.
  bool endsExpression(const clang::Stmt *S) const {
    return !Nested.contains(S);
  }
  /// A temporary that not every path through its expression makes.
  bool mayBeMade(const clang::Expr *Temporary) const {
    return Conditional.contains(Temporary);
  }
  /// The statement is the condition of a branch, or part of one.
  bool feedsBranch(const clang::Stmt *S) const {
    return InCondition.contains(S);
  }

  /// An assignment of what is no payload; to no variable, as is known then.
  bool storesSomewhere(const clang::Stmt *S) const;
  /// Writing it changes what the caller sees: captured, or a reference.
  bool isSeenOutside(const clang::VarDecl *V) const;

private:
  /// What has to be run.
  struct Slice {
    unsigned Watch; ///< as Program::watchNumber(), for which it was made
    llvm::DenseSet<const clang::VarDecl *> Variables;
    llvm::DenseSet<const clang::Stmt *> Needed; ///< in a relevant element
    llvm::DenseMap<const clang::Stmt *, bool> Relevance;
    std::map<const clang::CFGBlock *, Region> Regions;
  };

  /// For what the program watches now.
  Slice &slice() const;
  bool isRelevant(const clang::Stmt *S) const;
  /// As join(); null if Clang knows none.
  const clang::CFGBlock *knownJoin(const clang::CFGBlock *B) const;
  /// Adds the block alone.
  void addTo(Region &R, const clang::CFGBlock *B) const;
  void findRelevantVariables(Slice &To) const;
  void findNeeded(Slice &To) const;
  void findUses();
  void findLoops();
  void findStops();

  Program &P;
  const clang::FunctionDecl *F;
  std::unique_ptr<clang::CFG> Graph;
  std::unique_ptr<clang::CFGPostDomTree> PostDominators;
  std::optional<LiveLocals> Live;                  ///< if there is a graph
  llvm::DenseSet<const clang::Expr *> Conditional; ///< temporaries
  llvm::DenseSet<const clang::Stmt *> Nested; ///< in an element or condition
  llvm::DenseMap<const clang::Stmt *, const clang::CFGBlock *> InCondition;
  mutable std::optional<Slice> Plain, OfWatched, OfUses;
  mutable Slice *Newest = nullptr; ///< of these: the one asked for last
  std::map<const clang::CFGBlock *, llvm::SparseBitVector<>> Loops;
  llvm::SparseBitVector<> Stops; ///< blocks that stop the kernel
};

/// What is known about all functions of a translation unit, found on demand.
class Program {
public:
  explicit Program(clang::ASTContext &Ctx);
  ~Program();

  clang::ASTContext &context() { return Ctx; }
  /// What touches these variables matters from now on, and no others.
  void watch(const clang::FunctionDecl *Kernel,
             llvm::ArrayRef<const void *> Variables) {
    Watching.emplace(*this, Kernel, Variables);
    ++Watches;
  }
  void unwatch() {
    Watching.reset();
    Besides = Matters::Effects;
  }
  /// What matters besides: what copies, waits and the like; nothing, while
  /// variables are watched; or whatever is computed.
  enum class Matters : uint8_t { Effects, Nothing, Everything };
  void watchBesides(Matters What) { Besides = What; }
  Matters watchedBesides() const { return Besides; }
  /// Tells what matters apart; 0: nothing is watched.
  unsigned watchNumber() const {
    return Besides == Matters::Everything ? 1
           : Watching ? 2 * Watches + (Besides == Matters::Nothing)
                      : 0;
  }
  /// None if nothing is watched.
  const std::optional<WatchedVariables> &watched() const { return Watching; }
  /// \p S has to be run.
  bool matters(const clang::Stmt *S) {
    return Besides == Matters::Everything ||
           (Besides == Matters::Effects && effects(S)) ||
           (Watching && Watching->mayTouch(S));
  }
  Recognizer &recognizer() { return R; }
  ModSets &changes() { return Changing; }
  Coordinates &coordinates() { return Tensors; }
  ResultUses &results() { return Results; }
  GlobalPointers &globals() { return Globals; }
  ComparedNumbers &compared() { return Compared; }
  /// Found when they are first asked for.
  const Spellings &spellings();
  VirtualCalls &virtualCalls() { return Virtual; }
  /// \p F must have a body.
  const FunctionInfo &function(const clang::FunctionDecl *F);
  /// What has to be run when a \p T goes out of scope; null: nothing. What
  /// system headers declare has a meaning of its own, or none.
  const clang::CXXDestructorDecl *destructorOf(clang::QualType T);
  Layouts &layouts() { return Layout; }
  /// In bytes; 0 if it is not known.
  int64_t sizeOf(clang::QualType T) { return Layout.sizeOf(T); }
  /// \p Body, which has a body, is not looked into: that is nested deeper than
  /// the analysis goes.
  bool isTooDeep(const clang::FunctionDecl *Body);
  /// What running \p F may do, calls included.
  unsigned effects(const clang::FunctionDecl *F);
  /// What executing \p S may do, calls included; bodies of lambdas are not.
  unsigned effects(const clang::Stmt *S);
  /// The function does one asynchronous operation and has no loop: users see
  /// it as that operation, so it is reported where it is called.
  bool isThinWrapper(const clang::FunctionDecl *F);
  /// Cache modifiers in asm text that suit some copy made with it.
  llvm::DenseSet<clang::SourceLocation> &rightModifiers() {
    return RightModifiers;
  }
  /// Objects of this class hold nothing at all: integers that are types, tuples
  /// of them.
  bool isHollow(clang::QualType T);
  /// Running \p F has no effect and leaves everything as it was: only its
  /// result matters.
  bool changesNothing(const clang::FunctionDecl *F);
  /// The integer that \p F returns whatever it is given, if that is plain.
  std::optional<llvm::APSInt> constantResult(const clang::FunctionDecl *F);
  /// Values of this type cannot reach an address, a size or a condition in
  /// practice: floating point, and aggregates of it. A class with a member that
  /// is compared is none; nor is a variable that is (Program::compared).
  bool isPayload(clang::QualType T);
  /// What running \p F may store where its caller sees it, besides payload.
  enum : unsigned {
    StoresNumbers = 1, ///< something an address may be made of
    StoresUnknown = 2, ///< results of instructions that are not followed
  };
  unsigned stores(const clang::FunctionDecl *F);
  /// A method whose result is the object it was called for.
  bool returnsThis(const clang::FunctionDecl *F);

private:
  unsigned computeEffects(const clang::Stmt *S);
  unsigned effectsOfBody(const clang::FunctionDecl *Body);
  unsigned storesOfBody(const clang::FunctionDecl *Body);
  /// What reading or writing \p Place may do.
  unsigned effectsOfAccess(const clang::Expr *Place);
  unsigned effectsOfReferred(const clang::DeclRefExpr *Name);
  unsigned effectsOfCall(const clang::FunctionDecl *Callee,
                         llvm::ArrayRef<const clang::Expr *> Given,
                         const clang::Expr *Object);
  unsigned stores(const clang::Stmt *S);

  clang::ASTContext &Ctx;
  Layouts Layout;
  std::optional<WatchedVariables> Watching;
  unsigned Watches = 0;
  Matters Besides = Matters::Effects;
  Recognizer R;
  ModSets Changing;
  Coordinates Tensors{*this};
  ResultUses Results;
  GlobalPointers Globals;
  ComparedNumbers Compared{Layout};
  VirtualCalls Virtual;
  std::unique_ptr<Spellings> Written;
  llvm::DenseSet<clang::SourceLocation> RightModifiers;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<FunctionInfo>>
      Functions;
  llvm::DenseMap<const clang::FunctionDecl *, bool> TooDeep;
  Fixpoint<unsigned> Effects; ///< of functions and statements
  /// References whose initialisers are being looked at.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Followed;
  llvm::DenseMap<const clang::FunctionDecl *, bool> ThinWrappers;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Harmless, ReturnThis;
  Fixpoint<unsigned> Stores;
  llvm::DenseMap<const clang::FunctionDecl *, std::optional<llvm::APSInt>>
      Constants;
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> Hollow, Payload;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_FUNCTIONINFO_H
