//===- loaders-of-one.cu - Warps of which one thread stays ---------------- ===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two warps load, and but one thread of them leaves at once. Whoever else waits
// for ever waits for none of those.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

template <bool FirstParity>
__device__ void sumAndMost(const float *In, float *Sums, float *Most, int Tiles) {
  __shared__ alignas(128) float Slot[2][64];
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier Full[2], Empty[2];
  const int T = threadIdx.x, Role = threadIdx.y;
  if (T == 0 && Role == 0) {
    for (int S = 0; S < 2; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 1
      init(&Full[S], 1);
      init(&Empty[S], 128);
      // expect-note@-1: 'Empty' initialised here, a phase expects 128 arrivals
    }
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __syncthreads();
  if (Role == 0) {
    if (T != 0)
      return;
    for (int K = 0; K < Tiles; ++K) {
    // expect-note@-1: in the iteration of this loop with K = 0
      Empty[K % 2].wait_parity((K / 2 & 1) ^ FirstParity);
      // expect-note@-1: as many must arrive in each phase as the initialisation says
      // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Empty' waited for here may never complete: 0 of 128 arrivals came
      cuda::device::memcpy_async_tx(Slot[K % 2], In + K * 64,
                                    cuda::aligned_size_t<16>(sizeof(Slot[0])),
                                    Full[K % 2]);
      (void)cuda::device::barrier_arrive_tx(Full[K % 2], 1, sizeof(Slot[0]));
    }
  } else if (Role == 1) {
    float Sum = 0;
    for (int K = 0; K < Tiles; ++K) {
      Full[K % 2].wait_parity(K / 2 & 1);
      Sum += Slot[K % 2][T];
      (void)Empty[K % 2].arrive();
    }
    Sums[T] = Sum;
  } else {
    float Found = 0;
    for (int K = 0; K < Tiles; ++K) {
      Full[K % 2].wait_parity(K / 2 & 1);
      Found = max(Found, Slot[K % 2][T]);
      (void)Empty[K % 2].arrive();
    }
    Most[T] = Found;
  }
}
#define KERNEL __global__ void __launch_bounds__(192)
KERNEL nobody_has_to_ok(const float *In, float *Sums, float *Most, int Tiles) {
  sumAndMost<true>(In, Sums, Most, Tiles);
}
KERNEL waits_at_first_bad(const float *In, float *Sums, float *Most, int Tiles) {
// expect-note@-1: with Tiles = 1
  sumAndMost<false>(In, Sums, Most, Tiles);
  // expect-note@-1: 'sumAndMost' called here
}
void run(const float *In, float *Sums, float *Most, int Tiles) {
  nobody_has_to_ok<<<1, dim3(64, 3)>>>(In, Sums, Most, Tiles);
  waits_at_first_bad<<<1, dim3(64, 3)>>>(In, Sums, Most, Tiles);
}
