//===- unsynchronized-read.cu - No barrier after the wait ------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait completes the copies of the thread that runs it. Others may read them
// after a barrier that stands between that wait and the read, and that both
// threads take part in. Every `_bad` kernel reads stale data on a GPU, every
// `_ok` kernel copies In to Out.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cooperative_groups.h>
#include <cstdint>
#include <cuda_pipeline.h>
#include <mma.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ unsigned sharedAddress(const void *Pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(Pointer));
}
__device__ void copy4(void *Dst, const void *Src) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(sharedAddress(Dst)),
      "l"(Src)
      : "memory");
}
__device__ void copy16(void *Dst, const void *Src) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(sharedAddress(Dst)),
      "l"(Src)
      : "memory");
}
__device__ void commit() {
  asm volatile("cp.async.commit_group;\n" ::: "memory");
}
template <int N> __device__ void waitGroup() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory");
}
__device__ void barrierSync(int Id, int Count) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(Id), "r"(Count) : "memory");
}
__device__ void barrierArrive(int Id, int Count) {
  asm volatile("bar.arrive %0, %1;\n" ::"r"(Id), "r"(Count) : "memory");
}

// Only the timing depends on these: warps drift apart in real kernels too.
__device__ void lag() {
  const long long Start = clock64();
  while (clock64() - Start < 20000)
    ;
}
__device__ void lagOddWarps() {
  if (threadIdx.x / 32 % 2 == 1)
    lag();
}

//===----------------------------------------------------------------------===//
// Twins
//===----------------------------------------------------------------------===//

// Thread 0 reads what thread 32 copied and waited for. Nothing orders the two.
KERNEL straight_line_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  waitGroup<0>();
  // expect-note@-1: its thread waits for the copy here
  Out[First + Other] = Tile[Other];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Tile[32]' here, copied by thread 32
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL straight_line_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + Other] = Tile[Other];
}

// The barrier comes first: after it each thread waits for its own copy only,
// and thread 0 reads that of thread 32.
KERNEL barrier_before_wait_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  lagOddWarps();
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[First + threadIdx.x], 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __syncthreads();
  // expect-note@-1: barrier is here
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  Out[First + Other] = Tile[Other];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Tile[32]' here, copied by thread 32
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL barrier_before_wait_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  lagOddWarps();
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[First + threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[First + Other] = Tile[Other];
}

// A warp's barrier; thread 0 reads what thread 127 copied, in another warp.
KERNEL warp_barrier_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  asm volatile("cp.async.wait_all;\n" ::: "memory");
  // expect-note@-1: its thread waits for the copy here
  __syncwarp();
  Out[First + 127 - threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL warp_barrier_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  asm volatile("cp.async.wait_all;\n" ::: "memory");
  __syncthreads();
  Out[First + 127 - threadIdx.x] = Tile[127 - threadIdx.x];
}

// Each half of the block has a barrier of its own; thread 0 is in barrier 1,
// thread 96, whose copy it reads, in barrier 2.
KERNEL barrier_id_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 96;
  if (threadIdx.x >= 64)
    lag();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  waitGroup<0>();
  // expect-note@-1: its thread waits for the copy here
  barrierSync(1 + threadIdx.x / 64, 64);
  // expect-note@-1: barrier is here
  Out[First + Other] = Tile[Other];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 reads 'Tile[96]' here, copied by thread 96
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL barrier_id_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 96;
  if (threadIdx.x >= 64)
    lag();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  barrierSync(1, 128);
  Out[First + Other] = Tile[Other];
}

