//===- block-shapes.cu - Blocks, warps and who waits for whom -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two-dimensional blocks, one-warp blocks, buffers private to a warp, roles
// by warp, barriers inside branches that the whole block takes.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ void copy4(float *Shared, const float *Global) {
  uint32_t To = static_cast<uint32_t>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(To),
               "l"(Global));
}
__device__ void copy16(float4 *Shared, const float4 *Global) {
  uint32_t To = static_cast<uint32_t>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global));
}
__device__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

// The block is known from the launch below only.
__global__ void square_block_ok(const float *A, const float *B, float *C,
                                int Size) {
  __shared__ float TileA[2][16][16], TileB[2][16][16];
  int X = threadIdx.x, Y = threadIdx.y;
  int Row = blockIdx.y * 16 + Y, Col = blockIdx.x * 16 + X;
  float Sum = 0.0f;
  copy4(&TileA[0][Y][X], A + Row * Size + X);
  copy4(&TileB[0][Y][X], B + Y * Size + Col);
  commit();
  for (int T = 0; T < Size / 16; ++T) {
    wait<0>();
    __syncthreads();
    if (T + 1 < Size / 16) {
      copy4(&TileA[(T + 1) % 2][Y][X], A + Row * Size + (T + 1) * 16 + X);
      copy4(&TileB[(T + 1) % 2][Y][X], B + ((T + 1) * 16 + Y) * Size + Col);
      commit();
    }
    for (int K = 0; K < 16; ++K)
      Sum += TileA[T % 2][Y][K] * TileB[T % 2][K][X];
  }
  C[Row * Size + Col] = Sum;
}

// Vectors of a 32 x 8 block, addressed by a flattened index.
__global__ void flattened_block_ok(const float4 *Src, float4 *Dst) {
  __shared__ float4 Tile[2 * 256];
  const int Tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int Threads = blockDim.x * blockDim.y;
#pragma unroll
  for (int I = Tid; I < 512; I += Threads)
    copy16(&Tile[I], Src + I);
  commit();
  wait<0>();
  __syncthreads();
  for (int I = Tid; I < 512; I += Threads)
    Dst[I] = Tile[511 - I];
}

__global__ __launch_bounds__(32) void one_warp_ok(const float4 *Src,
                                                  float4 *Dst, int Tiles) {
  __shared__ float4 Ring[2][32];
  int Lane = threadIdx.x;
  copy16(&Ring[0][Lane], Src + Lane);
  commit();
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      copy16(&Ring[(T + 1) & 1][Lane], Src + (T + 1) * 32 + Lane);
    commit();
    wait<1>();
    __syncwarp();
    Dst[T * 32 + Lane] = Ring[T & 1][31 - Lane];
    __syncwarp();
  }
}

// Each warp stages its own rows: a warp barrier is enough.
__global__ __launch_bounds__(128) void warp_private_buffer_ok(const float4 *Src,
                                                              float4 *Dst,
                                                              int Tiles) {
  __shared__ float4 Staging[4][32];
  int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  for (int T = 0; T < Tiles; ++T) {
    copy16(&Staging[Warp][Lane], Src + T * 128 + threadIdx.x);
    commit();
    wait<0>();
    __syncwarp();
    Dst[T * 128 + threadIdx.x] = Staging[Warp][31 - Lane];
    __syncwarp();
  }
}

// Two warps load, all four use; those who copied wait, then the block meets.
__global__ __launch_bounds__(128) void loader_warps_ok(const float4 *Src,
                                                       float4 *Dst, int Tiles) {
  __shared__ float4 Tile[64];
  for (int T = 0; T < Tiles; ++T) {
    if (threadIdx.x < 64) {
      copy16(&Tile[threadIdx.x], Src + T * 64 + threadIdx.x);
      commit();
      wait<0>();
    }
    __syncthreads();
    Dst[T * 128 + threadIdx.x] = Tile[(threadIdx.x * 7) % 64];
    __syncthreads();
  }
}

// A and B are loaded by different warps, group counts are the same for all.
__global__ __launch_bounds__(128) void roles_with_equal_groups_ok(
    const float4 *A, const float4 *B, float *Out, int Tiles) {
  __shared__ float4 TileA[2][64], TileB[2][64];
  const bool LoadsA = threadIdx.x / 32 < 2;
  const int Lane = threadIdx.x % 64;
  auto fetch = [&](int T) {
    if (T < Tiles) {
      if (LoadsA)
        copy16(&TileA[T & 1][Lane], A + T * 64 + Lane);
      else
        copy16(&TileB[T & 1][Lane], B + T * 64 + Lane);
    }
    commit();
  };
  float Sum = 0.0f;
  fetch(0);
  for (int T = 0; T < Tiles; ++T) {
    fetch(T + 1);
    wait<1>();
    __syncthreads();
    Sum += TileA[T & 1][63 - Lane].x * TileB[T & 1][63 - Lane].x;
    __syncthreads();
  }
  Out[blockIdx.x * 128 + threadIdx.x] = Sum;
}

