//===- unsynchronized-lanes.cu - Lanes that rely on lockstep ---*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where lanes of one warp have gone apart, nothing but a barrier of the warp
// says which of them is ahead. In every `_bad` kernel two sides of a branch have
// to run in one order, which the hardware is free not to choose; all but
// the last come in pairs that need opposite ones. Lanes that have not gone apart are in
// test/corpus/lanes.cu.
//
//===----------------------------------------------------------------------===//

#define KERNEL __global__ void __launch_bounds__(128)

__device__ void copy4(void *Dst, const void *Src) {
  const unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Dst));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(To), "l"(Src)
               : "memory");
}
__device__ void copy8(void *Dst, const void *Src) {
  const unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Dst));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n" ::"r"(To), "l"(Src)
               : "memory");
}
__device__ void commit() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}
template <int N> __device__ void waitGroup() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory");
}

// A number of rounds that hangs on the data, so that the compiler keeps the
// branch around it.
__device__ void lag(const float *In) {
  const long long Begin = clock64();
  while (clock64() - Begin < 400 + static_cast<int>(In[0] * 0.0f))
    ;
}

//===----------------------------------------------------------------------===//
// Half of a warp copies, the other half reads
//===----------------------------------------------------------------------===//

// The copy stands first, and is late.
KERNEL copiers_first_bad(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int First = blockIdx.x * 128 + threadIdx.x / 32 * 32;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (Lane < 16) {
    lag(In);
    copy8(&Tile[Warp][Lane * 2], &In[First + Lane * 2]);
    // expect-note@-1: copy issued here
    commit();
    waitGroup<0>();
    // expect-note@-1: its thread waits for the copy here
  } else {
    for (int I = Lane - 16; I < 32; I += 16)
      Out[First + I] = Tile[Warp][I];
      // expect-note@-1: thread 16 reads byte 0 of 'Tile' here, copied by thread 0
      // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is read with no barrier of the warp after the wait for its copy
  }
}

KERNEL copiers_first_ok(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int First = blockIdx.x * 128 + threadIdx.x / 32 * 32;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (Lane < 16) {
    lag(In);
    copy8(&Tile[Warp][Lane * 2], &In[First + Lane * 2]);
    commit();
    waitGroup<0>();
    __syncwarp();
  } else {
    __syncwarp();
    for (int I = Lane - 16; I < 32; I += 16)
      Out[First + I] = Tile[Warp][I];
  }
}

// The read stands first.
KERNEL readers_first_bad(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int First = blockIdx.x * 128 + threadIdx.x / 32 * 32;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (Lane >= 16) {
    for (int I = Lane - 16; I < 32; I += 16)
      Out[First + I] = Tile[Warp][I];
      // expect-note@-1: read here
  } else {
    lag(In);
    copy8(&Tile[Warp][Lane * 2], &In[First + Lane * 2]);
    // expect-note@-1: thread 0 overwrites byte 0 of 'Tile' here, read by thread 16
    // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is overwritten with no barrier of the warp after other lanes read it
    commit();
    waitGroup<0>();
  }
}

KERNEL readers_first_ok(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int First = blockIdx.x * 128 + threadIdx.x / 32 * 32;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  if (Lane >= 16) {
    __syncwarp();
    for (int I = Lane - 16; I < 32; I += 16)
      Out[First + I] = Tile[Warp][I];
  } else {
    lag(In);
    copy8(&Tile[Warp][Lane * 2], &In[First + Lane * 2]);
    commit();
    waitGroup<0>();
    __syncwarp();
  }
}

//===----------------------------------------------------------------------===//
// In each round of a loop some lanes copy and the others read what they copied
//===----------------------------------------------------------------------===//

