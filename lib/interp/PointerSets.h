//===- PointerSets.h - Pointers to one of several objects -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_POINTERSETS_H
#define CPASYNC_LIB_INTERP_POINTERSETS_H

#include "lib/interp/InterpPart.h"

namespace cpasync {

/// A pointer may point to one of several objects, by thread or by condition.
class PointerSets : InterpPart {
public:
  using InterpPart::InterpPart;

  /// Calls \p Do with \p P, a pointer; of a choice, with what it points to in
  /// shared memory, for the threads, and under the conditions, for which it
  /// does. False: not all is known.
  bool forEachChosen(State &S, Value P, llvm::function_ref<void(Value)> Do,
                     unsigned Depth = 0);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_POINTERSETS_H