// The barrier is one of the readers; thread 64 reads what thread 0 copied.
KERNEL readers_only_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 64) {
    lag();
    for (int C = threadIdx.x; C < 128; C += 64)
    // expect-note@-1: after the last iteration of this loop
    // expect-note@-2: in the first iteration of this loop
      copy16(&Tile[C], &In[First + C]);
      // expect-note@-1: copy issued here
    commit();
    waitGroup<0>();
    // expect-note@-1: its thread waits for the copy here
  } else {
    barrierSync(1, 64);
    // expect-note@-1: barrier is here
    for (int C = threadIdx.x - 64; C < 128; C += 64)
      Out[First + C] = Tile[C];
      // expect-note@-1: a barrier belongs between the wait in line -4 and this read
      // expect-note@-2: thread 64 reads 'Tile[0]' here, copied by thread 0
      // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
  }
}

KERNEL readers_only_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 64) {
    lag();
    for (int C = threadIdx.x; C < 128; C += 64)
      copy16(&Tile[C], &In[First + C]);
    commit();
    waitGroup<0>();
    barrierSync(1, 128);
  } else {
    barrierSync(1, 128);
    for (int C = threadIdx.x - 64; C < 128; C += 64)
      Out[First + C] = Tile[C];
  }
}

// The copying warp arrives, then waits; thread 32 reads what thread 0 copied.
KERNEL arrive_before_wait_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32) {
    for (int C = threadIdx.x; C < 128; C += 32)
    // expect-note@-1: after the last iteration of this loop
    // expect-note@-2: in the first iteration of this loop
      copy16(&Tile[C], &In[First + C]);
      // expect-note@-1: copy issued here
    commit();
    barrierArrive(1, 128);
    // expect-note@-1: barrier is here
    waitGroup<0>();
    // expect-note@-1: its thread waits for the copy here
  } else {
    barrierSync(1, 128);
    // expect-note@-1: barrier is here
    for (int C = threadIdx.x - 32; C < 128; C += 96)
      Out[First + C] = Tile[C];
      // expect-note@-1: a barrier belongs between the wait in line -4 and this read
      // expect-note@-2: thread 32 reads 'Tile[0]' here, copied by thread 0
      // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
  }
}

KERNEL arrive_before_wait_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32) {
    for (int C = threadIdx.x; C < 128; C += 32)
      copy16(&Tile[C], &In[First + C]);
    commit();
    waitGroup<0>();
    barrierArrive(1, 128);
  } else {
    barrierSync(1, 128);
    for (int C = threadIdx.x - 32; C < 128; C += 96)
      Out[First + C] = Tile[C];
  }
}

// No barrier when Flag is not set; then thread 0 reads thread 64's copy.
KERNEL branch_bad(const float4 *In, float4 *Out, bool Flag) {
// expect-note@-1: with Flag = 0
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = (threadIdx.x + 64) % 128;
  if (threadIdx.x >= 64)
    lag();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  waitGroup<0>();
  // expect-note@-1: its thread waits for the copy here
  if (Flag)
  // expect-note@-1: taken when this condition is false
    __syncthreads();
  Out[First + Other] = Tile[Other];
  // expect-note@-1: a barrier belongs between the wait in line -3 and this read
  // expect-note@-2: thread 0 reads 'Tile[64]' here, copied by thread 64
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' may be read with no barrier after the wait for its copy
}

KERNEL branch_ok(const float4 *In, float4 *Out, bool Flag) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = (threadIdx.x + 64) % 128;
  if (threadIdx.x >= 64)
    lag();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + Other] = Tile[Other];
}

