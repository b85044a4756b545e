//===- SizeChoice.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/SizeChoice.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace cpasync;

using Use = SharedSize::Use;

/// Rows that are cut in pieces have more of them than a ring has slots.
static constexpr int64_t LongRows = 16;
/// How often a row is in whatever has many.
static constexpr int64_t RowsOfAll = 64;
/// With these, a number of rounds is odd.
static constexpr int64_t MoreRounds = 3, StillMoreRounds = 2;
/// If a few are not one, as a loop counts elements.
static constexpr int64_t ManyRounds = 1024;
/// Elements that make up no vector.
static constexpr int64_t NoVector = 5;
/// Less where the first takes too long.
static constexpr std::array Choices = {SizeChoice{1024, 4}, SizeChoice{128, 3},
                                       SizeChoice{1024, 4, true}};

bool cpasync::saysRounds(const OpenSize &S) {
  return S.In == Use::Rounds || S.In == Use::Grid ||
         (S.In == Use::Copy && !S.IsChosen) ||
         (S.In == Use::Comparison && S.Unit > 1);
}

std::optional<int64_t> SizeChoice::of(const OpenSize &S) const {
  if (But && But->Number.isSame(S.Number))
    return But->Is;
  if (S.In == Use::Grid)
    return HasAll ? std::optional(S.Unit) : std::nullopt;
  const bool InRounds =
      S.In == Use::Rounds || (HasAll && S.Unit > 1 && saysRounds(S));
  if (InRounds)
    return !Rounds       ? std::nullopt
           : S.Unit == 1 ? std::optional(Rounds)
                         : std::optional(WholeUnits * S.Unit + OddRest);
  if (!S.IsChosen && !HasExtents && !(HasAll && saysRounds(S)))
    return std::nullopt;
  if (Fills && S.Filling)
    return S.Filling;
  const int64_t Row = std::max(Size, Pieces * S.Unit + Rest);
  return isCount(S) ? Count : S.IsExtent ? Row : Row * PitchOfSize;
}

SizeChoice SizeChoice::with(int64_t NewSize, int64_t NewCount) const {
  SizeChoice C = *this;
  C.Size = NewSize;
  C.Count = NewCount;
  return C;
}

SizeChoice SizeChoice::inRounds(int64_t N, int64_t Units) const {
  SizeChoice C = *this;
  C.Rounds = N;
  C.WholeUnits = Units;
  return C;
}

// Numbers that were the same are no multiples of each other.
SizeChoice SizeChoice::inMoreRounds(int64_t N) const {
  const int64_t Apart = Rounds == WholeUnits ? 2 : 0;
  return Rounds ? inRounds(Rounds + N, WholeUnits + N + Apart) : *this;
}

SizeChoice SizeChoice::but(const OpenSize &S, int64_t Is) const {
  SizeChoice C = *this;
  C.But = {S.Number, Is};
  return C;
}

SizeChoice SizeChoice::withAll() const {
  SizeChoice C = *this;
  C.HasAll = true;
  return C;
}

SizeChoice SizeChoice::twice() const {
  return with(2 * Size, 2 * Count).inRounds(2 * Rounds, 2 * WholeUnits);
}

SizeChoice SizeChoice::ragged() const {
  SizeChoice C = with(Size + 16, Count + 1).inMoreRounds(MoreRounds);
  C.Rest = 16;
  return C;
}

SizeChoice SizeChoice::moreRagged() const {
  return ragged().inMoreRounds(StillMoreRounds);
}

SizeChoice SizeChoice::withOddRest() const {
  SizeChoice C = *this;
  C.OddRest = NoVector;
  return C;
}

SizeChoice SizeChoice::longer() const {
  SizeChoice C = with(LongRows * Size, Count);
  C.Pieces = LongRows;
  return C;
}

SizeChoice SizeChoice::roomy() const {
  SizeChoice C = with(4 * Size, Count);
  C.HasExtents = true;
  C.PitchOfSize = 16;
  return C;
}

SizeChoice SizeChoice::filling() const {
  SizeChoice C = *this;
  C.Fills = true;
  return C;
}

std::vector<SizeChoice> cpasync::choicesFor(llvm::ArrayRef<OpenSize> Sizes) {
  const bool HasEither = llvm::any_of(Sizes, [](const OpenSize &S) {
    return S.IsChosen && S.Of == SharedSize::Kind::Either;
  });
  std::vector<SizeChoice> Those;
  if (llvm::any_of(Sizes, [](const OpenSize &S) { return S.IsChosen; }))
    llvm::copy_if(Choices, std::back_inserter(Those), [&](const SizeChoice &C) {
      return !C.CountsIfEither || HasEither;
    });
  SizeChoice Small = Choices[1];
  if (llvm::any_of(Sizes,
                   [](const OpenSize &S) { return S.In == Use::Rounds; }))
    for (const int64_t N : {SizeChoice::FewRounds, ManyRounds})
      Those.push_back(Small.inRounds(N));
  if (llvm::none_of(Sizes, [](const OpenSize &S) {
        return S.In != Use::Rounds && saysRounds(S);
      }))
    return Those;
  Those.push_back(Small.inRounds(SizeChoice::FewRounds).withAll());
  Small.CountsIfEither = true;
  if (HasEither)
    Those.push_back(Small.inRounds(SizeChoice::FewRounds).withAll());
  return Those;
}

std::vector<SizeChoice> cpasync::othersThan(const SizeChoice &Fits,
                                            llvm::ArrayRef<OpenSize> Sizes) {
  std::vector<SizeChoice> Others;
  for (int64_t Fewer : {2, 3})
    Others.push_back(Fits.Rounds
                         ? Fits.with(Fits.Size, Fewer).inRounds(Fewer, Fewer)
                         : Fits.with(Fits.Size, Fewer));
  if (Fits.Rounds)
    Others.push_back(Fits.withOddRest());
  for (const OpenSize &S : Sizes)
    if (S.IsChosen && !Fits.isCount(S))
      Others.push_back(Fits.but(S, RowsOfAll * Fits.Size));
  return Others;
}
