//===- own-data.cu - Reading what the same thread copied ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After its wait a thread sees its own copies without a barrier. The read
// address must be the copy's, in whatever spelling.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstring>

__device__ uint32_t toShared(const void *Ptr) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(Ptr));
}

#define COPY(Bytes, Dst, Src)                                                  \
  asm volatile(                                                                \
      "cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(toShared(Dst)),      \
      "l"(Src), "n"(Bytes))
#define COMMIT asm volatile("cp.async.commit_group;\n" ::)
#define WAIT(N) asm volatile("cp.async.wait_group %0;\n" ::"n"(N))

__global__ __launch_bounds__(256) void own_vector_ok(const float4 *Src,
                                                     float4 *Dst) {
  __shared__ float4 Tile[256];
  COPY(16, &Tile[threadIdx.x], Src + blockIdx.x * 256 + threadIdx.x);
  COMMIT;
  WAIT(0);
  Dst[blockIdx.x * 256 + threadIdx.x] = Tile[threadIdx.x];
}

__global__
__launch_bounds__(256) void own_element_in_vector_ok(const float *Src,
                                                     float *Dst) {
  __shared__ alignas(16) float Tile[1024];
  COPY(16, &Tile[threadIdx.x * 4], Src + threadIdx.x * 4);
  COMMIT;
  WAIT(0);
  float Sum = 0.0f;
  for (int I = 0; I < 4; ++I)
    Sum += Tile[threadIdx.x * 4 + I];
  Dst[threadIdx.x] = Sum;
}

__global__ __launch_bounds__(256) void two_spellings_ok(const float *Src,
                                                        float *Dst) {
  __shared__ float Tile[8][32];
  COPY(4, &Tile[threadIdx.x >> 5][threadIdx.x & 31], Src + threadIdx.x);
  COMMIT;
  WAIT(0);
  const float *Flat = &Tile[0][0];
  Dst[threadIdx.x] =
      Flat[threadIdx.x] + *(Flat + threadIdx.x / 32 * 32 + threadIdx.x % 32);
}

// The strided loop that copies is the one that reads.
__global__ __launch_bounds__(256) void block_stride_loop_ok(const float *Src,
                                                            float *Dst,
                                                            int Count) {
  extern __shared__ float Pool[];
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    COPY(4, &Pool[I], Src + I);
  COMMIT;
  WAIT(0);
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    Dst[I] = 2.0f * Pool[I];
}

__global__
__launch_bounds__(256) void block_stride_and_barrier_ok(const float *Src,
                                                        float *Dst, int Count) {
  extern __shared__ float Pool[];
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    COPY(4, &Pool[I], Src + I);
  COMMIT;
  WAIT(0);
  __syncthreads();
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    Dst[I] = Pool[Count - 1 - I];
}

// 1000 elements, 256 threads: the last round is done by some threads only.
__global__ __launch_bounds__(256) void uneven_rounds_ok(const float *Src,
                                                        float *Dst) {
  constexpr int Count = 1000;
  __shared__ float Tile[Count];
  for (int I = threadIdx.x; I < Count; I += 256)
    COPY(4, &Tile[I], Src + I);
  COMMIT;
  WAIT(0);
  __syncthreads();
  for (int I = threadIdx.x; I < Count; I += 256)
    Dst[I] = Tile[Count - 1 - I];
}

struct Particle {
  float X, Y, Z, Mass;
};

__global__ __launch_bounds__(256) void own_struct_ok(const Particle *Src,
                                                     float *Dst) {
  __shared__ alignas(16) Particle Tile[256];
  COPY(16, &Tile[threadIdx.x], Src + threadIdx.x);
  COMMIT;
  WAIT(0);
  Particle P = Tile[threadIdx.x];
  float4 V;
  memcpy(&V, &Tile[threadIdx.x], sizeof(V));
  Dst[threadIdx.x] = P.X * P.Mass + V.y;
}

// A private ring: no other thread ever reads it.
__global__ __launch_bounds__(256) void private_ring_ok(const float4 *Src,
                                                       float4 *Dst, int Tiles) {
  __shared__ float4 Ring[3][256];
  float4 Sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int S = 0; S < 2; ++S) {
    if (S < Tiles)
      COPY(16, &Ring[S][threadIdx.x], Src + S * 256 + threadIdx.x);
    COMMIT;
  }
  for (int T = 0; T < Tiles; ++T) {
    if (T + 2 < Tiles)
      COPY(16, &Ring[(T + 2) % 3][threadIdx.x],
           Src + (T + 2) * 256 + threadIdx.x);
    COMMIT;
    WAIT(2);
    float4 V = Ring[T % 3][threadIdx.x];
    Sum.x += V.x;
    Sum.w += V.w;
  }
  Dst[threadIdx.x] = Sum;
}