// The barriers stand in branches that no thread takes alone.
__global__ __launch_bounds__(128) void barrier_in_uniform_branch_ok(
    const float4 *Src, float4 *Dst, int Tiles, bool Reverse) {
  __shared__ float4 Tile[128];
  int Tid = threadIdx.x;
  for (int T = 0; T < Tiles; ++T) {
    copy16(&Tile[Tid], Src + T * 128 + Tid);
    commit();
    wait<0>();
    if (Reverse) {
      __syncthreads();
      Dst[T * 128 + Tid] = Tile[127 - Tid];
      __syncthreads();
    } else {
      Dst[T * 128 + Tid] = Tile[Tid];
    }
  }
}

// Each half of the block has a barrier of its own.
__global__ __launch_bounds__(128) void named_barriers_ok(const float4 *Src,
                                                         float4 *Dst,
                                                         int Tiles) {
  __shared__ float4 Tile[2][64];
  const int Half = threadIdx.x / 64, Lane = threadIdx.x % 64;
  for (int T = 0; T < Tiles; ++T) {
    copy16(&Tile[Half][Lane], Src + T * 128 + threadIdx.x);
    commit();
    wait<0>();
    asm volatile("bar.sync %0, %1;" ::"r"(Half + 1), "n"(64) : "memory");
    Dst[T * 128 + threadIdx.x] = Tile[Half][63 - Lane];
    asm volatile("bar.sync %0, %1;" ::"r"(Half + 1), "n"(64) : "memory");
  }
}

// Each row of the block, 64 threads, stages its own part of the tile and reads
// that of the next row. The shape comes from launches of variables.
template <int Rows>
__global__ void rows_by_variable_ok(const float4 *Src, float4 *Dst) {
  __shared__ float4 Tile[Rows][64];
  const int X = threadIdx.x, Y = threadIdx.y;
  copy16(&Tile[Y][X], Src + Y * 64 + X);
  commit();
  wait<0>();
  __syncthreads();
  Dst[Y * 64 + X] = Tile[(Y + 1) % Rows][63 - X];
}

