//===- cuda_pipeline_primitives.h - __pipeline_ primitives -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include <cpasync/names_begin.h>

#include <cuda_awbarrier_primitives.h>
#include <stddef.h>

__CPASYNC_D void __pipeline_memcpy_async(void *__restrict__,
                                         const void *__restrict__, size_t,
                                         size_t Zfill = 0);
__CPASYNC_D void __pipeline_commit();
__CPASYNC_D void __pipeline_wait_prior(size_t);
__CPASYNC_D void __pipeline_arrive_on(__mbarrier_t *);

#include <cpasync/names_end.h>

#endif // _CUDA_PIPELINE_PRIMITIVES_H_
