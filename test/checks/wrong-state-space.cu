//===- wrong-state-space.cu - From where to where --------------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An asynchronous copy goes from global to shared memory, whatever its pointers
// point to. Every `_bad` kernel stops with an error on a GPU, every `_ok`
// kernel copies In to Out.
//
//===----------------------------------------------------------------------===//

#include <cuda.h>
#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ unsigned sharedAddress(const void *Pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(Pointer));
}
__device__ void copy16(void *Dst, const void *Src) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(sharedAddress(Dst)),
      "l"(Src)
      : "memory");
}
__device__ void waitAll() { asm volatile("cp.async.wait_all;\n" ::: "memory"); }

//===----------------------------------------------------------------------===//
// The destination is not shared
//===----------------------------------------------------------------------===//

// A copy into registers, so to speak: Value is in local memory.
KERNEL local_destination_bad(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  float4 Value;
  copy16(&Value, &In[I]);
  // expect-note@-1: only shared memory is copied into: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: destination 'Value' of the asynchronous copy is in local memory, not in shared memory
  waitAll();
  Out[I] = Value;
}

KERNEL local_destination_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Value[128];
  copy16(&Value[threadIdx.x], &In[I]);
  waitAll();
  Out[I] = Value[threadIdx.x];
}

// From global to global memory.
KERNEL global_destination_bad(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  copy16(&Out[I], &In[I]);
  // expect-note@-1: only shared memory is copied into: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: destination 'Out' of the asynchronous copy is in global memory, not in shared memory
  waitAll();
}

KERNEL global_destination_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  copy16(&Tile[threadIdx.x], &In[I]);
  waitAll();
  Out[I] = Tile[threadIdx.x];
}

// The same with the primitive.
KERNEL primitive_destination_bad(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __pipeline_memcpy_async(&Out[I], &In[I], sizeof(float4));
  // expect-note@-1: only shared memory is copied into: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: destination 'Out' of the asynchronous copy is in global memory, not in shared memory
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

KERNEL primitive_destination_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[I], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[threadIdx.x];
}

// When Flag is not set the copy goes into local memory.
KERNEL branch_bad(const float4 *In, float4 *Out, bool Flag) {
// expect-note@-1: with Flag = 0
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  float4 Own;
  if (Flag)
  // expect-note@-1: taken when this condition is false
    copy16(&Tile[threadIdx.x], &In[I]);
  else
    copy16(&Own, &In[I]);
    // expect-note@-1: only shared memory is copied into: load and store instead
    // expect-warning@-2{cpasync-wrong-state-space}: destination 'Own' of the asynchronous copy may be in local memory, not in shared memory
  waitAll();
  Out[I] = Flag ? Tile[threadIdx.x] : Own;
}

KERNEL branch_ok(const float4 *In, float4 *Out, bool Flag) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  __shared__ float4 Own[128];
  if (Flag)
    copy16(&Tile[threadIdx.x], &In[I]);
  else
    copy16(&Own[threadIdx.x], &In[I]);
  waitAll();
  Out[I] = Flag ? Tile[threadIdx.x] : Own[threadIdx.x];
}

// Every tile but the last goes to shared memory.
KERNEL loop_tail_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 0
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  float4 Last[1];
  for (int K = 0; K + 1 < Tiles; ++K) {
  // expect-note@-1: loop skipped here
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    waitAll();
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
  copy16(&Last[0], &In[Base + (Tiles - 1) * 128]);
  // expect-note@-1: only shared memory is copied into: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: destination 'Last' of the asynchronous copy may be in local memory, not in shared memory
  waitAll();
  Out[Base + (Tiles - 1) * 128] = Last[0];
}

KERNEL loop_tail_ok(const float4 *In, float4 *Out, int Tiles) {
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  __shared__ float4 Last[128];
  for (int K = 0; K + 1 < Tiles; ++K) {
    copy16(&Tile[threadIdx.x], &In[Base + K * 128]);
    waitAll();
    Out[Base + K * 128] = Tile[threadIdx.x];
  }
  copy16(&Last[threadIdx.x], &In[Base + (Tiles - 1) * 128]);
  waitAll();
  Out[Base + (Tiles - 1) * 128] = Last[threadIdx.x];
}

struct Fragment {
  float4 Data[2];
};

