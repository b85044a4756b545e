//===- given-addresses.cu - Functions that are given shared memory --------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header of device functions, with no kernel: an address is a pointer or a
// number, and what copies go to, or ld.shared reads, is shared memory.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ void copy16(uint32_t To, const void *From, bool Is) {
  const int Bytes = Is ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(To),
               "l"(From), "r"(Bytes));
}
__device__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}
__device__ float loadShared(uint32_t From) {
  float X;
  asm volatile("ld.shared.f32 %0, [%1];\n" : "=f"(X) : "r"(From));
  return X;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

__device__ void tile_ok(uint32_t Tile, const float4 *Src, int N) {
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    copy16(Tile + I * 16, Src + I, I + 1 < N);
  commit();
}

__device__ float number_ok(uint32_t Tile, const float4 *Src) {
  copy16(Tile + threadIdx.x * 16, Src + threadIdx.x, true);
  commit();
  wait<0>();
  return loadShared(Tile + threadIdx.x * 16);
}

__device__ float number_bad(uint32_t Tile, const float4 *Src) {
// expect-note@-1: assuming blocks of 128 threads
  copy16(Tile + threadIdx.x * 16, Src + threadIdx.x, true);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  const float X = loadShared(Tile + threadIdx.x * 16);
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads byte 0 of 'Tile' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  // asynchronous copy into it has completed
  wait<0>();
  return X;
}

// Another warp's copy.
__device__ float neighbour_bad(uint32_t Tile, const float4 *Src) {
// expect-note@-1: assuming blocks of 128 threads
  copy16(Tile + threadIdx.x * 16, Src + threadIdx.x, true);
  // expect-note@-1: copy issued here
  commit();
  wait<0>();
  // expect-note@-1: its thread waits for the copy here
  return loadShared(Tile + (threadIdx.x ^ 32) * 16);
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads byte 512 of 'Tile' here, copied by thread 32
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
  // barrier after the wait for its copy
}

// Whether all threads have one alignment shows; which, the caller knows.
__device__ void alignment_ok(uint32_t Tile, const float4 *Src) {
  copy16(Tile + 8 + threadIdx.x * 16, Src + threadIdx.x, true);
}
__device__ void alignment_bad(uint32_t Tile, const float4 *Src) {
// expect-note@-1: assuming blocks of 128 threads
  copy16(Tile + threadIdx.x * 8, Src + threadIdx.x, true);
  // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 1 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy is 8 bytes past a multiple of 16
  // asynchronous copy is 8 bytes past a multiple of 16
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

__device__ void copyTo(void *To, const void *From) {
  copy16(static_cast<uint32_t>(__cvta_generic_to_shared(To)), From, true);
}

__device__ float pointer_ok(float4 *Tile, const float4 *Src) {
  copyTo(Tile + threadIdx.x, Src + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  return Tile[threadIdx.x ^ 32].x;
}

__device__ float pointer_bad(float4 *Tile, const float4 *Src) {
// expect-note@-1: assuming blocks of 128 threads
  copyTo(Tile + threadIdx.x, Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  const float X = Tile[threadIdx.x].x;
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0].x' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  // asynchronous copy into it has completed
  wait<0>();
  return X;
}

__device__ void store_bad(float4 *Tile, const float4 *Src) {
// expect-note@-1: assuming blocks of 128 threads
  copyTo(Tile + threadIdx.x, Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  Tile[threadIdx.x] = Src[0];
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 0 overwrites 'Tile[0]' here, copied by thread 0
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  // 0 expect-warning@-2{cpasync-in-flight-overwrite}: 'Tile' is overwritten
  // while a copy into it is in flight
  wait<0>();
}

__device__ float array_bad(float4 (&Tile)[2][128], const float4 *Src) {
// expect-note@-1: assuming blocks of 128 threads
  copyTo(&Tile[1][threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  const float X = Tile[1][threadIdx.x].x;
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads byte 2048 of 'Tile' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  // asynchronous copy into it has completed
  wait<0>();
  return X;
}

__device__ void rings_ok(float4 *Ring, const float4 *Src, float4 *Dst, int N,
                         int Tiles) {
  for (int T = 0; T <= Tiles; ++T) {
    if (T < Tiles)
      for (int I = threadIdx.x; I < N; I += 128)
        copyTo(&Ring[T % 3 * 128 + I], Src + T * N + I);
    // thread 0 expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be
    // overwritten while a copy into it is in flight
    commit();
    wait<1>();
    // flight, but 'Ring' may be in the newest one
    __syncthreads();
    if (T > 0)
      for (int I = threadIdx.x; I < N; I += 128)
        Dst[T * N + I] = Ring[(T - 1) % 3 * 128 + N - 1 - I];
    // 127 expect-skipped@-2: a clash here was found more than 100 times;
    // another cause of it may be missing
  }
}

__device__ void rings_bad(float4 *Ring, const float4 *Src, float4 *Dst, int N,
// expect-note@-1: assuming blocks of 128 threads
                          int Tiles) {
  for (int T = 0; T <= Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
  // expect-note@-2: in the iteration of this loop with T = 2
    if (T < Tiles)
      for (int I = threadIdx.x; I < N; I += 128)
      // expect-note@-1: in the first iteration of this loop
        copyTo(&Ring[T % 2 * 128 + I], Src + T * N + I);
        // expect-note@-1: a barrier belongs between the read in line +9 and this overwrite in a later iteration
        // expect-note@-2: thread 0 overwrites 'Ring[0]' here, read by thread 127
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be overwritten while other threads still read it
    // 127 expect-warning@-3{cpasync-in-flight-overwrite}: 'Ring' may be
    // overwritten while other threads still read it
    commit();
    wait<1>();
    // flight, but 'Ring' may be in the newest one
    __syncthreads();
    if (T > 0)
      for (int I = threadIdx.x; I < N; I += 128)
        Dst[T * N + I] = Ring[(T - 1) % 2 * 128 + N - 1 - I];
        // expect-note@-1: read here
    // 127 expect-skipped@-3: a clash here was found more than 100 times;
    // another cause of it may be missing
  }
}
