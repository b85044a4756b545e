//===- ShapeWatch.h - How the block seems to lie ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_SHAPEWATCH_H
#define CPASYNC_LIB_INTERP_SHAPEWATCH_H

#include "lib/interp/InterpPart.h"
#include "clang/AST/Expr.h"

namespace cpasync {

/// Where the shape of the block is open: notes what the kernel does with the
/// numbers of its threads, and what does not go together with the shape that
/// this run has (ShapeClues). Nothing is done where the shape is known.
class ShapeWatch : InterpPart {
public:
  using InterpPart::InterpPart;

  /// \p E, an operator other than an assignment, has these operands.
  void binary(const clang::BinaryOperator *E, Value A, Value B);
  /// \p Var goes on by \p By, which is \p Step's value.
  void advance(Value Var, const clang::Expr *Step);
  void subscript(State &S, const clang::ArraySubscriptExpr *E, Value Base,
                 Value Index);
  /// Threads of \p F access shared memory.
  void access(const State &S, const Footprint *F, clang::SourceLocation Loc);
  void read(const State &S, const Footprint *F, clang::SourceLocation Loc);
  /// A copy of \p Size bytes a thread to an object.
  void copy(const Object *To, int64_t Size);
  /// Code of the user asks for threadIdx.y (1) or threadIdx.z (2).
  void asks(unsigned Axis, clang::SourceLocation Loc);

private:
  /// All threads of the block in steps: the first \p Threads have one value,
  /// as many next ones \p Each more, and so on.
  struct Staircase {
    int64_t First, Each;
    unsigned Threads;
    /// Threads of those that do not come to \p Value.
    int64_t threadsBelow(int64_t Value) const;
  };
  std::optional<Staircase> staircaseOf(const Int *I) const;
  /// 0 for threadIdx.x, 1 for .y, 2 for .z in a block of several dimensions.
  std::optional<unsigned> axisOf(const Int *I);
  /// The first thread of \p Of for which \p At is not in [0, \p Last].
  std::optional<unsigned>
  firstBeyond(const PerThread &Of, int64_t Last,
              llvm::function_ref<int64_t(unsigned)> At) const;
  bool isRegister(const clang::Expr *E, llvm::StringRef Name) const;
  bool isMovedOn(const clang::Expr *E);
  void compare(const clang::BinaryOperator *E, clang::BinaryOperatorKind Op,
               Value A, Value B);
  /// Of rows and planes in which each thread of several has a place, as all
  /// do, in places; 0: there is one plane.
  struct Pitches {
    int64_t Row, Plane;
  };
  std::optional<Pitches> pitchesOf(const Int *I);
  void note(bool IsNew);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_SHAPEWATCH_H
