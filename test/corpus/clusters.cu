//===- clusters.cu - Blocks that reach each other's shared memory ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each of two blocks brings half of a slice to both, and who has read it says so
// in both. What one block does to the memory of the other is ordered as within
// one. PTX ISA, "mapa", "cp.async.bulk": ".multicast::cluster".
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cstdint>

constexpr int Slice = 256, Stages = 3, Consumers = 4, Blocks = 2;
constexpr uint32_t Bytes = Slice * sizeof(float);

__device__ uint32_t addressOf(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}
__device__ uint32_t rankInCluster() {
  uint32_t Rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank));
  return Rank;
}
__device__ void arriveAtCluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ void arriveAtClusterRelaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ void waitForCluster() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ void meet() {
  arriveAtCluster();
  waitForCluster();
}
__device__ void init(uint64_t *Bar, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(addressOf(Bar)),
               "r"(Count)
               : "memory");
}
__device__ void fenceInits() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(uint64_t *Bar, uint32_t Size) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   addressOf(Bar)),
               "r"(Size)
               : "memory");
}
__device__ void arrive(uint64_t *Bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(addressOf(Bar))
               : "memory");
}
__device__ void arriveIn(uint64_t *Bar, uint32_t Rank) {
  asm volatile("{\n"
  // expect-skipped@-1: how many blocks a cluster has is not known
               ".reg .b32 There;\n"
               "mapa.shared::cluster.u32 There, %0, %1;\n"
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [There];\n"
               "}" ::"r"(addressOf(Bar)),
               "r"(Rank)
               : "memory");
}
__device__ void wait(uint64_t *Bar, uint32_t Parity) {
  asm volatile("{\n"
               ".reg .pred Done;\n"
               "again_%=:\n"
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 Done, [%0], %1;\n"
               "@!Done bra again_%=;\n"
               "}" ::"r"(addressOf(Bar)),
               "r"(Parity)
               : "memory");
}
__device__ void loadTo(uint16_t Which, float *To, const float *From,
                       uint32_t Size, uint64_t *Bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                   addressOf(To)),
               "l"(From), "r"(Size), "r"(addressOf(Bar)), "h"(Which)
               : "memory");
}

#define KERNEL                                                                 \
  __global__ void __cluster_dims__(Blocks, 1, 1)                               \
      __launch_bounds__(32 * (Consumers + 1))

/// What may be wrong with it.
struct Right {
  static constexpr uint32_t Arrivals = Blocks * Consumers;
  static constexpr uint32_t Announced = Bytes;
  static constexpr uint16_t Which = 3;
  static constexpr bool Fences = true, Meets = true, Tells = true,
                        Early = false;
};

__device__ void sendTo(uint32_t Rank, void *To, const void *From, uint32_t Size,
                       uint64_t *Bar) {
  asm volatile("{\n"
               ".reg .b32 There, Barrier;\n"
               "mapa.shared::cluster.u32 There, %0, %4;\n"
               "mapa.shared::cluster.u32 Barrier, %3, %4;\n"
               "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
               "bytes [There], [%1], %2, [Barrier];\n"
               "}" ::"r"(addressOf(To)),
               "r"(addressOf(From)), "r"(Size), "r"(addressOf(Bar)), "r"(Rank)
               : "memory");
}

