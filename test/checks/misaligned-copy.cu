//===- misaligned-copy.cu - Addresses below the copy's size ----*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both addresses of a copy are multiples of its size. Every `_bad` kernel stops
// with "misaligned address" on a GPU, every `_ok` kernel copies In to Out.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ unsigned sharedAddress(const void *Pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(Pointer));
}
template <int Bytes> __device__ void copy(void *Dst, const void *Src) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(sharedAddress(Dst)),
      "l"(Src), "n"(Bytes)
      : "memory");
}
__device__ void finish() {
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;\n" ::
                   : "memory");
}

//===----------------------------------------------------------------------===//
// Twins
//===----------------------------------------------------------------------===//

// The destination is 4 bytes past a multiple of 16, in every thread.
KERNEL straight_line_bad(const float4 *In, float4 *Out) {
  alignas(16) __shared__ float Tile[4 * 128 + 4];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Slot = Tile + 1 + threadIdx.x * 4;
  copy<16>(Slot, &In[I]);
  // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 0 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy is 4 bytes past a multiple of 16
  finish();
  Out[I] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
}

KERNEL straight_line_ok(const float4 *In, float4 *Out) {
  alignas(16) __shared__ float Tile[4 * 128 + 4];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Slot = Tile + 4 + threadIdx.x * 4;
  copy<16>(Slot, &In[I]);
  finish();
  Out[I] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
}

// Element 1 of an array of float is no place for 16 bytes.
KERNEL source_bad(const float *In, float *Out) {
  __shared__ float4 Tile[32];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x < 31)
    copy<16>(&Tile[threadIdx.x], In + blockIdx.x * 128 + threadIdx.x * 4 + 1);
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: assuming that 'In' is aligned to 16 bytes
    // expect-note@-3: thread 0 uses a misaligned address here
    // expect-warning@-4{cpasync-misaligned-copy}: source 'In' of the asynchronous copy is 4 bytes past a multiple of 16
  finish();
  __syncthreads();
  const float *Row = &Tile[0].x;
  Out[I] = threadIdx.x < 4 ? In[I] : Row[threadIdx.x - 4];
}

KERNEL source_ok(const float *In, float *Out) {
  __shared__ float4 Tile[32];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x < 31)
    copy<16>(&Tile[threadIdx.x], In + blockIdx.x * 128 + threadIdx.x * 4 + 4);
  finish();
  __syncthreads();
  const float *Row = &Tile[0].x;
  Out[I] = threadIdx.x < 4 ? In[I] : Row[threadIdx.x - 4];
}

// Threads are 4 bytes apart, copies 16 bytes long: thread 1 is off.
KERNEL per_thread_bad(const float *In, float *Out) {
  alignas(16) __shared__ float Tile[128 + 4];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32)
    copy<16>(&Tile[threadIdx.x], &In[First + threadIdx.x * 4]);
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: thread 1 uses a misaligned address here
    // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy is 4 bytes past a multiple of 16
  finish();
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

KERNEL per_thread_ok(const float *In, float *Out) {
  alignas(16) __shared__ float Tile[128 + 4];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 32)
    copy<16>(&Tile[threadIdx.x * 4], &In[First + threadIdx.x * 4]);
  finish();
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

// A pitch of 33 floats keeps only every fourth row aligned.
KERNEL row_pitch_bad(const float4 *In, float4 *Out) {
  alignas(16) __shared__ float Tile[16][33];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Row = threadIdx.x / 8, Column = threadIdx.x % 8 * 4;
  copy<16>(&Tile[Row][Column], &In[I]);
  // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 8 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy is 4 bytes past a multiple of 16
  finish();
  const float *Slot = &Tile[Row][Column];
  Out[I] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
}

KERNEL row_pitch_ok(const float4 *In, float4 *Out) {
  alignas(16) __shared__ float Tile[16][36];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Row = threadIdx.x / 8, Column = threadIdx.x % 8 * 4;
  copy<16>(&Tile[Row][Column], &In[I]);
  finish();
  const float *Slot = &Tile[Row][Column];
  Out[I] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
}

