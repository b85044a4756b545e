//===- Arithmetic.h - Operations on values ----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_ARITHMETIC_H
#define CPASYNC_LIB_INTERP_ARITHMETIC_H

#include "lib/interp/InterpPart.h"

namespace cpasync {

/// What operators give, for all threads at once.
class Arithmetic : InterpPart {
public:
  using InterpPart::InterpPart;

  Value arithmetic(State &S, clang::BinaryOperatorKind Op, Value A, Value B,
                   clang::QualType AType, clang::QualType BType,
                   clang::QualType Result);
  Value compare(State &S, clang::BinaryOperatorKind Op, Value A, Value B);
  Value convert(Value V, clang::QualType To);
  const Int *truth(Value V); ///< null if unknown
  /// A fresh symbol in place of an integer that has grown too heavy.
  Value lighten(State &S, const clang::Expr *E, Value V);
  Value offsetBy(Value Pointer, const Int *Bytes);
  /// Of an address in shared memory, as of its offset; else unknown.
  Value negated(Value Address);
  /// The kernel relies on it where it does not say so. Nothing is assumed of
  /// what threads have their own of.
  void assumeAtMost(State &S, const Int *X, int64_t Most);
  void assumeNotNegative(State &S, const Int *X);

private:
  Value ofAddress(clang::BinaryOperatorKind Op, Value A, Value B);
  const Int *maskOf(State &S, const Int *X, const Int *Mask);
  Value ofIntegers(State &S, clang::BinaryOperatorKind Op, Value A, Value B,
                   clang::QualType Result);
  void assumePositive(State &S, const Int *Divisor);
  void assumeNot(State &S, const Int *X, clang::BinaryOperatorKind Op,
                 int64_t Than);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_ARITHMETIC_H
