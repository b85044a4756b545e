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

#ifndef CPASYNC_LIB_INTERNER_H
#define CPASYNC_LIB_INTERNER_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"

namespace cpasync {

/// \p T has a type Key with ==, which refers to its contents; key(), and
/// hash(Key).
template <typename T> class Interner {
public:
  /// The object with the contents \p K. A new one is filled by \p Fill(T &).
  template <typename Fn> const T *get(const T::Key &K, Fn Fill) {
    if (auto I = Table.find_as(K); I != Table.end())
      return *I;
    T *New = new (Arena.Allocate()) T();
    Fill(*New);
    Table.insert(New);
    return New;
  }
  unsigned size() const { return Table.size(); }

private:
  struct ByContents : llvm::DenseMapInfo<const T *> {
    using Pointer = llvm::DenseMapInfo<const T *>;
    static unsigned getHashValue(const T *X) { return T::hash(X->key()); }
    static unsigned getHashValue(const T::Key &K) { return T::hash(K); }
    static bool isEqual(const T *A, const T *B) { return A == B; }
    static bool isEqual(const T::Key &K, const T *X) {
      return X != Pointer::getEmptyKey() && X != Pointer::getTombstoneKey() &&
             K == X->key();
    }
  };
  llvm::SpecificBumpPtrAllocator<T> Arena;
  llvm::DenseSet<const T *, ByContents> Table;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERNER_H