struct Packed {
  int Count;
  float Data[4 * 128];
};
struct Padded {
  int Count;
  alignas(16) float Data[4 * 128];
};

// Data begins at offset 4 of the struct.
KERNEL member_bad(const float4 *In, float4 *Out) {
  alignas(16) __shared__ Packed Stage;
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Slot = &Stage.Data[threadIdx.x * 4];
  __pipeline_memcpy_async(Slot, &In[I], 16);
  // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 0 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Stage' of the asynchronous copy is 4 bytes past a multiple of 16
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
}

KERNEL member_ok(const float4 *In, float4 *Out) {
  alignas(16) __shared__ Padded Stage;
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Slot = &Stage.Data[threadIdx.x * 4];
  __pipeline_memcpy_async(Slot, &In[I], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
}

// The second array begins after 129 floats of the first.
KERNEL carved_pool_bad(const float2 *In, float2 *Out) {
  extern __shared__ float4 Pool[];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Bias = reinterpret_cast<float *>(Pool);
  float *Tile = Bias + 129;
  copy<8>(Tile + threadIdx.x * 2, &In[I]);
  // expect-note@-1: align the address to 8 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 0 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Pool' of the asynchronous copy is 4 bytes past a multiple of 8
  finish();
  Out[I] = make_float2(Tile[threadIdx.x * 2], Tile[threadIdx.x * 2 + 1]);
}

KERNEL carved_pool_ok(const float2 *In, float2 *Out) {
  extern __shared__ float4 Pool[];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Bias = reinterpret_cast<float *>(Pool);
  float *Tile = Bias + 130;
  copy<8>(Tile + threadIdx.x * 2, &In[I]);
  finish();
  Out[I] = make_float2(Tile[threadIdx.x * 2], Tile[threadIdx.x * 2 + 1]);
}

// Without Flag the slot begins 8 bytes late.
KERNEL branch_bad(const float4 *In, float4 *Out, bool Flag) {
// expect-note@-1: with Flag = 0
  alignas(16) __shared__ float Tile[4 * 128 + 8];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Slot = Tile + threadIdx.x * 4;
  if (!Flag)
  // expect-note@-1: taken when this condition is true
    Slot += 2;
  copy<16>(Slot, &In[I]);
  // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 0 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy may be 8 bytes past a multiple of 16
  finish();
  Out[I] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
}

KERNEL branch_ok(const float4 *In, float4 *Out, bool Flag) {
  alignas(16) __shared__ float Tile[4 * 128 + 8];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Slot = Tile + threadIdx.x * 4;
  if (!Flag)
    Slot += 4;
  copy<16>(Slot, &In[I]);
  finish();
  Out[I] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
}

// The last tile goes to an odd offset.
KERNEL loop_tail_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  alignas(16) __shared__ float Tile[2 * 4 * 128 + 4];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    float *Slot = Tile + threadIdx.x * 4 + (K + 1 < Tiles ? 0 : 515);
    // expect-note@-1: taken when this condition is false
    copy<16>(Slot, &In[Base + K * 128]);
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: thread 0 uses a misaligned address here
    // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy may be 12 bytes past a multiple of 16
    finish();
    Out[Base + K * 128] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
  }
}

KERNEL loop_tail_ok(const float4 *In, float4 *Out, int Tiles) {
  alignas(16) __shared__ float Tile[2 * 4 * 128 + 4];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    float *Slot = Tile + threadIdx.x * 4 + (K + 1 < Tiles ? 0 : 516);
    copy<16>(Slot, &In[Base + K * 128]);
    finish();
    Out[Base + K * 128] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
  }
}

