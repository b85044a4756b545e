//===- cuda_fp8.h - 8-bit floating point -----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include <cpasync/names_begin.h>

#include <cpasync/tiny_floats.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// From TYPE to one or two packed numbers and back.
#define __CPASYNC_FP8_FROM(STORAGE, NAME, TYPE)                                \
  __CPASYNC_HD STORAGE NAME(TYPE, __nv_saturation_t, __nv_fp8_interpretation_t);
__CPASYNC_FP8_FROM(__nv_fp8_storage_t, __nv_cvt_float_to_fp8, float)
__CPASYNC_FP8_FROM(__nv_fp8_storage_t, __nv_cvt_double_to_fp8, double)
__CPASYNC_FP8_FROM(__nv_fp8_storage_t, __nv_cvt_halfraw_to_fp8, __half_raw)
__CPASYNC_FP8_FROM(__nv_fp8_storage_t, __nv_cvt_bfloat16raw_to_fp8,
                   __nv_bfloat16_raw)
__CPASYNC_FP8_FROM(__nv_fp8x2_storage_t, __nv_cvt_float2_to_fp8x2, float2)
__CPASYNC_FP8_FROM(__nv_fp8x2_storage_t, __nv_cvt_double2_to_fp8x2, double2)
__CPASYNC_FP8_FROM(__nv_fp8x2_storage_t, __nv_cvt_halfraw2_to_fp8x2,
                   __half2_raw)
__CPASYNC_FP8_FROM(__nv_fp8x2_storage_t, __nv_cvt_bfloat16raw2_to_fp8x2,
                   __nv_bfloat162_raw)
#undef __CPASYNC_FP8_FROM
__CPASYNC_HD __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t,
                                                __nv_fp8_interpretation_t);
__CPASYNC_HD __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t,
                                                    __nv_fp8_interpretation_t);

__CPASYNC_TINY(__nv_fp8, e4m3, __nv_fp8)
__CPASYNC_TINY(__nv_fp8, e5m2, __nv_fp8)
__CPASYNC_TINY(__nv_fp8, e8m0, __nv_fp8)

// A power of two, the scale of a block of smaller numbers.
#define __CPASYNC_E8M0(STORAGE, NAME, TYPE)                                    \
  __CPASYNC_HD STORAGE NAME(TYPE, __nv_saturation_t, cudaRoundMode);
__CPASYNC_E8M0(__nv_fp8_storage_t, __nv_cvt_float_to_e8m0, float)
__CPASYNC_E8M0(__nv_fp8_storage_t, __nv_cvt_double_to_e8m0, double)
__CPASYNC_E8M0(__nv_fp8_storage_t, __nv_cvt_bfloat16raw_to_e8m0,
               __nv_bfloat16_raw)
__CPASYNC_E8M0(__nv_fp8x2_storage_t, __nv_cvt_float2_to_e8m0x2, float2)
__CPASYNC_E8M0(__nv_fp8x2_storage_t, __nv_cvt_double2_to_e8m0x2, double2)
__CPASYNC_E8M0(__nv_fp8x2_storage_t, __nv_cvt_bfloat162raw_to_e8m0x2,
               __nv_bfloat162_raw)
#undef __CPASYNC_E8M0
__CPASYNC_HD __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t);
__CPASYNC_HD
__nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t);

#include <cpasync/names_end.h>

#endif // __CUDA_FP8_H__
