//===- group-copies.cu - Copies that threads share ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cooperative_groups::memcpy_async commits the group's copies; its waits wait
// for the thread's own and then join the group. Which thread copies what is not
// said: even a thread that only reads "its" bytes has to wait for the others.
// Every kernel copies Src to Dst, Tiles tiles a block.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int Threads = 128;

#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const float4 *Src,           \
                                                  float4 *Dst, int Tiles)

KERNEL(whole_block_ok) {
  __shared__ float4 Tile[Threads];
  auto Block = cg::this_thread_block();
  for (int T = 0; T < Tiles; ++T) {
    cg::memcpy_async(Block, Tile, Src + T * Threads, sizeof(Tile));
    cg::wait(Block);
    Dst[T * Threads + threadIdx.x] = Tile[threadIdx.x];
    Block.sync();
  }
}

// Elements instead of bytes, and an alignment that is promised.
KERNEL(layouts_ok) {
  __shared__ alignas(16) float Tile[4 * Threads];
  auto Block = cg::this_thread_block();
  const float *From = reinterpret_cast<const float *>(Src);
  float *To = reinterpret_cast<float *>(Dst);
  for (int T = 0; T < Tiles; ++T) {
    cg::memcpy_async(Block, Tile, 4 * Threads, From + T * 4 * Threads,
                     4 * Threads);
    cg::wait(Block);
    for (int I = threadIdx.x; I < 4 * Threads; I += Threads)
      To[T * 4 * Threads + I] = Tile[I];
    cg::sync(Block);
    cg::memcpy_async(Block, Tile, From + T * 4 * Threads,
                     cuda::aligned_size_t<16>(sizeof(Tile)));
    cg::wait(Block);
    To[T * 4 * Threads + threadIdx.x] = Tile[threadIdx.x];
    cg::sync(Block);
  }
}

// Warps bring rows of one matrix or of the other, eight threads a row: whose
// row it is has no say in which thread of a tile copies what.
__global__ __launch_bounds__(Threads) void two_matrices_ok(const float4 *A,
                                                           const float4 *B,
                                                           float4 *Dst) {
  __shared__ float4 Rows[Threads / 8][8];
  auto Row = cg::tiled_partition<8>(cg::this_thread_block());
  const int R = threadIdx.x / 8;
  const float4 *From = threadIdx.x / 32 < 2 ? A : B;
  cg::memcpy_async(Row, Rows[R], From + 8 * R, sizeof(Rows[R]));
  cg::wait(cg::this_thread_block());
  Dst[threadIdx.x] = Rows[R][threadIdx.x % 8];
}

// Two tiles in flight: one stage for each call.
KERNEL(one_ahead_ok) {
  __shared__ float4 Ring[2][Threads];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Ring[0], Src, sizeof(Ring[0]));
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles) {
      cg::memcpy_async(Block, Ring[(T + 1) % 2], Src + (T + 1) * Threads,
                       sizeof(Ring[0]));
      cg::wait_prior<1>(Block);
    } else {
      cg::wait(Block);
    }
    Dst[T * Threads + threadIdx.x] = Ring[T % 2][threadIdx.x];
    Block.sync();
  }
}

// Each warp has a part of its own, and nobody else reads it.
KERNEL(warps_ok) {
  __shared__ float4 Tile[Threads];
  auto Warp = cg::tiled_partition<32>(cg::this_thread_block());
  float4 *Mine = Tile + threadIdx.x / 32 * 32;
  for (int T = 0; T < Tiles; ++T) {
    cg::memcpy_async(Warp, Mine, Src + T * Threads + threadIdx.x / 32 * 32,
                     32 * sizeof(float4));
    cg::wait(Warp);
    Dst[T * Threads + threadIdx.x] = Mine[31 - threadIdx.x % 32];
    Warp.sync();
  }
}

// Two warps share a part; their barrier is theirs alone.
KERNEL(pairs_of_warps_ok) {
  __shared__ float4 Tile[Threads];
  auto Pair = cg::tiled_partition<64>(cg::this_thread_block());
  float4 *Mine = Tile + threadIdx.x / 64 * 64;
  for (int T = 0; T < Tiles; ++T) {
    cg::memcpy_async(Pair, Mine, Src + T * Threads + threadIdx.x / 64 * 64,
                     64 * sizeof(float4));
    cg::wait(Pair);
    Dst[T * Threads + threadIdx.x] = Mine[threadIdx.x % 64];
    Pair.sync();
  }
}