// The prologue's slot is skewed by one float, the loop's is not.
KERNEL prologue_bad(const float2 *In, float2 *Out, int Tiles) {
  alignas(16) __shared__ float Tile[3][2 * 128 + 2];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  float *Slot = &Tile[2][threadIdx.x * 2 + 1];
  copy<8>(Slot, &In[Base]);
  // expect-note@-1: align the address to 8 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 0 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy is 4 bytes past a multiple of 8
  for (int K = 0; K < Tiles; ++K) {
    finish();
    Out[Base + K * 128] = make_float2(Slot[0], Slot[1]);
    Slot = &Tile[(K + 1) % 2][threadIdx.x * 2];
    if (K + 1 < Tiles)
      copy<8>(Slot, &In[Base + (K + 1) * 128]);
  }
}

KERNEL prologue_ok(const float2 *In, float2 *Out, int Tiles) {
  alignas(16) __shared__ float Tile[3][2 * 128 + 2];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  float *Slot = &Tile[2][threadIdx.x * 2 + 2];
  copy<8>(Slot, &In[Base]);
  for (int K = 0; K < Tiles; ++K) {
    finish();
    Out[Base + K * 128] = make_float2(Slot[0], Slot[1]);
    Slot = &Tile[(K + 1) % 2][threadIdx.x * 2];
    if (K + 1 < Tiles)
      copy<8>(Slot, &In[Base + (K + 1) * 128]);
  }
}

template <typename Unit> __device__ void copyAs(void *Dst, const void *Src) {
  copy<sizeof(Unit)>(Dst, Src);
}

// One float a thread, but the template argument asks for two.
KERNEL wrapper_bad(const float *In, float *Out) {
  alignas(8) __shared__ float Tile[128 + 2];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copyAs<float2>(&Tile[threadIdx.x], &In[I / 2 * 2]);
  // expect-note@-1: align the address to 8 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 1 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy is 4 bytes past a multiple of 8
  finish();
  Out[I] = Tile[threadIdx.x];
}

KERNEL wrapper_ok(const float *In, float *Out) {
  alignas(8) __shared__ float Tile[128 + 2];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copyAs<float>(&Tile[threadIdx.x], &In[I]);
  finish();
  Out[I] = Tile[threadIdx.x];
}

// Every second slot begins 514 floats later, no multiple of 4.
KERNEL lambda_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  alignas(16) __shared__ float Tile[2 * 4 * 128 + 4];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  const int Pitch = 514;
  auto Slot = [&](int K) { return &Tile[threadIdx.x * 4 + K % 2 * Pitch]; };
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 1
    copy<16>(Slot(K), &In[Base + K * 128]);
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: thread 0 uses a misaligned address here
    // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy may be 8 bytes past a multiple of 16
    finish();
    const float *Seen = Slot(K);
    Out[Base + K * 128] = make_float4(Seen[0], Seen[1], Seen[2], Seen[3]);
  }
}

KERNEL lambda_ok(const float4 *In, float4 *Out, int Tiles) {
  alignas(16) __shared__ float Tile[2 * 4 * 128 + 4];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  const int Pitch = 516;
  auto Slot = [&](int K) { return &Tile[threadIdx.x * 4 + K % 2 * Pitch]; };
  for (int K = 0; K < Tiles; ++K) {
    copy<16>(Slot(K), &In[Base + K * 128]);
    finish();
    const float *Seen = Slot(K);
    Out[Base + K * 128] = make_float4(Seen[0], Seen[1], Seen[2], Seen[3]);
  }
}

// Numbers are bytes: 4 bytes a thread instead of 16.
KERNEL shared_address_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Tile) + threadIdx.x * 4;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(Slot),
  // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 1 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy is 4 bytes past a multiple of 16
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}

KERNEL shared_address_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = sharedAddress(Tile) + threadIdx.x * 16;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(Slot),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}

// The xor works on bytes below 16.
KERNEL swizzle_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = threadIdx.x * 16 ^ threadIdx.x / 8 % 8 * 4;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(
  // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
  // expect-note@-2: thread 8 uses a misaligned address here
  // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy is 4 bytes past a multiple of 16
                   sharedAddress(Tile) + Slot),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[Slot / 16];
}

