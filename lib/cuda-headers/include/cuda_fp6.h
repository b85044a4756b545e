//===- cuda_fp6.h - 6-bit floating point ------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__

#include <cpasync/names_begin.h>

#include <cuda_fp8.h>

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

__CPASYNC_TINY_CONVERSIONS(fp6)
__CPASYNC_TINY(__nv_fp6, e2m3, __nv_fp6)
__CPASYNC_TINY(__nv_fp6, e3m2, __nv_fp6)

#include <cpasync/names_end.h>

#endif // __CUDA_FP6_H__
