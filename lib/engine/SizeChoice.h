//===- SizeChoice.h - Numbers for sizes that are open -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A guess: a row of a usual model in several rounds of a usual block, and a
// ring that is not too short; as many rounds as show what a ring does. What is
// divided into pieces has whole ones, first of all.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_SIZECHOICE_H
#define CPASYNC_LIB_ENGINE_SIZECHOICE_H

#include "lib/engine/Runs.h"

namespace cpasync {

struct SizeChoice {
  int64_t Size, Count;
  bool CountsIfEither = false; ///< what may be a size or a count is a count
  /// What no address hangs on is chosen, too.
  bool HasExtents = false;
  int64_t PitchOfSize = 1; ///< rows lie so many sizes apart
  bool Fills = false;      ///< copies fill what they go to
  /// A ring comes round in so many rounds, and in as many more.
  static constexpr int64_t FewRounds = 8;
  /// Of loops; 0: as many as they may have. Those that divide what they are
  /// given have few.
  int64_t Rounds = 0, WholeUnits = FewRounds;
  /// Whatever says how many rounds there are is chosen, and there is one block.
  bool HasAll = false;
  /// What is divided into pieces has as many at least, and a rest.
  int64_t Pieces = 0, Rest = 0;
  int64_t OddRest = 0; ///< of what rounds divide
  struct Exception {
    DecidedNumber Number;
    int64_t Is;
  };
  std::optional<Exception> But = std::nullopt;

  bool isCount(const OpenSize &S) const {
    return S.Of == SharedSize::Kind::Count ||
           (S.Of == SharedSize::Kind::Either && CountsIfEither);
  }
  /// As a pitch, its rounds are one that nobody has.
  bool isNoPitch() const { return OddRest || Rounds % FewRounds != 0; }
  /// None: it stays open.
  std::optional<int64_t> of(const OpenSize &S) const;

  SizeChoice with(int64_t NewSize, int64_t NewCount) const;
  SizeChoice inRounds(int64_t N, int64_t Units = FewRounds) const;
  SizeChoice but(const OpenSize &S, int64_t Is) const;
  SizeChoice withAll() const;
  SizeChoice twice() const;
  /// Not a multiple of as much.
  SizeChoice ragged() const;
  SizeChoice moreRagged() const;
  /// What is left of a vector is dealt with, too.
  SizeChoice withOddRest() const;
  /// Once more round the ring, where all of it is cut in pieces.
  SizeChoice longer() const;
  /// Rows are not too long for where they lie, whatever is counted in what.
  SizeChoice roomy() const;
  SizeChoice filling() const;

private:
  SizeChoice inMoreRounds(int64_t N) const;
};

/// It may be what loops do not settle for.
bool saysRounds(const OpenSize &S);

/// For each of these, in this order: a few tries.
std::vector<SizeChoice> choicesFor(llvm::ArrayRef<OpenSize> Sizes);

/// One that \p Fits in other sizes and counts, and with long rows in whatever
/// has many: for what is not come to with it.
std::vector<SizeChoice> othersThan(const SizeChoice &Fits,
                                   llvm::ArrayRef<OpenSize> Sizes);

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_SIZECHOICE_H
