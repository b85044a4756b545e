//===- tile-sizes.cu - How much of a tensor is copied ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor copy does not say how much it moves. What is announced for its phase
// does, together with where the tiles lie: a tile ends where the next begins.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

struct alignas(64) TensorMap {
  uint64_t Opaque[16];
};

__device__ uint32_t addressOf(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}

__device__ void waitFor(uint64_t *Barrier, uint32_t Parity) {
  asm volatile("{\n.reg .pred done;\n"
               "again_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again_%=;\n}" ::"r"(addressOf(Barrier)),
               "r"(Parity)
               : "memory");
}

__device__ void announce(uint64_t *Barrier, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   addressOf(Barrier)),
               "r"(Bytes)
               : "memory");
}

__device__ void loadTile(void *To, const TensorMap *Map, uint64_t *Barrier,
                         int Inner, int Outer) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          addressOf(To)),
      "l"(Map), "r"(Inner), "r"(Outer), "r"(addressOf(Barrier))
      : "memory");
}

constexpr int Stages = 2, Rows = 64, Columns = 32;

struct Shared {
  alignas(128) float A[Stages][Rows][Columns];
  alignas(128) float B[Stages][Rows / 2][Columns];
  uint64_t Full[Stages];
};

constexpr uint32_t BytesOfA = sizeof(Shared::A) / Stages,
                   BytesOfB = sizeof(Shared::B) / Stages;

__device__ void prepare(Shared &S) {
  if (threadIdx.x == 0)
    for (int I = 0; I < Stages; ++I)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
          addressOf(&S.Full[I])));
  __syncthreads();
}

__device__ void fetch(Shared &S, const TensorMap &A, const TensorMap &B, int K,
                      uint32_t Bytes) {
  announce(&S.Full[K % Stages], Bytes);
  // expect-note@-1: a tile has 4096 bytes by what is announced here
  // expect-note@-2: a tile has 8192 bytes by what is announced here
  // expect-note@-3: bytes of the phase announced here
  loadTile(S.A[K % Stages], &A, &S.Full[K % Stages], K * Columns, 0);
  // expect-note@-1: thread 0 overwrites 'S.A[0][32]' here, read by thread 32
  loadTile(S.B[K % Stages], &B, &S.Full[K % Stages], K * Columns, 0);
  // expect-note@-1: copy issued here
}

__device__ float product(const Shared &S, int Slot) {
  float Sum = 0;
  for (int I = 0; I < Columns; ++I)
    Sum += S.A[Slot][threadIdx.x][I] * S.B[Slot][threadIdx.x / 2][I];
    // expect-note@-1: read here
    // expect-note@-2: thread 0 reads 'S.B[1][0][0]' here
  return Sum;
}

// The last rows of both tiles belong to thread 63: they count as copied.
__global__ void __launch_bounds__(64)
    tiles_ok(const __grid_constant__ TensorMap A,
             const __grid_constant__ TensorMap B, float *Out, int Steps) {
  __shared__ Shared S;
  prepare(S);
  if (threadIdx.x == 0 && Steps > 0)
    fetch(S, A, B, 0, BytesOfA + BytesOfB);
  float Sum = 0;
  for (int K = 0; K < Steps; ++K) {
    if (threadIdx.x == 0 && K + 1 < Steps)
      fetch(S, A, B, K + 1, BytesOfA + BytesOfB);
    waitFor(&S.Full[K % Stages], K / Stages & 1);
    Sum += product(S, K % Stages);
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}

// No barrier before the slot is refilled: what lies there is of other threads.
__global__ void __launch_bounds__(64)
    refilled_bad(const __grid_constant__ TensorMap A,
    // expect-note@-1: with Steps = 3
                 const __grid_constant__ TensorMap B, float *Out, int Steps) {
  __shared__ Shared S;
  prepare(S);
  if (threadIdx.x == 0 && Steps > 0)
    fetch(S, A, B, 0, BytesOfA + BytesOfB);
  float Sum = 0;
  for (int K = 0; K < Steps; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    if (threadIdx.x == 0 && K + 1 < Steps)
    // expect-note@-1: taken when this condition is true
      fetch(S, A, B, K + 1, BytesOfA + BytesOfB);
      // expect-note@-1: 'fetch' called here
      // expect-note@-2: a barrier belongs between the call in line +2 and this call in a later iteration
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'S' may be overwritten while other threads still read it
    waitFor(&S.Full[K % Stages], K / Stages & 1);
    Sum += product(S, K % Stages);
    // expect-note@-1: 'product' called here
  }
  Out[threadIdx.x] = Sum;
}

// Tiles that are fetched later are announced without B.
__global__ void __launch_bounds__(64)
    forgotten_bad(const __grid_constant__ TensorMap A,
    // expect-note@-1: with Steps = 2
    // expect-note@-2: with Steps = 4
                  const __grid_constant__ TensorMap B, float *Out, int Steps) {
  __shared__ Shared S;
  prepare(S);
  // expect-note@-1: 'S' initialised here, a phase expects 1 arrival
  if (threadIdx.x == 0 && Steps > 0)
  // expect-note@-1: taken when this condition is true
    fetch(S, A, B, 0, BytesOfA + BytesOfB);
  float Sum = 0;
  for (int K = 0; K < Steps; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
  // expect-note@-3: in the iteration of this loop with K = 2
  // expect-note@-4: in the iteration of this loop with K = 3
    if (threadIdx.x == 0 && K + 1 < Steps)
    // expect-note@-1: taken when this condition is false
      fetch(S, A, B, K + 1, BytesOfA);
      // expect-note@-1: 'fetch' called here
    waitFor(&S.Full[K % Stages], K / Stages & 1);
    // expect-note@-1: announce as many bytes as are copied in each phase
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'S' waited for here may never complete: 8192 bytes more copied than announced
    Sum += product(S, K % Stages);
    // expect-note@-1: 'product' called here
    // expect-note@-2: a wait for the copy belongs before this call, and a barrier where others copied
    // expect-warning@-3{cpasync-unwaited-read}: 'S' may be read before the asynchronous copy into it has completed
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}

// What is fetched first may be less than there is, as a minimum says.
__global__ void __launch_bounds__(64)
    few_ok(const __grid_constant__ TensorMap A,
           const __grid_constant__ TensorMap B, float *Out, int Steps) {
  __shared__ Shared S;
  prepare(S);
  if (threadIdx.x == 0)
    for (int K = 0; K < min(Stages - 1, Steps); ++K)
      fetch(S, A, B, K, BytesOfA + BytesOfB);
  float Sum = 0;
  for (int K = 0; K < Steps; ++K) {
    if (threadIdx.x == 0 && K + 1 < Steps)
      fetch(S, A, B, K + 1, BytesOfA + BytesOfB);
    waitFor(&S.Full[K % Stages], K / Stages & 1);
    Sum += product(S, K % Stages);
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}
