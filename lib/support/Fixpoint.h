//===- Fixpoint.h - Facts that depend on themselves -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a function does includes what it calls does, and functions may call each
// other in circles. Facts are asked for one by one and found on demand; those
// of a circle are computed until none of them changes any more, whichever was
// asked for first.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SUPPORT_FIXPOINT_H
#define CPASYNC_LIB_SUPPORT_FIXPOINT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <utility>

namespace cpasync {

/// \p Value() is the least, and there is no endless rise from it.
template <typename Value> class Fixpoint {
public:
  /// The value of \p Key, which \p Find computes from what of() says of
  /// others, perhaps of \p Key itself: the more those are, the more it is.
  template <typename Fn> Value of(const void *Key, Fn Find) {
    if (const auto I = Known.find(Key); I != Known.end()) {
      const Entry &E = I->second;
      if (E.Lowest != Done && (E.IsOpen || E.Round == Round))
        Lowest = std::min(Lowest, E.Lowest);
      if (E.Lowest == Done || E.IsOpen || E.Round == Round)
        return E.V;
    }
    const unsigned Mine = ++Depth;
    const unsigned Outer = std::exchange(Lowest, Done);
    const bool HadChanged = std::exchange(HasChanged, false);
    const size_t First = Waiting.size();
    Known[Key].Lowest = Mine;
    Known[Key].IsOpen = true;
    while (true) {
      Value Found = Find();
      Entry &E = Known[Key];
      if (E.V != Found) {
        E.V = std::move(Found);
        HasChanged = true;
      }
      if (Lowest != Mine || !HasChanged)
        break;
      // The first of a circle: once more, with what is known now.
      ++Round;
      Lowest = Done;
      HasChanged = false;
    }
    --Depth;
    Entry &E = Known[Key];
    E.IsOpen = false;
    if (Lowest < Mine) { // of a circle that others began
      E.Round = Round;
      Waiting.push_back(Key);
      for (const void *Other : llvm::drop_begin(Waiting, First))
        Known[Other].Lowest = Lowest;
      HasChanged |= HadChanged;
      Lowest = std::min(Lowest, Outer);
      return E.V;
    }
    E.Lowest = Done;
    for (const void *Other : llvm::drop_begin(Waiting, First))
      Known[Other].Lowest = Done;
    Waiting.truncate(First);
    HasChanged = HadChanged;
    Lowest = Outer;
    return E.V;
  }

private:
  static constexpr unsigned Done = ~0u;
  struct Entry {
    Value V = Value();
    /// The outermost key being computed that it depends on, by depth.
    unsigned Lowest = 0;
    unsigned Round = 0;  ///< in which it was computed, unless it is done
    bool IsOpen = false; ///< is being computed
  };
  llvm::DenseMap<const void *, Entry> Known;
  llvm::SmallVector<const void *, 8> Waiting; ///< for the first of their circle
  unsigned Depth = 0, Lowest = Done, Round = 1;
  bool HasChanged = false; ///< in this round
};

} // namespace cpasync

#endif // CPASYNC_LIB_SUPPORT_FIXPOINT_H
