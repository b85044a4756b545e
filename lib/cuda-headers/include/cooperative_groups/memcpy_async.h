//===- memcpy_async.h - Group copies ---------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include <cpasync/names_begin.h>

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cpasync/thread_scope.h>

namespace cooperative_groups {

/// One copy and one commit; Shape is a byte count or cuda::aligned_size_t.
template <class Group, class T, class Shape>
__CPASYNC_D void memcpy_async(const Group &, T *__restrict__,
                              const T *__restrict__, const Shape &);
/// The same between arrays; layouts are element counts.
template <class Group, class Dst, class Src, class DstLayout, class SrcLayout>
__CPASYNC_D void memcpy_async(const Group &, Dst *__restrict__,
                              const DstLayout &, const Src *__restrict__,
                              const SrcLayout &);
/// Waits, then joins the group.
template <class Group> __CPASYNC_D void wait(const Group &G) {
  __pipeline_wait_prior(0);
  G.sync();
}
template <unsigned int Stage, class Group>
__CPASYNC_D void wait_prior(const Group &G) {
  __pipeline_wait_prior(Stage);
  G.sync();
}

} // namespace cooperative_groups

#include <cpasync/names_end.h>

#endif // _COOPERATIVE_GROUPS_MEMCPY_ASYNC
