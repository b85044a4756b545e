//===- Evaluator.h - What expressions are worth -----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_EVALUATOR_H
#define CPASYNC_LIB_INTERP_EVALUATOR_H

#include "lib/inference/InBounds.h"
#include "lib/interp/InterpPart.h"
#include "clang/AST/ExprCXX.h"

namespace cpasync {

/// Values of expressions, and which of them carry on what they load.
class Evaluator : InterpPart, public ExpressionValues {
public:
  using InterpPart::InterpPart;

  const Int *condition(State &S, Value V, const clang::Expr *E);
  Value eval(State &S, const clang::Expr *E) override;
  Value address(State &S, const clang::Expr *E) override; ///< of a glvalue
  Value evalConstant(const clang::Expr *E);
  /// The same of an expression that others are parts of, or that it is.
  Value evalElement(State &S, const clang::Expr *E);
  Value variable(State &S, const clang::VarDecl *D, const clang::Expr *E);
  /// Evaluates what is about to be stored; what it loads goes to \p To.
  Value evalToStore(State &S, const clang::Expr *E, LoadedParts &To);
  /// It is not known what of this expression is used.
  void useWithin(State &S, const clang::Stmt *E);

  /// Where to note what \p Load loads, if its value is about to be stored.
  LoadedParts *partsToStore(const clang::Expr *Load) const {
    return Load && (Load == Stored.Load || Reads.followsSums()) ? Stored.Parts
                                                                : nullptr;
  }
  /// Where sums are followed: \p Call is of what \p Args are.
  void passOn(State &S, llvm::ArrayRef<const clang::Expr *> Args,
              const clang::Expr *Call);
  /// What \p Parts are of has been stored at \p Place.
  void place(State &S, Value Place, llvm::ArrayRef<LoadedPart> Parts,
             clang::SourceLocation At);

private:
  /// A load whose value is about to be stored, and what it loads.
  struct {
    const clang::Expr *Load = nullptr;
    LoadedParts *Parts = nullptr;
  } Stored;

  Value placeNamed(State &S, const clang::DeclRefExpr *D);
  Value placeOfMember(State &S, const clang::MemberExpr *M);
  Value placeOfElement(State &S, const clang::ArraySubscriptExpr *A);
  Value evalThis(State &S, const clang::Expr *E);
  Value evalConditional(State &S, const clang::AbstractConditionalOperator *C);
  /// The side that all threads run, as \p Cond is decided; null: either may.
  const clang::Expr *sideTaken(const State &S,
                               const clang::AbstractConditionalOperator *C,
                               const Int *Cond);
  /// An initialiser list, or a lambda.
  Value evalList(State &S, const clang::Expr *E);
  /// What \p E is worth, a long number, under the name of the variable that
  /// holds it, if \p E is one: asked again, the same two are compared.
  Value nameVariable(State &S, const clang::Expr *E, Value Val);
  Value loadEither(State &S, const clang::AbstractConditionalOperator *C,
                   const clang::CastExpr *E);
  Value evalCast(State &S, const clang::CastExpr *E);
  Value evalClassCast(State &S, const clang::CastExpr *E);
  Value evalUnary(State &S, const clang::UnaryOperator *E);
  Value comparedAs(const clang::Expr *E, Value Is);
  Value computed(State &S, const clang::Expr *E, Value A, Value B);
  Value evalBinary(State &S, const clang::BinaryOperator *E);
  Value evalCompound(State &S, const clang::CompoundAssignOperator *E);
  /// Stores \p Val at \p Place, which \p To names; \p E says so.
  void storeTo(State &S, const clang::Expr *To, Value Place, Value Val,
               const clang::Expr *E);
  /// Of a variable that is no local: the same on all paths.
  Value placeOutside(const clang::VarDecl *D);
  Value evalUnvisited(State &S, const clang::Expr *E);
  /// Of an expression that has been run.
  void loadResult(State &S, const clang::Expr *E);
  /// \p E, which is run, is made of \p Parts.
  void keepResult(State &S, const clang::Expr *E, LoadedParts Parts);

  // What is the same whenever it is asked for.
  llvm::DenseMap<const clang::VarDecl *, Value> PlacesOutside;
  llvm::DenseMap<const clang::Expr *, Value> ConstantValues;
  llvm::DenseMap<const clang::CXXRecordDecl *,
                 llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *>>
      Captures; ///< by the class of the lambda
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_EVALUATOR_H