// The same without the barrier.
template <int Rows>
__global__ void rows_by_variable_bad(const float4 *Src, float4 *Dst) {
// expect-note@-1: in instantiation of 'rows_by_variable_bad<8>'
  __shared__ float4 Tile[Rows][64];
  const int X = threadIdx.x, Y = threadIdx.y;
  copy16(&Tile[Y][X], Src + Y * 64 + X);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  Dst[Y * 64 + X] = Tile[(Y + 1) % Rows][63 - X];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 (0, 0) reads 'Tile[1][63]' here, copied by thread 127 (63, 1)
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

// Nothing tells the shape; that warps are counted along y does.
__global__ void warps_along_y_ok(const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Staging[4][32];
  for (int T = 0; T < Tiles; ++T) {
    copy16(&Staging[threadIdx.y][threadIdx.x],
           Src + (T * 4 + threadIdx.y) * 32 + threadIdx.x);
    commit();
    wait<0>();
    __syncwarp();
    Dst[(T * 4 + threadIdx.y) * 32 + threadIdx.x] =
        Staging[threadIdx.y][31 - threadIdx.x];
    __syncwarp();
  }
}

// Nor does anything here; the warps lie in a square.
__global__ void warps_in_a_square_ok(const float4 *Src, float4 *Dst) {
  __shared__ float4 Tile[2][2][32];
  const int X = threadIdx.x, Y = threadIdx.y, Z = threadIdx.z;
  const int Tid = Z * 64 + Y * 32 + X;
  copy16(&Tile[Z][Y][X], Src + Tid);
  commit();
  wait<0>();
  __syncthreads();
  Dst[Tid] = Tile[1 - Z][1 - Y][31 - X];
}

__global__ void warps_in_a_square_bad(const float4 *Src, float4 *Dst) {
// expect-note@-1: assuming blocks of 32x2x2 threads
  __shared__ float4 Tile[2][2][32];
  const int X = threadIdx.x, Y = threadIdx.y, Z = threadIdx.z;
  const int Tid = Z * 64 + Y * 32 + X;
  copy16(&Tile[Z][Y][X], Src + Tid);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  Dst[Tid] = Tile[1 - Z][Y][X];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 (0, 0) reads 'Tile[1][0][0]' here, copied by thread 64 (0, 0, 1)
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

void launchVariables(const float4 *Src, float4 *Dst, bool Tall) {
  constexpr int Columns = 64;
  auto Chosen = rows_by_variable_ok<2>;
  dim3 Block(Columns, 2);
  Chosen<<<1, Block>>>(Src, Dst);
  void (*Either)(const float4 *, float4 *) =
      Tall ? &rows_by_variable_ok<8> : &rows_by_variable_bad<8>;
  void *Arguments[] = {&Src, &Dst};
  cudaLaunchKernel((const void *)Either, dim3(1), dim3(Columns, 8), Arguments);
  // expect-note@-1: launched here with blocks of 64x8 threads
}

void launchShapes(const float *A, const float *B, float *C, int Size,
                  const float4 *Src, float4 *Dst) {
  dim3 Block(16, 16);
  dim3 Grid(Size / 16, Size / 16);
  square_block_ok<<<Grid, Block>>>(A, B, C, Size);
  flattened_block_ok<<<1, dim3(32, 8)>>>(Src, Dst);
}

// The shape of a launch in a lambda, as macros that turn a run-time choice into a
// template argument write it.
template <int Threads>
__global__ void launched_by_lambda_bad(const float4 *Src, float4 *Dst) {
// expect-note@-1: in instantiation of 'launched_by_lambda_bad<256>'
  __shared__ float4 Row[256];
  copy16(&Row[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  Dst[threadIdx.x] = Row[255 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Row[255]' here, copied by thread 255
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Row' is read with no barrier after the wait for its copy
}

void launchInLambda(const float4 *Src, float4 *Dst, bool Wide) {
  auto Choose = [&](auto Launch) { Wide ? Launch() : void(); };
  Choose([&] { launched_by_lambda_bad<256><<<1, 256>>>(Src, Dst); });
  // expect-note@-1: launched here with blocks of 256 threads
}

// Warps along x, in two layers; which, only the configuration of the launch says.
// With one layer the second copy would be nobody's; with warps along y two of
// them would share a row.
template <int Kind>
__global__ __launch_bounds__(256) void two_layers_ok(const float4 *Src,
                                                     float4 *Dst) {
  __shared__ float4 Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (threadIdx.z == 1) {
    copy16(&Tile[Warp][Lane], Src + threadIdx.x);
    commit();
    wait<0>();
    __syncwarp();
    Dst[threadIdx.x] = Tile[Warp][31 - Lane];
  }
}
template __global__ void two_layers_ok<0>(const float4 *, float4 *);

struct Layout {
  unsigned X, Y, Z;
};
constexpr Layout Warps = {4, 1, 2};

cudaLaunchConfig_t configure(const dim3 &Grid, dim3 Block, cudaStream_t Stream) {
  cudaLaunchConfig_t Config{Grid, Block, 0, Stream, nullptr, 0};
  return Config;
}

void launchWithConfiguration(const float4 *Src, float4 *Dst,
                             cudaStream_t Stream, bool Early) {
  cudaLaunchConfig_t Given{dim3(4), dim3(128, 1, 2), 0, Stream, nullptr, 0};
  cudaLaunchKernelEx(&Given, two_layers_ok<1>, Src, Dst);
  const dim3 Block{32 * Warps.X, Warps.Y, Warps.Z};
  const auto Made = configure(dim3(4), Block, Stream);
  cudaLaunchKernelEx(&Made, two_layers_ok<2>, Src, Dst);
  cudaLaunchConfig_t Set;
  Set.blockDim = Block;
  if (Early) {
    Set.gridDim = dim3(4);
    cudaLaunchKernelEx(&Set, two_layers_ok<3>, Src, Dst);
  }
}

// 512 threads: the last one reads what the first one copied.
__global__ void larger_by_configuration_bad(const float4 *Src, float4 *Dst) {
  __shared__ float4 Row[512];
  copy16(&Row[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  Dst[threadIdx.x] = Row[511 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Row[511]' here, copied by thread 511
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Row' is read with no barrier after the wait for its copy
}

void launchLarger(const float4 *Src, float4 *Dst) {
  cudaLaunchConfig_t Config{};
  Config.gridDim = 1;
  Config.blockDim = 512;
  cudaLaunchKernelEx(&Config, larger_by_configuration_bad, Src, Dst);
  // expect-note@-1: launched here with blocks of 512 threads
}

// The kernel says itself how its blocks are: three warps, a row each.
template <int Rows>
__global__ void __block_size__((32, Rows, 1))
    required_ok(const float *Src, float *Dst) {
  __shared__ float Row[Rows][32];
  copy4(&Row[threadIdx.y][threadIdx.x], Src + threadIdx.y * 32 + threadIdx.x);
  commit();
  wait<0>();
  __syncwarp();
  Dst[threadIdx.y * 32 + threadIdx.x] = Row[threadIdx.y][31 - threadIdx.x];
}
template __global__ void required_ok<3>(const float *, float *);

__global__ void __block_size__((32, 3, 1))
// expect-note@-1: launched here with blocks of 32x3 threads
    required_bad(const float *Src, float *Dst) {
  __shared__ float Row[3][32];
  copy4(&Row[threadIdx.y][threadIdx.x], Src + threadIdx.y * 32 + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  __syncwarp();
  Dst[threadIdx.y * 32 + threadIdx.x] = Row[2 - threadIdx.y][threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 (0, 0) reads 'Row[2][0]' here, copied by thread 64 (0, 2)
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Row' is read with no barrier after the wait for its copy
}
