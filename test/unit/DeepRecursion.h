//===- DeepRecursion.h - What ends a stack ----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_UNIT_DEEPRECURSION_H
#define CPASYNC_TEST_UNIT_DEEPRECURSION_H

namespace cpasync {

/// Takes half a KiB of the stack for each of \p Levels.
inline unsigned deep(unsigned Levels) {
  volatile char Frame[512];
  Frame[0] = static_cast<char>(Levels);
  return Levels == 0 ? Frame[0] : deep(Levels - 1) + Frame[0];
}

} // namespace cpasync

#endif // CPASYNC_TEST_UNIT_DEEPRECURSION_H
