//===- Divisors.h - What numbers come in whole ones of ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who asks for `N / 4` pieces, or for `(N + 63) / 64` tiles, takes N to come in
// whole ones of 4 or 64, or means tails.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_DIVISORS_H
#define CPASYNC_LIB_INFERENCE_DIVISORS_H

#include "lib/values/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace cpasync {

/// The constants by which a program divides numbers that go by names.
class Divisors {
public:
  enum class Of {
    Alone, ///< `N / 4`, with nothing added to N: whole ones are asked for
    Sums,  ///< `(N + 63) / 64`, too: the rest is one more
  };
  /// Notes the divisions in \p I, shifts to the right among them.
  void note(const Int *I, Of Which);
  /// The least common multiple of what \p Number is divided by, as far as it is
  /// no more than MaxDivisor; 1 if nothing divides it.
  int64_t of(const Atom *Number) const;

private:
  void divide(const Int *Dividend, int64_t By, Of Which);
  void divide(const Atom *Number, int64_t By);
  llvm::DenseMap<const Atom *, int64_t> By;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_DIVISORS_H