// The stages of the pipeline are a local array.
KERNEL ring2_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 2
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  Fragment F;
  copy16(&F.Data[0], &In[Base]);
  // expect-note@-1: only shared memory is copied into: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: destination 'F' of the asynchronous copy is in local memory, not in shared memory
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
  // expect-note@-1: in the iteration of this loop with K = 0
    waitAll();
    Out[Base + K * 128] = F.Data[Slot];
    if (K + 1 < Tiles)
    // expect-note@-1: taken when this condition is true
      copy16(&F.Data[Slot ^ 1], &In[Base + (K + 1) * 128]);
      // expect-note@-1: only shared memory is copied into: load and store instead
      // expect-warning@-2{cpasync-wrong-state-space}: destination 'F' of the asynchronous copy may be in local memory, not in shared memory
  }
}

KERNEL ring2_ok(const float4 *In, float4 *Out, int Tiles) {
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  __shared__ Fragment F[128];
  copy16(&F[threadIdx.x].Data[0], &In[Base]);
  for (int K = 0, Slot = 0; K < Tiles; ++K, Slot ^= 1) {
    waitAll();
    Out[Base + K * 128] = F[threadIdx.x].Data[Slot];
    if (K + 1 < Tiles)
      copy16(&F[threadIdx.x].Data[Slot ^ 1], &In[Base + (K + 1) * 128]);
  }
}

template <bool Staged> __device__ void store(float4 *Dst, const float4 *Src) {
  if constexpr (Staged) {
    copy16(Dst, Src);
    // expect-note@-1: only shared memory is copied into: load and store instead
    // expect-warning@-2{cpasync-wrong-state-space}: destination 'Out' of the asynchronous copy is in global memory, not in shared memory
    waitAll();
  } else {
    *Dst = *Src;
  }
}

// This instantiation copies from shared to global memory: both are wrong.
KERNEL wrapper_bad(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  store<true>(&Tile[threadIdx.x], &In[I]);
  store<true>(&Out[I], &Tile[threadIdx.x]);
  // expect-note@-1: 'store' called here
  // expect-note@-2: while analysing the call to 'store' here
}

KERNEL wrapper_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  store<true>(&Tile[threadIdx.x], &In[I]);
  store<false>(&Out[I], &Tile[threadIdx.x]);
}

//===----------------------------------------------------------------------===//
// The source is not global
//===----------------------------------------------------------------------===//

// Value is in local memory.
KERNEL local_source_bad(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  float4 Value = In[I];
  copy16(&Tile[threadIdx.x], &Value);
  // expect-note@-1: only global memory is copied from: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: source 'Value' of the asynchronous copy is in local memory, not in global memory
  waitAll();
  Out[I] = Tile[threadIdx.x];
}

KERNEL local_source_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  float4 Value = In[I];
  Tile[threadIdx.x] = Value;
  waitAll();
  Out[I] = Tile[threadIdx.x];
}

// From shared to shared memory, with the primitive.
KERNEL primitive_source_bad(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[2][128];
  Tile[0][threadIdx.x] = In[I];
  __pipeline_memcpy_async(&Tile[1][threadIdx.x], &Tile[0][threadIdx.x], 16);
  // expect-note@-1: only global memory is copied from: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: source 'Tile' of the asynchronous copy is in shared memory, not in global memory
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[1][threadIdx.x];
}

KERNEL primitive_source_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[2][128];
  Tile[0][threadIdx.x] = In[I];
  Tile[1][threadIdx.x] = Tile[0][threadIdx.x];
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[I] = Tile[1][threadIdx.x];
}

// The address of the parameter, not the address in it.
KERNEL parameter_source_bad(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  In += I;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n\t"
  // expect-note@-1: only global memory is copied from: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: source 'In' of the asynchronous copy is in local memory, not in global memory
               "cp.async.wait_all;\n" ::"r"(sharedAddress(&Tile[threadIdx.x])),
               "l"(&In)
               : "memory");
  Out[I] = Tile[threadIdx.x];
}

KERNEL parameter_source_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[128];
  In += I;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\t"
               "cp.async.wait_all;\n" ::"r"(sharedAddress(&Tile[threadIdx.x])),
               "l"(In)
               : "memory");
  Out[I] = Tile[threadIdx.x];
}

// A 32-bit shared address as the source: no global memory is there.
KERNEL shared_address_bad(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[2][128];
  const unsigned Slot = sharedAddress(&Tile[0][threadIdx.x]);
  Tile[0][threadIdx.x] = In[I];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\t"
  // expect-note@-1: only global memory is copied from: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: source 'Tile' of the asynchronous copy is in shared memory, not in global memory
               "cp.async.wait_all;\n" ::"r"(Slot + 2048),
               "l"(static_cast<unsigned long long>(Slot))
               : "memory");
  Out[I] = Tile[1][threadIdx.x];
}

