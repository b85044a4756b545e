//===- guessed-shapes.cu - Blocks that only the kernel tells of -----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing in the file launches these kernels, and their blocks are not 128
// threads in a row: what they do with the numbers of their threads tells.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// A tile of 16x16 elements, a thread each.
__global__ void square_ok(const float *Src, float *Dst, int Tiles) {
  __shared__ float Tile[2][16][16];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int T = 0; T <= Tiles; ++T) {
    if (T < Tiles)
      __pipeline_memcpy_async(&Tile[T & 1][Y][X], Src + T * 256 + Y * 16 + X, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    if (T > 0)
      Dst[T * 256 + Y * 16 + X] = Tile[(T - 1) & 1][X][Y];
    __syncthreads();
  }
}

__global__ void square_bad(const float *Src, float *Dst, int Tiles) {
// expect-note@-1: assuming blocks of 16x16 threads
// expect-note@-2: with Tiles = 1
  __shared__ float Tile[2][16][16];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int T = 0; T <= Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    if (T < Tiles)
      __pipeline_memcpy_async(&Tile[T & 1][Y][X], Src + T * 256 + Y * 16 + X, 4);
      // expect-note@-1: copy issued here
    __pipeline_commit();
    __pipeline_wait_prior(1);
    // expect-note@-1: its thread waits for the copy here
    if (T > 0)
      Dst[T * 256 + Y * 16 + X] = Tile[(T - 1) & 1][X][Y];
      // expect-note@-1: a barrier belongs between the wait in line -2 and this read
      // expect-note@-2: thread 2 (2, 0) reads 'Tile[0][2][0]' here, copied by thread 32 (0, 2)
      // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' may be read with no barrier after the wait for its copy
    __syncthreads();
    // expect-note@-1: barrier is here
  }
}

// 96 threads go on by 96.
__global__ void strides_ok(const float *Src, float *Dst) {
  __shared__ float Row[384];
  for (int I = threadIdx.x; I < 384; I += 96)
    __pipeline_memcpy_async(&Row[I], Src + I, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int I = threadIdx.x; I < 384; I += 96)
    Dst[I] = Row[I];
}

__global__ void strides_bad(const float *Src, float *Dst) {
// expect-note@-1: assuming blocks of 96 threads
  __shared__ float Row[384];
  for (int I = threadIdx.x; I < 384; I += 96)
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the 4th iteration of this loop
    __pipeline_memcpy_async(&Row[I], Src + I, 4);
    // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  for (int I = threadIdx.x; I < 384; I += 96)
    Dst[I] = Row[383 - I];
    // expect-note@-1: a barrier belongs between the wait in line -2 and this read
    // expect-note@-2: thread 0 reads 'Row[383]' here, copied by thread 95
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Row' is read with no barrier after the wait for its copy
}

// All of the tile has to be there: 256 threads, not 128.
__global__ void whole_tile_ok(const float4 *Src, float *Dst) {
  __shared__ float4 Tile[256];
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float Sum = 0.0f;
  for (int I = 0; I < 256; ++I)
    Sum += Tile[I].x;
  Dst[threadIdx.x] = Sum;
}

// Nobody copies the last two, whatever the block.
__global__ void copied_too_little(const float4 *Src, float *Dst) {
  __shared__ float4 Tile[4];
  if (threadIdx.x < 2)
    __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float Sum = 0.0f;
  for (int I = 0; I < 4; ++I)
    Sum += Tile[I].x;
    // expect-skipped@-1: no block that was tried fits: of 128 threads, bytes of 'Tile' are read that nothing has written
  Dst[threadIdx.x] = Sum;
}

// What the kernel insists on, each number behind the one before.
#define INSIST(Is)                                                             \
  if (!(Is))                                                                   \
  __trap()
