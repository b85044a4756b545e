//===- cuda_fp16.h - __half and __half2 ------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include <cpasync/names_begin.h>

#include <cpasync/half_family.h>

#define __CUDA_FP16_TYPES_EXIST__

struct __nv_bfloat16;

#ifndef __CUDA_NO_HALF_CONVERSIONS__
__CPASYNC_HALF_SCALAR(__half, __half_raw, __nv_bfloat16,
                      __CPASYNC_HALF_CONVERSIONS(__half))
#else
__CPASYNC_HALF_SCALAR(__half, __half_raw, __nv_bfloat16, )
#endif
__CPASYNC_HALF_PAIR(__half, __half2, __half2_raw)

#ifndef __CUDA_NO_HALF_OPERATORS__
__CPASYNC_HALF_OPERATORS(__half)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
__CPASYNC_HALF_OPERATORS(__half2)
#endif

__CPASYNC_HALF_FUNCTIONS(half, __half, __half2)
static __inline__ __CPASYNC_HD __half2 __halves2half2(__half X, __half Y) {
  return __half2(X, Y);
}
static __inline__ __CPASYNC_HD __half2 make_half2(__half X, __half Y) {
  return __half2(X, Y);
}

typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)

#include <cpasync/names_end.h>

#endif // __CUDA_FP16_H__
