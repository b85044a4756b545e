//===- atomics.h - atomicAdd and its family --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_ATOMICS_H
#define CPASYNC_ATOMICS_H

#include <cpasync/vector_types.h>

// Each atomic exists at device scope, block scope and system scope.
#define __CPASYNC_ATOMIC(F, T)                                                 \
  __CPASYNC_D T F(T *, T);                                                     \
  __CPASYNC_D T F##_block(T *, T);                                             \
  __CPASYNC_D T F##_system(T *, T);
#define __CPASYNC_ATOMIC_CAS(T)                                                \
  __CPASYNC_D T atomicCAS(T *, T, T);                                          \
  __CPASYNC_D T atomicCAS_block(T *, T, T);                                    \
  __CPASYNC_D T atomicCAS_system(T *, T, T);
#define __CPASYNC_ATOMIC_INT(F)                                                \
  __CPASYNC_ATOMIC(F, int)                                                     \
  __CPASYNC_ATOMIC(F, unsigned int)                                            \
  __CPASYNC_ATOMIC(F, unsigned long long)

__CPASYNC_ATOMIC_INT(atomicAdd)
__CPASYNC_ATOMIC(atomicAdd, float)
__CPASYNC_ATOMIC(atomicAdd, double)
__CPASYNC_ATOMIC(atomicAdd, float2)
__CPASYNC_ATOMIC(atomicAdd, float4)

__CPASYNC_D int atomicSub(int *, int);
__CPASYNC_D unsigned int atomicSub(unsigned int *, unsigned int);
__CPASYNC_D int atomicSub_block(int *, int);
__CPASYNC_D unsigned int atomicSub_block(unsigned int *, unsigned int);
__CPASYNC_D int atomicSub_system(int *, int);
__CPASYNC_D unsigned int atomicSub_system(unsigned int *, unsigned int);

__CPASYNC_ATOMIC_INT(atomicExch)
__CPASYNC_ATOMIC(atomicExch, float)
__CPASYNC_ATOMIC_INT(atomicMin)
__CPASYNC_ATOMIC(atomicMin, long long)
__CPASYNC_ATOMIC_INT(atomicMax)
__CPASYNC_ATOMIC(atomicMax, long long)
__CPASYNC_ATOMIC(atomicInc, unsigned int)
__CPASYNC_ATOMIC(atomicDec, unsigned int)
__CPASYNC_ATOMIC_INT(atomicAnd)
__CPASYNC_ATOMIC(atomicAnd, long long)
__CPASYNC_ATOMIC_INT(atomicOr)
__CPASYNC_ATOMIC(atomicOr, long long)
__CPASYNC_ATOMIC_INT(atomicXor)
__CPASYNC_ATOMIC(atomicXor, long long)
__CPASYNC_ATOMIC_CAS(int)
__CPASYNC_ATOMIC_CAS(unsigned int)
__CPASYNC_ATOMIC_CAS(unsigned long long)
__CPASYNC_ATOMIC_CAS(unsigned short)

#undef __CPASYNC_ATOMIC
#undef __CPASYNC_ATOMIC_CAS
#undef __CPASYNC_ATOMIC_INT

#endif // CPASYNC_ATOMICS_H
