//===- repeated-calls.cu - Calls that touch shared memory, again ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call, made again: what it reads and writes is the same, what is in flight
// then is not.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

__device__ void copyRow(float *Row, const float *In) {
  __pipeline_memcpy_async(&Row[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  // expect-note@-2: committed here as the newest group
}
__device__ void finish() {
  __pipeline_wait_prior(0);
  __syncthreads();
}

__device__ float sumOfFour(const float *Row) {
  float Sum = 0;
  for (int I = 0; I < 4; ++I)
    Sum += Row[(threadIdx.x + 16 * I) % 64];
    // expect-note@-1: thread 0 reads 'Row[0]' here
  return Sum;
}

KERNEL read_again_ok(const float *In, float *Out) {
  __shared__ float Row[64];
  copyRow(Row, In);
  finish();
  const float First = sumOfFour(Row);
  __syncthreads();
  copyRow(Row, In + 64);
  finish();
  Out[threadIdx.x] = First + sumOfFour(Row);
}

KERNEL read_again_bad(const float *In, float *Out) {
  __shared__ float Row[64];
  copyRow(Row, In);
  finish();
  const float First = sumOfFour(Row);
  __syncthreads();
  copyRow(Row, In + 64);
  // expect-note@-1: 'copyRow' called here
  Out[threadIdx.x] = First + sumOfFour(Row);
  // expect-note@-1: 'sumOfFour' called here
  // expect-note@-2: a wait for the copy belongs before this call, and a barrier where others copied
  // expect-warning@-3{cpasync-unwaited-read}: 'Row' is read before the asynchronous copy into it has completed
  finish();
}

__device__ void fill(float *Row, float Value) {
  for (int I = threadIdx.x; I < 64; I += 64)
    Row[63 - I] = Value;
    // expect-note@-1: thread 0 overwrites 'Row[63]' here, copied by thread 63
}

KERNEL written_again_ok(const float *In, float *Out) {
  __shared__ float Row[64];
  fill(Row, 1);
  __syncthreads();
  copyRow(Row, In);
  finish();
  Out[threadIdx.x] = Row[63 - threadIdx.x];
  __syncthreads();
  fill(Row, 2);
  __syncthreads();
  Out[64 + threadIdx.x] = Row[63 - threadIdx.x];
}

KERNEL written_again_bad(const float *In, float *Out) {
  __shared__ float Row[64];
  fill(Row, 1);
  __syncthreads();
  copyRow(Row, In);
  // expect-note@-1: 'copyRow' called here
  fill(Row, 2);
  // expect-note@-1: 'fill' called here
  // expect-note@-2: a wait for the copy and a barrier belong before this call
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Row' is overwritten while a copy into it is in flight
  finish();
  Out[threadIdx.x] = Row[63 - threadIdx.x];
}

// Moves its argument on: the same call of it reads another row.
__device__ float next(const float *&Row) {
  const float Value = Row[63 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Rows[2][63]' here, copied by thread 63
  Row += 64;
  return Value;
}

template <int InFlight>
__device__ void readThree(const float *In, float *Out) {
  __shared__ float Rows[3][64];
  for (int I = 0; I < 3; ++I)
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with I = 2
    copyRow(Rows[I], In + 64 * I);
    // expect-note@-1: 'copyRow' called here
  __pipeline_wait_prior(InFlight);
  // expect-note@-1: leave no group in flight here
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Rows' was copied in the newest one
  __syncthreads();
  const float *Row = Rows[0];
  Out[threadIdx.x] = next(Row) + next(Row) + next(Row);
  // expect-note@-1: 'next' called here
  __pipeline_wait_prior(0);
}

KERNEL rows_ok(const float *In, float *Out) { readThree<0>(In, Out); }

KERNEL third_row_bad(const float *In, float *Out) { readThree<1>(In, Out); }
// expect-note@-1: 'readThree' called here

// Rounds that clear chunk by chunk: what a round adds lies a step beyond what the
// round before did, but for every eighth.
__device__ void clear(float *Tile) {
  for (int I = 0; I < 40; ++I)
    Tile[I / 8 * 512 + threadIdx.x * 8 + I % 8] = 0;
}

KERNEL cleared_again_ok(const float4 *In, float *Out) {
  __shared__ float Tile[5 * 512];
  clear(Tile);
  __syncthreads();
  clear(Tile);
  __pipeline_memcpy_async(&Tile[512 + threadIdx.x * 8], &In[threadIdx.x], 16);
  __pipeline_commit();
  finish();
  Out[threadIdx.x] = Tile[512 + (63 - threadIdx.x) * 8];
}
