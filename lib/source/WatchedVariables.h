//===- WatchedVariables.h - What may hold a value that was read -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether anybody uses what some reads loaded (ReadLiveness.cpp) hangs on the
// statements that touch the variables which may hold it: those that the reads
// load into, those that it is copied to, and what refers to one of them. They
// are found without running anything. What is copied where this did not see it
// go counts as used.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_WATCHEDVARIABLES_H
#define CPASYNC_LIB_SOURCE_WATCHEDVARIABLES_H

#include "lib/support/Fixpoint.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace clang {
class Expr;
class Stmt;
} // namespace clang

namespace cpasync {

class Program;

class WatchedVariables {
public:
  /// \p Roots: what is loaded into while \p Kernel runs: variables, and
  /// functions and expressions for their results.
  WatchedVariables(Program &P, const clang::FunctionDecl *Kernel,
                   llvm::ArrayRef<const void *> Roots);

  bool contains(const void *Variable) const {
    return Watched.contains(Variable);
  }
  /// Running \p S may touch one of them, calls included.
  bool mayTouch(const clang::Stmt *S) const;

private:
  /// A variable; a function for its result, the body of a method for the object
  /// it is called for.
  using Name = const void *;
  /// What \p From is goes on to \p To.
  struct Step {
    const clang::Expr *From;
    Name To;
    bool IsCopy; ///< of numbers; else \p To may refer to what \p From does
  };

  /// Something that an expression or a body is touched by: a variable and the
  /// like that may be watched, or a function that is called.
  struct Mention {
    Name Variable;
    const clang::FunctionDecl *Callee; ///< null: it is a variable
  };
  using Mentions = llvm::SmallVector<Mention, 4>;

  void collect(const clang::FunctionDecl *F);
  void collect(const clang::FunctionDecl *F, const clang::Stmt *S);
  void collectCall(const clang::Expr *E, const clang::FunctionDecl *Callee,
                   const clang::Expr *This,
                   llvm::ArrayRef<const clang::Expr *> Args);
  void add(const clang::Expr *From, Name To, clang::QualType T);
  /// Names that the place \p E may be part of.
  void placesOf(const clang::Expr *E, llvm::SmallVectorImpl<Name> &To) const;
  /// What \p S itself is touched by, without its parts.
  Mention mentionOf(const clang::Stmt *S) const;
  /// What \p E may touch, calls included.
  void addMentions(const clang::Expr *E, Mentions &To) const;
  /// What \p E is a copy of.
  void addCopied(const clang::Expr *E, Mentions &To) const;
  /// What the body of \p F touches other than what it is given.
  void mentionsFromOutside(const clang::FunctionDecl *F, Mentions &To) const;
  bool touchesFromOutside(const clang::FunctionDecl *F) const;

  class Spreading;

  Program &P;
  llvm::DenseSet<Name> Watched, Roots;
  std::vector<Step> Steps;
  llvm::DenseSet<const clang::FunctionDecl *> Collected;
  /// The body of the method that each `this` stands in.
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> BodyOfThis;
  mutable llvm::DenseMap<const clang::FunctionDecl *, bool> Outside;
  mutable Fixpoint<bool> OutsideOfOthers; ///< found when they are asked for
  mutable llvm::DenseMap<const clang::Stmt *, bool> Touches;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_WATCHEDVARIABLES_H
