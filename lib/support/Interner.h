//===- Interner.h - Objects of which equal ones are one ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine compares values all the time and makes new ones rarely: every
// value is made once and is then known by its address. Objects live as long as
// their interner.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SUPPORT_INTERNER_H
#define CPASYNC_LIB_SUPPORT_INTERNER_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"

namespace cpasync {

/// \p T has a type Key with ==, which refers to its contents; key(), and
/// hash(Key).
template <typename T> class Interner {
public:
  /// The object with the contents \p K. A new one is filled by \p Fill(T &).
  template <typename Fn> const T *get(const T::Key &K, Fn Fill) {
    const Wanted W{K, T::hash(K)};
    if (auto I = Table.find_as(W); I != Table.end())
      return I->Object;
    T *New = new (Arena.Allocate()) T();
    Fill(*New);
    Table.insert({New, W.Hash});
    return New;
  }
  unsigned size() const { return Table.size(); }
  /// Memory in use, in bytes.
  size_t bytes() const {
    return Table.size() * sizeof(T) + Table.getMemorySize();
  }

private:
  /// With its hash: contents are long, and most of those met differ.
  struct Entry {
    const T *Object;
    unsigned Hash;
  };
  struct Wanted {
    const T::Key &K;
    unsigned Hash;
  };
  struct ByContents {
    using Pointer = llvm::DenseMapInfo<const T *>;
    static Entry getEmptyKey() { return {Pointer::getEmptyKey(), 0}; }
    static Entry getTombstoneKey() { return {Pointer::getTombstoneKey(), 0}; }
    static unsigned getHashValue(const Entry &E) { return E.Hash; }
    static unsigned getHashValue(const Wanted &W) { return W.Hash; }
    static bool isEqual(const Entry &A, const Entry &B) {
      return A.Object == B.Object;
    }
    static bool isEqual(const Wanted &W, const Entry &E) {
      return W.Hash == E.Hash && E.Object != Pointer::getEmptyKey() &&
             E.Object != Pointer::getTombstoneKey() && W.K == E.Object->key();
    }
  };
  llvm::SpecificBumpPtrAllocator<T> Arena;
  llvm::DenseSet<Entry, ByContents> Table;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SUPPORT_INTERNER_H