// A pipeline of each thread, and copies that the block shares.
KERNEL(own_pipeline_ok) {
  __shared__ float4 Tile[Threads];
  auto Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline();
  for (int T = 0; T < Tiles; ++T) {
    Pipe.producer_acquire();
    cuda::memcpy_async(Block, Tile, Src + T * Threads, sizeof(Tile), Pipe);
    Pipe.producer_commit();
    Pipe.consumer_wait();
    Block.sync();
    Dst[T * Threads + threadIdx.x] = Tile[threadIdx.x];
    Pipe.consumer_release();
    Block.sync();
  }
}

KERNEL(no_wait_bad) {
  __shared__ float4 Tile[Threads];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Tile, Src, sizeof(Tile));
  // expect-note@-1: committed here
  // expect-note@-2: copy issued here
  Block.sync();
  // expect-note@-1: wait for all copies: insert 'asm volatile("cp.async.wait_all;" ::: "memory");'
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL(one_stage_too_few_bad) {
  __shared__ float4 Tile[2][Threads];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Tile[0], Src, sizeof(Tile[0]));
  cg::memcpy_async(Block, Tile[1], Src + Threads, sizeof(Tile[1]));
  // expect-note@-1: committed here as the newest group
  // expect-note@-2: copy issued here
  cg::wait_prior<1>(Block);
  // expect-note@-1: leave no group in flight here
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' was copied in the newest one
  Dst[threadIdx.x] = Tile[1][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[1][0]' here
}

// Every thread has waited for its own copies only, whichever those are.
KERNEL(not_synchronised_bad) {
  __shared__ float4 Tile[Threads];
  auto Block = cg::this_thread_block();
  auto Pipe = cuda::make_pipeline();
  cuda::memcpy_async(Block, Tile, Src, sizeof(Tile), Pipe);
  // expect-note@-1: copy issued here
  Pipe.producer_commit();
  Pipe.consumer_wait();
  // expect-note@-1: its thread waits for the copy here
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL(refilled_too_early_bad) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[Threads];
  auto Block = cg::this_thread_block();
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    cg::memcpy_async(Block, Tile, Src + T * Threads, sizeof(Tile));
    // expect-note@-1: a barrier belongs between the read in line +2 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'Tile[32]' here, read by thread 32
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
    cg::wait(Block);
    Dst[T * Threads + threadIdx.x] = Tile[threadIdx.x];
    // expect-note@-1: read here
  }
}

//===----------------------------------------------------------------------===//
// Copies of a size that is not known
//===----------------------------------------------------------------------===//

// The other slot is another, however much of it is copied.
KERNEL(last_tile_is_smaller_ok) {
  __shared__ float4 Slot[2][Threads];
  auto Block = cg::this_thread_block();
  const int Rows = Tiles * 100;
  auto Fetch = [&](int T) {
    const int Here = min(Threads, Rows - T * Threads);
    cg::memcpy_async(Block, Slot[T % 2], Src + T * Threads,
                     sizeof(float4) * Here);
  };
  Fetch(0);
  for (int T = 0; T * Threads < Rows; ++T) {
    if ((T + 1) * Threads < Rows) {
      Fetch(T + 1);
      cg::wait_prior<1>(Block);
    } else {
      cg::wait(Block);
    }
    if (T * Threads + threadIdx.x < Rows)
      Dst[T * Threads + threadIdx.x] = Slot[T % 2][threadIdx.x];
    Block.sync();
  }
}

KERNEL(any_size_ok) {
  __shared__ float4 Slot[2][Threads];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Slot[0], Src, sizeof(float4) * Tiles);
  cg::memcpy_async(Block, Slot[1], Src + Tiles, sizeof(float4) * Tiles);
  cg::wait_prior<1>(Block);
  const float4 First = Slot[0][threadIdx.x];
  cg::wait(Block);
  Dst[threadIdx.x] = threadIdx.x < Tiles ? First : Slot[1][threadIdx.x];
}

