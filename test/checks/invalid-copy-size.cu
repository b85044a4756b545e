//===- invalid-copy-size.cu - Copies that ptxas refuses --------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp-size is 4, 8 or 16, with `.cg` 16, and src-size is at most cp-size. ptxas
// refuses a kernel that breaks this in inline PTX, so test/gpu/run compiles
// each such kernel alone, as case N of SEEN; the linter sees all of them at
// once. The primitives of <cuda_pipeline.h> compile and trap. `_ok` kernels
// copy In to Out.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#ifdef CPASYNC_CASE
#define SEEN(N) (CPASYNC_CASE == N)
#else
#define SEEN(N) 1
#endif

#define KERNEL __global__ void __launch_bounds__(128)

__device__ unsigned sharedAddress(const void *Pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(Pointer));
}
__device__ void finish() {
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;\n" ::
                   : "memory");
}

//===----------------------------------------------------------------------===//
// Refused by ptxas
//===----------------------------------------------------------------------===//

#if SEEN(1)
// .cg exists for 16 bytes only.
KERNEL cg_4_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 4;\n" ::"r"(
  // expect-note@-1: copy with '.ca', which takes 4, 8 or 16 bytes
  // expect-warning@-2{cpasync-invalid-copy-size}: copy size 4 is not 16, the only one '.cg' takes
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}
#endif

KERNEL cg_4_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}

#if SEEN(2)
// 12 is no copy size.
KERNEL size_12_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 12;\n" ::"r"(
  // expect-note@-1: copy 4, 8 or 16 bytes at a time
  // expect-warning@-2{cpasync-invalid-copy-size}: copy size 12 is not 4, 8 or 16
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}
#endif

KERNEL size_12_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}

#if SEEN(3)
// Reads 12 bytes into a destination of 8.
KERNEL src_size_bad(const float2 *In, float2 *Out) {
  __shared__ float2 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, 12;\n" ::"r"(
  // expect-note@-1: a source size is from 0 to the copy size
  // expect-warning@-2{cpasync-invalid-copy-size}: source size 12 is larger than the copy size 8
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}
#endif

KERNEL src_size_ok(const float2 *In, float2 *Out) {
  __shared__ float2 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, 8;\n" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}

#if SEEN(4)
// src-size is a constant expression that is negative.
KERNEL negative_src_size_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  constexpr int Left = 128, Needed = 129;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(
  // expect-note@-1: a source size is from 0 to the copy size
  // expect-warning@-2{cpasync-invalid-copy-size}: source size -1 is negative
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I]), "n"(Left - Needed)
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}
#endif

KERNEL negative_src_size_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  constexpr int Left = 128, Needed = 112;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I]), "n"(Left - Needed)
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}

template <int Bytes> __device__ void copyGlobal(void *Dst, const void *Src) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(sharedAddress(Dst)),
      "l"(Src), "n"(Bytes)
      : "memory");
}
template <int Bytes> __device__ void copyAll(void *Dst, const void *Src) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(sharedAddress(Dst)),
      "l"(Src), "n"(Bytes)
      : "memory");
}

#if SEEN(5)
// The wrapper is right for 16 and wrong here.
KERNEL wrapper_bad(const float2 *In, float2 *Out) {
  __shared__ float2 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copyGlobal<sizeof(float2)>(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy 16 bytes at a time, or with '.ca'
  // expect-warning@-2{cpasync-invalid-copy-size}: copy size 8 is not 16, the only one '.cg' takes
  finish();
  Out[I] = Tile[threadIdx.x];
}
#endif

KERNEL wrapper_ok(const float2 *In, float2 *Out) {
  __shared__ float2 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  copyAll<sizeof(float2)>(&Tile[threadIdx.x], &In[I]);
  finish();
  Out[I] = Tile[threadIdx.x];
}

template <bool Streaming, typename T>
__device__ void fetch(T *Dst, const T *Src) {
  if constexpr (Streaming)
    copyGlobal<sizeof(T)>(Dst, Src);
  else
    copyAll<sizeof(T)>(Dst, Src);
}

#if SEEN(6)
// The branch chosen at compile time uses .cg with sizeof(float).
KERNEL branch_bad(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  fetch<true>(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy 16 bytes at a time, or with '.ca'
  // expect-warning@-2{cpasync-invalid-copy-size}: copy size 4 is not 16, the only one '.cg' takes
  finish();
  Out[I] = Tile[threadIdx.x];
}
#endif

KERNEL branch_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  fetch<false>(&Tile[threadIdx.x], &In[I]);
  finish();
  Out[I] = Tile[threadIdx.x];
}

#define CP_ASYNC_CG(Dst, Src, Bytes)                                           \
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(   \
                   sharedAddress(Dst)),                                        \
               "l"(Src), "n"(Bytes))