template <class How>
__device__ void pipeline(const float *In, float *Out, int Steps) {
  __shared__ alignas(128) float Data[Stages][Slice];
  __shared__ uint64_t Full[Stages], Empty[Stages];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0) {
    for (int S = 0; S < Stages; ++S) {
    // expect-note@-1: in the iteration of this loop with S = 2
      init(&Full[S], 1);
      // expect-note@-1: 'Full' initialised here, a phase expects 1 arrival
      init(&Empty[S], How::Arrivals);
      // expect-note@-1: 'Empty' initialised here, a phase expects 4 arrivals
    }
    if (How::Fences)
      fenceInits();
  }
  __syncthreads();
  if (How::Meets) {
    arriveAtClusterRelaxed();
    waitForCluster();
  }
  if (Warp == Consumers) {
    if (Lane == 0)
      for (int K = 0; K < Steps; ++K) {
      // expect-note@-1: in the iteration of this loop with K = 0
      // expect-note@-2: in the iteration of this loop with K = 3
      // expect-note@-3: in the iteration of this loop with K = 4
      // expect-note@-4: in the iteration of this loop with K = 9
      // expect-note@-5: loop run for 1 iteration
      // expect-note@-6: loop run for 4 iterations
      // expect-skipped@-7: loop does not settle within 64 iterations
        const int S = K % Stages;
        wait(&Empty[S], (K / Stages & 1) ^ 1);
        // expect-note@-1: as many must arrive in each phase as the initialisation says
        // expect-note@-2: phase of 'Empty' waited for here
        // expect-skipped@-3: some of the blocks that wait here could go on before the others
        // expect-warning@-4{cpasync-mismatched-phase}: phase of 'Empty' waited for here may never complete: 0 of 4 arrivals came
        expect(&Full[S], How::Announced);
        // expect-note@-1: bytes of the phase announced here
        // expect-note@-2: initialise the mbarrier with as many arrivals as come in a phase
        // expect-warning@-3{cpasync-mismatched-phase}: 1 arrival at once in a phase of 'Full' that waits for 0
        const int Half = Rank * (Slice / Blocks);
        loadTo(How::Which, &Data[S][Half], In + K * Slice + Half,
        // expect-note@-1: a barrier belongs between the read in line +10 and this overwrite
        // expect-note@-2: a barrier of the cluster belongs between the initialisation in line -18 and this use
        // expect-note@-3: copy issued here
        // expect-note@-4: thread 128 of block 1 overwrites 'Data[0][128]' here, read by thread 0 of block 0
        // expect-warning@-5{cpasync-in-flight-overwrite}: 'Data' may be overwritten while other threads still read it
        // expect-warning@-6{cpasync-mismatched-phase}: 'Full' may be used by thread 128 of block 1 before thread 0 of block 0 has initialised it
               Bytes / Blocks, &Full[S]);
      }
  } else {
    float Sum = 0;
    for (int K = 0; K < Steps; ++K) {
    // expect-note@-1: in the iteration of this loop with K = 0
    // expect-note@-2: in the iteration of this loop with K = 3
      const int S = K % Stages;
      wait(&Full[S], K / Stages & 1);
      // expect-note@-1: announce as many bytes as are copied in each phase
      // expect-skipped@-2: some of the blocks that wait here could go on before the others
      // expect-warning@-3{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 512 bytes more copied than announced
      if (How::Early && Lane < Blocks)
        arriveIn(&Empty[S], Lane);
      Sum += Data[S][threadIdx.x] + Data[S][threadIdx.x + Slice / Blocks];
      // expect-note@-1: a wait for the copy and a barrier belong before this read
      // expect-note@-2: also read here
      // expect-note@-3: read here
      // expect-note@-4: thread 0 of block 0 reads 'Data[0][0]' here, copied by thread 128 of block 0
      // expect-warning@-5{cpasync-unwaited-read}: 'Data' may be read before the asynchronous copy into it has completed
      __syncwarp();
      if (!How::Early && How::Tells && Lane < Blocks)
        arriveIn(&Empty[S], Lane);
        // expect-note@-1: arrived at 'Empty' here
      if (!How::Early && !How::Tells && Lane == 0)
        arrive(&Empty[S]);
    }
    Out[blockIdx.x * Slice / Blocks + threadIdx.x] = Sum;
  }
  meet();
}

KERNEL both_ok(const float *In, float *Out, int Steps) {
  pipeline<Right>(In, Out, Steps);
}

struct OwnArrivals : Right {
  static constexpr uint32_t Arrivals = Consumers;
};
KERNEL arrivals_bad(const float *In, float *Out, int Steps) {
// expect-note@-1: with Steps = 5
  pipeline<OwnArrivals>(In, Out, Steps);
  // expect-note@-1: 'pipeline' called here
}

struct OwnHalf : Right {
  static constexpr uint32_t Announced = Bytes / Blocks;
};
KERNEL half_announced_bad(const float *In, float *Out, int Steps) {
// expect-note@-1: with Steps = 1
// expect-note@-2: with Steps = 10
// expect-note@-3: with Steps = 4
  pipeline<OwnHalf>(In, Out, Steps);
  // expect-note@-1: 'pipeline' called here
}

struct ToFirst : Right {
  static constexpr uint16_t Which = 1;
};
KERNEL to_one_bad(const float *In, float *Out, int Steps) {
  pipeline<ToFirst>(In, Out, Steps);
}

struct NotFenced : Right {
  static constexpr bool Fences = false;
};
KERNEL not_fenced_bad(const float *In, float *Out, int Steps) {
  pipeline<NotFenced>(In, Out, Steps);
}

