//===- Lifetimes.h - Objects begin, change class and end --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_LIFETIMES_H
#define CPASYNC_LIB_INTERP_LIFETIMES_H

#include "lib/interp/InterpPart.h"
#include "clang/AST/ExprCXX.h"

namespace cpasync {

/// What class an object is of, and where it ends.
class Lifetimes : InterpPart {
public:
  using InterpPart::InterpPart;

  /// \p Object, a \p T, goes out of scope.
  void destroy(State &S, Value Object, clang::QualType T,
               clang::SourceLocation Loc);
  /// \p Maker has made a temporary that not every path makes.
  void noteMade(State &S, const clang::Expr *Maker);
  /// Where the temporary that \p B binds is.
  Value temporary(State &S, const clang::CXXBindTemporaryExpr *B);
  /// In the frame of a constructor or destructor: its object is of that class.
  void setClass(State &S);
  /// The method that runs when \p M is called for \p This, which becomes the
  /// object of its class; null if it is not known.
  const clang::CXXMethodDecl *
  finalOverrider(State &S, const clang::CXXMethodDecl *M, Value &This);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_LIFETIMES_H
