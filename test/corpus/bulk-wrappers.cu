//===- bulk-wrappers.cu - Bulk copies behind libcu++ ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuda::device::experimental and cuda::ptx.
//
//===----------------------------------------------------------------------===//

#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;

constexpr int Threads = 128;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const float *Src,            \
                                                  float *Dst, int Tiles)

template <bool Waits> __device__ void storeTiles(float *Dst, int Tiles) {
  __shared__ alignas(16) float Tile[Threads];
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    Tile[threadIdx.x] = T;
    // expect-note@-1: a wait by 'cp.async.bulk.wait_group.read' and a barrier belong before this overwrite
    // expect-note@-2: thread 0 overwrites 'Tile[0]' here, copied in bulk by thread 0
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a bulk copy still reads it
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
// expect-note@-1: 'storeTiles' called here
// expect-note@-2: with Tiles = 2

template <int Left> __device__ void storeTwo(float *Dst, int Tiles) {
  __shared__ alignas(16) float Tile[2][Threads];
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 2
    if (threadIdx.x == 0)
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<Left>());
      // expect-note@-1: leave fewer than 2 groups of bulk copies in flight here
      // expect-note@-2: wait leaves 2 groups of bulk copies in flight
    __syncthreads();
    Tile[T % 2][threadIdx.x] = T;
    // expect-note@-1: thread 0 overwrites 'Tile[0][0]' here, copied in bulk by thread 0
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
// expect-note@-1: 'storeTwo' called here
// expect-note@-2: with Tiles = 3

template <int Announced> __device__ void loadTile(const float *Src, float *Dst) {
  __shared__ alignas(16) float Tile[Threads];
  __shared__ cuda::barrier<cuda::thread_scope_block> Full;
  if (threadIdx.x == 0)
    init(&Full, Threads);
    // expect-note@-1: 'Full' initialised here, a phase expects 128 arrivals
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token Token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_global_to_shared(Tile, Src, 512, Full);
    // expect-note@-1: copy issued here
    Token = cuda::device::barrier_arrive_tx(Full, 1, Announced);
    // expect-note@-1: bytes of the phase announced here
  } else {
    Token = Full.arrive();
    // expect-note@-1: arrived at 'Full' here
  }
  Full.wait(std::move(Token));
  // expect-note@-1: announce as many bytes as are copied in each phase
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here never completes: 384 bytes more copied than announced
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(loaded_ok) { loadTile<512>(Src, Dst); }
KERNEL(loaded_bad) { loadTile<128>(Src, Dst); }
// expect-note@-1: 'loadTile' called here

// Announced apart from the arrival.
KERNEL(tx_ok) {
  __shared__ alignas(16) float Tile[Threads];
  __shared__ cuda::barrier<cuda::thread_scope_block> Full;
  if (threadIdx.x == 0)
    init(&Full, Threads);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::barrier_expect_tx(Full, 512);
    cuda::device::memcpy_async_tx(Tile, Src, cuda::aligned_size_t<16>(512),
                                  Full);
  }
  Full.arrive_and_wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(tx_bad) {
  __shared__ alignas(16) float Tile[Threads];
  __shared__ cuda::barrier<cuda::thread_scope_block> Full;
  if (threadIdx.x == 0)
    init(&Full, Threads);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::device::barrier_expect_tx(Full, 512);
    cuda::device::memcpy_async_tx(Tile, Src, cuda::aligned_size_t<16>(512),
    // expect-note@-1: copy issued here
                                  Full);
  }
  Full.arrive();
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
