//===- elements.cu - Places in memory, as the source names them - -*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)

struct Pair {
  float First[64];
  int4 Second[4];
};

// An array of arrays; the copy is wider than an element.
KERNEL rows(const float *In, float *Out) {
  __shared__ alignas(16) float Slot[2][256];
  __pipeline_memcpy_async(&Slot[1][threadIdx.x * 4], &In[threadIdx.x * 4], 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[threadIdx.x] = Slot[1][255 - threadIdx.x];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 51 reads 'Slot[1][204]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Slot' is read before the asynchronous copy into it has completed
}

// A member of a structure; the element is as wide as what is read.
KERNEL members(const int4 *In, int4 *Out) {
  __shared__ Pair Tile;
  if (threadIdx.x < 4) {
    __pipeline_memcpy_async(&Tile.Second[threadIdx.x], &In[threadIdx.x], 16);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    Out[threadIdx.x] = Tile.Second[3 - threadIdx.x];
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Tile.Second[3]' here, copied by thread 3
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  }
}

// Memory that the kernel divides: the pointer says what it is.
KERNEL divided(const float *In, float *Out) {
  extern __shared__ int4 Pool[];
  float *Weights = reinterpret_cast<float *>(Pool);
  float *Scales = Weights + 1024;
  __pipeline_memcpy_async(&Scales[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[threadIdx.x] = Scales[63 - threadIdx.x] * Weights[threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Scales[63]' (byte 4348 of 'Pool') here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'Pool' is read before the asynchronous copy into it has completed
}

// The pool itself.
KERNEL pool(const float4 *In, float4 *Out) {
  extern __shared__ float4 Vectors[];
  __pipeline_memcpy_async(&Vectors[threadIdx.x], &In[threadIdx.x], 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[threadIdx.x] = Vectors[63 - threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Vectors[63]' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'Vectors' is read before the asynchronous copy into it has completed
}

// A pointer that has moved on has another first element.
KERNEL moved(const float *In, float *Out) {
  __shared__ alignas(16) char Bytes[1024];
  float *Row = reinterpret_cast<float *>(Bytes);
  Row += 64;
  __pipeline_memcpy_async(Row + threadIdx.x, &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[threadIdx.x] = *(Row + 63 - threadIdx.x);
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Row[63]' (byte 508 of 'Bytes') here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'Bytes' is read before the asynchronous copy into it has completed
}

// What is read begins within an element.
KERNEL within(const char *In, char *Out) {
  __shared__ int Words[64];
  __pipeline_memcpy_async(&Words[threadIdx.x], &In[threadIdx.x * 4], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  Out[threadIdx.x] = reinterpret_cast<const char *>(Words)[4 * 63 + 2];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 63 reads byte 2 of 'Words[63]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Words' is read before the asynchronous copy into it has completed
}
