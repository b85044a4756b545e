//===- std_barrier.h - cuda::std::barrier ----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_STD_BARRIER_H
#define CPASYNC_STD_BARRIER_H

#include "barrier.h"

namespace cuda {
namespace std {

template <class Completion = __cpasync_no_completion>
using barrier = ::cuda::barrier<::cuda::thread_scope_system, Completion>;

} // namespace std
} // namespace cuda

#endif // CPASYNC_STD_BARRIER_H
