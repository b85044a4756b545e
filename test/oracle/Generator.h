//===- Generator.h - Random kernels -----------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_GENERATOR_H
#define CPASYNC_TEST_ORACLE_GENERATOR_H

#include "Kernel.h"
#include <random>

namespace oracle {

/// The same numbers everywhere, which std::uniform_int_distribution does not
/// promise.
class Random {
public:
  explicit Random(uint64_t Seed) : Engine(Seed) {}
  /// In [Lo, Hi].
  int64_t between(int64_t Lo, int64_t Hi) {
    return Lo + static_cast<int64_t>(Engine() % uint64_t(Hi - Lo + 1));
  }
  bool percent(unsigned P) { return between(0, 99) < P; }
  template <typename T> T oneOf(std::initializer_list<T> Choices) {
    return Choices.begin()[between(0, Choices.size() - 1)];
  }

private:
  std::mt19937_64 Engine;
};

/// A kernel of some family: a pipeline as people write it, with some of the
/// ways to get it wrong; or operations at random. It may be invalid.
Kernel generate(Random &R);

/// Puts conditions that nobody can know, barriers of other sorts and sizes of
/// the source into a kernel. Variations.cpp.
void vary(Random &R, Kernel &K);

/// Breaks, or repairs, a kernel in one place.
void mutate(Random &R, Kernel &K);

/// A kernel with bulk copies, mbarriers or both, as people write it.
Kernel generateInBulk(Random &R);

/// Something in it that people get wrong. PhaseMistakes.cpp.
void makeMistake(Random &R, Kernel &K);

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_GENERATOR_H