#if SEEN(7)
// The macro's Bytes is 8 here; two copies of 8 do not make .cg legal.
KERNEL macro_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  CP_ASYNC_CG(&Tile[threadIdx.x].x, &In[I].x, 8);
  // expect-note@-1: copy 16 bytes at a time, or with '.ca'
  // expect-warning@-2{cpasync-invalid-copy-size}: copy size 8 is not 16, the only one '.cg' takes
  CP_ASYNC_CG(&Tile[threadIdx.x].z, &In[I].z, 8);
  // expect-note@-1: copy 16 bytes at a time, or with '.ca'
  // expect-warning@-2{cpasync-invalid-copy-size}: copy size 8 is not 16, the only one '.cg' takes
  finish();
  Out[I] = Tile[threadIdx.x];
}
#endif

KERNEL macro_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  CP_ASYNC_CG(&Tile[threadIdx.x], &In[I], 16);
  finish();
  Out[I] = Tile[threadIdx.x];
}

#if SEEN(8)
// 32 bytes at once, inside a lambda.
KERNEL lambda_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  auto Copy = [](void *Dst, const void *Src) {
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 32;\n" ::"r"(sharedAddress(Dst)),
        "l"(Src)
        : "memory");
  };
  Copy(&Tile[threadIdx.x], &In[I]);
  // expect-note@-1: copy 4, 8 or 16 bytes at a time
  // expect-warning@-2{cpasync-invalid-copy-size}: copy size 32 is not 4, 8 or 16
  finish();
  Out[I] = Tile[threadIdx.x];
}
#endif

KERNEL lambda_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  auto Copy = [](void *Dst, const void *Src) {
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 16;\n" ::"r"(sharedAddress(Dst)),
        "l"(Src)
        : "memory");
  };
  Copy(&Tile[threadIdx.x], &In[I]);
  finish();
  Out[I] = Tile[threadIdx.x];
}

#if SEEN(9)
// A double buffer addressed by numbers, with a size that .cg lacks.
KERNEL shared_address_ring2_bad(const float2 *In, float2 *Out, int Tiles) {
  __shared__ float2 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  const unsigned Ring = sharedAddress(Tile) + threadIdx.x * 8;
  for (int K = 0; K < Tiles; ++K) {
    asm volatile(
    // expect-warning@-1{cpasync-invalid-copy-size}: copy size 8 is not 16, the only one '.cg' takes
        "cp.async.cg.shared.global [%0], [%1], 8;\n" ::"r"(Ring + K % 2 * 1024),
        // expect-note@-1: copy with '.ca', which takes 4, 8 or 16 bytes
        "l"(&In[Base + K * 128])
        : "memory");
    finish();
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
  }
}
#endif

KERNEL shared_address_ring2_ok(const float2 *In, float2 *Out, int Tiles) {
  __shared__ float2 Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  const unsigned Ring = sharedAddress(Tile) + threadIdx.x * 8;
  for (int K = 0; K < Tiles; ++K) {
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 8;\n" ::"r"(Ring + K % 2 * 1024),
        "l"(&In[Base + K * 128])
        : "memory");
    finish();
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
  }
}

#if SEEN(10)
// cp-size in a register: it has to be an integer constant.
KERNEL register_size_bad(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    const int Bytes = K < Tiles ? 16 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(
    // expect-note@-1: the PTX ISA lists what the instruction takes
    // expect-warning@-2{cpasync-invalid-copy-size}: instruction is not valid PTX: cp-size is not an integer constant
                     sharedAddress(&Tile[threadIdx.x])),
                 "l"(&In[Base + K * 128]), "r"(Bytes)
                 : "memory");
    finish();
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
}
#endif