KERNEL turns_bad(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  for (int R = 0; R < 2; ++R) {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
    if (Lane % 2 == R) {
      lag(In);
      copy4(&Tile[Warp][Lane], &In[I]);
      // expect-note@-1: copy issued here
      commit();
      waitGroup<0>();
      // expect-note@-1: its thread waits for the copy here
      continue;
    }
    Out[I ^ 1] = Tile[Warp][Lane ^ 1];
    // expect-note@-1: thread 1 reads byte 0 of 'Tile' here, copied by thread 0
    // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is read with no barrier of the warp after the wait for its copy
  }
}

KERNEL turns_ok(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  for (int R = 0; R < 2; ++R) {
    if (Lane % 2 == R) {
      lag(In);
      copy4(&Tile[Warp][Lane], &In[I]);
      commit();
      waitGroup<0>();
    }
    __syncwarp();
    if (Lane % 2 != R)
      Out[I ^ 1] = Tile[Warp][Lane ^ 1];
  }
}

// The same, with the read in front.
KERNEL turns_after_read_bad(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  for (int R = 0; R < 2; ++R) {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
    if (Lane % 2 != R) {
      Out[I ^ 1] = Tile[Warp][Lane ^ 1];
      // expect-note@-1: read here
      continue;
    }
    lag(In);
    copy4(&Tile[Warp][Lane], &In[I]);
    // expect-note@-1: thread 0 overwrites byte 0 of 'Tile' here, read by thread 1
    // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is overwritten with no barrier of the warp after other lanes read it
    commit();
    waitGroup<0>();
  }
}

KERNEL turns_after_read_ok(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  for (int R = 0; R < 2; ++R) {
    if (Lane % 2 != R) {
      __syncwarp();
      Out[I ^ 1] = Tile[Warp][Lane ^ 1];
      continue;
    }
    lag(In);
    copy4(&Tile[Warp][Lane], &In[I]);
    commit();
    waitGroup<0>();
    __syncwarp();
  }
}

//===----------------------------------------------------------------------===//
// Half of a warp refills the slot that the other half reads
//===----------------------------------------------------------------------===//

KERNEL refill_first_bad(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * Tiles * 128 + Warp * 32;
  copy4(&Tile[Warp][Lane], &In[First + Lane]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
    waitGroup<0>();
    __syncwarp();
    if (Lane < 16) {
      if (K + 1 < Tiles)
        copy8(&Tile[Warp][Lane * 2], &In[First + (K + 1) * 128 + Lane * 2]);
        // expect-note@-1: copy issued here
      commit();
      waitGroup<0>();
      // expect-note@-1: its thread waits for the copy here
    } else {
      for (int I = Lane - 16; I < 32; I += 16)
        Out[First + K * 128 + I] = Tile[Warp][I];
        // expect-note@-1: thread 16 reads byte 0 of 'Tile' here, copied by thread 0
        // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' may be read with no barrier of the warp after the wait for its copy
    }
    __syncwarp();
  }
}

KERNEL refill_first_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * Tiles * 128 + Warp * 32;
  copy4(&Tile[Warp][Lane], &In[First + Lane]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<0>();
    __syncwarp();
    if (Lane >= 16)
      for (int I = Lane - 16; I < 32; I += 16)
        Out[First + K * 128 + I] = Tile[Warp][I];
    __syncwarp();
    if (Lane < 16) {
      if (K + 1 < Tiles)
        copy8(&Tile[Warp][Lane * 2], &In[First + (K + 1) * 128 + Lane * 2]);
      commit();
    }
  }
}

KERNEL refill_last_bad(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * Tiles * 128 + Warp * 32;
  copy4(&Tile[Warp][Lane], &In[First + Lane]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in iteration 0 of this loop, counted from 0
    waitGroup<0>();
    __syncwarp();
    if (Lane >= 16) {
      lag(In);
      for (int I = Lane - 16; I < 32; I += 16)
        Out[First + K * 128 + I] = Tile[Warp][I];
        // expect-note@-1: read here
    } else {
      if (K + 1 < Tiles)
        copy8(&Tile[Warp][Lane * 2], &In[First + (K + 1) * 128 + Lane * 2]);
        // expect-note@-1: thread 0 overwrites byte 0 of 'Tile' here, read by thread 16
        // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' may be overwritten with no barrier of the warp after other lanes read it
      commit();
      waitGroup<0>();
    }
    __syncwarp();
  }
}

