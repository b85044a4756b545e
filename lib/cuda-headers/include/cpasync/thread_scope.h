//===- thread_scope.h - cuda::thread_scope, cuda::aligned_size_t --*- C++
//-*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_THREAD_SCOPE_H
#define CPASYNC_THREAD_SCOPE_H

#include <cpasync/qualifiers.h>
#include <stddef.h>

namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread = 10
};

/// A byte count together with the alignment both ends of a copy promise.
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __CPASYNC_HD explicit constexpr aligned_size_t(size_t Size) : value(Size) {}
  __CPASYNC_HD constexpr operator size_t() const { return value; }
};

} // namespace cuda

#endif // CPASYNC_THREAD_SCOPE_H
