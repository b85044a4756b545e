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
//   32 on    | two for each mbarrier: its open phase, and those before
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_BARRIERSET_H
#define CPASYNC_LIB_MEMORY_BARRIERSET_H

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace cpasync {

inline constexpr int64_t NumberedBarriers = 16;
inline constexpr int64_t FirstPhase = 32;
/// What one block may have of them; more are told and not kept apart.
inline constexpr size_t MaxMbarriers = 48;

class BarrierSet {
public:
  static constexpr int64_t Size = FirstPhase + 2 * int64_t(MaxMbarriers);

  BarrierSet() = default;
  static BarrierSet of(int64_t Id) {
    BarrierSet R;
    R.insert(Id);
    return R;
  }
  bool has(int64_t Id) const { return Words[word(Id)] & bit(Id); }
  void insert(int64_t Id) { Words[word(Id)] |= bit(Id); }
  void erase(int64_t Id) { Words[word(Id)] &= ~bit(Id); }
  const std::array<uint64_t, 2> &words() const { return Words; }
  auto operator<=>(const BarrierSet &) const = default;

private:
  static size_t word(int64_t Id) {
    assert(Id >= 0 && Id < Size);
    return static_cast<size_t>(Id) / 64;
  }
  static uint64_t bit(int64_t Id) { return uint64_t(1) << (Id % 64); }

  std::array<uint64_t, 2> Words = {};
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_BARRIERSET_H
