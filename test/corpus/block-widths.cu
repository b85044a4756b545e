//===- block-widths.cu - As wide as the rows that its threads count -------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many threads a block has is known, and each has the number threadIdx.y
// times 48, plus threadIdx.x: so they lie in rows of 48.
//
//===----------------------------------------------------------------------===//

constexpr int Width = 48, Height = 4;
constexpr int Row = Width + 2, Plane = Row * (Height + 2);

__device__ void fetch(float *To, const float *From) {
  for (int I = threadIdx.y * Width + threadIdx.x; I < Plane;
  // expect-note@-1: in the first iteration of this loop
       I += Width * Height)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
    // expect-note@-1: thread 50 (2, 1) overwrites 'To[50]' (byte 200 of 'Planes') here, read by thread 0 (0, 0)
                     static_cast<unsigned>(__cvta_generic_to_shared(To + I))),
                 "l"(From + I)
                 : "memory");
}

template <bool IsWrong>
__device__ void planes(const float *In, float *Out, int Count) {
  extern __shared__ float Planes[];
  float *Now = Planes, *Next = Planes + Plane;
  const int At = (threadIdx.y + 1) * Row + threadIdx.x + 1;
  fetch(Now, In);
  asm volatile("cp.async.commit_group;" ::: "memory");
  for (int Z = 0; Z < Count; ++Z) {
  // expect-note@-1: in the iteration of this loop with Z = 0
  // expect-note@-2: in the iteration of this loop with Z = 1
    if (Z + 1 < Count)
      fetch(Next, In + (Z + 1) * Plane);
      // expect-note@-1: 'fetch' called here
      // expect-note@-2: a barrier belongs between the read in line +5 and this call in a later iteration
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Planes' may be overwritten while other threads still read it
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    Out[(Z * Height + threadIdx.y) * Width + threadIdx.x] =
        Now[At - 1] + Now[At + 1] + Now[At - Row] + Now[At + Row];
        // expect-note@-1: also read here
        // expect-note@-2: read here
    if (!IsWrong)
      __syncthreads();
    float *Free = Now;
    Now = Next;
    Next = Free;
  }
}

__global__ void __launch_bounds__(Width *Height)
    planes_ok(const float *In, float *Out, int Count) {
  planes<false>(In, Out, Count);
}
__global__ void __launch_bounds__(Width *Height)
    planes_bad(const float *In, float *Out, int Count) {
    // expect-note@-1: assuming blocks of 48x4 threads
    // expect-note@-2: with Count = 3
  planes<true>(In, Out, Count);
  // expect-note@-1: 'planes' called here
}
