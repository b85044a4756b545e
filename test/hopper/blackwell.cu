//===- blackwell.cu - What begins with sm_100 ------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// None of these has been run: there was no such GPU.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_100a

#include "interfaces.h"

// Bytes that come by the asynchronous proxy, and a wait for them.
#define LOADED(...)                                                            \
  __shared__ alignas(128) float Tile[Threads];                                 \
  __shared__ uint64_t Full;                                                    \
  begin<Ptx>(Full, 1);                                                         \
  if (threadIdx.x == 0) {                                                      \
    Ptx::arriveExpect(Full, Bytes);                                            \
    __VA_ARGS__;                                                               \
  }                                                                            \
  if (Right)                                                                   \
    Ptx::waitParity(Full, 0);                                                  \
  else                                                                         \
    __syncthreads();                                                           \
  Out[threadIdx.x] = Tile[threadIdx.x]

//--- cp.async.bulk.tensor, gather4
// Limit: how many bytes the four rows have is taken from what is announced.

BODY(gather) {
  LOADED({
    ASM("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::"
        "complete_tx::bytes [%0], [%1, {%3, %3, %3, %3, %3}], [%2];" ::"r"(
            at(Tile)), "l"(Map), "r"(at(&Full)), "r"(0));
  });
}
KERNELS(gather)
PAIR(gather, Ptx)

// The box of the map is one row.
void launch(const float *In, float *Out) {
  const cuuint64_t Sizes[] = {Threads / 4, 1024}, Pitches[] = {Bytes / 4};
  const cuuint32_t Box[] = {Threads / 4, 1}, Steps[] = {1, 1};
  CUtensorMap Map;
  cuTensorMapEncodeTiled(&Map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2,
                         const_cast<float *>(In), Sizes, Pitches, Box, Steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE,
                         CU_TENSOR_MAP_SWIZZLE_NONE,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  gather_ok<Ptx><<<1, Threads>>>(In, Out, Map);
  gather_bad<Ptx><<<1, Threads>>>(In, Out, Map);
}

//--- cp.async.bulk.tensor, scatter4

BODY(scatter) {
  __shared__ alignas(128) float Tile[Threads];
  Tile[threadIdx.x] = 1;
  if (Right)
    Ptx::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    ASM("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group "
        "[%0, {%2, %2, %2, %2, %2}], [%1];" ::"l"(Map), "r"(at(Tile)), "r"(0));
    Ptx::commit();
    Ptx::waitRead<0>();
  }
}
KERNELS(scatter)
PAIR(scatter, Ptx)

//--- cta_group::2

BODY(pairOfBlocks) {
  LOADED({
    ASM("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
        "complete_tx::bytes.cta_group::2 [%0], [%1, {%3, %3}], [%2];" ::"r"(
            at(Tile)), "l"(Map), "r"(at(&Full)), "r"(0));
  });
}
KERNEL(pairOfBlocks, gap, true)
USE(pairOfBlocks_gap, Ptx)

//--- clusterlaunchcontrol.try_cancel

BODY(cancel) {
  __shared__ alignas(128) int4 Next;
  __shared__ uint64_t Full;
  begin<Ptx>(Full, 1);
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, 16);
    ASM("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::"
        "complete_tx::bytes.b128 [%0], [%1];" ::"r"(at(&Next)), "r"(at(&Full)));
  }
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Next.x;
}
KERNEL(cancel, gap, true)
USE(cancel_gap, Ptx)

//--- st.bulk

BODY(fill) {
  __shared__ alignas(128) float Zeros[Threads];
  if (threadIdx.x == 0)
    ASM("st.bulk.weak.shared::cta [%0], %1, 0;" ::"r"(at(Zeros)),
        "l"(uint64_t(Bytes)));
  LOADED(Ptx::load(Tile, In, Bytes, Full));
  Out[Threads + threadIdx.x] = Zeros[threadIdx.x];
}
KERNEL(fill, gap, true)
USE(fill_gap, Ptx)

//--- tcgen05.alloc, .dealloc, .ld, .st, .wait, .fence
// Limit: Tensor Memory is not followed.

BODY(tensorMemory) {
  __shared__ struct alignas(128) {
    float Tile[Threads];
    uint64_t Full;
    uint32_t Address;
  } All;
  begin<Ptx>(All.Full, Threads);
  if (threadIdx.x < 32)
    ASM("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::
            "r"(at(&All.Address)));
  bring(All.Tile, In, All.Full);
  Ptx::arrive(All.Full);
  Ptx::waitParity(All.Full, 0);
  Out[threadIdx.x] = All.Tile[threadIdx.x];
  __syncthreads();
  const uint32_t Address = All.Address;
  uint32_t Word;
  ASM("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(Address),
      "r"(threadIdx.x));
  ASM("tcgen05.wait::st.sync.aligned;" ::);
  ASM("tcgen05.fence::before_thread_sync;" ::);
  ASM("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];"
      : "=r"(Word) : "r"(Address));
  ASM("tcgen05.wait::ld.sync.aligned;" ::);
  Out[Threads + threadIdx.x] = Word;
  __syncthreads();
  if (threadIdx.x < 32)
    ASM("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(Address));
}
KERNEL(tensorMemory, ok, true)
USE(tensorMemory_ok, Ptx)

//--- tcgen05.mma, tcgen05.cp

BODY(tensorProduct) {
  LOADED(Ptx::load(Tile, In, Bytes, Full));
  const uint64_t Descriptor = (at(Tile) & 0x3FFFF) >> 4;
  if (threadIdx.x == 0)
    ASM("{ .reg .pred p; setp.ne.u32 p, 1, 0; tcgen05.mma.cta_group::1.kind::f16 "
        "[%0], %1, %1, %2, p; }" ::"r"(0), "l"(Descriptor), "r"(0));
}
KERNEL(tensorProduct, gap, true)
USE(tensorProduct_gap, Ptx)

//--- tcgen05.commit
// Limit: it arrives; which products it waits for is not followed.

BODY(commitToBarrier) {
  __shared__ uint64_t Done;
  begin<Ptx>(Done, Right ? 1 : 2);
  if (threadIdx.x == 0)
    ASM("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 "
        "[%0];" ::"r"(at(&Done)));
  Ptx::waitParity(Done, 0);
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  begin<Ptx>(Full, Threads);
  bring(Tile, In, Full);
  Ptx::arrive(Full);
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNELS(commitToBarrier)
PAIR(commitToBarrier, Ptx)

//--- multimem.cp.async.bulk, multimem.cp.reduce.async.bulk

// nvcc 13.0 does not take them.
#ifdef __clang__
BODY(everywhere) {
  __shared__ alignas(128) float Tile[Threads];
  Tile[threadIdx.x] = 1;
  Ptx::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    ASM("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
        "[%0], [%1], %2;" ::"l"(Out), "r"(at(Tile)), "r"(Bytes));
    Ptx::commit();
    Ptx::waitRead<0>();
  }
}
KERNEL(everywhere, gap, true)
USE(everywhere_gap, Ptx)
#endif
