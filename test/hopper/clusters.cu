//===- clusters.cu - What reaches another block ----------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of a cluster, two here, are run together.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90a

#define CLUSTER __cluster_dims__(2, 1, 1)
#include "interfaces.h"
#include <cooperative_groups.h>

struct PtxCluster : Ptx {
  static __device__ uint32_t rank() {
    uint32_t Rank;
    ASM("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank) :);
    return Rank;
  }
  static __device__ void arriveAt() { ASM("barrier.cluster.arrive.release;" ::); }
  static __device__ void arriveRelaxed() {
    ASM("barrier.cluster.arrive.relaxed;" ::);
  }
  static __device__ void waitAt() { ASM("barrier.cluster.wait.acquire;" ::); }
  static __device__ void meet() {
    arriveAt();
    waitAt();
  }
  static __device__ void fenceInit() {
    ASM("fence.mbarrier_init.release.cluster;" ::);
  }
  template <class T> static __device__ T *map(T *Here, uint32_t Rank) {
    T *There;
    ASM("mapa.u64 %0, %1, %2;" : "=l"(There) : "l"(Here), "r"(Rank));
    return There;
  }
  static __device__ void arriveThere(Bar *There) {
    ASM("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
            at(There)));
  }
  static __device__ void expectThere(Bar *There, uint32_t Size) {
    ASM("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], "
        "%1;" ::"r"(at(There)), "r"(Size));
  }
  static __device__ void loadToBoth(void *To, const void *From, uint32_t Size,
                                    Bar &B) {
    ASM("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
        "multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at(To)), "l"(From),
        "r"(Size), "r"(at(&B)), "h"(short(3)));
  }
  static __device__ void tileToBoth(void *To, const CUtensorMap *Map, Bar &B) {
    ASM("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
        "complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %3}], [%2], %4;" ::
            "r"(at(To)), "l"(Map), "r"(at(&B)), "r"(0), "h"(short(3)));
  }
  static __device__ void copyThere(void *To, const void *From, uint32_t Size,
                                   Bar *B) {
    ASM("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
        "[%0], [%1], %2, [%3];" ::"r"(at(To)), "r"(at(From)), "r"(Size),
        "r"(at(B)));
  }
  static __device__ void addThere(uint32_t *To, const uint32_t *From, uint32_t Size,
                                  Bar *B) {
    ASM("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::"
        "complete_tx::bytes.add.u32 [%0], [%1], %2, [%3];" ::"r"(at(To)),
        "r"(at(From)), "r"(Size), "r"(at(B)));
  }
  static __device__ void storeThere(uint32_t *To, uint32_t Number, Bar *B) {
    ASM("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 "
        "[%0], %1, [%2];" ::"r"(at(To)), "r"(Number), "r"(at(B)));
  }
  static __device__ void reduceThere(uint32_t *To, uint32_t Number, Bar *B) {
    ASM("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes."
        "add.u32 [%0], %1, [%2];" ::"r"(at(To)), "r"(Number), "r"(at(B)));
  }
};

namespace ptx = cuda::ptx;
struct CudaPtxCluster : CudaPtx {
  static __device__ uint32_t rank() { return ptx::get_sreg_cluster_ctarank(); }
  static __device__ void arriveAt() {
    ptx::barrier_cluster_arrive(ptx::sem_release);
  }
  static __device__ void arriveRelaxed() {
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
  }
  static __device__ void waitAt() {
    ptx::barrier_cluster_wait(ptx::sem_acquire);
  }
  static __device__ void meet() {
    arriveAt();
    waitAt();
  }
  static __device__ void fenceInit() {
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  static __device__ void arriveThere(Bar *There) {
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster,
                         ptx::space_cluster, There);
  }
  static __device__ void expectThere(Bar *There, uint32_t Size) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster,
                                   ptx::space_cluster, There, Size);
  }
  static __device__ void loadToBoth(void *To, const void *From, uint32_t Size,
                                    Bar &B) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, To, From, Size,
                       &B, uint16_t(3));
  }
  static __device__ void tileToBoth(void *To, const CUtensorMap *Map, Bar &B) {
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, To, Map,
                              {0, 0}, &B, uint16_t(3));
  }
  static __device__ void copyThere(void *To, const void *From, uint32_t Size,
                                   Bar *B) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, To, From, Size,
                       B);
  }
  static __device__ void addThere(uint32_t *To, const uint32_t *From, uint32_t Size,
                                  Bar *B) {
    ptx::cp_reduce_async_bulk(ptx::space_cluster, ptx::space_shared,
                              ptx::op_add, To, From, Size, B);
  }
  static __device__ void storeThere(uint32_t *To, uint32_t Number, Bar *B) {
    ptx::st_async(To, Number, B);
  }
  static __device__ void reduceThere(uint32_t *To, uint32_t Number, Bar *B) {
    ptx::red_async(ptx::op_add, To, Number, B);
  }
};

