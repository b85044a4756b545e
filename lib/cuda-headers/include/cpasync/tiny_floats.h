//===- tiny_floats.h - What floats of 8, 6 and 4 bits share -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TINY_FLOATS_H
#define CPASYNC_TINY_FLOATS_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// One, two and four numbers of a format, in STORAGE_storage_t and its pairs.
#define __CPASYNC_TINY(PREFIX, FORMAT, STORAGE)                                \
  struct PREFIX##_##FORMAT {                                                   \
    STORAGE##_storage_t __x;                                                   \
    PREFIX##_##FORMAT() = default;                                             \
    __CPASYNC_HD explicit PREFIX##_##FORMAT(__half);                           \
    __CPASYNC_HD explicit PREFIX##_##FORMAT(__nv_bfloat16);                    \
    __CPASYNC_HD explicit PREFIX##_##FORMAT(float);                            \
    __CPASYNC_HD explicit PREFIX##_##FORMAT(double);                           \
    __CPASYNC_HD explicit PREFIX##_##FORMAT(int);                              \
    __CPASYNC_HD explicit PREFIX##_##FORMAT(unsigned int);                     \
    __CPASYNC_HD explicit PREFIX##_##FORMAT(long long);                        \
    __CPASYNC_HD explicit PREFIX##_##FORMAT(unsigned long long);               \
    __CPASYNC_HD explicit operator __half() const;                             \
    __CPASYNC_HD explicit operator __nv_bfloat16() const;                      \
    __CPASYNC_HD explicit operator float() const;                              \
    __CPASYNC_HD explicit operator double() const;                             \
    __CPASYNC_HD explicit operator int() const;                                \
    __CPASYNC_HD explicit operator unsigned int() const;                       \
    __CPASYNC_HD explicit operator bool() const;                               \
  };                                                                           \
  struct alignas(STORAGE##x2_storage_t) PREFIX##x2_##FORMAT {                  \
    STORAGE##x2_storage_t __x;                                                 \
    PREFIX##x2_##FORMAT() = default;                                           \
    __CPASYNC_HD explicit PREFIX##x2_##FORMAT(__half2);                        \
    __CPASYNC_HD explicit PREFIX##x2_##FORMAT(__nv_bfloat162);                 \
    __CPASYNC_HD explicit PREFIX##x2_##FORMAT(float2);                         \
    __CPASYNC_HD explicit PREFIX##x2_##FORMAT(double2);                        \
    __CPASYNC_HD explicit operator __half2() const;                            \
    __CPASYNC_HD explicit operator float2() const;                             \
  };                                                                           \
  struct alignas(STORAGE##x4_storage_t) PREFIX##x4_##FORMAT {                  \
    STORAGE##x4_storage_t __x;                                                 \
    PREFIX##x4_##FORMAT() = default;                                           \
    __CPASYNC_HD explicit PREFIX##x4_##FORMAT(__half2, __half2);               \
    __CPASYNC_HD explicit PREFIX##x4_##FORMAT(__nv_bfloat162, __nv_bfloat162); \
    __CPASYNC_HD explicit PREFIX##x4_##FORMAT(float4);                         \
    __CPASYNC_HD explicit PREFIX##x4_##FORMAT(double4);                        \
    __CPASYNC_HD explicit operator float4() const;                             \
  };

// The functions that convert to and from numbers of fewer than 8 bits, which
// round as they are told. BITS is fp6 or fp4.
#define __CPASYNC_TINY_FROM(BITS, COUNT, WORD, TYPE)                           \
  __CPASYNC_HD __nv_##BITS##COUNT##_storage_t                                  \
      __nv_cvt_##WORD##_to_##BITS##COUNT(TYPE, __nv_##BITS##_interpretation_t, \
                                         cudaRoundMode);
#define __CPASYNC_TINY_CONVERSIONS(BITS)                                       \
  __CPASYNC_TINY_FROM(BITS, , float, float)                                    \
  __CPASYNC_TINY_FROM(BITS, , double, double)                                  \
  __CPASYNC_TINY_FROM(BITS, , halfraw, __half_raw)                             \
  __CPASYNC_TINY_FROM(BITS, , bfloat16raw, __nv_bfloat16_raw)                  \
  __CPASYNC_TINY_FROM(BITS, x2, float2, float2)                                \
  __CPASYNC_TINY_FROM(BITS, x2, double2, double2)                              \
  __CPASYNC_TINY_FROM(BITS, x2, halfraw2, __half2_raw)                         \
  __CPASYNC_TINY_FROM(BITS, x2, bfloat16raw2, __nv_bfloat162_raw)              \
  __CPASYNC_HD __half_raw __nv_cvt_##BITS##_to_halfraw(                        \
      __nv_##BITS##_storage_t, __nv_##BITS##_interpretation_t);                \
  __CPASYNC_HD __half2_raw __nv_cvt_##BITS##x2_to_halfraw2(                    \
      __nv_##BITS##x2_storage_t, __nv_##BITS##_interpretation_t);

#endif // CPASYNC_TINY_FLOATS_H