struct NeverMet : Right {
  static constexpr bool Meets = false;
};
KERNEL not_met_bad(const float *In, float *Out, int Steps) {
// expect-note@-1: with Steps = 1
  pipeline<NeverMet>(In, Out, Steps);
}

struct NotTold : Right {
  static constexpr uint32_t Arrivals = Consumers;
  static constexpr bool Tells = false;
};
KERNEL other_not_told_bad(const float *In, float *Out, int Steps) {
// expect-note@-1: with Steps = 4
  pipeline<NotTold>(In, Out, Steps);
  // expect-note@-1: 'pipeline' called here
}

struct TooEarly : Right {
  static constexpr bool Early = true;
};
KERNEL released_early_bad(const float *In, float *Out, int Steps) {
  pipeline<TooEarly>(In, Out, Steps);
}

// Who launches a kernel may say how many blocks a cluster has.
__global__ void launched_bad(const float *In, float *Out, int Steps) {
  pipeline<NotTold>(In, Out, Steps);
}
__global__ void launched_ok(const float *In, float *Out, int Steps) {
  pipeline<Right>(In, Out, Steps);
}
template <class Kernel>
void launchPairs(Kernel *K, const float *In, float *Out, int Steps) {
  cudaLaunchConfig_t Config = {};
  Config.gridDim = 2;
  Config.blockDim = 32 * (Consumers + 1);
  cudaLaunchAttribute Pairs[1];
  Pairs[0].id = cudaLaunchAttributeClusterDimension;
  Pairs[0].val.clusterDim.x = Blocks;
  Pairs[0].val.clusterDim.y = 1;
  Pairs[0].val.clusterDim.z = 1;
  Config.attrs = Pairs;
  Config.numAttrs = 1;
  cudaLaunchKernelEx(&Config, K, In, Out, Steps);
}
void launch(const float *In, float *Out, int Steps) {
  launchPairs(launched_bad, In, Out, Steps);
  launchPairs(launched_ok, In, Out, Steps);
}

// Alone in its cluster a block reaches itself.
__global__ void __launch_bounds__(128) alone_ok(const float *In, float *Out) {
  __shared__ alignas(128) float Data[128];
  __shared__ uint64_t Full;
  if (threadIdx.x == 0)
    init(&Full, 2);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&Full, sizeof(Data));
    loadTo(1, Data, In, sizeof(Data), &Full);
    arriveIn(&Full, 0);
  }
  wait(&Full, 0);
  Out[threadIdx.x] = Data[threadIdx.x];
}
void launchAlone(const float *In, float *Out) { alone_ok<<<1, 128>>>(In, Out); }

