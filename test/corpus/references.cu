//===- references.cu - Shared memory by another name ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read or written through a reference, a binding, an object's own
// members or a captured name, where nobody names the array: floats, which no
// address is made of.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

constexpr int Threads = 64;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const float4 *Src,           \
                                                  float *Dst)

struct Vec {
  float X, Y, Z, W;
  __device__ float sum() const {
    float R = X;
    // expect-note@-1: thread 0 reads 'Tile[63].X' here, copied by thread 63
    R += Y;
    return R;
  }
  __device__ float twice() const {
    float R = sum();
    // expect-note@-1: 'sum' called here
    return 2 * R;
  }
  __device__ void clear() { X = 0.f; }
  // expect-note@-1: thread 0 overwrites 'Tile[63].X' here, copied by thread 63
};

template <class T> __device__ void fetch(T *To, const float4 *Src) {
  __pipeline_memcpy_async(&To[threadIdx.x], Src + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
}
__device__ void finish() {
  __pipeline_wait_prior(0);
  __syncthreads();
}
__device__ unsigned opposite() { return Threads - 1 - threadIdx.x; }

//===----------------------------------------------------------------------===//
// Names of the kernel
//===----------------------------------------------------------------------===//

KERNEL(element_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  const float4 &Mine = Tile[opposite()];
  Dst[threadIdx.x] = Mine.x;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[63].x' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  finish();
}
KERNEL(element_ok) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  const float4 &Mine = Tile[opposite()];
  finish();
  Dst[threadIdx.x] = Mine.x;
}
KERNEL(part_of_another_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  const float4 &Mine = Tile[opposite()];
  const float &Part = Mine.y;
  Dst[threadIdx.x] = Part;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[63].y' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  finish();
}
KERNEL(range_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  float Sum = 0;
  for (const float4 &Each : Tile)
    Sum += Each.x;
    // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
    // expect-note@-2: thread 0 reads 'Tile[0].x' here
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  finish();
  Dst[threadIdx.x] = Sum;
}
KERNEL(binding_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  const auto &[A, B, C, D] = Tile[opposite()];
  Dst[threadIdx.x] = A + D;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[63].x' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  finish();
}
KERNEL(stored_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  float4 &Mine = Tile[opposite()];
  Mine.x = 0.f;
  // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
  // expect-note@-2: thread 0 overwrites 'Tile[63].x' here, copied by thread 63
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  finish();
  Dst[threadIdx.x] = Tile[threadIdx.x].x;
}
KERNEL(assigned_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  float4 &Theirs = Tile[opposite()], Mine;
  Mine = Theirs;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[63]' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  finish();
  Dst[threadIdx.x] = Mine.x;
}
KERNEL(captured_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  const float4 &Mine = Tile[opposite()];
  auto Sum = [&] {
    float R = Mine.x;
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Tile[63].x' here, copied by thread 63
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    R += Mine.y;
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Tile[63].y' here, copied by thread 63
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    return R;
  };
  float R = Sum();
  // expect-note@-1: 'Sum' called here
  finish();
  Dst[threadIdx.x] = R;
}

//===----------------------------------------------------------------------===//
// Parameters, and the object of a call
//===----------------------------------------------------------------------===//

__device__ float product(const float4 &A, const float4 &B) {
  float R = A.x * B.x;
  // expect-note@-1: thread 0 reads 'Tile[63].x' here, copied by thread 63
  R += A.y * B.y;
  return R;
}
__device__ float twice(const float4 &A, const float4 &B) {
  float R = product(A, B);
  // expect-note@-1: 'product' called here
  return 2 * R;
}
KERNEL(parameters_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  float R = twice(Tile[opposite()], Tile[threadIdx.x]);
  // expect-note@-1: 'twice' called here
  // expect-note@-2: a wait for the copy and a barrier belong before this call
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  finish();
  Dst[threadIdx.x] = R;
}
KERNEL(parameters_ok) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  float4 Mine = {};
  float R = twice(Mine, Mine);
  finish();
  R += twice(Tile[opposite()], Mine);
  Dst[threadIdx.x] = R;
}
__device__ void take(float &To, const float4 &From) { To = From.x; }
// expect-note@-1: a wait for the copy and a barrier belong before this read
// expect-note@-2: thread 0 reads 'Tile[63].x' here, copied by thread 63
// expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
KERNEL(taken_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  float R;
  take(R, Tile[opposite()]);
  // expect-note@-1: 'take' called here
  finish();
  Dst[threadIdx.x] = R;
}
__device__ void put(float4 &To, float X) { To.x = X; }
// expect-note@-1: a wait for the copy and a barrier belong before this overwrite
// expect-note@-2: thread 0 overwrites 'Tile[63].x' here, copied by thread 63
// expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
KERNEL(put_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  put(Tile[opposite()], 1.f);
  // expect-note@-1: 'put' called here
  finish();
  Dst[threadIdx.x] = Tile[threadIdx.x].x;
}
KERNEL(method_bad) {
  __shared__ Vec Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  float R = Tile[opposite()].twice();
  // expect-note@-1: 'twice' called here
  // expect-note@-2: a wait for the copy and a barrier belong before this call
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  finish();
  Dst[threadIdx.x] = R;
}
KERNEL(method_ok) {
  __shared__ Vec Tile[Threads];
  fetch(Tile, Src);
  Vec Mine = {};
  Mine.clear();
  float R = Mine.twice();
  finish();
  Dst[threadIdx.x] = R + Tile[opposite()].twice();
}
KERNEL(cleared_bad) {
  __shared__ Vec Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  Tile[opposite()].clear();
  // expect-note@-1: 'clear' called here
  // expect-note@-2: a wait for the copy and a barrier belong before this call
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  finish();
  Dst[threadIdx.x] = Tile[threadIdx.x].X;
}
struct View {
  float4 &Of;
  __device__ float sum() const {
    float R = Of.x;
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Tile[63].x' here, copied by thread 63
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    R += Of.y;
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Tile[63].y' here, copied by thread 63
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    return R;
  }
};
KERNEL(member_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  View Mine{Tile[opposite()]};
  float R = Mine.sum();
  // expect-note@-1: 'sum' called here
  finish();
  Dst[threadIdx.x] = R;
}
template <class T> struct Row {
  T *At;
  __device__ const T &operator()(unsigned I) const { return At[I]; }
};
KERNEL(returned_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  Row<float4> Whole{Tile};
  const float4 &Mine = Whole(opposite());
  Dst[threadIdx.x] = Mine.x;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[63].x' here, copied by thread 63
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  finish();
}
struct Kernel {
  float4 &Mine;
  __device__ float run() {
    auto Sum = [this] {
      float R = Mine.x;
      // expect-note@-1: a wait for the copy and a barrier belong before this read
      // expect-note@-2: thread 0 reads 'Tile[63].x' here, copied by thread 63
      // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
      return R + Mine.y;
      // expect-note@-1: a wait for the copy and a barrier belong before this read
      // expect-note@-2: thread 0 reads 'Tile[63].y' here, copied by thread 63
      // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
    };
    float R = Sum();
    // expect-note@-1: 'Sum' called here
    return R;
  }
};
KERNEL(captured_object_bad) {
  __shared__ float4 Tile[Threads];
  fetch(Tile, Src);
  // expect-note@-1: 'fetch' called here
  Kernel K{Tile[opposite()]};
  float R = K.run();
  // expect-note@-1: 'run' called here
  finish();
  Dst[threadIdx.x] = R;
}
