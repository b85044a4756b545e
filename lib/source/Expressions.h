//===- Expressions.h - What an expression is about --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_EXPRESSIONS_H
#define CPASYNC_LIB_SOURCE_EXPRESSIONS_H

#include "clang/AST/Type.h"

namespace clang {
class CFGBlock;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace cpasync {

/// \p E without parentheses, and without what makes and ends temporaries.
const clang::Expr *withoutTemporaries(const clang::Expr *E);

/// What has the value of \p E, or is its place: without casts, too.
const clang::Expr *withoutCasts(const clang::Expr *E);

/// Of the object that ends with \p D: where that is a reference, of the
/// temporary that lives as long as it does.
clang::QualType typeOfObject(const clang::VarDecl *D);

/// What \p E is a copy of, through temporaries and implicit casts; \p E itself,
/// without parentheses, if it is none.
const clang::Expr *withoutCopies(const clang::Expr *E);

/// The variable that \p E, which may be null, is the name of; null: none.
const clang::VarDecl *namedVariable(const clang::Stmt *E);

/// The same; of the name of a structured binding the variable that it is in.
const clang::VarDecl *variableBehind(const clang::Stmt *E);

/// What a loop asks before a round, or after one; null: nothing.
const clang::Expr *conditionOf(const clang::Stmt *Loop);

/// What decides \p Condition at the end of \p B: of a long "a && b", "b", where
/// that is what the block ends with. Only threads for which "a" holds come
/// there.
const clang::Expr *decidedBy(const clang::CFGBlock *B,
                             const clang::Expr *Condition);

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_EXPRESSIONS_H
