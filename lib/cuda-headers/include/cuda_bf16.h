//===- cuda_bf16.h - __nv_bfloat16 and __nv_bfloat162 ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include <cpasync/names_begin.h>

#include <cpasync/half_family.h>
#include <cuda_fp16.h>

#define __CUDA_BF16_TYPES_EXIST__

#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
__CPASYNC_HALF_SCALAR(__nv_bfloat16, __nv_bfloat16_raw, __half,
                      __CPASYNC_HALF_CONVERSIONS(__nv_bfloat16))
#else
__CPASYNC_HALF_SCALAR(__nv_bfloat16, __nv_bfloat16_raw, __half, )
#endif
__CPASYNC_HALF_PAIR(__nv_bfloat16, __nv_bfloat162, __nv_bfloat162_raw)

#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
__CPASYNC_HALF_OPERATORS(__nv_bfloat16)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
__CPASYNC_HALF_OPERATORS(__nv_bfloat162)
#endif

__CPASYNC_HALF_FUNCTIONS(bfloat16, __nv_bfloat16, __nv_bfloat162)
__CPASYNC_HD float2 __bfloat1622float2(__nv_bfloat162);
static __inline__ __CPASYNC_HD __nv_bfloat162
__halves2bfloat162(__nv_bfloat16 X, __nv_bfloat16 Y) {
  return __nv_bfloat162(X, Y);
}
static __inline__ __CPASYNC_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 X,
                                                             __nv_bfloat16 Y) {
  return __nv_bfloat162(X, Y);
}

#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)

#include <cpasync/names_end.h>

#endif // __CUDA_BF16_H__