KERNEL swizzle_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const unsigned Slot = threadIdx.x * 16 ^ threadIdx.x / 8 % 8 * 16;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(
                   sharedAddress(Tile) + Slot),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[Slot / 16];
}

// Slots are 513 floats apart.
KERNEL ring2_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  constexpr int Pitch = 4 * 128 + 1;
  alignas(16) __shared__ float Tile[2 * Pitch];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  float *Slot = Tile + threadIdx.x * 4;
  int Offset = 0;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 1
    copy<16>(Slot + Offset, &In[Base + K * 128]);
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: thread 0 uses a misaligned address here
    // expect-warning@-3{cpasync-misaligned-copy}: destination 'Tile' of the asynchronous copy may be 4 bytes past a multiple of 16
    finish();
    const float *Seen = Slot + Offset;
    Out[Base + K * 128] = make_float4(Seen[0], Seen[1], Seen[2], Seen[3]);
    Offset ^= Pitch;
  }
}

KERNEL ring2_ok(const float4 *In, float4 *Out, int Tiles) {
  constexpr int Pitch = 4 * 128 + 4;
  alignas(16) __shared__ float Tile[2 * Pitch];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  float *Slot = Tile + threadIdx.x * 4;
  int Offset = 0;
  for (int K = 0; K < Tiles; ++K) {
    copy<16>(Slot + Offset, &In[Base + K * 128]);
    finish();
    const float *Seen = Slot + Offset;
    Out[Base + K * 128] = make_float4(Seen[0], Seen[1], Seen[2], Seen[3]);
    Offset ^= Pitch;
  }
}

#define CP_ASYNC_16(Address, Src)                                              \
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(Address),   \
               "l"(Src)                                                        \
               : "memory")

// The byte size of a slot is 2056: slot 1 is off by 8.
KERNEL ring3_macro_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  constexpr unsigned SlotBytes = 16 * 128 + 8;
  alignas(16) __shared__ char Ring[3 * SlotBytes + 8];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 1
    const unsigned Slot = K % 3 * SlotBytes + threadIdx.x * 16;
    CP_ASYNC_16(sharedAddress(Ring) + Slot, &In[Base + K * 128]);
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: thread 0 uses a misaligned address here
    // expect-warning@-3{cpasync-misaligned-copy}: destination 'Ring' of the asynchronous copy may be 8 bytes past a multiple of 16
    finish();
    Out[Base + K * 128] = *reinterpret_cast<float4 *>(Ring + Slot);
  }
}

KERNEL ring3_macro_ok(const float4 *In, float4 *Out, int Tiles) {
  constexpr unsigned SlotBytes = 16 * 128 + 16;
  alignas(16) __shared__ char Ring[3 * SlotBytes + 8];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    const unsigned Slot = K % 3 * SlotBytes + threadIdx.x * 16;
    CP_ASYNC_16(sharedAddress(Ring) + Slot, &In[Base + K * 128]);
    finish();
    Out[Base + K * 128] = *reinterpret_cast<float4 *>(Ring + Slot);
  }
}

// Rows of 130 floats hold 32 copies of 16 bytes, but start at odd places.
KERNEL pipeline_api_ring4_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  alignas(16) __shared__ float Ring[4][4][130];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  const int Row = threadIdx.x / 32, Column = threadIdx.x % 32 * 4;
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    float *Slot = &Ring[K % 4][Row][Column];
    __pipeline_memcpy_async(Slot, &In[Base + K * 128], 16);
    // expect-note@-1: align the address to 16 bytes, or copy fewer bytes at a time
    // expect-note@-2: thread 32 uses a misaligned address here
    // expect-warning@-3{cpasync-misaligned-copy}: destination 'Ring' of the asynchronous copy may be 8 bytes past a multiple of 16
    __pipeline_commit();
    __pipeline_wait_prior(0);
    Out[Base + K * 128] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
  }
}