__device__ void fetch_rows(float (*Tile)[36], const float *Src) {
  for (int R = threadIdx.y; R < 24; R += 12)
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the first iteration of this loop
    __pipeline_memcpy_async(&Tile[R][threadIdx.x * 4],
    // expect-note@-1: copy issued here
                            Src + R * 32 + threadIdx.x * 4, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
}

__global__ void insisting_ok(const float *Src, float *Dst) {
  __shared__ __align__(16) float Tile[24][36];
  INSIST(blockDim.x == 8 && blockDim.y == 12 && blockDim.z == 1);
  fetch_rows(Tile, Src);
  __syncthreads();
  for (int I = threadIdx.y * 8 + threadIdx.x; I < 24 * 32; I += 96)
    Dst[I] = Tile[I % 24][I / 24];
}

__global__ void insisting_bad(const float *Src, float *Dst) {
// expect-note@-1: assuming blocks of 8x12 threads
  __shared__ __align__(16) float Tile[24][36];
  INSIST(blockDim.x == 8 && blockDim.y == 12 && blockDim.z == 1);
  fetch_rows(Tile, Src);
  // expect-note@-1: 'fetch_rows' called here
  for (int I = threadIdx.y * 8 + threadIdx.x; I < 24 * 32; I += 96)
    Dst[I] = Tile[I % 24][I / 24];
    // expect-note@-1: a barrier belongs between the wait in line -17 and this read
    // expect-note@-2: thread 4 (4, 0) reads 'Tile[4][0]' here, copied by thread 32 (0, 4)
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

// A barrier counts the threads of the block: 192.
__global__ void counted_by_barrier_ok(const float *Src, float *Dst) {
  __shared__ float Tile[192];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &Src[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  asm volatile("bar.sync 1, 192;" ::: "memory");
  Dst[threadIdx.x] = Tile[191 - threadIdx.x];
}

__global__ void counted_by_barrier_bad(const float *Src, float *Dst) {
// expect-note@-1: assuming blocks of 192 threads
  __shared__ float Tile[192];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &Src[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  asm volatile("bar.sync 1, 192;" ::: "memory");
  // expect-note@-1: wait for all copies: insert '__pipeline_wait_prior(0);'
  Dst[threadIdx.x] = Tile[191 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[191]' here, copied by thread 191
  // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// The place in the ring begins at the number of the group, which tells nothing
// of how many groups there are.
struct Place {
  int Slot = 0, Phase = 0;
  __device__ void advance(int By) {
    if (By < 4 && Slot + By >= 4)
      Phase ^= 1;
    if (By >= 4 && (Slot + By) / 4 % 2 == 1)
      Phase ^= 1;
    Slot = (Slot + By) % 4;
  }
};
__global__ void groups_and_a_warp_ok(const float *Src, float *Dst, int Tiles) {
  __shared__ float Tile[4][128];
  const int Group = threadIdx.x / 128;
  if (threadIdx.x / 32 == 8) {
    for (int T = 0; T < 4; ++T)
      for (int I = threadIdx.x % 32; I < 128; I += 32)
        __pipeline_memcpy_async(&Tile[T][I], &Src[T * 128 + I], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    asm volatile("bar.sync 1, 288;" ::: "memory");
    return;
  }
  Place At;
  At.advance(Group);
  asm volatile("bar.sync 1, 288;" ::: "memory");
  for (int T = Group; T < 4; T += 2) {
    Dst[T * 128 + threadIdx.x % 128] = Tile[At.Slot][threadIdx.x % 128];
    At.advance(2);
  }
}

// Nobody waits for what the warp has copied.
__global__ void groups_and_a_warp_bad(const float *Src, float *Dst) {
// expect-note@-1: assuming blocks of 288 threads
  __shared__ float Tile[4][128];
  const int Group = threadIdx.x / 128;
  if (threadIdx.x / 32 == 8) {
    for (int T = 0; T < 4; ++T)
      for (int I = threadIdx.x % 32; I < 128; I += 32)
        __pipeline_memcpy_async(&Tile[T][I], &Src[T * 128 + I], 4);
        // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  Place At;
  At.advance(Group);
  __syncthreads();
  // expect-note@-1: wait for all copies: insert '__pipeline_wait_prior(0);'
  for (int T = Group; T < 2; T += 2)
    Dst[T * 128 + threadIdx.x % 128] = Tile[At.Slot][threadIdx.x % 128];
    // expect-note@-1: thread 0 reads 'Tile[0][0]' here, copied by thread 256
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// A band has two rows more than the block: no thread of a later round leaves the
// array, with 64x3 threads. With those of 32x6 some do.
struct Band {
  float Row[5][66];
};
__global__ __launch_bounds__(192) void bands_ok(const float *Src, int Pitch,
                                                float *Dst, int Bands, int W) {
  __shared__ Band Tile[2];
  const cg::thread_block Block = cg::this_thread_block();
  const int X0 = blockIdx.x * 64;
  auto Load = [&](int B) {
    for (int R = 0; R < 5; ++R)
      cg::memcpy_async(Block, Tile[B % 2].Row[R],
                       &Src[(B * 3 + R) * Pitch + X0], sizeof(Tile[0].Row[0]));
  };
  Load(0);
  for (int B = 0; B < Bands; ++B) {
    if (B + 1 < Bands) {
      Load(B + 1);
      cg::wait_prior<5>(Block);
    } else {
      cg::wait(Block);
    }
    const int X = threadIdx.x, Y = threadIdx.y;
    const float *Above = &Tile[B % 2].Row[Y][X],
                *Below = &Tile[B % 2].Row[Y + 2][X];
    Dst[(B * 3 + Y) * W + X0 + X] = Below[0] - Above[2];
    Block.sync();
  }
}

//===----------------------------------------------------------------------===//
// As many as __launch_bounds__ says
//===----------------------------------------------------------------------===//

// Nothing but the last warp tells how they lie: 32x5. It copies for the others.
template <bool Waits> __device__ void sumInWarps(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Lane = threadIdx.x, Warp = threadIdx.y;
  if (Warp == 4)
    for (int Row = 0; Row < 4; ++Row)
      __pipeline_memcpy_async(&Tile[Row][Lane], &In[Row * 32 + Lane], 4);
      // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (Waits)
    __pipeline_wait_prior(0);
  __syncthreads();
  // expect-note@-1: wait for all copies: insert '__pipeline_wait_prior(0);'
  if (Warp < 4)
    Out[Warp * 32 + Lane] = Tile[Warp][31 - Lane];
    // expect-note@-1: thread 0 (0, 0) reads 'Tile[0][31]' here, copied by thread 159 (31, 4)
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
__global__ void __launch_bounds__(160)
    copying_warp_ok(const float *In, float *Out) {
  sumInWarps<true>(In, Out);
}
__global__ void __launch_bounds__(160)
    copying_warp_bad(const float *In, float *Out) {
    // expect-note@-1: assuming blocks of 32x5 threads
  sumInWarps<false>(In, Out);
  // expect-note@-1: 'sumInWarps' called here
}

// The last row is one of a later round: with 64x3 nobody asks for another
// thread. Fewer than 192 are not looked for where those fit.
template <bool Waits>
__device__ void averageRows(const float *In, float *Out) {
  __shared__ float Tile[24][66];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int Row = Y; Row < 24; Row += 3) {
    __pipeline_memcpy_async(&Tile[Row][X + 1], &In[Row * 64 + X], 4);
    // expect-note@-1: copy issued here
    if (X < 2)
      Tile[Row][X * 65] = 0;
  }
  __pipeline_commit();
  // expect-note@-1: committed here
  if (Waits)
    __pipeline_wait_prior(0);
  __syncthreads();
  // expect-note@-1: the edit that is offered here repairs this as well
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  for (int Row = Y; Row < 24; Row += 3) {
    const float Above = Row == 0 ? 0 : Tile[Row - 1][X + 1];
    // expect-note@-1: thread 64 (0, 1) reads 'Tile[0][1]' here, copied by thread 0 (0, 0)
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    const float Below = Row == 23 ? 0 : Tile[Row + 1][X + 1];
    // expect-note@-1: thread 0 (0, 0) reads 'Tile[1][1]' here, copied by thread 64 (0, 1)
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    Out[Row * 64 + X] = Above + Below + Tile[Row][X] + Tile[Row][X + 2];
    // expect-note@-1: thread 1 (1, 0) reads 'Tile[0][1]' here, copied by thread 0 (0, 0)
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  }
}
__global__ void __launch_bounds__(192)
    rows_of_later_rounds_ok(const float *In, float *Out) {
  averageRows<true>(In, Out);
}
__global__ void __launch_bounds__(192)
    rows_of_later_rounds_bad(const float *In, float *Out) {
    // expect-note@-1: assuming blocks of 64x3 threads
  averageRows<false>(In, Out);
  // expect-note@-1: 'averageRows' called here
}

// Rows and planes, by which each thread has its number.
template <bool Ends>
__device__ void boxes(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[128];
  const int I = threadIdx.x + 8 * (threadIdx.y + 4 * threadIdx.z);
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    __pipeline_memcpy_async(&Tile[I], In + T * 128 + I, 4);
    // expect-note@-1: a barrier belongs between the read in line +4 and this overwrite in a later iteration
    // expect-note@-2: thread 0 (0, 0) overwrites 'Tile[0]' here, read by thread 127 (7, 3, 3)
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    Out[T * 128 + I] = Tile[127 - I];
    // expect-note@-1: read here
    if (Ends)
      __syncthreads();
  }
}
__global__ void __launch_bounds__(128)
planes_of_rows_ok(const float *In, float *Out, int Tiles) {
  boxes<true>(In, Out, Tiles);
}
__global__ void __launch_bounds__(128)
planes_of_rows_bad(const float *In, float *Out, int Tiles) {
// expect-note@-1: assuming blocks of 8x4x4 threads
// expect-note@-2: with Tiles = 2
  boxes<false>(In, Out, Tiles);
  // expect-note@-1: 'boxes' called here
}
