//===- cuda_fp4.h - 4-bit floating point ------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__

#include <cpasync/names_begin.h>

#include <cuda_fp6.h>

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };

__CPASYNC_TINY_CONVERSIONS(fp4)
__CPASYNC_TINY(__nv_fp4, e2m1, __nv_fp4)

#include <cpasync/names_end.h>

#endif // __CUDA_FP4_H__
