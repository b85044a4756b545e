//===- rows-of-lanes.cu - As many threads copy as there are rows -*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many lanes bring a row, how long a chunk is, and which is the last, is
// read from memory or given: it hangs on that how many bytes arrive.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cstdint>
#include <cuda_pipeline.h>

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void announce(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
}
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(toShared(B))
               : "memory");
}
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}
__device__ void store(void *To, const void *From, uint32_t Bytes) {
  asm volatile(
  // expect-note@-1: copy issued here
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(To),
      "r"(toShared(From)), "r"(Bytes)
      : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ void wait(uint64_t *B, uint32_t Parity) {
  asm volatile("{\n"
               ".reg .pred p;\n"
               "again%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@!p bra again%=;\n"
               "}\n" ::"r"(toShared(B)),
               "r"(Parity)
               : "memory");
}

enum Announced { OfRows, OfSlots };

// Up to eight rows, a lane each.
template <Announced How>
__device__ void gather(const float *In, const int *Rows, const int *Of,
                       float *Out) {
  __shared__ alignas(128) float Tile[8][64];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    initBarrier(&Full, 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
  __syncthreads();
  const int N = Rows[blockIdx.x], Lane = threadIdx.x % 32;
  if (threadIdx.x / 32 == 1) {
    if (Lane == 0)
      announce(&Full, (How == OfRows ? N : 8) * sizeof(Tile[0]));
      // expect-note@-1: bytes of the phase announced here
    __syncwarp();
    if (Lane < N)
    // expect-note@-1: taken when this condition is false
      load(Tile[Lane], In + Of[Lane] * 64, sizeof(Tile[0]), &Full);
  }
  wait(&Full, 0);
  // expect-note@-1: announce as many bytes as are copied in each phase
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 2048 bytes more announced than copied
  for (int R = 0; R < N; ++R)
    Out[(blockIdx.x * 8 + R) * 64 + threadIdx.x] = Tile[R][threadIdx.x];
}
__global__ void __launch_bounds__(64) gather_ok(const float *In, const int *Rows,
                                                const int *Of, float *Out) {
  gather<OfRows>(In, Rows, Of, Out);
}
__global__ void __launch_bounds__(64) gather_bad(const float *In,
// expect-note@-1: with Rows[blockIdx.x] = 0
                                                 const int *Rows,
                                                 const int *Of, float *Out) {
  gather<OfSlots>(In, Rows, Of, Out);
  // expect-note@-1: 'gather' called here
}

struct Ring {
  static constexpr int Chunk = 512, Slots = 2;
};

// The last chunk may be a short one.
template <bool Whole>
__device__ void chunks(const float *In, float *Out, int N) {
  __shared__ alignas(128) float Slot[Ring::Slots][Ring::Chunk];
  __shared__ uint64_t Full[Ring::Slots];
  if (threadIdx.x < Ring::Slots)
    initBarrier(&Full[threadIdx.x], 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
  __syncthreads();
  auto Load = [&](int C) {
    const int Left = N - C * Ring::Chunk;
    const uint32_t Bytes = (Left < Ring::Chunk ? Left : Ring::Chunk) * 4;
    // expect-note@-1: taken when this condition is true
    announce(&Full[C % Ring::Slots], Whole ? Ring::Chunk * 4 : Bytes);
    // expect-note@-1: bytes of the phase announced here
    load(Slot[C % Ring::Slots], In + C * Ring::Chunk, Bytes,
    // expect-note@-1: copy issued here
         &Full[C % Ring::Slots]);
  };
  const int Chunks = (N + Ring::Chunk - 1) / Ring::Chunk;
  if (threadIdx.x == 0)
    Load(0);
    // expect-note@-1: 'Load' called here
  for (int C = 0; C < Chunks; ++C) {
  // expect-note@-1: in the iteration of this loop with C = 0
    if (threadIdx.x == 0 && C + 1 < Chunks)
      Load(C + 1);
    wait(&Full[C % Ring::Slots], C / Ring::Slots & 1);
    // expect-note@-1: announce as many bytes as are copied in each phase
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: at least 4 bytes more announced than copied
    for (int I = threadIdx.x; I < Ring::Chunk; I += 128)
      if (C * Ring::Chunk + I < N)
        Out[C * Ring::Chunk + I] = Slot[C % Ring::Slots][I];
    __syncthreads();
  }
}
__global__ void __launch_bounds__(128) chunks_ok(const float *In, float *Out,
                                                 int N) {
  chunks<false>(In, Out, N);
}
__global__ void __launch_bounds__(128) chunks_bad(const float *In, float *Out,
// expect-note@-1: with N = 1
                                                  int N) {
  chunks<true>(In, Out, N);
  // expect-note@-1: 'chunks' called here
}

// Blocks take chunks from a counter; behind the last, the slot says so.
template <bool Tells>
__device__ void taken(const float *In, float *Out, int *Counter, int Chunks) {
  __shared__ alignas(128) float Slot[2][96];
  __shared__ int Which[2];
  __shared__ uint64_t Full[2], Empty[2];
  if (threadIdx.x < 2) {
    initBarrier(&Full[threadIdx.x], 1);
    // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
    initBarrier(&Empty[threadIdx.x], 96);
  }
  __syncthreads();
  if (threadIdx.x >= 96) {
    if (threadIdx.x == 96)
      for (int K = 0;; ++K) {
      // expect-note@-1: in the first iteration of this loop
        const int S = K % 2, C = atomicAdd(Counter, 1);
        if (!Tells && C >= Chunks)
        // expect-note@-1: taken when this condition is true
          break;
        wait(&Empty[S], (K / 2 & 1) ^ 1);
        Which[S] = C < Chunks ? C : -1;
        if (C >= Chunks) {
          arrive(&Full[S]);
          break;
        }
        announce(&Full[S], sizeof(Slot[S]));
        load(Slot[S], In + C * 96, sizeof(Slot[S]), &Full[S]);
      }
    return;
  }
  for (int K = 0;; ++K) {
  // expect-note@-1: in the first iteration of this loop
    const int S = K % 2;
    wait(&Full[S], K / 2 & 1);
    // expect-note@-1: as many must arrive in each phase as the initialisation says
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 0 of 1 arrival came
    const int C = Which[S];
    if (C < 0)
      return;
    Out[C * 96 + threadIdx.x] = Slot[S][threadIdx.x];
    arrive(&Empty[S]);
  }
}
__global__ void __launch_bounds__(128) taken_ok(const float *In, float *Out,
                                                int *Counter, int Chunks) {
  taken<true>(In, Out, Counter, Chunks);
}
__global__ void __launch_bounds__(128) taken_bad(const float *In, float *Out,
// expect-note@-1: with Chunks = 0
                                                 int *Counter, int Chunks) {
  taken<false>(In, Out, Counter, Chunks);
  // expect-note@-1: 'taken' called here
}

// Each warp stores rows of a length that is given, from two buffers.
template <bool Waits>
__device__ void rows(const float *In, float *Out, int Rows, int Cols) {
  __shared__ alignas(128) float Row[3][2][128];
  const int Warp = threadIdx.y, Lane = threadIdx.x;
  int Turn = 0;
  for (int R = blockIdx.x * 3 + Warp; R < Rows; R += gridDim.x * 3, ++Turn) {
  // expect-note@-1: in the first iteration of this loop
  // expect-note@-2: in the third iteration of this loop
    float *To = Row[Warp][Turn & 1];
    if (Waits && Lane == 0)
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    __syncwarp();
    for (int I = 0; I < 4; ++I)
      if (Lane + 32 * I < Cols)
        To[Lane + 32 * I] = In[R * Cols + Lane + 32 * I];
        // expect-note@-1: a wait by 'cp.async.bulk.wait_group.read' and a barrier belong before this overwrite
        // expect-note@-2: thread 0 (0, 0) overwrites 'Row[0][0][0]' here, copied in bulk by thread 0 (0, 0)
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'Row' may be overwritten while a bulk copy still reads it
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (Lane == 0)
      store(Out + R * Cols, To, Cols * sizeof(float));
      // expect-note@-1: 'store' called here
  }
  if (Lane == 0)
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
__global__ void rows_ok(const float *In, float *Out, int Rows, int Cols) {
  rows<true>(In, Out, Rows, Cols);
}
__global__ void rows_bad(const float *In, float *Out, int Rows, int Cols) {
// expect-note@-1: with blockIdx.x = 0, Rows = 16, gridDim.x = 1, Cols = 16
  rows<false>(In, Out, Rows, Cols);
  // expect-note@-1: 'rows' called here
}

void launchRows(const float *In, float *Out, int Rows, int Cols) {
  rows_ok<<<8, dim3(32, 3)>>>(In, Out, Rows, Cols);
  rows_bad<<<8, dim3(32, 3)>>>(In, Out, Rows, Cols);
  // expect-note@-1: launched here with blocks of 32x3 threads
}

struct Pattern {
  unsigned char At[4];
  int Length;
};

// Four elements at most are compared: no more are in the array.
__global__ void __launch_bounds__(128)
    pattern_ok(const unsigned char *Text, int *Out, Pattern P) {
  __shared__ alignas(16) unsigned char Slot[2][128 + 16];
  if (threadIdx.x < 9)
    __pipeline_memcpy_async(&Slot[0][threadIdx.x * 16],
                            &Text[blockIdx.x * 256 + threadIdx.x * 16], 16);
  __pipeline_commit();
  if (threadIdx.x < 9)
    __pipeline_memcpy_async(&Slot[1][threadIdx.x * 16],
                            &Text[blockIdx.x * 256 + 128 + threadIdx.x * 16],
                            16);
  __pipeline_commit();
  for (int K = 0; K < 2; ++K) {
    if (K == 0)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
    __syncthreads();
    const unsigned char *From = Slot[K] + threadIdx.x;
    bool IsSame = true;
    for (int I = 0; I < P.Length; ++I)
      IsSame &= P.At[I] == From[I];
    Out[(blockIdx.x * 2 + K) * 128 + threadIdx.x] = IsSame;
  }
}

// Of four elements that each thread reads at once, two are copied.
template <int Used>
__device__ void halves(const float *In, float *Out) {
  __shared__ float4 Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x],
  // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
  // expect-note@-2: copy issued here
                          &In[(blockIdx.x * 128 + threadIdx.x) * 4], 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  const float4 Mine = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0].z' here
  // expect-warning@-2{cpasync-uncopied-read}: 'Tile' is read where no copy or store writes to it
  Out[blockIdx.x * 128 + threadIdx.x] =
      Used == 2 ? Mine.x + Mine.y : Mine.x + Mine.y + Mine.z;
}
__global__ void __launch_bounds__(128) two_of_four_ok(const float *In,
                                                      float *Out) {
  halves<2>(In, Out);
}
__global__ void __launch_bounds__(128) three_of_four_bad(const float *In,
                                                         float *Out) {
  halves<3>(In, Out);
  // expect-note@-1: 'halves' called here
}

// Threads within the image read a neighbour to the right, which nobody copied.
template <int Width>
__device__ void neighbours(const float *In, float *Out, int N) {
  __shared__ float Row[130];
  const int X = blockIdx.x * 128 + threadIdx.x;
  for (int I = threadIdx.x; I < Width; I += 128)
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the second iteration of this loop
    __pipeline_memcpy_async(&Row[I], &In[blockIdx.x * 128 + I], 4);
    // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
    // expect-note@-2: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (X < N)
    Out[X] = Row[threadIdx.x] + Row[threadIdx.x + 1] + Row[threadIdx.x + 2];
    // expect-note@-1: thread 127 reads 'Row[129]' here
    // expect-warning@-2{cpasync-uncopied-read}: 'Row' is read where no copy or store writes to it
}
__global__ void __launch_bounds__(128) neighbours_ok(const float *In, float *Out,
                                                     int N) {
  neighbours<130>(In, Out, N);
}
__global__ void __launch_bounds__(128) neighbours_bad(const float *In,
                                                      float *Out, int N) {
  neighbours<129>(In, Out, N);
  // expect-note@-1: 'neighbours' called here
}