KERNEL shared_address_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  __shared__ float4 Tile[2][128];
  const unsigned Slot = sharedAddress(&Tile[0][threadIdx.x]);
  Tile[0][threadIdx.x] = In[I];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\t"
               "cp.async.wait_all;\n" ::"r"(Slot + 2048),
               "l"(&In[I])
               : "memory");
  Out[I] = Tile[1][threadIdx.x];
}

// Move copies the result of one stage to the next one, in shared memory.
KERNEL lambda_bad(const float4 *In, float4 *Out, int Tiles) {
// expect-note@-1: with Tiles = 1
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  __shared__ float4 Stage[2][128];
  auto Move = [&](int To, const float4 *From) {
    copy16(&Stage[To][threadIdx.x], From);
    // expect-note@-1: only global memory is copied from: load and store instead
    // expect-warning@-2{cpasync-wrong-state-space}: source 'Stage' of the asynchronous copy may be in shared memory, not in global memory
    waitAll();
  };
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    Move(0, &In[Base + K * 128]);
    Move(1, &Stage[0][threadIdx.x]);
    // expect-note@-1: 'Move' called here
    // expect-note@-2: while analysing the call to 'operator()' here
    Out[Base + K * 128] = Stage[1][threadIdx.x];
  }
}

KERNEL lambda_ok(const float4 *In, float4 *Out, int Tiles) {
  const int Base = blockIdx.x * Tiles * 128 + threadIdx.x;
  __shared__ float4 Stage[2][128];
  auto Move = [&](int To, const float4 *From) {
    copy16(&Stage[To][threadIdx.x], From);
    waitAll();
  };
  for (int K = 0; K < Tiles; ++K) {
    Move(0, &In[Base + K * 128]);
    Stage[1][threadIdx.x] = Stage[0][threadIdx.x];
    Out[Base + K * 128] = Stage[1][threadIdx.x];
  }
}

// A pool that begins in local memory when it is small enough, as a class might.
struct Scratch {
  float4 Inline[1];
  float4 *Data;
  __device__ explicit Scratch(float4 *Shared, int Count)
      : Data(Count > 1 ? Shared : Inline) {}
};

// With room for one element a thread, the scratch is a member of a local.
KERNEL member_bad(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  extern __shared__ float4 Pool[];
  Scratch S(Pool + threadIdx.x * 2, 1);
  copy16(S.Data, &In[I]);
  // expect-note@-1: only shared memory is copied into: load and store instead
  // expect-warning@-2{cpasync-wrong-state-space}: destination of the asynchronous copy is in local memory, not in shared memory
  waitAll();
  Out[I] = S.Data[0];
}

KERNEL member_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  extern __shared__ float4 Pool[];
  Scratch S(Pool + threadIdx.x * 2, 2);
  copy16(S.Data, &In[I]);
  waitAll();
  Out[I] = S.Data[0];
}

//===----------------------------------------------------------------------===//
// Correct, and easy to get wrong
//===----------------------------------------------------------------------===//

// Through generic pointers and integers, from global to shared memory.
KERNEL converted_ok(const float4 *In, float4 *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  extern __shared__ char Bytes[];
  void *Generic = Bytes + threadIdx.x * 16;
  const unsigned Slot = sharedAddress(Generic);
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;\n\t"
      "cp.async.wait_all;\n" ::"r"(Slot),
      "l"(__cvta_generic_to_global(reinterpret_cast<const char *>(In) + I * 16))
      : "memory");
  Out[I] = *static_cast<float4 *>(Generic);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

__device__ void announce(unsigned long long *Barrier) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(
          sharedAddress(Barrier))
      : "memory");
}
__device__ void copyRow(float *Tile, const CUtensorMap *Map,
                        unsigned long long *Barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   sharedAddress(Tile)),
               "l"(Map), "r"(0), "r"(int(blockIdx.x)),
               "r"(sharedAddress(Barrier))
               : "memory");
}
// A copy that does not come is a trap.
__device__ void await(unsigned long long *Barrier) {
  for (int Polls = 0; Polls < 1000000; ++Polls) {
    unsigned Done;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t"
                 "}"
                 : "=r"(Done)
                 : "r"(sharedAddress(Barrier))
                 : "memory");
    if (Done)
      return;
  }
  __trap();
}
__device__ void prepare(unsigned long long *Barrier) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                     sharedAddress(Barrier))
                 : "memory");
  __syncthreads();
}

