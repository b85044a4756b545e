//===- loads.h - Cache-hinted loads and stores -----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LOADS_H
#define CPASYNC_LOADS_H

#include <cpasync/vector_types.h>
#include <cpasync/cache_hints.h>

#define __CPASYNC_CACHE_OPS(T)                                                 \
  __CPASYNC_D T __ldg(const T *);                                              \
  __CPASYNC_D T __ldcg(const T *);                                             \
  __CPASYNC_D T __ldcs(const T *);                                             \
  __CPASYNC_D T __ldcv(const T *);                                             \
  __CPASYNC_D void __stwt(T *, T);

__CPASYNC_CACHE_OPS(char)
__CPASYNC_CACHE_OPS(signed char)
__CPASYNC_CACHE_OPS(short)
__CPASYNC_CACHE_OPS(int)
__CPASYNC_CACHE_OPS(long)
__CPASYNC_CACHE_OPS(long long)
__CPASYNC_CACHE_OPS(unsigned char)
__CPASYNC_CACHE_OPS(unsigned short)
__CPASYNC_CACHE_OPS(unsigned int)
__CPASYNC_CACHE_OPS(unsigned long)
__CPASYNC_CACHE_OPS(unsigned long long)
__CPASYNC_CACHE_OPS(float)
__CPASYNC_CACHE_OPS(double)
__CPASYNC_CACHE_OPS(char2)
__CPASYNC_CACHE_OPS(char4)
__CPASYNC_CACHE_OPS(short2)
__CPASYNC_CACHE_OPS(short4)
__CPASYNC_CACHE_OPS(int2)
__CPASYNC_CACHE_OPS(int4)
__CPASYNC_CACHE_OPS(longlong2)
__CPASYNC_CACHE_OPS(uchar2)
__CPASYNC_CACHE_OPS(uchar4)
__CPASYNC_CACHE_OPS(ushort2)
__CPASYNC_CACHE_OPS(ushort4)
__CPASYNC_CACHE_OPS(uint2)
__CPASYNC_CACHE_OPS(uint4)
__CPASYNC_CACHE_OPS(ulonglong2)
__CPASYNC_CACHE_OPS(float2)
__CPASYNC_CACHE_OPS(float4)
__CPASYNC_CACHE_OPS(double2)

#undef __CPASYNC_CACHE_OPS

#endif // CPASYNC_LOADS_H