// A launch without a word of clusters: there is no second block.
__global__ void __launch_bounds__(128) alone_reaches_bad() {
  __shared__ uint64_t Bar;
  if (threadIdx.x == 0)
    init(&Bar, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    arriveIn(&Bar, 1);
    // expect-note@-1: ranks, and the bits of a mask, are those of the blocks that the cluster has
    // expect-note@-2: thread 0 reaches block 1 here
    // expect-warning@-3{cpasync-absent-block}: 'Bar' of block 1 is reached here in a cluster of 1 block
}
void launchReaching() { alone_reaches_bad<<<2, 128>>>(); }
// expect-note@-1: launched here with blocks of 128 threads

// By the functions of the runtime and of Clang.
KERNEL by_functions_ok(const float *In, float *Out) {
  __shared__ alignas(128) float Data[128];
  __shared__ uint64_t Full;
  const unsigned Other = __clusterRelativeBlockRank() ^ 1;
  if (threadIdx.x == 0)
    init(&Full, 1);
  meet();
  if (threadIdx.x == 0) {
    expect(&Full, sizeof(Data));
    loadTo(1 << (Other ^ 1), Data, In, sizeof(Data), &Full);
  }
  wait(&Full, 0);
  meet();
  const float *There = static_cast<float *>(__nvvm_mapa(Data, Other));
  if (threadIdx.x < 128)
    Out[blockIdx.x * 128 + threadIdx.x] = There[threadIdx.x];
  meet();
}
KERNEL by_functions_bad(const float *In, float *Out) {
  __shared__ alignas(128) float Data[128];
  __shared__ uint64_t Full;
  const unsigned Other = __clusterRelativeBlockRank() ^ 1;
  if (threadIdx.x == 0)
    init(&Full, 1);
  meet();
  if (threadIdx.x == 0) {
    expect(&Full, sizeof(Data));
    loadTo(1 << (Other ^ 1), Data, In, sizeof(Data), &Full);
    // expect-note@-1: copy issued here
  }
  wait(&Full, 0);
  // expect-note@-1: its thread waits for the copy here
  // expect-note@-2: wait for all groups is here
  const float *There =
      static_cast<float *>(__cluster_map_shared_rank(Data, Other));
  if (threadIdx.x < 128)
    Out[blockIdx.x * 128 + threadIdx.x] = There[threadIdx.x];
    // expect-note@-1: a barrier belongs between the wait in line -4 and this read
    // expect-note@-2: thread 0 of block 1 reads 'Data[0]' here, copied by thread 0 of block 0
    // expect-warning@-3{cpasync-unsynchronized-read}: 'Data' is read with no barrier after the wait for its copy
  meet();
}
// The second block copies half of what it reads: the bytes are counted from where
// its own memory begins.
template <bool IsRight>
__device__ void copyOwn(const float *In, float *Out) {
  __shared__ alignas(128) float Data[128];
  __shared__ uint64_t Full;
  const uint32_t Rank = rankInCluster();
  const uint32_t Size = IsRight || Rank == 0 ? 512 : 256;
  if (threadIdx.x == 0)
    init(&Full, 2);
  meet();
  if (threadIdx.x == 0) {
    expect(&Full, Size);
    if (IsRight || Rank == 0)
      loadTo(1 << Rank, Data, In, 512, &Full);
    else
      loadTo(1 << Rank, Data, In, 256, &Full);
      // expect-note@-1: all bytes that are read must be copied: a size is in bytes, not in elements
      // expect-note@-2: copy issued here
    arriveIn(&Full, Rank ^ 1);
  }
  wait(&Full, 0);
  float Mine = 0;
  if (threadIdx.x < 128)
    Mine = Data[threadIdx.x];
    // expect-note@-1: thread 64 of block 1 reads 'Data[64]' here
    // expect-warning@-2{cpasync-uncopied-read}: 'Data' is read where no copy or store writes to it
  meet();
  Out[blockIdx.x * 160 + threadIdx.x] = Mine;
}
KERNEL second_copies_half_ok(const float *In, float *Out) {
  copyOwn<true>(In, Out);
}
KERNEL second_copies_half_bad(const float *In, float *Out) {
  copyOwn<false>(In, Out);
  // expect-note@-1: 'copyOwn' called here
}

// Nothing is copied, and the other block may have ended all the same.
KERNEL no_copies_bad(const float *In, float *Out) {
  __shared__ float Sum;
  if (threadIdx.x == 0)
    Sum = In[blockIdx.x];
  meet();
  const float *There =
      static_cast<float *>(__cluster_map_shared_rank(&Sum, rankInCluster() ^ 1));
  Out[blockIdx.x * 160 + threadIdx.x] = Sum + *There;
  // expect-note@-1: a barrier of the cluster belongs between this and the end of the kernel
  // expect-note@-2: thread 0 of block 0 reaches block 1 here
  // expect-warning@-3{cpasync-absent-block}: 'Sum' of block 1 may be reached here after that block has ended
}
// expect-note@-1: kernel ends here
KERNEL no_copies_ok(const float *In, float *Out) {
  __shared__ float Sum;
  if (threadIdx.x == 0)
    Sum = In[blockIdx.x];
  meet();
  const float *There =
      static_cast<float *>(__cluster_map_shared_rank(&Sum, rankInCluster() ^ 1));
  Out[blockIdx.x * 160 + threadIdx.x] = Sum + *There;
  meet();
}

// Each block hands on to the next one what it has got from the one before. Those
// that wait run as one, so the second would have to wait for the last.
KERNEL handed_on_ok(const float *In, float *Out) {
  __shared__ float Carry;
  __shared__ uint64_t Ready;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0) {
    init(&Ready, 1);
    fenceInits();
  }
  meet();
  float Sum = In[blockIdx.x];
  if (Rank > 0) {
    wait(&Ready, 0);
    Sum += Carry;
  }
  if (threadIdx.x == 0 && Rank + 1 < Blocks) {
    *static_cast<float *>(__cluster_map_shared_rank(&Carry, Rank + 1)) = Sum;
    arriveIn(&Ready, Rank + 1);
  }
  Out[blockIdx.x * 160 + threadIdx.x] = Sum;
}
__global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(128)
    handed_on_by_four_ok(const float *In, float *Out) {
  __shared__ alignas(16) float Carry[4];
  __shared__ uint64_t Ready, Full;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0) {
    init(&Ready, 1);
    init(&Full, 1);
    fenceInits();
  }
  meet();
  if (Rank > 0)
    wait(&Ready, 0);
    // expect-skipped@-1: some of the blocks that wait here could go on before the others
  if (threadIdx.x == 0) {
    expect(&Full, sizeof(Carry));
    loadTo(1 << Rank, Carry, In, sizeof(Carry), &Full);
  }
  wait(&Full, 0);
  Out[blockIdx.x * 128 + threadIdx.x] = Carry[threadIdx.x % 4];
  if (threadIdx.x == 0 && Rank + 1 < 4)
    arriveIn(&Ready, Rank + 1);
}