KERNEL register_size_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    const int Bytes = K < Tiles ? 16 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;\n" ::"r"(
                     sharedAddress(&Tile[threadIdx.x])),
                 "l"(&In[Base + K * 128]), "r"(Bytes)
                 : "memory");
    finish();
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
}

#if SEEN(11)
// The prefetch sizes are 64B, 128B and 256B.
KERNEL prefetch_size_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  asm volatile("cp.async.cg.shared.global.L2::96B [%0], [%1], 16;\n" ::"r"(
  // expect-note@-1: the PTX ISA lists what the instruction takes
  // expect-warning@-2{cpasync-invalid-copy-size}: instruction is not valid PTX: unknown prefetch size '.L2::96B'
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}
#endif

KERNEL prefetch_size_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  asm volatile("cp.async.cg.shared.global.L2::64B [%0], [%1], 16;\n" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[I])
               : "memory");
  finish();
  Out[I] = Tile[threadIdx.x];
}

//===----------------------------------------------------------------------===//
// Traps at run time
//===----------------------------------------------------------------------===//

// No such size; the primitive traps instead of copying.
KERNEL pipeline_api_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 12);
  // expect-note@-1: copy 4, 8 or 16 bytes at a time
  // expect-warning@-2{cpasync-invalid-copy-size}: copy size 12 is not 4, 8 or 16
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[threadIdx.x];
}

KERNEL pipeline_api_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[threadIdx.x];
}

// 17 of 16 bytes cannot be filled with zeros.
KERNEL zero_fill_bad(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16, 17);
  // expect-note@-1: a zero fill is from 0 to the copy size
  // expect-warning@-2{cpasync-invalid-copy-size}: zero fill of 17 bytes is larger than the copy size 16
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[threadIdx.x];
}

KERNEL zero_fill_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], 16, 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[threadIdx.x];
}

// The last tile is copied with a size of 12.
KERNEL loop_tail_bad(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    const int Bytes = K + 1 < Tiles ? 16 : 12;
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[Base + K * 128], Bytes);
    // expect-note@-1: copy 4, 8 or 16 bytes at a time
    // expect-warning@-2{cpasync-invalid-copy-size}: copy size 12 is not 4, 8 or 16
    __pipeline_commit();
    __pipeline_wait_prior(0);
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
}

KERNEL loop_tail_ok(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Tile[128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  for (int K = 0; K < Tiles; ++K) {
    const int Bytes = K + 1 < Tiles ? 16 : 8;
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[Base + K * 128], Bytes);
    if (Bytes == 8)
      __pipeline_memcpy_async(&Tile[threadIdx.x].z, &In[Base + K * 128].z, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
}

struct Texel {
  float X, Y, Z;
};

// sizeof(Texel) is 12; the loop itself copies floats.
KERNEL prologue_bad(const float *In, float *Out, int Tiles) {
  __shared__ Texel Texels[64];
  __shared__ float Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  if (threadIdx.x < 64)
    __pipeline_memcpy_async(&Texels[threadIdx.x],
    // expect-note@-1: copy 4, 8 or 16 bytes at a time
    // expect-warning@-2{cpasync-invalid-copy-size}: copy size 12 is not 4, 8 or 16
                            &In[blockIdx.x * Tiles * 128 + threadIdx.x * 3],
                            sizeof(Texel));
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[Base], sizeof(float));
  __pipeline_commit();
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_wait_prior(0);
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    if (K + 1 < Tiles)
      __pipeline_memcpy_async(&Tile[(K + 1) % 2][threadIdx.x],
                              &In[Base + (K + 1) * 128], sizeof(float));
    __pipeline_commit();
  }
}

KERNEL prologue_ok(const float *In, float *Out, int Tiles) {
  __shared__ Texel Texels[64];
  __shared__ float Tile[2][128];
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  if (threadIdx.x < 64)
    __pipeline_memcpy_async(&Texels[threadIdx.x].X,
                            &In[blockIdx.x * Tiles * 128 + threadIdx.x * 3],
                            sizeof(float));
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[Base], sizeof(float));
  __pipeline_commit();
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_wait_prior(0);
    Out[Base + K * 128] = Tile[K % 2][threadIdx.x];
    if (K + 1 < Tiles)
      __pipeline_memcpy_async(&Tile[(K + 1) % 2][threadIdx.x],
                              &In[Base + (K + 1) * 128], sizeof(float));
    __pipeline_commit();
  }
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// The three sizes of .ca and the one of .cg, through one template.
KERNEL all_sizes_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  float4 &Slot = Tile[threadIdx.x];
  copyGlobal<16>(&Slot, &In[I]);
  finish();
  copyAll<16>(&Slot, &In[I]);
  finish();
  copyAll<8>(&Slot, &In[I]);
  copyAll<4>(&Slot.z, &In[I].z);
  finish();
  Out[I] = Slot;
}

