//===- given-structures.cu - Numbers in structures that a kernel is given -===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number is named by the way to it from the parameter, however the kernel
// reads it: through a function, a base or an array. Where that is long, members
// on the way are left out.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

struct Extent {
  int Count;
  __device__ int count() const { return Count; }
};
struct Rows : Extent {
  int Stride;
};
struct Shape {
  Rows Of;
  Extent Others[2];
};
struct Problem {
  const float *In;
  Shape Tile;
};
struct ProblemWithLongName {
  const float *In;
  struct {
    Shape OfAllTilesTogether;
  } WithEverything;
};

// The row before is read while its copy may be in flight.
#define KERNEL(Name, Given, Count)                                             \
  __global__ void __launch_bounds__(64) Name(Given P, float *Out) {            \
    __shared__ float Row[2][64];                                               \
    const int T = threadIdx.x;                                                 \
    for (int I = 0; I < Count; ++I) {                                          \
      __pipeline_memcpy_async(&Row[I % 2][T], &P.In[I * 64 + T], 4);           \
      __pipeline_commit();                                                     \
      if (I > 0) {                                                             \
        __pipeline_wait_prior(I < 2 ? 1 : 2);                                  \
        Out[T] += Row[(I - 1) % 2][T];                                         \
      }                                                                        \
    }                                                                          \
    __pipeline_wait_prior(0);                                                  \
  }

KERNEL(of_base_bad, Problem, P.Tile.Of.count())
// expect-note@-1: committed here
// expect-note@-2: copy issued here
// expect-note@-3: in the iteration of this loop with I = 1
// expect-note@-4: in the iteration of this loop with I = 2
// expect-note@-5: leave at most 1 group in flight here
// expect-note@-6: thread 0 reads 'Row[1][0]' here
// expect-note@-7: with P.Tile.Of.Count = 3
// expect-warning@-8{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Row'

KERNEL(of_array_bad, Problem, P.Tile.Others[1].count())
// expect-note@-1: committed here
// expect-note@-2: copy issued here
// expect-note@-3: in the iteration of this loop with I = 1
// expect-note@-4: in the iteration of this loop with I = 2
// expect-note@-5: leave at most 1 group in flight here
// expect-note@-6: thread 0 reads 'Row[1][0]' here
// expect-note@-7: with P.Tile.Others[1].Count = 3
// expect-warning@-8{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Row'

KERNEL(of_long_name_bad, ProblemWithLongName,
// expect-note@-1: committed here
// expect-note@-2: copy issued here
// expect-note@-3: in the iteration of this loop with I = 1
// expect-note@-4: in the iteration of this loop with I = 2
// expect-note@-5: leave at most 1 group in flight here
// expect-note@-6: thread 0 reads 'Row[1][0]' here
// expect-note@-7: with P...OfAllTilesTogether.Of.Count = 3
// expect-warning@-8{cpasync-wrong-wait-group}: wait leaves 2 groups in flight, but only 1 may be newer than the copy into 'Row'
       P.WithEverything.OfAllTilesTogether.Of.count())
