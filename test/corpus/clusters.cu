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

template <class How>
__device__ void pipeline(const float *In, float *Out, int Steps) {
  __shared__ alignas(128) float Data[Stages][Slice];
  __shared__ uint64_t Full[Stages], Empty[Stages];
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const uint32_t Rank = rankInCluster();
  if (threadIdx.x == 0) {
    for (int S = 0; S < Stages; ++S) {
      init(&Full[S], 1);
      init(&Empty[S], How::Arrivals);
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
        const int S = K % Stages;
        wait(&Empty[S], (K / Stages & 1) ^ 1);
        expect(&Full[S], How::Announced);
        const int Half = Rank * (Slice / Blocks);
        loadTo(How::Which, &Data[S][Half], In + K * Slice + Half,
               Bytes / Blocks, &Full[S]);
      }
  } else {
    float Sum = 0;
    for (int K = 0; K < Steps; ++K) {
      const int S = K % Stages;
      wait(&Full[S], K / Stages & 1);
      if (How::Early && Lane < Blocks)
        arriveIn(&Empty[S], Lane);
      Sum += Data[S][threadIdx.x] + Data[S][threadIdx.x + Slice / Blocks];
      __syncwarp();
      if (!How::Early && How::Tells && Lane < Blocks)
        arriveIn(&Empty[S], Lane);
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
  pipeline<OwnArrivals>(In, Out, Steps);
}

struct OwnHalf : Right {
  static constexpr uint32_t Announced = Bytes / Blocks;
};
KERNEL half_announced_bad(const float *In, float *Out, int Steps) {
  pipeline<OwnHalf>(In, Out, Steps);
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
  pipeline<NeverMet>(In, Out, Steps);
}

struct NotTold : Right {
  static constexpr uint32_t Arrivals = Consumers;
  static constexpr bool Tells = false;
};
KERNEL other_not_told_bad(const float *In, float *Out, int Steps) {
  pipeline<NotTold>(In, Out, Steps);
}

struct TooEarly : Right {
  static constexpr bool Early = true;
};
KERNEL released_early_bad(const float *In, float *Out, int Steps) {
  pipeline<TooEarly>(In, Out, Steps);
}
