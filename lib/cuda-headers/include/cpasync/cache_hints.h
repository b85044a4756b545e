//===- cache_hints.h - Hinted loads and stores that Clang lacks -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's wrapper has __ldg, __ldcg, __ldcs, __ldcv and __stwt, and not these.
// Needs the vector types and __CPASYNC_D.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CACHE_HINTS_H
#define CPASYNC_CACHE_HINTS_H

#define __CPASYNC_CACHE_HINTS(T)                                               \
  __CPASYNC_D T __ldca(const T *);                                             \
  __CPASYNC_D T __ldlu(const T *);                                             \
  __CPASYNC_D void __stcg(T *, T);                                             \
  __CPASYNC_D void __stcs(T *, T);                                             \
  __CPASYNC_D void __stwb(T *, T);

__CPASYNC_CACHE_HINTS(char)
__CPASYNC_CACHE_HINTS(signed char)
__CPASYNC_CACHE_HINTS(short)
__CPASYNC_CACHE_HINTS(int)
__CPASYNC_CACHE_HINTS(long)
__CPASYNC_CACHE_HINTS(long long)
__CPASYNC_CACHE_HINTS(unsigned char)
__CPASYNC_CACHE_HINTS(unsigned short)
__CPASYNC_CACHE_HINTS(unsigned int)
__CPASYNC_CACHE_HINTS(unsigned long)
__CPASYNC_CACHE_HINTS(unsigned long long)
__CPASYNC_CACHE_HINTS(float)
__CPASYNC_CACHE_HINTS(double)
__CPASYNC_CACHE_HINTS(char2)
__CPASYNC_CACHE_HINTS(char4)
__CPASYNC_CACHE_HINTS(short2)
__CPASYNC_CACHE_HINTS(short4)
__CPASYNC_CACHE_HINTS(int2)
__CPASYNC_CACHE_HINTS(int4)
__CPASYNC_CACHE_HINTS(longlong2)
__CPASYNC_CACHE_HINTS(uchar2)
__CPASYNC_CACHE_HINTS(uchar4)
__CPASYNC_CACHE_HINTS(ushort2)
__CPASYNC_CACHE_HINTS(ushort4)
__CPASYNC_CACHE_HINTS(uint2)
__CPASYNC_CACHE_HINTS(uint4)
__CPASYNC_CACHE_HINTS(ulonglong2)
__CPASYNC_CACHE_HINTS(float2)
__CPASYNC_CACHE_HINTS(float4)
__CPASYNC_CACHE_HINTS(double2)

#undef __CPASYNC_CACHE_HINTS

#endif // CPASYNC_CACHE_HINTS_H
