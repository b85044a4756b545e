//===- tensor-boxes.cu - Tensor maps that the host encodes ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of a tensor's tile moves the box that its map was encoded with,
// whatever the kernel believes.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda.h>
#include <cuda_runtime.h>

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

__device__ void prepare(uint64_t *Barriers, int Count) {
  if (threadIdx.x == 0)
    for (int I = 0; I < Count; ++I)
    // expect-note@-1: in the iteration of this loop with I = 0
    // expect-note@-2: in the iteration of this loop with I = 1
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
      // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
          addressOf(&Barriers[I])));
  __syncthreads();
}

__device__ void loadTile(void *To, const CUtensorMap *Map, uint64_t *Barrier,
                         int Inner, int Outer) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          addressOf(To)),
      "l"(Map), "r"(Inner), "r"(Outer), "r"(addressOf(Barrier))
      : "memory");
}

constexpr int Rows = 16, Columns = 64;

template <class T, int Announced>
__global__ void row_sums(const __grid_constant__ CUtensorMap In, float *Out,
// expect-note@-1: in instantiation of 'row_sums<float, 1024>' and of 'row_sums<unsigned char, 1025>'
// expect-note@-2: with Tiles = 1
                         int Tiles) {
  __shared__ alignas(128) T Tile[2][Rows][Columns];
  __shared__ uint64_t Full[2];
  prepare(Full, 2);
  // expect-note@-1: 'prepare' called here
  float Sum = 0;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (threadIdx.x == 0) {
      announce(&Full[K & 1], Announced);
      // expect-note@-1: bytes of the phase announced here
      loadTile(Tile[K & 1], &In, &Full[K & 1], 0, K * Rows);
      // expect-note@-1: copy issued here
    }
    waitFor(&Full[K & 1], K / 2 & 1);
    // expect-note@-1: announce as many bytes as are copied in each phase
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 3072 bytes more copied than announced
    for (int I = 0; I < Columns; ++I)
      Sum += float(Tile[K & 1][threadIdx.x][I]);
    __syncwarp(); // of 16 threads
  }
  Out[threadIdx.x] = Sum;
}

typedef decltype(cuTensorMapEncodeTiled) *Encoder;

template <class T> struct ElementOf;
template <> struct ElementOf<float> {
  static constexpr auto Is = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
};
template <> struct ElementOf<uint8_t> {
  static constexpr auto Is = CU_TENSOR_MAP_DATA_TYPE_UINT8;
};

template <class T>
CUtensorMap encode(Encoder Encode, T *From, cuuint64_t Height,
                   cuuint32_t BoxHeight) {
  CUtensorMap Map;
  const cuuint64_t Dims[] = {Columns, Height};
  const cuuint64_t Pitch[] = {Columns * sizeof(T)};
  const cuuint32_t Box[] = {Columns, BoxHeight}, Every[] = {1, 1};
  if (Encode(&Map, ElementOf<T>::Is, 2, From, Dims, Pitch, Box, Every,
  // expect-note@-1: the box of this tensor map has 2048 bytes
  // expect-note@-2: the box of this tensor map has 4096 bytes
             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
             CU_TENSOR_MAP_L2_PROMOTION_NONE,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    __builtin_trap();
  return Map;
}

void launches(Encoder Encode, float *In, uint8_t *Bytes, float *Out, int N) {
  const CUtensorMap Map = encode(Encode, In, N * Rows, Rows);
  row_sums<float, Rows * Columns * sizeof(float)><<<1, Rows>>>(Map, Out, N);
  // The copies are of floats.
  row_sums<float, Rows * Columns><<<1, Rows>>>(Map, Out, N);
  const CUtensorMap Small = encode(Encode, Bytes, N * Rows, Rows);
  row_sums<uint8_t, Rows * Columns><<<1, Rows>>>(Small, Out, N);
  // A row too many.
  const CUtensorMap Large = encode(Encode, Bytes, N * Rows, Rows + 1);
  row_sums<uint8_t, Rows * Columns + 1><<<1, Rows>>>(Large, Out, N);
}

// Two maps in a structure, and one box that is half of the tile.
struct Operands {
  int Tiles;
  CUtensorMap A, B;
};

__global__ void products(const __grid_constant__ Operands Of, float *Out) {
  __shared__ alignas(128) float A[Rows][Columns], B[Rows][Columns];
  __shared__ uint64_t Full;
  prepare(&Full, 1);
  float Sum = 0;
  for (int K = 0; K < Of.Tiles; ++K) {
    if (threadIdx.x == 0) {
      announce(&Full, sizeof(A) + sizeof(B));
      loadTile(A, &Of.A, &Full, 0, K * Rows);
      loadTile(B, &Of.B, &Full, 0, K * Rows);
      loadTile(B[Rows / 2], &Of.B, &Full, 0, K * Rows + Rows / 2);
    }
    waitFor(&Full, K & 1);
    for (int I = 0; I < Columns; ++I)
      Sum += A[threadIdx.x][I] * B[threadIdx.x][I];
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}

__global__ void half_copied(const __grid_constant__ Operands Of, float *Out) {
// expect-note@-1: with Of.Tiles = 1
  __shared__ alignas(128) float A[Rows][Columns], B[Rows][Columns];
  __shared__ uint64_t Full;
  prepare(&Full, 1);
  // expect-note@-1: 'prepare' called here
  float Sum = 0;
  for (int K = 0; K < Of.Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    if (threadIdx.x == 0) {
      announce(&Full, sizeof(A) + sizeof(B));
      // expect-note@-1: bytes of the phase announced here
      loadTile(A, &Of.A, &Full, 0, K * Rows);
      loadTile(B, &Of.B, &Full, 0, K * Rows);
      // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
      // expect-note@-2: copy issued here
    }
    waitFor(&Full, K & 1);
    // expect-note@-1: announce as many bytes as are copied in each phase
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 2048 bytes more announced than copied
    for (int I = 0; I < Columns; ++I)
      Sum += A[threadIdx.x][I] * B[threadIdx.x][I];
      // expect-note@-1: thread 8 reads 'B[8][0]' here
      // expect-warning@-2{cpasync-uncopied-read}: 'B' may be read where no copy or store writes to it
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}

void launchProducts(Encoder Encode, float *A, float *B, float *Out, int N) {
  Operands Of;
  Of.Tiles = N;
  Of.A = encode(Encode, A, N * Rows, Rows);
  Of.B = encode(Encode, B, N * Rows, Rows / 2);
  products<<<1, Rows>>>(Of, Out);
  void *Arguments[] = {&Of, &Out};
  cudaLaunchKernel((const void *)half_copied, dim3(1), dim3(Rows), Arguments, 0,
  // expect-note@-1: launched here with blocks of 16 threads
                   0);
}
