//===- api-names.cu - Functions known by their names ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function below has no body, or one that is not looked at: without its
// row in lib/source/AsyncApis.def the state or the findings here would be different.
//
//===----------------------------------------------------------------------===//

#include <cstring>
#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

__device__ void copy(void *To, const void *From) {
  __pipeline_memcpy_async(To, From, 4);
}

//===----------------------------------------------------------------------===//
// Completion on an mbarrier
//===----------------------------------------------------------------------===//

KERNEL arrive(const float *In, long *Full) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  __nvvm_cp_async_mbarrier_arrive(Full);
}
// expect-state@-1: exit: threads 0-63: groups [{Tile}] open {}

KERNEL arrive_noinc(const float *In, long *Full) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  __nvvm_cp_async_mbarrier_arrive_noinc(Full);
}
// expect-state@-1: exit: threads 0-63: groups [{Tile}] open {}

KERNEL arrive_shared(const float *In) {
  __shared__ float Tile[64];
  __shared__ long Full;
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  __nvvm_cp_async_mbarrier_arrive_shared(
      (__attribute__((address_space(3))) long *)&Full);
}
// expect-state@-1: exit: threads 0-63: groups [{Tile}] open {}

KERNEL arrive_noinc_shared(const float *In) {
  __shared__ float Tile[64];
  __shared__ long Full;
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  __nvvm_cp_async_mbarrier_arrive_noinc_shared(
      (__attribute__((address_space(3))) long *)&Full);
}
// expect-state@-1: exit: threads 0-63: groups [{Tile}] open {}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

KERNEL shared_pointer(const float *In) {
  __shared__ float Tile[64];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
                   __nvvm_get_smem_pointer(&Tile[threadIdx.x])),
               "l"(&In[threadIdx.x]));
}
// expect-state@-1: exit: threads 0-63: groups [] open {Tile}

// Both ways a misaligned address stays one.
KERNEL to_global(const char *In) {
  __shared__ float Tile[64];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
  // expect-note@-1: align the address to 4 bytes
  // expect-note@-2: assuming that 'In' is aligned to 16 bytes
  // expect-note@-3: thread 1 uses a misaligned address here
  // expect-state@-4: copy: threads 0-63: groups [] open {Tile}
  // expect-warning@-5{cpasync-misaligned-copy}: source 'In' of the asynchronous copy is 1 byte past a multiple of 4
                   __nvvm_get_smem_pointer(&Tile[threadIdx.x])),
               "l"(__cvta_generic_to_global(&In[threadIdx.x])));
}
// expect-state@-1: exit: threads 0-63: groups [] open {Tile}

KERNEL global_and_back(const char *In) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x],
  // expect-note@-1: align the address to 4 bytes
  // expect-note@-2: assuming that 'In' is aligned to 16 bytes
  // expect-note@-3: thread 1 uses a misaligned address here
  // expect-state@-4: copy: threads 0-63: groups [] open {Tile}
  // expect-warning@-5{cpasync-misaligned-copy}: source 'In' of the asynchronous copy is 1 byte past a multiple of 4
       __cvta_global_to_generic(__cvta_generic_to_global(&In[threadIdx.x])));
}
// expect-state@-1: exit: threads 0-63: groups [] open {Tile}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

// A side with a barrier is not run together with the other side: both counts
// are known at the wait.
#define AFTER_BARRIER(Name, Barrier)                                           \
  KERNEL Name(const float *In, bool Flag) {                                    \
    __shared__ float Tile[64];                                                 \
    int Left = 0;                                                              \
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);                                \
    __pipeline_commit();                                                       \
    if (Flag) {                                                                \
      Barrier;                                                                 \
      Left = 1;                                                                \
    }                                                                          \
    __pipeline_wait_prior(Left);                                               \
  }