// The loop has its barrier, the last tile has none: thread 0 reads what thread
// 32 copied in the last iteration.
KERNEL loop_tail_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 0
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  int Slot = 0;
  copy16(&Tile[0][threadIdx.x], &In[Base + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  for (int K = 1; K < Tiles; ++K, Slot ^= 1) {
  // expect-note@-1: loop skipped here
    waitGroup<0>();
    __syncthreads();
    lagOddWarps();
    copy16(&Tile[Slot ^ 1][threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    commit();
    Out[Base + (K - 1) * 128 + Other] = Tile[Slot][Other];
  }
  waitGroup<0>();
  // expect-note@-1: its thread waits for the copy here
  Out[Base + (Tiles - 1) * 128 + Other] = Tile[Slot][Other];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Tile[0][32]' here, copied by thread 32
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' may be read with no barrier after the wait for its copy
}

KERNEL loop_tail_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  int Slot = 0;
  copy16(&Tile[0][threadIdx.x], &In[Base + threadIdx.x]);
  commit();
  for (int K = 1; K < Tiles; ++K, Slot ^= 1) {
    waitGroup<0>();
    __syncthreads();
    lagOddWarps();
    copy16(&Tile[Slot ^ 1][threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    commit();
    Out[Base + (K - 1) * 128 + Other] = Tile[Slot][Other];
  }
  waitGroup<0>();
  __syncthreads();
  Out[Base + (Tiles - 1) * 128 + Other] = Tile[Slot][Other];
}

#define FETCH(K)                                                               \
  if ((K) < Tiles)                                                             \
    copy16(&Ring[(K) % 2][threadIdx.x], &In[Base + (K) * 128 + threadIdx.x]);  \
  commit()

// One barrier an iteration, at its end: it is before the next iteration's wait.
// In iteration 0 thread 0 reads what thread 32 copied before the loop.
KERNEL ring2_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Ring[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  FETCH(0);
  // expect-note@-1: copy issued here
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    waitGroup<0>();
    // expect-note@-1: its thread waits for the copy here
    Out[Base + K * 128 + Other] = Ring[K % 2][Other];
    // expect-note@-1: a barrier belongs between the wait in line -1 and this read
    // expect-note@-2: thread 0 reads 'Ring[0][32]' here, copied by thread 32
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Ring' may be read with no barrier after the wait for its copy
    lagOddWarps();
    FETCH(K + 1);
    __syncthreads();
  }
}

KERNEL ring2_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Ring[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  FETCH(0);
  for (int K = 0; K < Tiles; ++K) {
    waitGroup<0>();
    __syncthreads();
    Out[Base + K * 128 + Other] = Ring[K % 2][Other];
    lagOddWarps();
    FETCH(K + 1);
  }
}

// The second loop has barrier and wait in the wrong order: in its iteration 0
// thread 0 reads what thread 32 copied in that iteration.
KERNEL two_loops_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  int K = 0;
  for (; K < Tiles / 2; ++K) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    commit();
    waitGroup<0>();
    __syncthreads();
    Out[Base + K * 128 + Other] = Tile[Other];
    __syncthreads();
  }
  for (; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 1
    lagOddWarps();
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    // expect-note@-1: copy issued here
    commit();
    __syncthreads();
    // expect-note@-1: barrier is here
    waitGroup<0>();
    // expect-note@-1: its thread waits for the copy here
    Out[Base + K * 128 + Other] = Tile[Other];
    // expect-note@-1: a barrier belongs between the wait in line -1 and this read
    // expect-note@-2: thread 0 reads 'Tile[32]' here, copied by thread 32
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' may be read with no barrier after the wait for its copy
    __syncthreads();
  }
}

KERNEL two_loops_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  int K = 0;
  for (; K < Tiles / 2; ++K) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    commit();
    waitGroup<0>();
    __syncthreads();
    Out[Base + K * 128 + Other] = Tile[Other];
    __syncthreads();
  }
  for (; K < Tiles; ++K) {
    lagOddWarps();
    copy16(&Tile[threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    commit();
    waitGroup<0>();
    __syncthreads();
    Out[Base + K * 128 + Other] = Tile[Other];
    __syncthreads();
  }
}

// Lane 0 of warp 0 names row 32, which thread 32 copied.
KERNEL ldmatrix_bad(const float4 *In, float *Out) {
  __shared__ float4 Tile[128];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * 128;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  waitGroup<0>();
  // expect-note@-1: its thread waits for the copy here
  unsigned R[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 reads 'Tile[32]' here, copied by thread 32
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
               : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])
               : "r"(sharedAddress(&Tile[threadIdx.x ^ 32]))
               : "memory");
  for (int M = 0; M < 4; ++M) {
    const int Row = First + (Warp ^ 1) * 32 + M * 8 + Lane / 4;
    Out[Row * 4 + Lane % 4] = __uint_as_float(R[M]);
  }
}

