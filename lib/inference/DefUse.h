//===- DefUse.h - Where numbers come from, as written -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernel's text says of a number, through the variables and arguments
// that it comes from. Of a path, only the calls and the loops that it is in
// have a say in it.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_DEFUSE_H
#define CPASYNC_LIB_INFERENCE_DEFUSE_H

#include "lib/source/BlockShape.h"
#include "lib/source/FunctionInfo.h"
#include <cstdint>
#include <optional>

namespace cpasync {

struct Context;

/// \c Depth is how many names an expression was reached through.
class DefUse {
public:
  static constexpr unsigned MaxDepth = 12;

  DefUse(Program &P, BlockShape Shape) : P(P), Shape(Shape) {}

  /// What the function was given that \p E hangs on; null: nothing.
  const clang::VarDecl *givenNumber(const Context &C, const clang::Stmt *E,
                                    unsigned Depth = 0) const;
  /// Whether to leave the loop hangs on what the kernel was given, though the
  /// path may have decided by now what that is.
  bool endsAsGiven(const Context &C, const clang::CFGBlock *Head) const;
  /// The loop whose rounds, nobody knows how many, take \p E further and
  /// further; null: none.
  const clang::Stmt *movingLoop(const Context &C, const clang::Expr *E,
                                unsigned Depth = 0) const;
  /// By how much each round of a loop takes it on; 0 if that is not known.
  int64_t stepOf(const Context &C, const clang::Expr *E,
                 unsigned Depth = 0) const;
  /// Where the value of \p Var was written down, if that is still its value.
  const clang::Expr *originOf(const Context &C,
                              const clang::VarDecl *Var) const;
  /// What \p E is on all paths.
  std::optional<int64_t> fixedValue(const Context &C, const clang::Expr *E,
                                    unsigned Depth = 0) const;

private:
  const clang::Expr *argumentFor(const Context &C,
                                 const clang::ParmVarDecl *Parm) const;
  /// `blockDim.x` and the like.
  std::optional<int64_t> extent(const clang::Expr *E) const;

  Program &P;
  const BlockShape Shape;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_DEFUSE_H