// The address of a parameter that is not __grid_constant__ is that of a copy.
KERNEL map_by_value_bad(const CUtensorMap Map, const float *In, float *Out) {
// expect-note@-1: pass the map as a 'const __grid_constant__' parameter of the kernel, and its address from there
  __shared__ alignas(128) float Tile[128];
  __shared__ unsigned long long Barrier;
  prepare(&Barrier);
  if (threadIdx.x == 0) {
    announce(&Barrier);
    copyRow(Tile, &Map, &Barrier);
    // expect-warning@-1{cpasync-wrong-state-space}: tensor map 'Map' is in local memory, where a tensor copy cannot read it
  }
  await(&Barrier);
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
}
KERNEL map_by_value_ok(const __grid_constant__ CUtensorMap Map, const float *In,
                       float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ unsigned long long Barrier;
  prepare(&Barrier);
  if (threadIdx.x == 0) {
    announce(&Barrier);
    copyRow(Tile, &Map, &Barrier);
  }
  await(&Barrier);
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
}

__device__ void copyRowByValue(float *Tile, CUtensorMap Map,
                               unsigned long long *Barrier) {
  announce(Barrier);
  copyRow(Tile, &Map, Barrier);
  // expect-note@-1: pass the map as a 'const __grid_constant__' parameter of the kernel, and its address from there
  // expect-warning@-2{cpasync-wrong-state-space}: tensor map 'Map' is in local memory, where a tensor copy cannot read it
}
__device__ void copyRowByReference(float *Tile, const CUtensorMap &Map,
                                   unsigned long long *Barrier) {
  announce(Barrier);
  copyRow(Tile, &Map, Barrier);
}
KERNEL map_of_function_bad(const __grid_constant__ CUtensorMap Map,
                           const float *In, float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ unsigned long long Barrier;
  prepare(&Barrier);
  if (threadIdx.x == 0)
    copyRowByValue(Tile, Map, &Barrier);
    // expect-note@-1: 'copyRowByValue' called here
    // expect-note@-2: while analysing the call to 'copyRowByValue' here
  await(&Barrier);
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
}
KERNEL map_of_function_ok(const __grid_constant__ CUtensorMap Map,
                          const float *In, float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ unsigned long long Barrier;
  prepare(&Barrier);
  if (threadIdx.x == 0)
    copyRowByReference(Tile, Map, &Barrier);
  await(&Barrier);
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
}

// A copy in shared memory, for all to share.
KERNEL shared_map_bad(const __grid_constant__ CUtensorMap Map, const float *In,
                      float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ CUtensorMap Ours;
  __shared__ unsigned long long Barrier;
  if (threadIdx.x == 0)
    Ours = Map;
  prepare(&Barrier);
  if (threadIdx.x == 0) {
    announce(&Barrier);
    copyRow(Tile, &Ours, &Barrier);
    // expect-note@-1: pass the map as a 'const __grid_constant__' parameter of the kernel, and its address from there
    // expect-warning@-2{cpasync-wrong-state-space}: tensor map 'Ours' is in shared memory, where a tensor copy cannot read it
  }
  await(&Barrier);
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
}
KERNEL shared_map_ok(const __grid_constant__ CUtensorMap Map, const float *In,
                     float *Out) {
  __shared__ alignas(128) float Tile[128];
  __shared__ unsigned long long Barrier;
  const CUtensorMap &Ours = Map;
  prepare(&Barrier);
  if (threadIdx.x == 0) {
    announce(&Barrier);
    copyRow(Tile, &Ours, &Barrier);
  }
  await(&Barrier);
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[threadIdx.x];
}

#ifdef CPASYNC_GPU_TEST
#include "../gpu/harness.cuh"
GPU_TABLE(TWINS(local_destination, Illegal), TWINS(global_destination, Illegal),
          TWINS(primitive_destination, Illegal), TWINS(branch, Illegal),
          TWINS(loop_tail, Illegal), TWINS(ring2, Illegal),
          TWINS(wrapper, WrongSpace), TWINS(local_source, WrongSpace),
          TWINS(primitive_source, WrongSpace),
          TWINS(parameter_source, WrongSpace), TWINS(shared_address, Illegal),
          TWINS(lambda, WrongSpace), TWINS(member, Illegal), OK(converted_ok),
          TWINS(map_by_value, Illegal), TWINS(map_of_function, Illegal),
          TWINS(shared_map, Illegal))
#endif