namespace cg = cooperative_groups;
struct Groups {
  static __device__ uint32_t rank() { return cg::this_cluster().block_rank(); }
  static __device__ void meet() { cg::this_cluster().sync(); }
  template <class T> static __device__ T *map(T *Here, uint32_t Rank) {
    return cg::this_cluster().map_shared_rank(Here, Rank);
  }
};

/// Both blocks have Full ready for Count arrivals.
__device__ void ready(uint64_t &Full, uint32_t Count) {
  if (threadIdx.x == 0)
    Ptx::init(Full, Count);
  PtxCluster::meet();
}

//--- cp.async.bulk.multicast, global to several blocks

BODY(multicast) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  ready(Full, 1);
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, Right ? Bytes : 2 * Bytes);
    if (PtxCluster::rank() == 0)
      Api::loadToBoth(Tile, In, Bytes, Full);
  }
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  PtxCluster::meet();
}
KERNELS(multicast)
PAIR(multicast, PtxCluster)
PAIR(multicast, CudaPtxCluster)

//--- cp.async.bulk.tensor.multicast, global to several blocks

BODY(multicastTile) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  ready(Full, 1);
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, Bytes);
    if (PtxCluster::rank() == 0)
      Api::tileToBoth(Tile, Map, Full);
  }
  if (Right)
    Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  PtxCluster::meet();
}
KERNELS(multicastTile)
PAIR(multicastTile, PtxCluster)
PAIR(multicastTile, CudaPtxCluster)

//--- cp.async.bulk, shared::cta to shared::cluster
// Limit: an mbarrier of another block than the one that the copy goes to is not found:
// the one at that address in the right block is taken, as an H200 takes it.

BODY(copyThere) {
  __shared__ alignas(128) float Tile[2][Threads];
  __shared__ uint64_t Full;
  ready(Full, 1);
  Tile[0][threadIdx.x] = threadIdx.x;
  Ptx::fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, Bytes);
    const uint32_t Other = 1 - PtxCluster::rank();
    Api::copyThere(PtxCluster::map(Tile[1], Other), Tile[0], Bytes,
                   PtxCluster::map(&Full, Other));
  }
  if (Right)
    Ptx::waitParity(Full, 0);
  else
    __syncthreads();
  Out[threadIdx.x] = Tile[1][threadIdx.x];
  PtxCluster::meet();
}
KERNELS(copyThere)
PAIR(copyThere, PtxCluster)
PAIR(copyThere, CudaPtxCluster)

//--- cp.reduce.async.bulk, shared::cta to shared::cluster
// Limit: what it adds to needs a barrier behind the stores there, and no fence is
// asked for.

BODY(addThere) {
  __shared__ alignas(128) uint32_t Tile[2][Threads];
  __shared__ uint64_t Full;
  Tile[0][threadIdx.x] = Tile[1][threadIdx.x] = threadIdx.x;
  Ptx::fence();
  ready(Full, 1);
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, Bytes);
    const uint32_t Other = 1 - PtxCluster::rank();
    Api::addThere(PtxCluster::map(Tile[1], Other), Tile[0], Bytes,
                  PtxCluster::map(&Full, Other));
  }
  if (Right)
    Ptx::waitParity(Full, 0);
  else
    __syncthreads();
  Out[threadIdx.x] = Tile[1][threadIdx.x];
  PtxCluster::meet();
}
KERNELS(addThere)
PAIR(addThere, PtxCluster)
PAIR(addThere, CudaPtxCluster)

//--- st.async

