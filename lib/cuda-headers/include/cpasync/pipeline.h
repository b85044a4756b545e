//===- pipeline.h - cuda::pipeline -----------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Used without a toolkit and in front of the toolkit's libcu++; see barrier.h.
// A pipeline of one thread has bodies: which wait_group a consumer_wait() is
// depends on how many batches it has counted.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_PIPELINE_H
#define CPASYNC_PIPELINE_H

#pragma clang system_header

#include "barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

/// What the threads of a pipeline share: a pair of barriers for each stage.
template <thread_scope Scope, uint8_t Stages>
class alignas(8) pipeline_shared_state {
  uint64_t Barriers[2 * Stages];
  uint32_t Refcount;

public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state &) = delete;
  pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;
};

template <thread_scope Scope> class pipeline {
  uint64_t State[3];

public:
  pipeline(const pipeline &) = delete;
  __CPASYNC_API pipeline(pipeline &&);
  pipeline &operator=(const pipeline &) = delete;
  __CPASYNC_API ~pipeline();

  __CPASYNC_API void producer_acquire();
  __CPASYNC_API void producer_commit();
  __CPASYNC_API void consumer_wait();
  __CPASYNC_API void consumer_release();
  template <class Duration>
  __CPASYNC_API bool consumer_wait_for(const Duration &);
  template <class TimePoint>
  __CPASYNC_API bool consumer_wait_until(const TimePoint &);
  __CPASYNC_API bool quit();
};

/// A batch is a group of the calling thread; nothing acquires or releases.
template <> class pipeline<thread_scope_thread> {
  uint8_t Pending = 0; ///< batches committed and not waited for

  /// wait_group N has no form with N in a register; larger ones act as 8.
  static __CPASYNC_API void waitPrior(uint8_t N) {
#ifdef __CUDA_ARCH__
    switch (N) {
#define __CPASYNC_WAIT_PRIOR(N)                                                \
  case N:                                                                      \
    asm volatile("cp.async.wait_group " #N ";" ::: "memory");                  \
    break;
      __CPASYNC_WAIT_PRIOR(0)
      __CPASYNC_WAIT_PRIOR(1)
      __CPASYNC_WAIT_PRIOR(2)
      __CPASYNC_WAIT_PRIOR(3)
      __CPASYNC_WAIT_PRIOR(4)
      __CPASYNC_WAIT_PRIOR(5)
      __CPASYNC_WAIT_PRIOR(6)
      __CPASYNC_WAIT_PRIOR(7)
#undef __CPASYNC_WAIT_PRIOR
    default:
      asm volatile("cp.async.wait_group 8;" ::: "memory");
    }
#endif
  }

  pipeline() = default;
  friend __CPASYNC_API pipeline<thread_scope_thread> make_pipeline();
  template <uint8_t Prior>
  friend __CPASYNC_API_D void
  pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &);

public:
  pipeline(const pipeline &) = delete;
  pipeline(pipeline &&) = default;
  pipeline &operator=(const pipeline &) = delete;

  __CPASYNC_API void producer_acquire() {}
  __CPASYNC_API void producer_commit() {
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
    ++Pending;
  }
  /// Waits for the oldest batch; there may be none.
  __CPASYNC_API void consumer_wait() {
    if (Pending == 0)
      return;
    --Pending;
    waitPrior(Pending);
  }
  __CPASYNC_API void consumer_release() {}
  template <class Duration>
  __CPASYNC_API bool consumer_wait_for(const Duration &) {
    consumer_wait();
    return true;
  }
  template <class TimePoint>
  __CPASYNC_API bool consumer_wait_until(const TimePoint &) {
    consumer_wait();
    return true;
  }
  __CPASYNC_API bool quit() { return true; }
};

inline __CPASYNC_API pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>();
}
template <class Group, thread_scope Scope, uint8_t Stages>
__CPASYNC_API pipeline<Scope>
make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *);
template <class Group, thread_scope Scope, uint8_t Stages>
__CPASYNC_API pipeline<Scope>
make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *, size_t);
template <class Group, thread_scope Scope, uint8_t Stages>
__CPASYNC_API pipeline<Scope>
make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *,
              pipeline_role);

/// Leaves Prior batches to wait for, whether or not there were as many.
template <uint8_t Prior>
__CPASYNC_API_D void
pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &P) {
  P.waitPrior(Prior);
  P.Pending = Prior;
}
template <thread_scope Scope>
__CPASYNC_API_D void pipeline_producer_commit(pipeline<thread_scope_thread> &,
                                              barrier<Scope> &);

// memcpy_async: one thread's copy, or one that a group shares.
template <class T, class Size, thread_scope Scope>
__CPASYNC_API async_contract_fulfillment memcpy_async(T *, const T *, Size,
                                                      pipeline<Scope> &);
template <class Size, thread_scope Scope>
__CPASYNC_API async_contract_fulfillment memcpy_async(void *, const void *,
                                                      Size, pipeline<Scope> &);
template <class Group, class T, class Size, thread_scope Scope>
__CPASYNC_API async_contract_fulfillment memcpy_async(const Group &, T *,
                                                      const T *, Size,
                                                      pipeline<Scope> &);
template <class Group, class Size, thread_scope Scope>
__CPASYNC_API async_contract_fulfillment memcpy_async(const Group &, void *,
                                                      const void *, Size,
                                                      pipeline<Scope> &);

} // namespace cuda

#endif // CPASYNC_PIPELINE_H
