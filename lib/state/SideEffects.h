//===- SideEffects.h - What is done besides computing -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_SIDEEFFECTS_H
#define CPASYNC_LIB_STATE_SIDEEFFECTS_H

#include <cstdint>

namespace cpasync {

/// Whether a path did more than compute: what computes only, gives the same for
/// the same. Whoever remembers results asks (CallMemo, ComparisonLog); whatever
/// changes or asks what such a result does not show, notes it.
class SideEffects {
public:
  /// A moment to look back to.
  class Mark {
    friend class SideEffects;
    uint64_t Count = 0;
  };

  void note() { ++Now.Count; }
  Mark now() const { return Now; }
  bool anySince(Mark M) const { return M.Count != Now.Count; }

private:
  Mark Now;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_SIDEEFFECTS_H