AFTER_BARRIER(without, (void)0)
// expect-skipped@-1: number of groups to wait for is not a known constant
// expect-state@-2: commit: threads 0-63: groups [{Tile}] open {}
// expect-state@-3: copy: threads 0-63: groups [] open {Tile}
// expect-state@-4: exit: threads 0-63: groups [] open {}; unordered copies {Tile}
AFTER_BARRIER(bar_sync, __nvvm_bar_sync(0))
// expect-state@-1: barrier: threads 0-63: groups [{Tile}] open {}
// expect-state@-2: commit: threads 0-63: groups [{Tile}] open {}
// expect-state@-3: copy: threads 0-63: groups [] open {Tile}
// expect-state@-4: exit: threads 0-63: groups [] open {}; unordered copies {Tile}
// expect-state@-5: exit: threads 0-63: groups [{Tile}] open {}
// expect-state@-6: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
// expect-state@-7: wait: threads 0-63: groups [{Tile}] open {}
AFTER_BARRIER(bar_warp_sync, __nvvm_bar_warp_sync(~0u))
// expect-state@-1: commit: threads 0-63: groups [{Tile}] open {}
// expect-state@-2: copy: threads 0-63: groups [] open {Tile}
// expect-state@-3: exit: threads 0-63: groups [] open {}; unordered copies {Tile}
// expect-state@-4: exit: threads 0-63: groups [{Tile}] open {}
// expect-state@-5: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
// expect-state@-6: wait: threads 0-63: groups [{Tile}] open {}
AFTER_BARRIER(barrier_sync, __nvvm_barrier_sync(0))
// expect-state@-1: barrier: threads 0-63: groups [{Tile}] open {}
// expect-state@-2: commit: threads 0-63: groups [{Tile}] open {}
// expect-state@-3: copy: threads 0-63: groups [] open {Tile}
// expect-state@-4: exit: threads 0-63: groups [] open {}; unordered copies {Tile}
// expect-state@-5: exit: threads 0-63: groups [{Tile}] open {}
// expect-state@-6: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
// expect-state@-7: wait: threads 0-63: groups [{Tile}] open {}
AFTER_BARRIER(barrier_sync_cnt, __nvvm_barrier_sync_cnt(0, 64))
// expect-state@-1: barrier: threads 0-63: groups [{Tile}] open {}
// expect-state@-2: commit: threads 0-63: groups [{Tile}] open {}
// expect-state@-3: copy: threads 0-63: groups [] open {Tile}
// expect-state@-4: exit: threads 0-63: groups [] open {}; unordered copies {Tile}
// expect-state@-5: exit: threads 0-63: groups [{Tile}] open {}
// expect-state@-6: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
// expect-state@-7: wait: threads 0-63: groups [{Tile}] open {}

// What they return is the same in all threads: the commit is not divergent, it
// is missing on the path without.
KERNEL all_agree(const float *In, float *Out, const int *Flags) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  // expect-warning@-2{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
  if (__syncthreads_and(Flags[threadIdx.x]))
  // expect-note@-1: taken when this condition is false
  // expect-state@-2: barrier: threads 0-63: groups [] open {Tile}
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-63: groups [{Tile}] open {}
  __pipeline_wait_prior(0);
  // expect-note@-1: commit the copy: insert '__pipeline_commit();'
  // expect-note@-2: wait for all groups is here
  // expect-state@-3: wait: threads 0-63: groups [] open {Tile}
  // expect-state@-4: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}
// expect-state@-1: exit: threads 0-63: groups [] open {Tile}; reads {Tile}
// expect-state@-2: exit: threads 0-63: groups [] open {}; unordered copies {Tile}; reads {Tile}

KERNEL some_agree(const float *In, float *Out, const int *Flags) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  // expect-warning@-2{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' may be uncommitted at the wait
  if (__syncthreads_count(Flags[threadIdx.x]) > 32)
  // expect-note@-1: taken when this condition is false
  // expect-state@-2: barrier: threads 0-63: groups [] open {Tile}
    __pipeline_commit();
    // expect-state@-1: commit: threads 0-63: groups [{Tile}] open {}
  __pipeline_wait_prior(0);
  // expect-note@-1: commit the copy: insert '__pipeline_commit();'
  // expect-note@-2: wait for all groups is here
  // expect-state@-3: wait: threads 0-63: groups [] open {Tile}
  // expect-state@-4: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
  Out[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
}
// expect-state@-1: exit: threads 0-63: groups [] open {Tile}; reads {Tile}
// expect-state@-2: exit: threads 0-63: groups [] open {}; unordered copies {Tile}; reads {Tile}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// Only what memset wrote is known to be written.
KERNEL sets_one_of_two(const float *In, float *Out) {
  __shared__ float Clear[64], Stale[64];
  memset(&Clear[threadIdx.x], 0, 4);
  Out[threadIdx.x] = Clear[threadIdx.x] + Stale[threadIdx.x];
  // expect-note@-1: the copy, a wait for it and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Stale[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Stale' is read before any copy into it is issued
  copy(&Clear[threadIdx.x], &In[threadIdx.x]);
  // expect-state@-1: copy: threads 0-63: groups [] open {Clear}; reads {Clear Stale}; stores {Clear}
  copy(&Stale[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: first copy into these bytes issued here
  // expect-state@-2: copy: threads 0-63: groups [] open {Clear Stale}; reads {Clear Stale}; stores {Clear}
}
// expect-state@-1: exit: threads 0-63: groups [] open {Clear Stale}; reads {Clear Stale}; stores {Clear}
