//===- named-functions.cu - Functions known by their names ----*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each call shows by its effect that its name is known: in the groups, or in
// the bytes of a read that is too early.
//
//===----------------------------------------------------------------------===//

#include <cstring>

#define KERNEL __global__ void __launch_bounds__(64)
#define SHARED(Ptr) ((__attribute__((address_space(3))) void *)(Ptr))
#define GLOBAL(Ptr) ((__attribute__((address_space(1))) const void *)(Ptr))

KERNEL sizes(const float4 *In) {
  __shared__ float4 Eight[64], Sixteen[64];
  __nvvm_cp_async_ca_shared_global_8(SHARED(&Eight[threadIdx.x]), GLOBAL(In));
  // expect-state@-1: copy: threads 0-63: groups [] open {Eight}
  __nvvm_cp_async_ca_shared_global_16(SHARED(&Sixteen[threadIdx.x]),
  // expect-state@-1: copy: threads 0-63: groups [] open {Eight Sixteen}
                                      GLOBAL(In));
  __nvvm_cp_async_wait_all();
  // expect-state@-1: wait: threads 0-63: groups [] open {}; unordered copies {Eight Sixteen}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Eight Sixteen}

// Thread 5 is the first to read a vector of its own.
KERNEL maximum(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  __nvvm_cp_async_ca_shared_global_16(SHARED(&Tile[threadIdx.x]), GLOBAL(In));
  // expect-note@-1: copy issued here
  // expect-state@-2: copy: threads 0-63: groups [] open {Tile}
  Out[threadIdx.x] = Tile[umax(threadIdx.x, 5u)];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 5 reads 'Tile[5]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
// expect-state@-1: exit: threads 0-63: groups [] open {Tile}; reads {Tile}

// Thread t reads vector t, its own.
KERNEL minimum(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  __nvvm_cp_async_ca_shared_global_16(SHARED(&Tile[threadIdx.x]), GLOBAL(In));
  // expect-note@-1: copy issued here
  // expect-state@-2: copy: threads 0-63: groups [] open {Tile}
  Out[threadIdx.x] = Tile[umin(threadIdx.x + 7, 3u) + threadIdx.x - 3];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__nvvm_cp_async_wait_all();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
// expect-state@-1: exit: threads 0-63: groups [] open {Tile}; reads {Tile}

KERNEL moved(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  __nvvm_cp_async_ca_shared_global_16(SHARED(&Tile[threadIdx.x]), GLOBAL(In));
  // expect-note@-1: copy issued here
  // expect-state@-2: copy: threads 0-63: groups [] open {Tile}
  memmove(&Out[threadIdx.x], &Tile[threadIdx.x], 16);
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__nvvm_cp_async_wait_all();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
// expect-state@-1: exit: threads 0-63: groups [] open {Tile}; reads {Tile}

KERNEL there_and_back(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  const size_t Address = __cvta_generic_to_shared(&Tile[threadIdx.x]);
  void *To = __cvta_shared_to_generic(Address);
  __nvvm_cp_async_ca_shared_global_16(SHARED(To), GLOBAL(In));
  // expect-state@-1: copy: threads 0-63: groups [] open {Tile}
  __nvvm_cp_async_wait_all();
  // expect-state@-1: wait: threads 0-63: groups [] open {}; unordered copies {Tile}
}
// expect-state@-1: exit: threads 0-63: groups [] open {}; unordered copies {Tile}
