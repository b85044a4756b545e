//===- handovers.cu - Warps that copy for other warps ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Named barriers: a slot is handed over when it is full, and handed back when
// it is empty. Every kernel copies Src to Dst, Tiles tiles a block.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>

constexpr int Threads = 128, WarpSize = 32;

__device__ __forceinline__ void copy16(void *Shared, const void *Global) {
  unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global)
               : "memory");
}
__device__ __forceinline__ void commit() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}
template <int N> __device__ __forceinline__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory");
}
__device__ __forceinline__ void sync(int Id, int Count) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(Id), "r"(Count) : "memory");
}
__device__ __forceinline__ void arrive(int Id, int Count) {
  asm volatile("bar.arrive %0, %1;\n" ::"r"(Id), "r"(Count) : "memory");
}

// One slot. Warp 0 copies, warps 1 to 3 read; barrier 1 says full, 2 empty.
__global__ __launch_bounds__(Threads) void one_slot_ok(const float4 *Src,
                                                       float4 *Dst, int Tiles) {
  __shared__ float4 Slot[Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  if (Tid < WarpSize) {
    for (int T = 0; T < Tiles; ++T) {
      for (int C = Tid; C < Threads; C += WarpSize)
        copy16(&Slot[C], &Src[Base + T * Threads + C]);
      commit();
      wait<0>();
      arrive(1, Threads);
      sync(2, Threads);
    }
  } else {
    for (int T = 0; T < Tiles; ++T) {
      sync(1, Threads);
      for (int C = Tid - WarpSize; C < Threads; C += Threads - WarpSize)
        Dst[Base + T * Threads + C] = Slot[C];
      arrive(2, Threads);
    }
  }
}

// Two slots; the copy of the next tile is in flight while one is read.
__global__ __launch_bounds__(Threads) void two_slots_ok(const float4 *Src,
                                                        float4 *Dst,
                                                        int Tiles) {
  __shared__ float4 Ring[2][Threads];
  enum { Full = 1, Empty = 3 };
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  if (Tid < WarpSize) {
    for (int T = 0; T < Tiles; ++T) {
      if (T >= 2)
        sync(Empty + T % 2, Threads);
      for (int C = Tid; C < Threads; C += WarpSize)
        copy16(&Ring[T % 2][C], &Src[Base + T * Threads + C]);
      commit();
      if (T >= 1) {
        wait<1>();
        arrive(Full + (T - 1) % 2, Threads);
      }
    }
    wait<0>();
    arrive(Full + (Tiles - 1) % 2, Threads);
  } else {
    for (int T = 0; T < Tiles; ++T) {
      sync(Full + T % 2, Threads);
      for (int C = Tid - WarpSize; C < Threads; C += Threads - WarpSize)
        Dst[Base + T * Threads + C] = Ring[T % 2][C];
      if (T + 2 < Tiles)
        arrive(Empty + T % 2, Threads);
    }
  }
}

struct NamedBarrier {
  int Id;
  __device__ void sync() const { ::sync(Id, Threads); }
  __device__ void arrive() const { ::arrive(Id, Threads); }
};

// Half of the block copies, the role comes from a shuffle.
__global__ __launch_bounds__(Threads) void half_copies_ok(const float4 *Src,
                                                          float4 *Dst,
                                                          int Tiles) {
  __shared__ float4 Slot[Threads];
  constexpr int Half = Threads / 2;
  const NamedBarrier Full{1}, Empty{2};
  const int Base = blockIdx.x * Tiles * Threads;
  const int Warp = __shfl_sync(0xffffffff, threadIdx.x / WarpSize, 0);
  const bool Copies = Warp < Half / WarpSize;
  const int First = threadIdx.x % Half;
  for (int T = 0; T < Tiles; ++T) {
    if (Copies) {
      if (T > 0)
        Empty.sync();
      for (int C = First; C < Threads; C += Half)
        copy16(&Slot[C], &Src[Base + T * Threads + C]);
      commit();
      wait<0>();
      Full.arrive();
    } else {
      Full.sync();
      for (int C = First; C < Threads; C += Half)
        Dst[Base + T * Threads + C] = Slot[Threads - 1 - (Threads - 1 - C)];
      if (T + 1 < Tiles)
        Empty.arrive();
    }
  }
}

// Warps 0 and 1, and warps 2 and 3, exchange tiles at a barrier of their own.
__global__ __launch_bounds__(Threads) void pairs_of_warps_ok(const float4 *Src,
                                                             float4 *Dst,
                                                             int Tiles) {
  __shared__ float4 Tile[2][2 * WarpSize];
  constexpr int Pair = 2 * WarpSize;
  const int Base = blockIdx.x * Tiles * Threads;
  const int P = threadIdx.x / Pair, Rank = threadIdx.x % Pair;
  for (int T = 0; T < Tiles; ++T) {
    const int First = Base + T * Threads + P * Pair;
    copy16(&Tile[P][Rank], &Src[First + Rank]);
    commit();
    wait<0>();
    sync(1 + P, Pair);
    Dst[First + Pair - 1 - Rank] = Tile[P][Pair - 1 - Rank];
    sync(1 + P, Pair);
  }
}

// The whole block meets, although only warp 0 copies and only it waits.
__global__ __launch_bounds__(Threads) void block_meets_ok(const float4 *Src,
                                                          float4 *Dst,
                                                          int Tiles) {
  __shared__ float4 Ring[2][Threads];
  const int Base = blockIdx.x * Tiles * Threads, Tid = threadIdx.x;
  auto Fetch = [&](int T) {
    if (T < Tiles && Tid < WarpSize) {
      for (int C = Tid; C < Threads; C += WarpSize)
        copy16(&Ring[T & 1][C], &Src[Base + T * Threads + C]);
      commit();
    }
  };
  Fetch(0);
  for (int T = 0; T < Tiles; ++T) {
    if (Tid < WarpSize)
      wait<0>();
    __syncthreads();
    Fetch(T + 1);
    Dst[Base + T * Threads + Tid] = Ring[T & 1][Tid];
  }
}

// Each warp has slots of its own and needs no other warp.
__global__ __launch_bounds__(Threads) void private_slots_ok(const float4 *Src,
                                                            float4 *Dst,
                                                            int Tiles) {
  __shared__ float4 Ring[Threads / WarpSize][2][WarpSize];
  const int Warp = threadIdx.x / WarpSize, Lane = threadIdx.x % WarpSize;
  const int Base = blockIdx.x * Tiles * Threads + Warp * WarpSize;
  float4(*Mine)[WarpSize] = Ring[Warp];
  copy16(&Mine[0][Lane], &Src[Base + Lane]);
  commit();
  for (int T = 0; T < Tiles; ++T) {
    wait<0>();
    __syncwarp();
    if (T + 1 < Tiles)
      copy16(&Mine[(T + 1) % 2][Lane], &Src[Base + (T + 1) * Threads + Lane]);
    commit();
    const int Other = WarpSize - 1 - Lane;
    Dst[Base + T * Threads + Other] = Mine[T % 2][Other];
  }
}

// The same with a group of 32 threads and one slot.
__global__ __launch_bounds__(Threads) void group_of_32_ok(const float4 *Src,
                                                          float4 *Dst,
                                                          int Tiles) {
  __shared__ float4 Slot[Threads / WarpSize][WarpSize];
  namespace cg = cooperative_groups;
  auto Group = cg::tiled_partition<WarpSize>(cg::this_thread_block());
  const int Warp = threadIdx.x / WarpSize, Lane = Group.thread_rank();
  const int Base = blockIdx.x * Tiles * Threads + Warp * WarpSize;
  for (int T = 0; T < Tiles; ++T) {
    copy16(&Slot[Warp][Lane], &Src[Base + T * Threads + Lane]);
    commit();
    wait<0>();
    Group.sync();
    Dst[Base + T * Threads + (Lane ^ 1)] = Slot[Warp][Lane ^ 1];
    Group.sync();
  }
}
