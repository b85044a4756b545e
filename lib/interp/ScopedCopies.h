//===- ScopedCopies.h - memcpy_async ----------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_SCOPEDCOPIES_H
#define CPASYNC_LIB_INTERP_SCOPEDCOPIES_H

#include "lib/interp/InterpPart.h"

namespace cpasync {

/// Copies of libcu++ and of cooperative groups.
class ScopedCopies : InterpPart {
public:
  using InterpPart::InterpPart;

  /// cuda::device::memcpy_async_tx; false: not that.
  bool bulkLoad(State &S, const clang::CallExpr *E);
  bool scopedCopy(State &S, const clang::CallExpr *E);
  bool groupCopy(State &S, const clang::CallExpr *E);
  Value argument(State &S, const clang::Expr *E);

private:
  struct MemcpyAsync;
  Value somewhereIn(State &S, Value To, const clang::Expr *ToExpr,
                    const MemcpyAsync &M, int64_t Piece);
  /// All that share it have to run it.
  void checkGroup(State &S, const clang::CallExpr *E, const MemcpyAsync &M);
  /// False if not enough is known of the copy.
  bool copyBytes(State &S, const clang::CallExpr *E, MemcpyAsync M);
  /// How much \p E says, in its own units; \p Alignment: if it promises one.
  /// Null if it is not known.
  const Int *shapeOf(State &S, const clang::Expr *E, int64_t &Alignment);
  Interval boundsOf(const State &S, const Int *N); ///< null: there are none
  /// How many \p Bytes are copied, for which there is room.
  Interval fitting(State &S, const Int *Bytes, const clang::Expr *ToExpr,
                   Value To);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_SCOPEDCOPIES_H