KERNEL pipeline_api_ring4_ok(const float4 *In, float4 *Out, int Tiles) {
  alignas(16) __shared__ float Ring[4][4][132];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  const int Row = threadIdx.x / 32, Column = threadIdx.x % 32 * 4;
  for (int K = 0; K < Tiles; ++K) {
    float *Slot = &Ring[K % 4][Row][Column];
    __pipeline_memcpy_async(Slot, &In[Base + K * 128], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    Out[Base + K * 128] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
  }
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// Nothing promises 16 for an array of float, but nothing contradicts it.
KERNEL no_attribute_ok(const float4 *In, float4 *Out) {
  __shared__ float Tile[4 * 128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Slot = &Tile[threadIdx.x * 4];
  copy<16>(Slot, &In[I]);
  finish();
  Out[I] = make_float4(Slot[0], Slot[1], Slot[2], Slot[3]);
}

// The same pitch of 33 floats is right for copies of 4 bytes.
KERNEL padded_rows_ok(const float *In, float *Out) {
  __shared__ float Tile[4][33];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Row = threadIdx.x / 32, Column = threadIdx.x % 32;
  copy<4>(&Tile[Row][Column], &In[I]);
  finish();
  Out[I] = Tile[Row][Column];
}

// Tiles * 512 floats: the factor is unknown, the product is aligned.
KERNEL unknown_pitch_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const float *Row = &In->x + blockIdx.x * Tiles * 512;
  float *Dst = &Out->x + blockIdx.x * Tiles * 512;
  for (int K = 0; K < Tiles; ++K) {
    copy<16>(&Tile[threadIdx.x], Row + K * 512 + threadIdx.x * 4);
    finish();
    reinterpret_cast<float4 *>(Dst + K * 512)[threadIdx.x] = Tile[threadIdx.x];
  }
}

// 8 bytes to an offset of 8, then 4 bytes to 4 and to 0.
KERNEL split_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float *Slot = &Tile[threadIdx.x].x;
  copy<8>(Slot + 2, &In[I].z);
  copy<4>(Slot + 1, &In[I].y);
  copy<4>(Slot, &In[I].x);
  finish();
  Out[I] = Tile[threadIdx.x];
}

// Odd threads would be misaligned, but do not copy.
KERNEL only_even_threads_ok(const float2 *In, float2 *Out) {
  alignas(16) __shared__ float Tile[2 * 128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x % 2 == 0)
    copy<16>(&Tile[threadIdx.x * 2], &In[I]);
  finish();
  __syncthreads();
  Out[I] = make_float2(Tile[threadIdx.x * 2], Tile[threadIdx.x * 2 + 1]);
}

// The head goes through registers, the copies begin at a multiple of 16.
KERNEL unaligned_rest_ok(const float *In, float *Out) {
  alignas(16) __shared__ float Tile[128];
  const int First = blockIdx.x * 128;
  if (threadIdx.x < 4)
    Tile[threadIdx.x] = In[First + threadIdx.x];
  else if (threadIdx.x % 4 == 0)
    copy<16>(Tile + threadIdx.x, In + First + threadIdx.x);
  finish();
  __syncthreads();
  Out[First + threadIdx.x] = Tile[threadIdx.x];
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(straight_line, Misaligned), TWINS(source, Misaligned),
          TWINS(per_thread, Misaligned), TWINS(row_pitch, Misaligned),
          TWINS(member, Misaligned), TWINS(carved_pool, Misaligned),
          TWINS(branch, Misaligned), TWINS(loop_tail, Misaligned),
          TWINS(prologue, Misaligned), TWINS(wrapper, Misaligned),
          TWINS(lambda, Misaligned), TWINS(shared_address, Misaligned),
          TWINS(swizzle, Misaligned), TWINS(ring2, Misaligned),
          TWINS(ring3_macro, Misaligned), TWINS(pipeline_api_ring4, Misaligned),
          OK(no_attribute_ok), OK(padded_rows_ok), OK(unknown_pitch_ok),
          OK(split_ok), OK(only_even_threads_ok), OK(unaligned_rest_ok))
#endif
