//===- Calls.h - Calls and constructors -------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_CALLS_H
#define CPASYNC_LIB_INTERP_CALLS_H

#include "lib/interp/InterpPart.h"
#include "clang/AST/ExprCXX.h"

namespace cpasync {

/// Frames: what a call is given and gives back.
class Calls : InterpPart {
public:
  using InterpPart::InterpPart;

  /// Default arguments are in no CFG: calls in those of \p Call are run before
  /// it. True if one has begun; the element is run again after it.
  bool runDefaultArguments(State &S, const clang::Expr *Call);
  void call(State &S, const clang::CallExpr *E);
  void construct(State &S, const clang::CXXConstructExpr *E);
  void beginFrame(State &S, const clang::FunctionDecl *Callee,
                  const clang::Expr *Call, clang::SourceLocation Loc,
                  Value This);
  void enterFrame(State &S);
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

private:
  /// Finds the object of a method's call and takes it from \p Args. True if the
  /// call is done: it was an assignment that copies.
  bool takeObject(State &S, const clang::CallExpr *E,
                  const clang::FunctionDecl *Callee,
                  llvm::SmallVectorImpl<const clang::Expr *> &Args,
                  Value &This);
  /// What the call gives is known without running it.
  bool isKnownCall(State &S, const clang::CallExpr *E,
                   const clang::FunctionDecl *Body,
                   llvm::ArrayRef<const clang::Expr *> Args, Value This);
  /// The first call in \p In that has no value yet.
  const clang::Expr *firstToRun(const State &S, const clang::Stmt *In);
  void pushFrame(State &S, const clang::FunctionDecl *Callee,
                 const clang::Expr *Call,
                 llvm::ArrayRef<const clang::Expr *> Args, Value This);
  void pushFrame(State &S, const clang::FunctionDecl *Callee,
                 const clang::Expr *Call, llvm::ArrayRef<Value> Args,
                 Value This, llvm::ArrayRef<LoadedParts> Parts = {});
  bool staysInRegisters(State &S, const clang::FunctionDecl *Body,
                        llvm::ArrayRef<const clang::Expr *> Args, Value This);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_CALLS_H
