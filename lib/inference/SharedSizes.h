//===- SharedSizes.h - Sizes that a function is given -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a function is given the pitch of the rows that it keeps in shared
// memory, or how many stages its ring has, little is known of which bytes its
// accesses touch. It is run with such numbers chosen, as for a block of so many
// threads. A guess: numbers that a row may have, and a ring.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_SHAREDSIZES_H
#define CPASYNC_LIB_INFERENCE_SHAREDSIZES_H

#include "lib/state/KernelRun.h"

namespace cpasync {

struct SharedSize {
  const Atom *Number;
  /// Size: of elements or bytes; threads compare it with what they have their
  /// own of. Count: of stages or rounds; all compare it with the same.
  enum class Kind { Size, Count, Either } Of;
  /// Threads compare it with what they have their own of: how much there is, as
  /// against how far apart rows lie.
  bool IsExtent = false;
  /// What hangs on it first of all: where something lies, else how far a bulk
  /// copy goes, else what threads compare with it alone, else how many rounds
  /// loops have that all threads run. Grid: that, too, but it says which block
  /// it is, or how many there are.
  enum class Use { Address, Copy, Comparison, Rounds, Grid } In = Use::Address;
  /// Comparisons divide it by this: there are whole ones of it. Grid: what it
  /// is for the only block.
  int64_t Unit = 1;
  bool isInAddress() const { return In == Use::Address; }
};

/// Numbers that \p F is given and that addresses in shared memory hang on in
/// \p Run; if there are any, what counters are taken modulo, too. Then what
/// else says how far bulk copies go, and extents; and whatever else all threads
/// compare. In the order in which they were met.
std::vector<SharedSize> sharedSizes(const KernelRun &Run,
                                    const clang::FunctionDecl *F);

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_SHAREDSIZES_H
