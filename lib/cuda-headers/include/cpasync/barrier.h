//===- barrier.h - cuda::barrier and what copies to it ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Used without a toolkit, and in front of the toolkit's libcu++, whose barrier
// has a destructor that Clang rejects in __shared__ memory. The includer has
// declared cuda::thread_scope and cuda::aligned_size_t.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_BARRIER_H
#define CPASYNC_BARRIER_H

#pragma clang system_header

#include "bulk.h"
#include "cpasync_api.h"
#include <stddef.h>
#include <stdint.h>

struct CUtensorMap_st;

namespace cuda {
namespace std {

struct __cpasync_no_completion {
  __CPASYNC_API void operator()() noexcept;
};

} // namespace std

/// What a memcpy_async promises: whether the copy is asynchronous at all.
enum class async_contract_fulfillment { none, async };

/// A barrier over the threads of Scope; in block scope it is one mbarrier.
template <thread_scope Scope, class Completion = std::__cpasync_no_completion>
class alignas(8) barrier {
  uint64_t Phase;

public:
  class arrival_token {
    uint64_t Token;

  public:
    arrival_token() = default;
  };
  barrier() = default;
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;
  __CPASYNC_API barrier(ptrdiff_t, Completion = Completion());

  __CPASYNC_API arrival_token arrive(ptrdiff_t = 1);
  __CPASYNC_API void wait(arrival_token &&) const;
  __CPASYNC_API void wait_parity(bool) const;
  __CPASYNC_API void arrive_and_wait();
  __CPASYNC_API void arrive_and_drop();
  __CPASYNC_API bool try_wait(arrival_token &&) const;
  __CPASYNC_API bool try_wait_parity(bool) const;
  template <class Duration>
  __CPASYNC_API bool try_wait_for(arrival_token &&, const Duration &) const;
  template <class Duration>
  __CPASYNC_API bool try_wait_parity_for(bool, const Duration &) const;
  static __CPASYNC_API constexpr ptrdiff_t max() noexcept {
    return (1 << 20) - 1;
  }
};

template <thread_scope Scope, class Completion>
__CPASYNC_API void init(barrier<Scope, Completion> *, ptrdiff_t);
template <thread_scope Scope, class Completion>
__CPASYNC_API void init(barrier<Scope, Completion> *, ptrdiff_t, Completion);

// memcpy_async: one thread's copy, or one that a group shares.
template <class T, class Size, thread_scope Scope, class Completion>
__CPASYNC_API async_contract_fulfillment
memcpy_async(T *, const T *, Size, barrier<Scope, Completion> &);
template <class Size, thread_scope Scope, class Completion>
__CPASYNC_API async_contract_fulfillment
memcpy_async(void *, const void *, Size, barrier<Scope, Completion> &);
template <class Group, class T, class Size, thread_scope Scope,
          class Completion>
__CPASYNC_API async_contract_fulfillment
memcpy_async(const Group &, T *, const T *, Size, barrier<Scope, Completion> &);
template <class Group, class Size, thread_scope Scope, class Completion>
__CPASYNC_API async_contract_fulfillment memcpy_async(
    const Group &, void *, const void *, Size, barrier<Scope, Completion> &);

namespace device {

__CPASYNC_API_D uint64_t *barrier_native_handle(barrier<thread_scope_block> &);
__CPASYNC_API_D barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &, ptrdiff_t, ptrdiff_t);
__CPASYNC_API_D void barrier_expect_tx(barrier<thread_scope_block> &,
                                       ptrdiff_t);
template <class T, size_t Alignment>
__CPASYNC_API_D async_contract_fulfillment memcpy_async_tx(
    T *, const T *, aligned_size_t<Alignment>, barrier<thread_scope_block> &);

namespace experimental {

__CPASYNC_API_D inline void fence_proxy_async_shared_cta() {
  __cpasync_proxy_fence();
}
__CPASYNC_API_D inline void
cp_async_bulk_global_to_shared(void *To, const void *From, uint32_t Size,
                               barrier<thread_scope_block> &Bar) {
  __cpasync_bulk_load(To, From, Size, reinterpret_cast<uint64_t *>(&Bar));
}
__CPASYNC_API_D inline void
cp_async_bulk_shared_to_global(void *To, const void *From, uint32_t Size) {
  __cpasync_bulk_store(To, From, Size);
}
__CPASYNC_API_D inline void cp_async_bulk_commit_group() {
  __cpasync_bulk_commit();
}
template <int N> __CPASYNC_API_D inline void cp_async_bulk_wait_group_read() {
  __cpasync_bulk_wait_read<N>();
}

// The coordinates are ints; the barrier comes last.
#define __CPASYNC_TENSOR(N, ...)                                               \
  __CPASYNC_API_D inline void cp_async_bulk_tensor_##N##d_global_to_shared(    \
      void *To, const CUtensorMap_st *Map, int At, ##__VA_ARGS__,              \
      barrier<thread_scope_block> &Bar) {                                      \
    __cpasync_tensor_load(To, Map, At, &Bar);                                  \
  }                                                                            \
  __CPASYNC_API_D inline void cp_async_bulk_tensor_##N##d_shared_to_global(    \
      const CUtensorMap_st *Map, int At, ##__VA_ARGS__, const void *From) {    \
    __cpasync_tensor_store(Map, At, From);                                     \
  }
__CPASYNC_TENSOR(1)
__CPASYNC_TENSOR(2, int)
__CPASYNC_TENSOR(3, int, int)
__CPASYNC_TENSOR(4, int, int, int)
__CPASYNC_TENSOR(5, int, int, int, int)
#undef __CPASYNC_TENSOR

} // namespace experimental
} // namespace device
} // namespace cuda

#endif // CPASYNC_BARRIER_H