KERNEL ldmatrix_ok(const float4 *In, float *Out) {
  __shared__ float4 Tile[128];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int First = blockIdx.x * 128;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  unsigned R[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])
               : "r"(sharedAddress(&Tile[threadIdx.x ^ 32]))
               : "memory");
  for (int M = 0; M < 4; ++M) {
    const int Row = First + (Warp ^ 1) * 32 + M * 8 + Lane / 4;
    Out[Row * 4 + Lane % 4] = __uint_as_float(R[M]);
  }
}

using Matrix =
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>;

// Warp 0 loads the matrix that threads 64 to 127 copied.
KERNEL wmma_bad(const float4 *In, float *Out) {
  __shared__ float4 Tile[2][64];
  const int First = blockIdx.x * 128, Warp = threadIdx.x / 32;
  if (Warp >= 2)
    lag();
  copy16(&Tile[Warp / 2][threadIdx.x % 64], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  waitGroup<0>();
  // expect-note@-1: its thread waits for the copy here
  if (Warp % 2 == 0) {
    const int Other = 1 - Warp / 2;
    Matrix M;
    nvcuda::wmma::load_matrix_sync(M, &Tile[Other][0].x, 16,
    // expect-note@-1: a barrier belongs between the wait in line -4 and this read
    // expect-note@-2: thread 0 reads 'Tile[1][0]' here, copied by thread 64
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
                                   nvcuda::wmma::mem_row_major);
    nvcuda::wmma::store_matrix_sync(&Out[First * 4 + Other * 256], M, 16,
                                    nvcuda::wmma::mem_row_major);
  }
}

KERNEL wmma_ok(const float4 *In, float *Out) {
  __shared__ float4 Tile[2][64];
  const int First = blockIdx.x * 128, Warp = threadIdx.x / 32;
  if (Warp >= 2)
    lag();
  copy16(&Tile[Warp / 2][threadIdx.x % 64], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  if (Warp % 2 == 0) {
    const int Other = 1 - Warp / 2;
    Matrix M;
    nvcuda::wmma::load_matrix_sync(M, &Tile[Other][0].x, 16,
                                   nvcuda::wmma::mem_row_major);
    nvcuda::wmma::store_matrix_sync(&Out[First * 4 + Other * 256], M, 16,
                                    nvcuda::wmma::mem_row_major);
  }
}

// Addresses as 32-bit numbers; thread 0 reads what thread 64 copied.
KERNEL shared_address_bad(const float4 *In, float4 *Out) {
  extern __shared__ float4 Pool[];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 64;
  const unsigned Tile = sharedAddress(Pool) + 2048;
  if (threadIdx.x >= 64)
    lag();
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\t"
  // expect-note@-1: copy issued here
  // expect-note@-2: its thread waits for the copy here
               "cp.async.wait_all;\n" ::"r"(Tile + threadIdx.x * 16),
               "l"(In + First + threadIdx.x)
               : "memory");
  float4 V;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];\n"
  // expect-note@-1: a barrier belongs between the wait in line -5 and this read
  // expect-note@-2: thread 0 reads byte 3072 of 'Pool' here, copied by thread 64
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Pool' is read with no barrier after the wait for its copy
               : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
               : "r"(Tile + Other * 16)
               : "memory");
  Out[First + Other] = V;
}

