//===- bulk-wrappers.cu - Bulk copies behind libcu++ ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuda::device::experimental and cuda::ptx: bulk stores are followed; a bulk
// load is a gap, told where it is called.
//
//===----------------------------------------------------------------------===//

#include <cuda/barrier>
#include <cuda/ptx>

namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;

constexpr int Threads = 128;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const float *Src,            \
                                                  float *Dst, int Tiles)

template <bool Waits> __device__ void storeTiles(float *Dst, int Tiles) {
  __shared__ alignas(16) float Tile[Threads];
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
  // expect-note@-2: in iteration 1 of this loop, counted from 0
    Tile[threadIdx.x] = T;
    // expect-note@-1: thread 0 overwrites byte 0 of 'Tile' here, copied in bulk by thread 0
    // expect-warning@-2{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a bulk copy still reads it
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_shared_to_global(Dst + T * Threads, Tile, 512);
      // expect-note@-1: copy issued here
      cde::cp_async_bulk_commit_group();
      if (Waits)
        cde::cp_async_bulk_wait_group_read<0>();
    }
    __syncthreads();
  }
}
KERNEL(stored_ok) { storeTiles<true>(Dst, Tiles); }
KERNEL(stored_bad) { storeTiles<false>(Dst, Tiles); }

template <int Left> __device__ void storeTwo(float *Dst, int Tiles) {
  __shared__ alignas(16) float Tile[2][Threads];
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
  // expect-note@-2: in iteration 2 of this loop, counted from 0
    if (threadIdx.x == 0)
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<Left>());
    __syncthreads();
    Tile[T % 2][threadIdx.x] = T;
    // expect-note@-1: thread 0 overwrites byte 0 of 'Tile' here, copied in bulk by thread 0
    // expect-warning@-2{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a bulk copy still reads it
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared,
      // expect-note@-1: copy issued here
                         Dst + T * Threads, Tile[T % 2], 512);
      ptx::cp_async_bulk_commit_group();
    }
  }
}
KERNEL(stored_by_turns_ok) { storeTwo<1>(Dst, Tiles); }
KERNEL(stored_by_turns_bad) { storeTwo<2>(Dst, Tiles); }

KERNEL(loaded) {
  __shared__ alignas(16) float Tile[Threads];
  __shared__ cuda::barrier<cuda::thread_scope_block> Full;
  if (threadIdx.x == 0)
    init(&Full, Threads);
  __syncthreads();
  if (threadIdx.x == 0)
    cde::cp_async_bulk_global_to_shared(Tile, Src, 512, Full);
    // expect-skipped@-1: bulk copies are not analysed yet
  Full.arrive_and_wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
