//===- Footprint.h - Bytes that threads of a block touch --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_MEMORY_FOOTPRINT_H
#define CPASYNC_LIB_MEMORY_FOOTPRINT_H

#include "lib/values/Value.h"

namespace cpasync {

/// Each thread of Mask touches Size bytes at its own offset in an object.
struct Footprint {
  const Object *Obj;
  const Int *Offset; ///< bytes; null: somewhere in the object
  int64_t Size;      ///< bytes per thread, > 0
  const PerThread *Mask;
  unsigned Id; ///< order of creation
  /// All of them lie in [Lo, Hi), if that is known or taken for granted.
  int64_t Lo = INT64_MIN, Hi = INT64_MAX;
  /// The bytes that some thread touches, sorted and apart, counted from the
  /// unknown part of the offset; empty until FootprintTable asks for them.
  using Span = std::pair<int64_t, int64_t>; ///< begin and end
  mutable std::vector<Span> Spans;
};

struct Overlap {
  enum class Kind {
    Disjoint,
    Clash,   ///< Thread and Other touch Byte
    Unknown, ///< the offsets cannot be compared
  };
  Kind K = Kind::Disjoint;
  int Thread = -1; ///< of the first footprint
  int Other = -1;  ///< of the second; the same thread where one clashes itself
  int64_t Byte = -1; ///< offset in the object; -1 where only differences of
                     ///< addresses are known
};

/// Interns footprints and remembers how they overlap.
class FootprintTable {
public:
  explicit FootprintTable(ValueContext &V) : V(V) {}
  PerThreadContext &lanes() { return V.lanes(); }

  const Footprint *get(const Object *Obj, const Int *Offset, int64_t Size,
                       const PerThread *Mask);
  const Footprint *restrict(const Footprint *F, const PerThread *Mask) {
    return get(F->Obj, F->Offset, F->Size, V.lanes().both(F->Mask, Mask));
  }
  /// Different objects never overlap, except that the dynamic pool is one.
  const Overlap &overlap(const Footprint *A, const Footprint *B);
  /// As overlap(), but only between threads of different warps.
  const Overlap &overlapAcrossWarps(const Footprint *A, const Footprint *B);
  /// Whether a thread of the first footprint and one of the second count.
  using PairFilter = llvm::function_ref<bool(unsigned Thread, unsigned Other)>;
  /// A clash of \p A and \p B between threads that \p Counts says yes to.
  std::optional<Overlap> clash(const Footprint *A, const Footprint *B,
                               bool AcrossWarps, PairFilter Counts) {
    const Overlap R = compare(*A, *B, AcrossWarps, Counts);
    return R.K == Overlap::Kind::Clash ? std::optional(R) : std::nullopt;
  }

  /// A thread of \p A, at a place in a row that nobody knows
  /// (ValueContext::within), that meets some of \p Others wherever in the row
  /// it is: of each byte, one of them touches it or \p IsBlank says yes.
  std::optional<unsigned>
  coveredThread(const Footprint *A, llvm::ArrayRef<const Footprint *> Others,
                llvm::function_ref<bool(int64_t Lo, int64_t Hi)> IsBlank);
  /// What hangs on \p Gone lies somewhere in its row, or else in the object.
  const Footprint *forget(const Footprint *F, const Atom *Gone);

private:
  Overlap compare(
      const Footprint &A, const Footprint &B, bool AcrossWarps,
      PairFilter Counts = [](unsigned, unsigned) { return true; });
  bool farApart(const Footprint &A, const Footprint &B);
  bool reachApart(const Footprint &A, const Footprint &B, bool AcrossWarps);
  llvm::ArrayRef<Footprint::Span> spansOf(const Footprint &F);

  ValueContext &V;
  std::vector<std::unique_ptr<Footprint>> Pool;
  std::map<std::tuple<const Object *, const Int *, int64_t, const PerThread *>,
           const Footprint *>
      Table;
  std::unordered_map<uint64_t, Overlap> Results, ResultsAcrossWarps;
};

} // namespace cpasync

#endif // CPASYNC_LIB_MEMORY_FOOTPRINT_H