// Whether what is read was copied hangs on how many there are.
KERNEL(any_size_unwaited_bad) {
// expect-note@-1: with Tiles = 8
  __shared__ float4 Slot[2][Threads];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Slot[0], Src, sizeof(float4) * Tiles);
  cg::memcpy_async(Block, Slot[1], Src + Tiles, sizeof(float4) * Tiles);
  // expect-note@-1: committed here as the newest group
  // expect-note@-2: copy issued here
  cg::wait_prior<1>(Block);
  // expect-note@-1: leave no group in flight here
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Slot' was copied in the newest one
  Dst[threadIdx.x] = Slot[1][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Slot[1][0]' here
  cg::wait(Block);
}

// Rows of a pool, as far as the caller says.
__global__ __launch_bounds__(Threads) void
any_size_rows_ok(const float4 *Src, float4 *Dst, int Rows, int Tiles) {
  extern __shared__ float4 Pool[];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Pool, Src, sizeof(float4) * Rows);
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles) {
      cg::memcpy_async(Block, Pool + (T + 1) % 2 * 64, Src + (T + 1) * Rows,
                       sizeof(float4) * Rows);
      cg::wait_prior<1>(Block);
    } else {
      cg::wait(Block);
    }
    float Sum = 0.0f;
    for (int I = 0; I < Rows; ++I)
      Sum += Pool[T % 2 * 64 + I].x;
    Dst[T * Threads + threadIdx.x].x = Sum;
    Block.sync();
  }
}

__global__ __launch_bounds__(Threads) void
any_size_rows_bad(const float4 *Src, float4 *Dst, int Rows, int Tiles) {
// expect-note@-1: with Tiles = 3, Rows = 1
  extern __shared__ float4 Pool[];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Pool, Src, sizeof(float4) * Rows);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    if (T + 1 < Tiles) {
    // expect-note@-1: taken when this condition is true
      cg::memcpy_async(Block, Pool + (T + 1) % 2 * 64, Src + (T + 1) * Rows,
      // expect-note@-1: a barrier belongs between the read in line +8 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Pool[0]' here, read by thread 32
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Pool' may be overwritten while other threads still read it
                       sizeof(float4) * Rows);
      cg::wait_prior<1>(Block);
    } else {
      cg::wait(Block);
    }
    float Sum = 0.0f;
    for (int I = 0; I < Rows; ++I)
      Sum += Pool[T % 2 * 64 + I].x;
      // expect-note@-1: read here
    Dst[T * Threads + threadIdx.x].x = Sum;
  }
}

KERNEL(refilled_while_in_flight_bad) {
  __shared__ float4 Slot[2][Threads];
  auto Block = cg::this_thread_block();
  for (int T = 0; T < Tiles; ++T) {
    cg::memcpy_async(Block, Slot[T % 2], Src, sizeof(float4) * Tiles);
    cg::wait_prior<2>(Block);
  }
  cg::wait(Block);
}

//===----------------------------------------------------------------------===//
// Types of one and two bytes
//===----------------------------------------------------------------------===//

// The library looks how the pointers are aligned: in words here.
#define SMALL_KERNEL(Name)                                                     \
  __global__ __launch_bounds__(Threads) void Name(const short *Src,            \
                                                  short *Dst, int Tiles)

SMALL_KERNEL(shorts_bad) {
  __shared__ alignas(16) short Tile[8 * Threads];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Tile, Src, sizeof(Tile));
  // expect-note@-1: committed here
  // expect-note@-2: copy issued here
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
SMALL_KERNEL(shorts_ok) {
  __shared__ alignas(16) short Tile[8 * Threads];
  auto Block = cg::this_thread_block();
  for (int T = 0; T < Tiles; ++T) {
    cg::memcpy_async(Block, Tile, Src + T * 8 * Threads, sizeof(Tile));
    cg::wait(Block);
    Dst[T * Threads + threadIdx.x] = Tile[threadIdx.x];
    Block.sync();
  }
}
struct Row {
  short X[8];
};
__global__ __launch_bounds__(Threads) void rows_bad(const Row *Src, Row *Dst) {
  __shared__ Row Tile[Threads];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Tile, Src + Threads, sizeof(Tile));
  // expect-note@-1: committed here
  // expect-note@-2: copy issued here
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
// One end lies between words: nothing is asynchronous, but for the barrier.
SMALL_KERNEL(between_words_ok) {
  __shared__ alignas(16) short Tile[8 * Threads];
  auto Block = cg::this_thread_block();
  cg::memcpy_async(Block, Tile, Src + 1, sizeof(Tile));
  Block.sync();
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
