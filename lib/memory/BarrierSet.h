//===- BarrierSet.h - Barriers of a block, by id ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ids      | barriers
//   ---------|--------------------------------------------------------
//   0 to 15  | those that have a number. PTX ISA, "bar, barrier"
//   16 to 31 | of tiles of several warps, which a block has up to 16 of
//   32 on    | three for each mbarrier: its open phase, the last one that is
//            | complete, and those before
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_BARRIERSET_H
#define CPASYNC_LIB_MEMORY_BARRIERSET_H

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace cpasync {

/// What one block may have of them; more are told and not kept apart.
inline constexpr size_t MaxMbarriers = 48;

/// Where in BlockCopies::phases() an mbarrier is.
enum class MbarrierIndex : size_t {};

/// A barrier, as the order of accesses counts them; see the table above.
class BarrierId {
public:
  static constexpr int64_t Numbered = 16, FirstPhase = 32;
  static constexpr int64_t Count = FirstPhase + 3 * int64_t(MaxMbarriers);

  /// One with a number, or behind those that of a tile: 0 to 31.
  static BarrierId numbered(int64_t Number) {
    assert(Number >= 0 && Number < FirstPhase);
    return BarrierId(Number);
  }
  /// The phase of an mbarrier that collects arrivals, the one before it, and
  /// all before that.
  static BarrierId openPhase(MbarrierIndex M) {
    return BarrierId(FirstPhase + 3 * int64_t(size_t(M) % MaxMbarriers));
  }
  static BarrierId newestPhase(MbarrierIndex M) {
    return BarrierId(openPhase(M).Index + 1);
  }
  static BarrierId olderPhases(MbarrierIndex M) {
    return BarrierId(openPhase(M).Index + 2);
  }
  int64_t index() const { return Index; } ///< below Count
  auto operator<=>(const BarrierId &) const = default;

private:
  explicit BarrierId(int64_t Index) : Index(Index) {}
  int64_t Index;
};

/// What threads that stand still wait for.
using Awaited = std::variant<BarrierId, MbarrierIndex>;

class BarrierSet {
public:
  BarrierSet() = default;
  static BarrierSet of(BarrierId Id) {
    BarrierSet R;
    R.insert(Id);
    return R;
  }
  bool has(BarrierId Id) const { return Words[word(Id)] & bit(Id); }
  bool hasAny(const BarrierSet &O) const {
    uint64_t Both = 0;
    for (size_t I = 0; I < Words.size(); ++I)
      Both |= Words[I] & O.Words[I];
    return Both;
  }
  void insert(BarrierId Id) { Words[word(Id)] |= bit(Id); }
  void erase(BarrierId Id) { Words[word(Id)] &= ~bit(Id); }
  const std::array<uint64_t, 3> &words() const { return Words; }
  auto operator<=>(const BarrierSet &) const = default;

private:
  static size_t word(BarrierId Id) { return size_t(Id.index()) / 64; }
  static uint64_t bit(BarrierId Id) { return uint64_t(1) << (Id.index() % 64); }

  static_assert(BarrierId::Count <= 192);
  std::array<uint64_t, 3> Words = {};
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_BARRIERSET_H
