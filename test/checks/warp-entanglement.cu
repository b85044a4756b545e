//===- warp-entanglement.cu - Lanes that commit apart ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware counts the groups of a warp. Where its lanes commit apart, a wait
// that leaves the newest group leaves less than that. In every `_bad` kernel the
// wait takes longer than in its twin, every other `_ok` kernel copies In to Out.
//
//===----------------------------------------------------------------------===//

#define KERNEL __global__ void __launch_bounds__(128)

__device__ void copy4(void *Dst, const void *Src) {
  const unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Dst));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(To), "l"(Src)
               : "memory");
}
__device__ void commit() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}
template <int N> __device__ void waitGroup() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory");
}

//===----------------------------------------------------------------------===//
// Twins: Out is the time that the wait took; the first source is warm
//===----------------------------------------------------------------------===//

// The upper half of each warp has one copy more, and commits for itself.
KERNEL half_warps_bad(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[2][128], More[2][128], Warm[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  Warm[threadIdx.x] = In[Base];
  __syncthreads();
  for (int S = 0; S < 2; ++S) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with S = 1
    if (threadIdx.x % 32 < 16) {
      copy4(&Tile[S][threadIdx.x], &In[Base + S * 128]);
      commit();
      // expect-note@-1: committed here only by threads 0-15, 32-47, 64-79, 96-111
    } else {
      copy4(&Tile[S][threadIdx.x], &In[Base + S * 128]);
      copy4(&More[S][threadIdx.x], &In[Base + S * 128]);
      commit();
      // expect-note@-1: committed here only by threads 16-31, 48-63, 80-95, 112-127
    }
  }
  const long long Begin = clock64();
  waitGroup<1>();
  // expect-note@-1: commit where all lanes of a warp have come together again
  // expect-warning@-2{cpasync-warp-entanglement}: wait counts 4 groups of the warp, of which a thread committed only 2
  const float First = Tile[0][threadIdx.x];
  Out[Base] = static_cast<float>(clock64() - Begin) +
              0.0f * (First - Warm[threadIdx.x]);
}

KERNEL half_warps_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[2][128], More[2][128], Warm[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  Warm[threadIdx.x] = In[Base];
  __syncthreads();
  for (int S = 0; S < 2; ++S) {
    copy4(&Tile[S][threadIdx.x], &In[Base + S * 128]);
    if (threadIdx.x % 32 >= 16)
      copy4(&More[S][threadIdx.x], &In[Base + S * 128]);
    commit();
  }
  const long long Begin = clock64();
  waitGroup<1>();
  const float First = Tile[0][threadIdx.x];
  Out[Base] = static_cast<float>(clock64() - Begin) +
              0.0f * (First - Warm[threadIdx.x]);
}

// The first tile is committed by all, the second by two parts of each warp.
KERNEL second_stage_bad(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[2][128], More[128], Warm[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  Warm[threadIdx.x] = In[Base];
  __syncthreads();
  copy4(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  // expect-note@-1: committed here
  auto Fetch = [&] {
    if (threadIdx.x % 32 < 8) {
      copy4(&Tile[1][threadIdx.x], &In[Base + 128]);
      commit();
      // expect-note@-1: committed here only by threads 0-7, 32-39, 64-71, 96-103
      return;
    }
    copy4(&More[threadIdx.x], &In[Base + 256]);
    copy4(&Tile[1][threadIdx.x], &In[Base + 128]);
    commit();
    // expect-note@-1: committed here only by threads 8-31, 40-63, 72-95, 104-127
  };
  Fetch();
  // expect-note@-1: 'Fetch' called here
  const long long Begin = clock64();
  waitGroup<1>();
  // expect-note@-1: commit where all lanes of a warp have come together again
  // expect-warning@-2{cpasync-warp-entanglement}: wait counts 3 groups of the warp, of which a thread committed only 2
  const float First = Tile[0][threadIdx.x];
  Out[Base] = static_cast<float>(clock64() - Begin) +
              0.0f * (First - Warm[threadIdx.x]);
}

KERNEL second_stage_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[2][128], More[128], Warm[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  Warm[threadIdx.x] = In[Base];
  __syncthreads();
  copy4(&Tile[0][threadIdx.x], &In[Base]);
  commit();
  auto Fetch = [&] {
    if (threadIdx.x % 32 >= 8)
      copy4(&More[threadIdx.x], &In[Base + 256]);
    copy4(&Tile[1][threadIdx.x], &In[Base + 128]);
    commit();
  };
  Fetch();
  const long long Begin = clock64();
  waitGroup<1>();
  const float First = Tile[0][threadIdx.x];
  Out[Base] = static_cast<float>(clock64() - Begin) +
              0.0f * (First - Warm[threadIdx.x]);
}

//===----------------------------------------------------------------------===//
// Nothing is counted twice
//===----------------------------------------------------------------------===//

// The groups of two warps have nothing to do with each other.
KERNEL whole_warps_ok(const float *In, float *Out) {
  __shared__ float Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy4(&Tile[0][threadIdx.x], &In[I]);
  commit();
  if (threadIdx.x < 64) {
    copy4(&Tile[1][threadIdx.x], &In[I]);
    commit();
  } else {
    commit();
  }
  waitGroup<1>();
  Out[I] = Tile[0][threadIdx.x];
}

// Who waits for all groups does not count them.
KERNEL wait_for_all_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    copy4(&Tile[threadIdx.x], &In[I]);
    commit();
  } else {
    copy4(&Tile[threadIdx.x], In + I);
    commit();
  }
  waitGroup<0>();
  Out[I] = Tile[threadIdx.x];
}

// The other lanes have no groups that the wait could count.
KERNEL one_lane_ok(const float *In, float *Out) {
  __shared__ float Tile[2][128];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (Lane == 0) {
    for (int S = 0; S < 2; ++S) {
      for (int C = Warp * 32; C < Warp * 32 + 32; ++C)
        copy4(&Tile[S][C], &In[blockIdx.x * 128 + C]);
      commit();
    }
    waitGroup<1>();
  }
  __syncwarp();
  Out[I] = Tile[0][threadIdx.x];
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(BAD(half_warps_bad, Slow), TIMED(half_warps_ok),
          BAD(second_stage_bad, Slow), TIMED(second_stage_ok),
          OK(whole_warps_ok), OK(wait_for_all_ok), OK(one_lane_ok))
#endif
