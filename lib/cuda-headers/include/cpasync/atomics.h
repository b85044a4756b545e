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

// Orderings and scopes of nvcc's __nv_atomic_* built-ins.
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

// The built-ins themselves. Loads and stores are what they look like.
#define __CPASYNC_NV_ATOMIC(Operation)                                         \
  template <typename T, typename U>                                            \
  __CPASYNC_D T __nv_atomic_fetch_##Operation(                                 \
      T *, U, int, int = __NV_THREAD_SCOPE_SYSTEM);                            \
  template <typename T, typename U>                                            \
  __CPASYNC_D void __nv_atomic_##Operation(T *, U, int,                        \
                                           int = __NV_THREAD_SCOPE_SYSTEM);
__CPASYNC_NV_ATOMIC(add)
__CPASYNC_NV_ATOMIC(sub)
__CPASYNC_NV_ATOMIC(and)
__CPASYNC_NV_ATOMIC(or)
__CPASYNC_NV_ATOMIC(xor)
__CPASYNC_NV_ATOMIC(min)
__CPASYNC_NV_ATOMIC(max)
#undef __CPASYNC_NV_ATOMIC

template <typename T, typename U>
__CPASYNC_D T __nv_atomic_exchange_n(T *, U, int,
                                     int = __NV_THREAD_SCOPE_SYSTEM);
template <typename T>
__CPASYNC_D void __nv_atomic_exchange(T *, T *, T *, int,
                                      int = __NV_THREAD_SCOPE_SYSTEM);
template <typename T, typename U>
__CPASYNC_D bool __nv_atomic_compare_exchange_n(T *, T *, U, bool, int, int,
                                                int = __NV_THREAD_SCOPE_SYSTEM);
template <typename T>
__CPASYNC_D bool __nv_atomic_compare_exchange(T *, T *, T *, bool, int, int,
                                              int = __NV_THREAD_SCOPE_SYSTEM);
template <typename T>
__CPASYNC_D T __nv_atomic_load_n(T *From, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  return *From;
}
template <typename T>
__CPASYNC_D void __nv_atomic_load(T *From, T *To, int,
                                  int = __NV_THREAD_SCOPE_SYSTEM) {
  *To = *From;
}
template <typename T, typename U>
__CPASYNC_D void __nv_atomic_store_n(T *To, U Value, int,
                                     int = __NV_THREAD_SCOPE_SYSTEM) {
  *To = Value;
}
template <typename T>
__CPASYNC_D void __nv_atomic_store(T *To, T *Value, int,
                                   int = __NV_THREAD_SCOPE_SYSTEM) {
  *To = *Value;
}
__CPASYNC_D void __nv_atomic_thread_fence(int, int = __NV_THREAD_SCOPE_SYSTEM);

#endif // CPASYNC_ATOMICS_H
