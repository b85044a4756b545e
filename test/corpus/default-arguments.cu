//===- default-arguments.cu - Arguments that the callee names -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loader that takes the thread's number as a default argument: each thread
// copies an element of its own, and may read that one with no barrier.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

constexpr int Threads = 128;

struct Position {
  unsigned X;
  __device__ Position(uint3 Of) : X(Of.x) {}
};
__device__ int twice(int X) { return 2 * X; }

__device__ void byNumber(uint4 *To, const uint4 *From,
                         unsigned At = threadIdx.x) {
  __pipeline_memcpy_async(To + At, From + At, 16);
}
__device__ void byIndex(uint4 *To, const uint4 *From,
                        const dim3 At = threadIdx) {
  __pipeline_memcpy_async(To + At.x, From + At.x, 16);
}
__device__ void byPosition(uint4 *To, const uint4 *From,
                           Position At = Position(threadIdx)) {
  __pipeline_memcpy_async(To + At.X, From + At.X, 16);
}
__device__ void byCall(uint4 *To, const uint4 *From,
                       int At = twice(twice(threadIdx.x)) / 4) {
  __pipeline_memcpy_async(To + At, From + At, 16);
}
struct Loader {
  unsigned At;
  __device__ Loader(unsigned Thread = threadIdx.x) : At(Thread) {}
  __device__ void load(uint4 *To, const uint4 *From) {
    __pipeline_memcpy_async(To + At, From + At, 16);
  }
};

#define KERNEL(Name, Load, Read)                                               \
  __global__ __launch_bounds__(Threads) void Name(const uint4 *Src,            \
                                                  uint4 *Dst) {                \
    __shared__ uint4 Tile[Threads];                                            \
    Load;                                                                      \
    __pipeline_commit();                                                       \
    __pipeline_wait_prior(0);                                                  \
    Dst[threadIdx.x] = Tile[Read];                                             \
  }

KERNEL(by_number_ok, byNumber(Tile, Src), threadIdx.x)
KERNEL(by_index_ok, byIndex(Tile, Src), threadIdx.x)
KERNEL(by_position_ok, byPosition(Tile, Src), threadIdx.x)
KERNEL(by_call_ok, byCall(Tile, Src), threadIdx.x)
KERNEL(by_constructor_ok, Loader L; L.load(Tile, Src), threadIdx.x)
KERNEL(in_rounds_ok,
       for (int T = 0; T < 3; ++T) {
         byNumber(Tile, Src + T * Threads);
         __pipeline_commit();
         __pipeline_wait_prior(0);
       },
       threadIdx.x)

KERNEL(by_number_bad, byNumber(Tile, Src), Threads - 1 - threadIdx.x)
// expect-note@-1: a barrier belongs between the wait in line +0 and this read
// expect-note@-2: committed here
// expect-note@-3: copy issued here
// expect-note@-4: its thread waits for the copy here
// expect-note@-5: thread 0 reads 'Tile[127]' here, copied by thread 127
// expect-warning@-6{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
KERNEL(by_index_bad, byIndex(Tile, Src), Threads - 1 - threadIdx.x)
// expect-note@-1: a barrier belongs between the wait in line +0 and this read
// expect-note@-2: committed here
// expect-note@-3: copy issued here
// expect-note@-4: its thread waits for the copy here
// expect-note@-5: thread 0 reads 'Tile[127]' here, copied by thread 127
// expect-warning@-6{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
KERNEL(by_position_bad, byPosition(Tile, Src), Threads - 1 - threadIdx.x)
// expect-note@-1: a barrier belongs between the wait in line +0 and this read
// expect-note@-2: committed here
// expect-note@-3: copy issued here
// expect-note@-4: its thread waits for the copy here
// expect-note@-5: thread 0 reads 'Tile[127]' here, copied by thread 127
// expect-warning@-6{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
KERNEL(by_call_bad, byCall(Tile, Src), Threads - 1 - threadIdx.x)
// expect-note@-1: a barrier belongs between the wait in line +0 and this read
// expect-note@-2: committed here
// expect-note@-3: copy issued here
// expect-note@-4: its thread waits for the copy here
// expect-note@-5: thread 0 reads 'Tile[127]' here, copied by thread 127
// expect-warning@-6{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
KERNEL(by_constructor_bad, Loader L; L.load(Tile, Src),
// expect-note@-1: a barrier belongs between the wait in line +0 and this read
// expect-note@-2: committed here
// expect-note@-3: copy issued here
// expect-note@-4: its thread waits for the copy here
// expect-note@-5: thread 0 reads 'Tile[127]' here, copied by thread 127
// expect-warning@-6{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
                                     Threads - 1 - threadIdx.x)
