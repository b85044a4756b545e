//===- cuda_fp8.h - 8-bit floating point -----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUDA_FP8_H
#define CPASYNC_CUDA_FP8_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

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

#define __CPASYNC_FP8(FORMAT)                                                  \
  struct __nv_fp8_##FORMAT {                                                   \
    __nv_fp8_storage_t __x;                                                    \
    __nv_fp8_##FORMAT() = default;                                             \
    __CPASYNC_HD explicit __nv_fp8_##FORMAT(__half);                           \
    __CPASYNC_HD explicit __nv_fp8_##FORMAT(__nv_bfloat16);                    \
    __CPASYNC_HD explicit __nv_fp8_##FORMAT(float);                            \
    __CPASYNC_HD explicit __nv_fp8_##FORMAT(double);                           \
    __CPASYNC_HD explicit __nv_fp8_##FORMAT(int);                              \
    __CPASYNC_HD explicit __nv_fp8_##FORMAT(unsigned int);                     \
    __CPASYNC_HD explicit __nv_fp8_##FORMAT(long long);                        \
    __CPASYNC_HD explicit __nv_fp8_##FORMAT(unsigned long long);               \
    __CPASYNC_HD explicit operator __half() const;                             \
    __CPASYNC_HD explicit operator __nv_bfloat16() const;                      \
    __CPASYNC_HD explicit operator float() const;                              \
    __CPASYNC_HD explicit operator double() const;                             \
    __CPASYNC_HD explicit operator int() const;                                \
    __CPASYNC_HD explicit operator unsigned int() const;                       \
    __CPASYNC_HD explicit operator bool() const;                               \
  };                                                                           \
  struct __align__(2) __nv_fp8x2_##FORMAT {                                    \
    __nv_fp8x2_storage_t __x;                                                  \
    __nv_fp8x2_##FORMAT() = default;                                           \
    __CPASYNC_HD explicit __nv_fp8x2_##FORMAT(__half2);                        \
    __CPASYNC_HD explicit __nv_fp8x2_##FORMAT(__nv_bfloat162);                 \
    __CPASYNC_HD explicit __nv_fp8x2_##FORMAT(float2);                         \
    __CPASYNC_HD explicit __nv_fp8x2_##FORMAT(double2);                        \
    __CPASYNC_HD explicit operator __half2() const;                            \
    __CPASYNC_HD explicit operator float2() const;                             \
  };                                                                           \
  struct __align__(4) __nv_fp8x4_##FORMAT {                                    \
    __nv_fp8x4_storage_t __x;                                                  \
    __nv_fp8x4_##FORMAT() = default;                                           \
    __CPASYNC_HD explicit __nv_fp8x4_##FORMAT(__half2, __half2);               \
    __CPASYNC_HD explicit __nv_fp8x4_##FORMAT(__nv_bfloat162, __nv_bfloat162); \
    __CPASYNC_HD explicit __nv_fp8x4_##FORMAT(float4);                         \
    __CPASYNC_HD explicit __nv_fp8x4_##FORMAT(double4);                        \
    __CPASYNC_HD explicit operator float4() const;                             \
  };
__CPASYNC_FP8(e4m3)
__CPASYNC_FP8(e5m2)
#undef __CPASYNC_FP8

#endif // CPASYNC_CUDA_FP8_H
