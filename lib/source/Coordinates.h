//===- Coordinates.h - Numbers that only place a tensor's box ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor copy is given which part of the tensor it moves (PTX ISA,
// "cp.async.bulk.tensor": tensorCoords). Nothing that is analysed depends on
// that, so neither does it on numbers that are used for nothing else: they need
// not be known, and a loop in which only they differ has settled.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_COORDINATES_H
#define CPASYNC_LIB_SOURCE_COORDINATES_H

#include "lib/support/Fixpoint.h"
#include <vector>

namespace clang {
class CallExpr;
class FunctionDecl;
class GCCAsmStmt;
} // namespace clang

namespace cpasync {

class Program;

class Coordinates {
public:
  explicit Coordinates(Program &P) : P(P) {}

  /// Argument \p I becomes a coordinate, or nothing.
  bool isOnly(const clang::CallExpr *C, unsigned I);
  /// Operand \p I, outputs first, is a coordinate wherever the text names it.
  bool isOnly(const clang::GCCAsmStmt *A, unsigned I);

private:
  /// Which parameters are used for more than that.
  std::vector<bool> usedParameters(const clang::FunctionDecl *Body);

  Program &P;
  Fixpoint<std::vector<bool>> Used; ///< by the definition of a function
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_COORDINATES_H
