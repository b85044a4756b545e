//===- scaled-sums.cu - Decisions by floating-point numbers ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is added with a factor of zero is not loaded. The factor is asked for
// wherever that matters, and is one number each time.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_runtime.h>

constexpr int Threads = 128;

__device__ void copy(float *To, const float *From) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                   uint32_t(__cvta_generic_to_shared(To))),
               "l"(From)
               : "memory");
}
__device__ void waitForAll() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

struct Factors {
  float Alpha, Beta;
  const float *BetaPlace;
  __device__ bool takesSource() const {
    return BetaPlace != nullptr || Beta != 0;
  }
};

/// Looks the factor up once, as the classes of an epilogue do.
struct Source {
  float Beta;
  __device__ explicit Source(const Factors &F)
      : Beta(F.BetaPlace ? *F.BetaPlace : F.Beta) {}
  __device__ bool isNeeded() const { return Beta != 0.0; }
};

__global__ void __launch_bounds__(Threads)
    parameter_ok(float *Out, const float *In, float Beta) {
  __shared__ float Tile[Threads];
  if (Beta != 0.f)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  if (Beta != 0.f)
    waitForAll();
  __syncthreads();
  float Sum = Out[threadIdx.x];
  if (Beta != 0.f)
    Sum += Beta * Tile[threadIdx.x ^ 1];
  Out[threadIdx.x] = Sum;
}

__global__ void __launch_bounds__(Threads)
    member_ok(float *Out, const float *In, Factors F, int Rounds) {
  __shared__ float Tile[Threads];
  for (int R = 0; R < Rounds; ++R) {
    if (F.takesSource())
      copy(&Tile[threadIdx.x], &In[R * Threads + threadIdx.x]);
    if (F.takesSource())
      waitForAll();
    __syncthreads();
    float Sum = F.Alpha * Out[R * Threads + threadIdx.x];
    if (F.takesSource())
      Sum += Tile[threadIdx.x ^ 1];
    Out[R * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}

__global__ void __launch_bounds__(Threads)
    looked_up_ok(float *Out, const float *In, Factors F, int Rounds) {
  __shared__ float Tile[Threads];
  const Source C(F);
  for (int R = 0; R < Rounds; ++R) {
    if (C.isNeeded())
      copy(&Tile[threadIdx.x], &In[R * Threads + threadIdx.x]);
    if (C.isNeeded())
      waitForAll();
    __syncthreads();
    float Sum = Out[R * Threads + threadIdx.x];
    if (C.Beta)
      Sum += C.Beta * Tile[threadIdx.x ^ 1];
    Out[R * Threads + threadIdx.x] = Sum;
    __syncthreads();
  }
}

// Another factor.
__global__ void __launch_bounds__(Threads)
    other_factor_bad(float *Out, const float *In, Factors F) {
    // expect-note@-1: with F.Beta = 1, F.Alpha = 0
  __shared__ float Tile[Threads];
  if (F.Beta != 0)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-note@-1: copy issued here
  if (F.Alpha != 0)
  // expect-note@-1: taken when this condition is false
    waitForAll();
  __syncthreads();
  // expect-note@-1: wait for all copies: insert 'waitForAll();'
  float Sum = F.Alpha * Out[threadIdx.x];
  if (F.Beta != 0)
    Sum += F.Beta * Tile[threadIdx.x ^ 1];
    // expect-note@-1: thread 0 reads 'Tile[1]' here, copied by thread 1
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
  Out[threadIdx.x] = Sum;
}

// What is computed from a number is another one.
__global__ void __launch_bounds__(Threads)
    computed_bad(float *Out, const float *In, float Beta, float Step) {
    // expect-note@-1: with Beta = 1
  __shared__ float Tile[Threads];
  if (Beta != 0)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
    // expect-note@-1: copy issued here
  if (Beta != 0)
    Beta -= Step;
  if (Beta != 0)
  // expect-note@-1: taken when this condition is false
    waitForAll();
  __syncthreads();
  // expect-note@-1: wait for all copies: insert 'waitForAll();'
  if (-Beta != Step)
    Out[threadIdx.x] += Tile[threadIdx.x ^ 1];
    // expect-note@-1: thread 0 reads 'Tile[1]' here, copied by thread 1
    // expect-warning@-2{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}