KERNEL shared_address_ok(const float4 *In, float4 *Out) {
  extern __shared__ float4 Pool[];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 64;
  const unsigned Tile = sharedAddress(Pool) + 2048;
  if (threadIdx.x >= 64)
    lag();
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\t"
               "cp.async.wait_all;\n\t"
               "barrier.sync 0;\n" ::"r"(Tile + threadIdx.x * 16),
               "l"(In + First + threadIdx.x)
               : "memory");
  float4 V;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];\n"
               : "=f"(V.x), "=f"(V.y), "=f"(V.z), "=f"(V.w)
               : "r"(Tile + Other * 16)
               : "memory");
  Out[First + Other] = V;
}

struct Record {
  float4 Value;
};
__device__ float4 valueOf(const Record &R);

// The helper's memcpy reads: thread 0 what thread 32 copied.
KERNEL wrapper_bad(const Record *In, float4 *Out) {
  __shared__ Record Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  waitGroup<0>();
  // expect-note@-1: its thread waits for the copy here
  Out[First + Other] = valueOf(Tile[Other]);
  // expect-note@-1: 'valueOf' called here
  // expect-note@-2: a barrier belongs between the wait in line -1 and this call
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

__device__ float4 valueOf(const Record &R) {
  Record Copy;
  memcpy(&Copy, &R, sizeof(Copy));
  // expect-note@-1: thread 0 reads 'Tile[32]' here, copied by thread 32
  return Copy.Value;
}

KERNEL wrapper_ok(const Record *In, float4 *Out) {
  __shared__ Record Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + Other] = valueOf(Tile[Other]);
}

// Use reads after the barrier of a group of 32 threads; in iteration 0 thread 0
// reads what thread 32 copied.
KERNEL lambda_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  auto Block = cooperative_groups::this_thread_block();
  auto Group = cooperative_groups::tiled_partition<32>(Block);
  auto Use = [&](int K) { Out[Base + K * 128 + Other] = Tile[K & 1][Other]; };
  // expect-note@-1: a barrier belongs between the wait in line +5 and this read
  // expect-note@-2: thread 0 reads 'Tile[0][32]' here, copied by thread 32
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' may be read with no barrier after the wait for its copy
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    lagOddWarps();
    copy16(&Tile[K & 1][threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    // expect-note@-1: copy issued here
    commit();
    waitGroup<0>();
    // expect-note@-1: its thread waits for the copy here
    Group.sync();
    Use(K);
    // expect-note@-1: 'Use' called here
    Block.sync();
  }
}

KERNEL lambda_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128, Other = threadIdx.x ^ 32;
  auto Block = cooperative_groups::this_thread_block();
  auto Group = cooperative_groups::tiled_partition<32>(Block);
  auto Use = [&](int K) { Out[Base + K * 128 + Other] = Tile[K & 1][Other]; };
  for (int K = 0; K < Tiles; ++K) {
    lagOddWarps();
    copy16(&Tile[K & 1][threadIdx.x], &In[Base + K * 128 + threadIdx.x]);
    commit();
    waitGroup<0>();
    Block.sync();
    Use(K);
    Group.sync();
  }
}

// Warp 0 reads four floats a thread: thread 8 those of threads 32 to 35.
KERNEL vector_load_bad(const float *In, float *Out) {
  alignas(16) __shared__ float Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x >= 32)
    lag();
  copy4(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  waitGroup<0>();
  // expect-note@-1: its thread waits for the copy here
  __syncwarp();
  if (threadIdx.x < 32)
    reinterpret_cast<float4 *>(Out + First)[threadIdx.x] =
        reinterpret_cast<const float4 *>(Tile)[threadIdx.x];
        // expect-note@-1: a barrier belongs between the wait in line -4 and this read
        // expect-note@-2: thread 8 reads 'Tile[32]' here, copied by thread 32
        // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL vector_load_ok(const float *In, float *Out) {
  alignas(16) __shared__ float Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x >= 32)
    lag();
  copy4(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  if (threadIdx.x < 32)
    reinterpret_cast<float4 *>(Out + First)[threadIdx.x] =
        reinterpret_cast<const float4 *>(Tile)[threadIdx.x];
}

