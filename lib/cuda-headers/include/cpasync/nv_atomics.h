//===- nv_atomics.h - __nv_atomic_load_n and its family --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA C++ Programming Guide, "Built-in atomic functions": nvcc knows them
// without a declaration, whatever the type. Whoever includes this defines
// __CPASYNC_D.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_NV_ATOMICS_H
#define CPASYNC_NV_ATOMICS_H

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

#endif // CPASYNC_NV_ATOMICS_H
