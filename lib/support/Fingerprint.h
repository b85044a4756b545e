//===- Fingerprint.h - Recognise a state without keeping it -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path ends where it meets a state that another path was in. Hundreds of
// thousands of states are met in a large kernel: 128 bits of each are kept
// instead of all of it. Everything a state is made of is interned, so what goes
// in are addresses and small numbers; with a million states two different ones
// share a fingerprint with a probability below 1e-26.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SUPPORT_FINGERPRINT_H
#define CPASYNC_LIB_SUPPORT_FINGERPRINT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/xxhash.h"
#include <cstdint>
#include <utility>

namespace cpasync {

class Fingerprint {
public:
  using Digest = std::pair<uint64_t, uint64_t>;

  void add(uint64_t Word) { Words.push_back(Word); }
  void add(const void *P) { add(uint64_t(reinterpret_cast<uintptr_t>(P))); }
  /// The length and each element, which \p Each adds.
  template <typename Range, typename Fn>
  void addList(const Range &Elements, Fn Each) {
    add(uint64_t(Elements.size()));
    for (const auto &E : Elements)
      Each(E);
  }

  Digest digest() const {
    const llvm::XXH128_hash_t H = llvm::xxh3_128bits(
        {reinterpret_cast<const uint8_t *>(Words.data()), Words.size() * 8});
    return {H.low64, H.high64};
  }

private:
  llvm::SmallVector<uint64_t, 256> Words;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SUPPORT_FINGERPRINT_H