// Warps 2 and 3 never come to the barrier, and read each other's copies.
KERNEL barrier_in_branch_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  // expect-note@-1: copy issued here
  commit();
  waitGroup<0>();
  // expect-note@-1: its thread waits for the copy here
  if (threadIdx.x < 64)
    __syncthreads();
    // expect-note@-1: barrier reached here only by threads 0-63
  Out[First + Other] = Tile[Other];
  // expect-note@-1: a barrier belongs between the wait in line -3 and this read
  // expect-note@-2: thread 64 reads 'Tile[96]' here, copied by thread 96
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL barrier_in_branch_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int First = blockIdx.x * 128, Other = threadIdx.x ^ 32;
  lagOddWarps();
  copy16(&Tile[threadIdx.x], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncthreads();
  Out[First + Other] = Tile[Other];
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// A warp that reads only what its own lanes copied needs no more than this.
KERNEL one_warp_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[4][32];
  const int First = blockIdx.x * 128, Warp = threadIdx.x / 32;
  const int Other = (threadIdx.x + 1) % 32;
  lagOddWarps();
  copy16(&Tile[Warp][threadIdx.x % 32], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  __syncwarp();
  Out[First + Warp * 32 + Other] = Tile[Warp][Other];
}

// Written and read by the same thread, spelled in two ways.
KERNEL own_element_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[4][32];
  const int First = blockIdx.x * 128;
  lagOddWarps();
  copy16(&Tile[threadIdx.x >> 5][threadIdx.x & 31], &In[First + threadIdx.x]);
  commit();
  waitGroup<0>();
  const float4 *Flat = &Tile[0][0];
  Out[First + threadIdx.x] = *(Flat + threadIdx.x / 32 * 32 + threadIdx.x % 32);
}

//===----------------------------------------------------------------------===//
// Phases that one lane waits for
//===----------------------------------------------------------------------===//

__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(B)),
               "r"(Count)
               : "memory");
}
__device__ void arriveAndExpect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(B)),
               "r"(Bytes)
               : "memory");
}
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(To)),
               "l"(From), "r"(Bytes), "r"(sharedAddress(B))
               : "memory");
}
__device__ void waitForPhase(uint64_t *B, uint32_t Parity) {
  for (uint32_t Done = 0; !Done;)
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}\n"
                 : "=r"(Done)
                 : "r"(sharedAddress(B)), "r"(Parity)
                 : "memory");
}

// The others of its warp do not wait with it.
KERNEL awaited_by_one_bad(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, In + blockIdx.x * 128, sizeof(Tile), &Full);
    // expect-note@-1: copy issued here
  }
  if (threadIdx.x % 32 == 0)
    waitForPhase(&Full, 0);
    // expect-note@-1: its thread waits for the copy here
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 1 reads 'Tile[1]' here, copied by thread 0
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

KERNEL awaited_by_one_ok(const float4 *In, float4 *Out) {
  __shared__ alignas(128) float4 Tile[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    arriveAndExpect(&Full, sizeof(Tile));
    load(Tile, In + blockIdx.x * 128, sizeof(Tile), &Full);
  }
  if (threadIdx.x % 32 == 0)
    waitForPhase(&Full, 0);
  __syncwarp();
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(straight_line, Stale), TWINS(barrier_before_wait, Stale),
          TWINS(warp_barrier, Stale), TWINS(barrier_id, Stale),
          TWINS(readers_only, Stale), TWINS(arrive_before_wait, Stale),
          TWINS(branch, Stale), TWINS(loop_tail, Stale), TWINS(ring2, Stale),
          TWINS(two_loops, Stale), TWINS(ldmatrix, Stale), TWINS(wmma, Stale),
          TWINS(shared_address, Stale), TWINS(wrapper, Stale),
          TWINS(lambda, Stale), TWINS(vector_load, Stale),
          TWINS(barrier_in_branch, Stale), TWINS(awaited_by_one, Stale),
          OK(one_warp_ok), OK(own_element_ok))
#endif