// .cg is chosen for the type that it fits.
KERNEL size_by_type_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  fetch<sizeof(float4) == 16>(&Tile[threadIdx.x], &In[I]);
  finish();
  Out[I] = Tile[threadIdx.x];
}

// src-size 0 and zero fill 16 are legal: they write zeros.
KERNEL zero_fill_all_ok(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[2][128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, 0;\n" ::"r"(
                   sharedAddress(&Tile[0][threadIdx.x])),
               "l"(&In[I])
               : "memory");
  __pipeline_memcpy_async(&Tile[1][threadIdx.x], &In[I], 16, 16);
  finish();
  __pipeline_memcpy_async(&Tile[0][threadIdx.x], &In[I], 16);
  finish();
  const float4 Value = Tile[0][threadIdx.x], Zero = Tile[1][threadIdx.x];
  Out[I] = make_float4(Value.x + Zero.x, Value.y, Value.z, Value.w);
}

// The bytes that are left, clamped to 0..16.
KERNEL clamped_bytes_ok(const float *In, float *Out, int Tiles) {
  __shared__ float4 Tile[32];
  const int Count = Tiles * 128 * gridDim.x;
  const int Base = blockIdx.x * Tiles * 128;
  for (int K = 0; K < Tiles; ++K) {
    if (threadIdx.x < 32) {
      const int First = Base + K * 128 + threadIdx.x * 4;
      int Bytes = (Count - First) * 4;
      Bytes = Bytes < 0 ? 0 : Bytes > 16 ? 16 : Bytes;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(
                       sharedAddress(&Tile[threadIdx.x])),
                   "l"(In + First), "r"(Bytes)
                   : "memory");
      finish();
    }
    __syncthreads();
    Out[Base + K * 128 + threadIdx.x] =
        reinterpret_cast<float *>(Tile)[threadIdx.x];
    __syncthreads();
  }
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(REFUSED(cg_4_bad, 1, "unexpected value '4', expected to be 16"),
          OK(cg_4_ok),
          REFUSED(size_12_bad, 2,
                  "unexpected value '12', expected to be 4 or 8 or 16"),
          OK(size_12_ok),
          REFUSED(src_size_bad, 3,
                  "value '12' out of range, expected to be in range [0..8]"),
          OK(src_size_ok),
          REFUSED(negative_src_size_bad, 4,
                  "value '-1' out of range, expected to be in range [0..16]"),
          OK(negative_src_size_ok),
          REFUSED(wrapper_bad, 5, "unexpected value '8', expected to be 16"),
          OK(wrapper_ok),
          REFUSED(branch_bad, 6, "unexpected value '4', expected to be 16"),
          OK(branch_ok),
          REFUSED(macro_bad, 7, "unexpected value '8', expected to be 16"),
          OK(macro_ok),
          REFUSED(lambda_bad, 8,
                  "unexpected value '32', expected to be 4 or 8 or 16"),
          OK(lambda_ok),
          REFUSED(shared_address_ring2_bad, 9,
                  "unexpected value '8', expected to be 16"),
          OK(shared_address_ring2_ok),
          REFUSED(register_size_bad, 10,
                  "Arguments mismatch for instruction 'cp.async'"),
          OK(register_size_ok),
          REFUSED(prefetch_size_bad, 11, "Unknown modifier '.L2::96B'"),
          OK(prefetch_size_ok), TWINS(pipeline_api, Trap),
          TWINS(zero_fill, Trap), TWINS(loop_tail, Trap), TWINS(prologue, Trap),
          OK(all_sizes_ok), OK(size_by_type_ok), OK(zero_fill_all_ok),
          OK(clamped_bytes_ok))
#endif
