//===- clusters-of-any-size.cu - As many blocks as the host says ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks send their last element to the neighbour, if they have one. Alone, a
// block sends nothing: such a kernel is run for two, whether nobody launches it
// or who does has the number from elsewhere. If with two nobody sends anything,
// it is run for four.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

template <bool IsInitialised, bool Waits>
__device__ void addNeighbours(const float *In, float *Out) {
  __shared__ float Mine[128], Left;
  __shared__ uint64_t Come;
  const cg::cluster_group Cluster = cg::this_cluster();
  const unsigned Rank = Cluster.block_rank();
  const bool HasLeft = Rank > 0, HasRight = Rank + 1 < Cluster.num_blocks();
  const int T = threadIdx.x, I = blockIdx.x * 128 + T;
  if (T == 0) {
    ptx::mbarrier_init(&Come, 1);
    // expect-note@-1: 'Come' initialised here, a phase expects 1 arrival
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &Come,
                                   HasLeft ? sizeof(float) : 0);
  }
  if (IsInitialised)
    Cluster.sync();
  Mine[T] = In[I];
  if (T == 127 && HasRight)
    ptx::st_async(Cluster.map_shared_rank(&Left, Rank + 1), Mine[T],
    // expect-note@-1: a barrier of the cluster belongs between the initialisation in line -10 and this use
    // expect-note@-2: a barrier of the cluster belongs between this and the end of the kernel
    // expect-note@-3: copy issued here
    // expect-note@-4: thread 127 of block 0 reaches block 1 here
    // expect-warning@-5{cpasync-absent-block}: 'Left' of block 1 may be reached here after that block has ended
    // expect-warning@-6{cpasync-mismatched-phase}: 'Come' may be used by thread 127 of block 0 before thread 0 of block 1 has initialised it
                  Cluster.map_shared_rank(&Come, Rank + 1));
  __syncthreads();
  if (Waits)
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                          &Come, 0))
      ;
  const float Before = T > 0 ? Mine[T - 1] : HasLeft ? Left : 0;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 of block 1 reads byte 0 of 'Left' here, copied by thread 127 of block 0
  // expect-warning@-3{cpasync-unwaited-read}: 'Left' is read before the asynchronous copy into it has completed
  Out[I] = Mine[T] + Before;
  Cluster.sync();
}

#define KERNEL __global__ void __launch_bounds__(128)

KERNEL neighbours_ok(const float *In, float *Out) {
  addNeighbours<true, true>(In, Out);
}
KERNEL not_initialised_bad(const float *In, float *Out) {
// expect-note@-1: assuming blocks of 128 threads in clusters of 2 blocks
  addNeighbours<false, true>(In, Out);
}
KERNEL not_waited_bad(const float *In, float *Out) {
// expect-note@-1: assuming blocks of 128 threads in clusters of 2 blocks
  addNeighbours<true, false>(In, Out);
  // expect-note@-1: 'addNeighbours' called here
}
// expect-note@-1: kernel ends here

KERNEL launched_ok(const float *In, float *Out) {
  addNeighbours<true, true>(In, Out);
}
KERNEL launched_bad(const float *In, float *Out) {
  addNeighbours<true, false>(In, Out);
}
template <class Kernel>
void launch(Kernel *K, int Blocks, int Size, const float *In, float *Out) {
  cudaLaunchConfig_t Config = {};
  Config.gridDim = Blocks;
  Config.blockDim = 128;
  cudaLaunchAttribute OfCluster[1];
  OfCluster[0].id = cudaLaunchAttributeClusterDimension;
  OfCluster[0].val.clusterDim.x = Size;
  OfCluster[0].val.clusterDim.y = 1;
  OfCluster[0].val.clusterDim.z = 1;
  Config.attrs = OfCluster;
  Config.numAttrs = 1;
  cudaLaunchKernelEx(&Config, K, In, Out);
}
void launchBoth(int Blocks, int Size, const float *In, float *Out) {
  launch(launched_ok, Blocks, Size, In, Out);
  launch(launched_bad, Blocks, Size, In, Out);
}