// As many rows as the kernel is given are sent to the other block; all but one of
// them may be stored to too early.
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
    rows_sent(const float *In, float *Out, int Rows) {
    // expect-note@-1: with Rows = 4
  __shared__ alignas(128) float Tile[128], Come[128];
  __shared__ uint64_t Full;
  const uint32_t Other = rankInCluster() ^ 1;
  if (threadIdx.x == 0) {
    init(&Full, 1);
    fenceInits();
  }
  Tile[threadIdx.x] = In[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  meet();
  if (threadIdx.x == 0) {
    expect(&Full, Rows * 16);
    sendTo(Other, Come, Tile, Rows * 16, &Full);
    // expect-note@-1: copy issued here
  }
  __syncthreads();
  if (threadIdx.x >= 4)
    Tile[threadIdx.x] = 0;
    // expect-note@-1: a wait in the block that gets it and then a barrier of the cluster belong before this overwrite
    // expect-note@-2: thread 4 of block 0 overwrites 'Tile[4]' here, copied in bulk by thread 0 of block 0
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a bulk copy still reads it
  wait(&Full, 0);
  Out[threadIdx.x] = Come[threadIdx.x];
  // expect-skipped@-1: wrong with Rows = 4, not with others, and nothing tells which
  // expect-skipped@-2: wrong with Rows = 5, not with others, and nothing tells which
  meet();
}

// Nobody says how many blocks there are: as many as the kernel reaches.
__global__ void __launch_bounds__(160)
    unknown_ok(const float *In, float *Out, int Steps) {
  pipeline<Right>(In, Out, Steps);
}
__global__ void __launch_bounds__(160)
    unknown_bad(const float *In, float *Out, int Steps) {
  pipeline<NotTold>(In, Out, Steps);
}
// It reaches its own block only.
__global__ void __launch_bounds__(128)
    unknown_alone_bad(const float *In, float *Out) {
  __shared__ uint64_t Bar;
  __shared__ alignas(16) float Data[128];
  if (threadIdx.x == 0)
    init(&Bar, 3);
    // expect-note@-1: 'Bar' initialised here, a phase expects 3 arrivals
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&Bar, sizeof(Data));
    // expect-note@-1: bytes of the phase announced here
    loadTo(1, Data, In, sizeof(Data), &Bar);
    // expect-note@-1: copy issued here
    arriveIn(&Bar, 0);
    // expect-note@-1: arrived at 'Bar' here
  }
  wait(&Bar, 0);
  // expect-note@-1: as many must arrive in each phase as the initialisation says
  // expect-warning@-2{cpasync-mismatched-phase}: phase of 'Bar' waited for here never completes: 2 of 3 arrivals came
  Out[threadIdx.x] = Data[threadIdx.x];
}
// Two tell the first of them, and one of these the other.
__global__ void __launch_bounds__(128)
    unknown_tree_ok(const float *In, float *Out) {
  __shared__ uint64_t Bar[2];
  __shared__ alignas(16) float Data[128];
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0)
    for (int Level = 0; Level < 2; ++Level)
      init(&Bar[Level], 1);
  fenceInits();
  meet();
  for (int Level = 0; Level < 2; ++Level) {
    if (Rank >> Level & 1) {
      if (threadIdx.x == 0)
        arriveIn(&Bar[Level], Rank - (1 << Level));
      break;
    }
    wait(&Bar[Level], 0);
  }
  meet();
}
// Three are too many to be guessed.
__global__ void __launch_bounds__(128)
    unknown_third_ok(const float *In, float *Out) {
  __shared__ uint64_t Bar;
  if (threadIdx.x == 0)
    init(&Bar, 1);
  fenceInits();
  meet();
  if (threadIdx.x == 0)
    arriveIn(&Bar, 2);
  wait(&Bar, 0);
  meet();
}