BODY(storeThere) {
  __shared__ uint32_t Sum[Threads];
  __shared__ uint64_t Full;
  ready(Full, 1);
  if (threadIdx.x == 0)
    Ptx::arriveExpect(Full, Right ? Bytes : 2 * Bytes);
  const uint32_t Other = 1 - PtxCluster::rank();
  Api::storeThere(PtxCluster::map(&Sum[threadIdx.x], Other), threadIdx.x,
                  PtxCluster::map(&Full, Other));
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Sum[threadIdx.x];
  PtxCluster::meet();
}
KERNELS(storeThere)
PAIR(storeThere, PtxCluster)
PAIR(storeThere, CudaPtxCluster)

//--- red.async

BODY(reduceThere) {
  __shared__ uint32_t Sum[Threads];
  __shared__ uint64_t Full;
  Sum[threadIdx.x] = 0;
  ready(Full, 1);
  if (threadIdx.x == 0)
    Ptx::arriveExpect(Full, Right ? Bytes : 2 * Bytes);
  const uint32_t Other = 1 - PtxCluster::rank();
  Api::reduceThere(PtxCluster::map(&Sum[threadIdx.x], Other), threadIdx.x,
                   PtxCluster::map(&Full, Other));
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Sum[threadIdx.x];
  PtxCluster::meet();
}
KERNELS(reduceThere)
PAIR(reduceThere, PtxCluster)
PAIR(reduceThere, CudaPtxCluster)

//--- mapa, mbarrier.arrive.shared::cluster

BODY(arriveThere) {
  __shared__ uint64_t Full;
  __shared__ alignas(128) float Tile[Threads];
  ready(Full, Right ? Threads : 2 * Threads);
  bring(Tile, In, Full);
  Api::arriveThere(PtxCluster::map(&Full, 1 - PtxCluster::rank()));
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  PtxCluster::meet();
}
KERNELS(arriveThere)
PAIR(arriveThere, PtxCluster)
PAIR(arriveThere, CudaPtxCluster)

//--- mapa, mbarrier.arrive.expect_tx.shared::cluster

BODY(expectThere) {
  __shared__ uint64_t Full;
  __shared__ alignas(128) float Tile[Threads];
  ready(Full, 1);
  if (threadIdx.x == 0) {
    Api::expectThere(PtxCluster::map(&Full, 1 - PtxCluster::rank()),
                     Right ? Bytes : Bytes / 2);
    Ptx::load(Tile, In, Bytes, Full);
  }
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  PtxCluster::meet();
}
KERNELS(expectThere)
PAIR(expectThere, PtxCluster)
PAIR(expectThere, CudaPtxCluster)

//--- mapa, a read of what another block has

BODY(readThere) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  ready(Full, 1);
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, Bytes);
    Ptx::load(Tile, In, Bytes, Full);
  }
  Ptx::waitParity(Full, 0);
  if (Right)
    PtxCluster::meet();
  Out[threadIdx.x] = *Api::map(&Tile[threadIdx.x], 1 - Api::rank());
  PtxCluster::meet();
}
KERNELS(readThere)
PAIR(readThere, PtxCluster)
PAIR(readThere, Groups)

//--- barrier.cluster.arrive, barrier.cluster.wait

BODY(clusterBarrier) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  ready(Full, 1);
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, Bytes);
    Ptx::load(Tile, In, Bytes, Full);
  }
  Ptx::waitParity(Full, 0);
  Api::meet();
  Out[threadIdx.x] = *PtxCluster::map(&Tile[threadIdx.x], 1 - Api::rank());
  if (Right)
    Api::meet();
}
KERNELS(clusterBarrier)
PAIR(clusterBarrier, PtxCluster)
PAIR(clusterBarrier, CudaPtxCluster)
PAIR(clusterBarrier, Groups)

//--- barrier.cluster.arrive.relaxed, fence.mbarrier_init

BODY(fenceInit) {
  __shared__ alignas(128) float Tile[Threads];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0) {
    Ptx::init(Full, 1);
    if (Right)
      Api::fenceInit();
  }
  Api::arriveRelaxed();
  Api::waitAt();
  if (threadIdx.x == 0) {
    Ptx::arriveExpect(Full, Bytes);
    if (PtxCluster::rank() == 0)
      PtxCluster::loadToBoth(Tile, In, Bytes, Full);
  }
  Ptx::waitParity(Full, 0);
  Out[threadIdx.x] = Tile[threadIdx.x];
  PtxCluster::meet();
}
KERNELS(fenceInit)
PAIR(fenceInit, PtxCluster)
PAIR(fenceInit, CudaPtxCluster)