// To the one after the next.
template <bool Waits>
__device__ void addFarNeighbours(const float *In, float *Out) {
  __shared__ float Mine[128], Left;
  __shared__ uint64_t Come;
  const cg::cluster_group Cluster = cg::this_cluster();
  const unsigned Rank = Cluster.block_rank();
  const bool HasLeft = Rank > 1, HasRight = Rank + 2 < Cluster.num_blocks();
  const int T = threadIdx.x, I = blockIdx.x * 128 + T;
  if (T == 0) {
    ptx::mbarrier_init(&Come, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &Come,
                                   HasLeft ? sizeof(float) : 0);
  }
  Cluster.sync();
  Mine[T] = In[I];
  if (T == 127 && HasRight)
    ptx::st_async(Cluster.map_shared_rank(&Left, Rank + 2), Mine[T],
    // expect-note@-1: a barrier of the cluster belongs between this and the end of the kernel
    // expect-note@-2: copy issued here
    // expect-note@-3: thread 127 of block 0 reaches block 2 here
    // expect-warning@-4{cpasync-absent-block}: 'Left' of block 2 may be reached here after that block has ended
                  Cluster.map_shared_rank(&Come, Rank + 2));
  __syncthreads();
  if (Waits)
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                          &Come, 0))
      ;
  const float Before = T > 0 ? Mine[T - 1] : HasLeft ? Left : 0;
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 of block 2 reads byte 0 of 'Left' here, copied by thread 127 of block 0
  // expect-warning@-3{cpasync-unwaited-read}: 'Left' is read before the asynchronous copy into it has completed
  Out[I] = Mine[T] + Before;
  Cluster.sync();
}
KERNEL far_ok(const float *In, float *Out) {
  addFarNeighbours<true>(In, Out);
}
KERNEL far_bad(const float *In, float *Out) {
// expect-note@-1: assuming blocks of 128 threads in clusters of 4 blocks
  addFarNeighbours<false>(In, Out);
  // expect-note@-1: 'addFarNeighbours' called here
}
// expect-note@-1: kernel ends here

// Nobody arrives, whatever their number: a block alone does not wait.
__device__ void awaitNeighbour(uint64_t *Come, bool IsAsked) {
  if (IsAsked)
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                          Come, 0))
      ;
}
KERNEL nobody_arrives_bad(float *Out) {
  __shared__ uint64_t Come;
  const cg::cluster_group Cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&Come, 1);
    // expect-note@-1: 'Come' initialised here, a phase expects 1 arrival
  Cluster.sync();
  if (threadIdx.x == 0 && Cluster.num_blocks() > 16)
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster,
                         ptx::space_cluster,
                         Cluster.map_shared_rank(&Come, 1));
  awaitNeighbour(&Come, Cluster.num_blocks() > 1);
  // expect-note@-1: as many must arrive in each phase as the initialisation says
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Come' waited for here never completes: 0 of 1 arrival came
  Out[threadIdx.x] = 1;
  Cluster.sync();
}
// The host may well have other numbers of blocks than were tried: there are two
// places where somebody waits in vain.
KERNEL for_other_sizes(float *Out) {
// expect-skipped@-1: with clusters of 2 blocks somebody waits in vain, and nothing tells how many there are
  __shared__ uint64_t Come;
  const cg::cluster_group Cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&Come, 1);
  Cluster.sync();
  if (threadIdx.x == 0 && Cluster.num_blocks() > 16)
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster,
                         ptx::space_cluster,
                         Cluster.map_shared_rank(&Come, 1));
  if (Cluster.num_blocks() == 2)
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                          &Come, 0))
      ;
  if (Cluster.num_blocks() > 2)
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                          &Come, 0))
      ;
  Out[threadIdx.x] = 1;
  Cluster.sync();
}
// With four, the third block waits for what the first does not send.
KERNEL far_one_waits_bad(const float *In, float *Out) {
  __shared__ float Left;
  __shared__ uint64_t Come;
  const cg::cluster_group Cluster = cg::this_cluster();
  const unsigned Rank = Cluster.block_rank();
  const bool HasLeft = Rank > 1, HasRight = Rank + 2 < Cluster.num_blocks();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&Come, 2);
    // expect-note@-1: 'Come' initialised here, a phase expects 2 arrivals
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
    // expect-note@-1: bytes of the phase announced here
                                   ptx::space_shared, &Come,
                                   HasLeft ? sizeof(float) : 0);
  }
  Cluster.sync();
  if (threadIdx.x == 127 && HasRight)
    ptx::st_async(Cluster.map_shared_rank(&Left, Rank + 2), In[Rank],
    // expect-note@-1: copy issued here
                  Cluster.map_shared_rank(&Come, Rank + 2));
  if (HasLeft)
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
    // expect-note@-1: as many must arrive in each phase as the initialisation says
    // expect-note@-2: in the first iteration of this loop
    // expect-warning@-3{cpasync-mismatched-phase}: phase of 'Come' waited for here never completes: 1 of 2 arrivals came
                                          &Come, 0))
      ;
  if (HasLeft && threadIdx.x == 0)
    Out[Rank] = Left;
  Cluster.sync();
}

