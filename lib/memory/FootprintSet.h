//===- FootprintSet.h - Footprints by the bytes they touch ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Footprints in an order in which those that may touch the same bytes lie close
// together: by object, then by the lowest byte; those whose bytes are not known
// come first. Those that may touch given bytes are found without a look at the
// others, as long as none spans many times what the others do.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_FOOTPRINTSET_H
#define CPASYNC_LIB_MEMORY_FOOTPRINTSET_H

#include "lib/memory/Footprint.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

namespace cpasync {

/// Something that touches bytes: here a footprint itself.
inline const Footprint *bytesOf(const Footprint *F) { return F; }

/// The order meant above.
inline bool comesBefore(const Footprint *A, const Footprint *B) {
  return std::tuple(A->Obj->Id, A->Lo, A->Id) <
         std::tuple(B->Obj->Id, B->Lo, B->Id);
}

/// How many bytes \p F spans, if that is known, else 0.
int64_t reachOf(const Footprint *F);

/// Whether \p Found says yes to some of those in \p Sorted that are not plainly
/// apart from \p Of. It is asked once for each footprint, with all that have
/// it.
/// \p Reach: the largest reachOf() any of them.
template <typename T>
bool anyTouching(llvm::ArrayRef<T> Sorted, int64_t Reach, const Footprint *Of,
                 llvm::function_ref<bool(llvm::ArrayRef<T>)> Found) {
  auto From = [&](int64_t Lo) {
    return llvm::partition_point(Sorted, [&](const T &X) {
      const Footprint *F = bytesOf(X);
      return std::pair(F->Obj->Id, F->Lo) < std::pair(Of->Obj->Id, Lo);
    });
  };
  auto Any = [&](const T *I, const T *End) {
    while (I < End) {
      const Footprint *F = bytesOf(*I);
      const T *Begin = I++;
      if (I != End && bytesOf(*I) == F)
        I = std::partition_point(
            I, End, [&](const T &X) { return !comesBefore(F, bytesOf(X)); });
      if (Of->Lo < F->Hi && Found(llvm::ArrayRef(Begin, I)))
        return true;
    }
    return false;
  };
  if (Sorted.empty())
    return false;
  const T *Known = From(INT64_MIN + 1), *End = From(Of->Hi);
  const bool IsFar = Of->Lo > INT64_MIN + Reach;
  return Any(From(INT64_MIN), Known) ||
         Any(IsFar ? std::max(Known, From(Of->Lo - Reach + 1)) : Known, End);
}

class FootprintSet {
public:
  /// False if it was there already.
  bool insert(const Footprint *F);
  void clear() { Sorted.clear(); }
  /// Puts what \p New gives in the place of each.
  void replace(llvm::function_ref<const Footprint *(const Footprint *)> New);

  /// Whether \p Counts says yes to one that is not plainly apart from \p Of.
  bool anyTouching(
      const Footprint *Of, llvm::function_ref<bool(const Footprint *)> Counts =
                               [](const Footprint *) { return true; }) const {
    return cpasync::anyTouching<const Footprint *>(
        Sorted, Reach, Of, [&](auto Same) { return Counts(Same.front()); });
  }

  size_t size() const { return Sorted.size(); }
  auto begin() const { return Sorted.begin(); }
  auto end() const { return Sorted.end(); }
  bool operator==(const FootprintSet &O) const { return Sorted == O.Sorted; }

private:
  llvm::SmallVector<const Footprint *, 8> Sorted;
  int64_t Reach = 0; ///< of those that were ever in it
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_FOOTPRINTSET_H
