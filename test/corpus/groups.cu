//===- groups.cu - Groups, empty groups and weak waits --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a wait covers: 'wait_group N' completes all but the N newest groups,
// empty groups count, 'wait_all' needs no commit.
//
//===----------------------------------------------------------------------===//

#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(N) asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory")

__device__ void copy16(float4 *Shared, const float4 *Global) {
  unsigned To = __cvta_generic_to_shared(Shared);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
               "l"(Global));
}

__device__ void copy4(float *Shared, const float *Global) {
  unsigned To = __cvta_generic_to_shared(Shared);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(To),
               "l"(Global));
}

__global__
__launch_bounds__(128) void newest_group_in_flight_ok(const float4 *Src,
                                                      float4 *Dst) {
  __shared__ float4 First[128], Second[128], Third[128];
  int Tid = threadIdx.x;
  copy16(&First[Tid], Src + Tid);
  COMMIT;
  copy16(&Second[Tid], Src + 128 + Tid);
  COMMIT;
  copy16(&Third[Tid], Src + 256 + Tid);
  COMMIT;

  WAIT(1); // The first two groups are complete.
  __syncthreads();
  Dst[Tid] = First[127 - Tid];
  Dst[128 + Tid] = Second[127 - Tid];

  WAIT(0);
  __syncthreads();
  Dst[256 + Tid] = Third[127 - Tid];
}

__global__ __launch_bounds__(128) void wait_all_without_commit_ok(
    const float *Src, const float4 *Wide, float *Dst) {
  __shared__ float Narrow[128];
  __shared__ float4 Vectors[128];
  int Tid = threadIdx.x;
  copy4(&Narrow[Tid], Src + Tid);
  copy16(&Vectors[Tid], Wide + Tid);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  Dst[Tid] = Narrow[127 - Tid] + Vectors[127 - Tid].x;
}

__global__
__launch_bounds__(128) void wait_all_covers_open_copies_ok(const float *Src,
                                                           float *Dst) {
  __shared__ float Tile[3][128];
  int Tid = threadIdx.x;
  copy4(&Tile[0][Tid], Src + Tid);
  COMMIT;
  copy4(&Tile[1][Tid], Src + 128 + Tid);
  COMMIT;
  copy4(&Tile[2][Tid], Src + 256 + Tid);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  Dst[Tid] = Tile[0][127 - Tid] + Tile[1][127 - Tid] + Tile[2][127 - Tid];
}

__global__ __launch_bounds__(128) void empty_groups_count_ok(const float *Src,
                                                             float *Dst) {
  __shared__ float Tile[128];
  int Tid = threadIdx.x;
  copy4(&Tile[Tid], Src + Tid);
  COMMIT;
  COMMIT;
  COMMIT;
  WAIT(2); // The two newest groups are empty.
  __syncthreads();
  Dst[Tid] = Tile[127 - Tid];
}

// Nothing reads the second tile: it may be in flight when the kernel ends.
__global__ __launch_bounds__(128) void unread_at_exit_ok(const float *Src,
                                                         float *Dst) {
  __shared__ float Tile[2][128];
  int Tid = threadIdx.x;
  copy4(&Tile[0][Tid], Src + Tid);
  COMMIT;
  copy4(&Tile[1][Tid], Src + 128 + Tid);
  COMMIT;
  WAIT(1);
  __syncthreads();
  Dst[Tid] = Tile[0][127 - Tid];
}

__global__ __launch_bounds__(128) void waits_in_a_row_ok(const float *Src,
                                                         float *Dst) {
  __shared__ float Tile[2][128];
  int Tid = threadIdx.x;
  copy4(&Tile[0][Tid], Src + Tid);
  COMMIT;
  copy4(&Tile[1][Tid], Src + 128 + Tid);
  COMMIT;
  WAIT(1);
  WAIT(0);
  WAIT(5);
  __syncthreads();
  Dst[Tid] = Tile[0][127 - Tid] + Tile[1][127 - Tid];
}

__global__
__launch_bounds__(128) void one_buffer_two_rounds_ok(const float4 *Src,
                                                     float4 *Dst) {
  __shared__ float4 Tile[128];
  int Tid = threadIdx.x;
  copy16(&Tile[Tid], Src + Tid);
  COMMIT;
  WAIT(0);
  __syncthreads();
  float4 V = Tile[127 - Tid];
  __syncthreads();
  copy16(&Tile[Tid], Src + 128 + Tid);
  COMMIT;
  WAIT(0);
  __syncthreads();
  float4 W = Tile[127 - Tid];
  Dst[Tid] = make_float4(V.x + W.x, V.y + W.y, V.z + W.z, V.w + W.w);
}