// The same code for one block and for several, where blocks never meet: a
// cluster would have to. It is for one.
template <bool Waits>
__device__ void shareWithLeader(const float *In, float *Out) {
  __shared__ alignas(16) float Tile[128];
  __shared__ uint64_t Full, Read;
  const cg::cluster_group Cluster = cg::this_cluster();
  const int T = threadIdx.x;
  if (T == 0) {
    ptx::mbarrier_init(&Full, 1);
    ptx::mbarrier_init(&Read, 128);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (T == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &Full, sizeof(Tile));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, Tile,
    // expect-note@-1: copy issued here
                       In + blockIdx.x * 128, sizeof(Tile), &Full);
  }
  if (Waits)
    while (!ptx::mbarrier_try_wait_parity(&Full, 0))
      ;
  Out[blockIdx.x * 128 + T] = Tile[T];
  // expect-note@-1: a wait for the copy belongs before this read, and a barrier where others copied
  // expect-note@-2: thread 0 reads 'Tile[0]' here
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
  ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                       Cluster.map_shared_rank(&Read, 0));
}
KERNEL leader_ok(const float *In, float *Out) {
  shareWithLeader<true>(In, Out);
}
KERNEL leader_bad(const float *In, float *Out) {
// expect-note@-1: assuming blocks of 128 threads in clusters of 1 block
  shareWithLeader<false>(In, Out);
  // expect-note@-1: 'shareWithLeader' called here
}

// Who asks how many there are is one of several, though they never meet.
KERNEL never_meets_bad(float *Out) {
// expect-note@-1: assuming blocks of 128 threads in clusters of 2 blocks
  __shared__ float Left;
  __shared__ uint64_t Come;
  const cg::cluster_group Cluster = cg::this_cluster();
  const unsigned Rank = Cluster.block_rank();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&Come, 1);
    // expect-note@-1: 'Come' initialised here, a phase expects 1 arrival
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &Come,
                                   Rank > 0 ? sizeof(float) : 0);
  }
  __syncthreads();
  if (threadIdx.x == 0 && Rank + 1 < Cluster.num_blocks())
    ptx::st_async(Cluster.map_shared_rank(&Left, Rank + 1), Out[Rank],
    // expect-note@-1: a barrier of the cluster belongs between the initialisation in line -8 and this use
    // expect-warning@-2{cpasync-mismatched-phase}: 'Come' may be used by thread 0 of block 0 before thread 0 of block 1 has initialised it
                  Cluster.map_shared_rank(&Come, Rank + 1));
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                        &Come, 0))
    ;
  if (Rank > 0)
    Out[Rank] = Left;
}
