//===- commit-after-wait.cu - What a wait could not know of ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The next tile is committed between the wait and the read of this one. It does
// not count among the groups that the wait may leave.
//
//===----------------------------------------------------------------------===//

__device__ void copy16(void *Shared, const void *Global) {
  unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(To),
               "l"(Global));
}

template <int Left>
__device__ void twoTiles(const float4 *Src, float4 *Dst) {
  __shared__ float4 Tiles[2][128];
  const int Tid = threadIdx.x;
  copy16(&Tiles[0][Tid], Src + Tid);
  // expect-note@-1: copy issued here
  asm volatile("cp.async.commit_group;\n" ::);
  // expect-note@-1: committed here as the newest group
  asm volatile("cp.async.wait_group %0;\n" ::"n"(Left));
  // expect-note@-1: leave no group in flight here
  // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tiles' was copied in the newest one
  copy16(&Tiles[1][Tid], Src + 128 + Tid);
  asm volatile("cp.async.commit_group;\n" ::);
  __syncthreads();
  Dst[Tid] = Tiles[0][127 - Tid];
  // expect-note@-1: thread 0 reads 'Tiles[0][127]' here, copied by thread 127
  asm volatile("cp.async.wait_group 0;\n" ::);
  __syncthreads();
  Dst[128 + Tid] = Tiles[1][127 - Tid];
}

__global__ __launch_bounds__(128) void drained_ok(const float4 *Src,
                                                  float4 *Dst) {
  twoTiles<0>(Src, Dst);
}

__global__ __launch_bounds__(128) void one_left_bad(const float4 *Src,
                                                    float4 *Dst) {
  twoTiles<1>(Src, Dst);
  // expect-note@-1: 'twoTiles' called here
}