KERNEL refill_last_ok(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * Tiles * 128 + Warp * 32;
  copy4(&Tile[Warp][Lane], &In[First + Lane]);
  commit();
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<0>();
    __syncwarp();
    if (Lane >= 16) {
      lag(In);
      for (int I = Lane - 16; I < 32; I += 16)
        Out[First + K * 128 + I] = Tile[Warp][I];
      __syncwarp();
    } else {
      __syncwarp();
      if (K + 1 < Tiles)
        copy8(&Tile[Warp][Lane * 2], &In[First + (K + 1) * 128 + Lane * 2]);
      commit();
      waitGroup<0>();
    }
    __syncwarp();
  }
}

//===----------------------------------------------------------------------===//
// Half of a warp stores over what the other half reads
//===----------------------------------------------------------------------===//

KERNEL cleared_bad(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * 128 + Warp * 32;
  copy4(&Tile[Warp][Lane], &In[First + Lane]);
  commit();
  waitGroup<0>();
  __syncwarp();
  if (Lane >= 16) {
    lag(In);
    for (int I = Lane - 16; I < 32; I += 16)
      Out[First + I] = Tile[Warp][I];
      // expect-note@-1: read here
  } else {
    Tile[Warp][Lane] = 0;
    // expect-note@-1: thread 0 overwrites byte 0 of 'Tile' here, read by thread 16
    // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is overwritten with no barrier of the warp after other lanes read it
    Tile[Warp][Lane + 16] = 0;
    // expect-note@-1: thread 0 overwrites byte 64 of 'Tile' here, read by thread 16
    // expect-warning@-2{cpasync-unsynchronized-lanes}: 'Tile' is overwritten with no barrier of the warp after other lanes read it
  }
}

KERNEL cleared_ok(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * 128 + Warp * 32;
  copy4(&Tile[Warp][Lane], &In[First + Lane]);
  commit();
  waitGroup<0>();
  __syncwarp();
  if (Lane >= 16) {
    lag(In);
    for (int I = Lane - 16; I < 32; I += 16)
      Out[First + I] = Tile[Warp][I];
    __syncwarp();
  } else {
    __syncwarp();
    Tile[Warp][Lane] = 0;
    Tile[Warp][Lane + 16] = 0;
  }
}

//===----------------------------------------------------------------------===//
// Lanes that have met
//===----------------------------------------------------------------------===//

KERNEL own_element_ok(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy4(&Tile[threadIdx.x / 32][threadIdx.x % 32], &In[I]);
  commit();
  waitGroup<0>();
  Out[I] = (&Tile[0][0])[threadIdx.x];
}

KERNEL neighbour_ok(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  copy4(&Tile[Warp][Lane], &In[I]);
  commit();
  waitGroup<0>();
  __syncwarp();
  Out[I ^ 1] = Tile[Warp][Lane ^ 1];
}

// The mask names those that read each other's data.
KERNEL quarters_ok(const float *In, float *Out) {
  __shared__ float Tile[4][32];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  copy4(&Tile[Warp][Lane], &In[I]);
  commit();
  waitGroup<0>();
  __syncwarp(0xffu << (Lane / 8 * 8));
  Out[I ^ 7] = Tile[Warp][Lane ^ 7];
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(copiers_first, Stale), TWINS(readers_first, Stale),
          TWINS(turns, Stale), TWINS(turns_after_read, Stale),
          TWINS(refill_first, Stale), TWINS(refill_last, Stale),
          TWINS(cleared, Stale), OK(own_element_ok), OK(neighbour_ok),
          OK(quarters_ok))
#endif
