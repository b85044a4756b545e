//===- rounded-tiles.cu - Sizes that are rounded up -----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp brings tiles of codes and of their scales, the last one perhaps not
// whole: `& ~15` makes its size one that a bulk copy takes, and above zero.
// What each role has computed of the tile before is nothing to its next round,
// though the others are still in the kernel. The rows of one member say nothing
// of those of another.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_fp16.h>

constexpr int Group = 64, Groups = 48, Stages = 4, Consumers = 96;

__device__ inline unsigned sharedAddress(const void *P) {
  return static_cast<unsigned>(__cvta_generic_to_shared(P));
}

struct Barrier {
  uint64_t Bits;
  __device__ void init(unsigned N) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                     sharedAddress(this)),
                 "r"(N)
                 : "memory");
  }
  __device__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                     sharedAddress(this))
                 : "memory");
  }
  __device__ void expect(unsigned Bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     sharedAddress(this)),
                 "r"(Bytes)
                 : "memory");
  }
  __device__ void wait(unsigned Parity) {
    unsigned Done = 0;
    while (!Done)
      asm volatile("{\n.reg .pred p;\n"
                   "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                   "selp.u32 %0, 1, 0, p;\n}"
                   : "=r"(Done)
                   : "r"(sharedAddress(this)), "r"(Parity)
                   : "memory");
  }
};

struct Tiles {
  alignas(128) uint8_t Codes[Stages][Groups * Group];
  alignas(128) __half Out[2][Groups * Group];
  alignas(128) __half Scales[Stages][Groups];
  Barrier Full[Stages], Empty[Stages];
};

__device__ inline void load(void *Dst, const void *Src, unsigned Bytes,
                            Barrier &On) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier"
               "::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   sharedAddress(Dst)),
               "l"(Src), "r"(Bytes), "r"(sharedAddress(&On))
               : "memory");
}

__device__ inline void store(void *Dst, const void *Src, unsigned Bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::
  // expect-note@-1: 'fence.proxy.async' by the threads that store and a barrier belong before this copy
  // expect-note@-2: bulk copy of thread 0 reads 'Shared.Out[0][0]' here, stored by thread 0
  // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Shared' may be copied in bulk with no proxy fence behind the stores to it
                   "l"(Dst),
               "r"(sharedAddress(Src)), "r"(Bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

__device__ inline void fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void syncConsumers() {
  asm volatile("bar.sync 2, %0;" ::"n"(Consumers) : "memory");
}

template <bool FencesBefore>
__device__ void decode(const uint8_t *Codes, const __half *Scales, __half *Out,
                       int All) {
  __shared__ Tiles Shared;
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  const int Count = (All + Groups - 1) / Groups;
  if (threadIdx.x == 0) {
    for (int S = 0; S < Stages; ++S) {
      Shared.Full[S].init(1);
      Shared.Empty[S].init(Consumers / 32);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  int S = 0;
  unsigned Phase = 0;
  auto Next = [&] {
    S = (S + 1) & (Stages - 1);
    Phase ^= S == 0;
  };
  if (Warp == Consumers / 32) {
    for (int T = blockIdx.x; T < Count; T += gridDim.x) {
      const int N = min(Groups, All - T * Groups);
      const unsigned OfScales = (N * sizeof(__half) + 15) & ~15u;
      Shared.Empty[S].wait(Phase ^ 1);
      if (Lane == 0) {
        Shared.Full[S].expect(N * Group + OfScales);
        load(Shared.Codes[S], Codes + size_t(T) * Groups * Group, N * Group,
             Shared.Full[S]);
        load(Shared.Scales[S], Scales + size_t(T) * Groups, OfScales,
             Shared.Full[S]);
      }
      Next();
    }
    return;
  }
  int Buf = 0;
  for (int T = blockIdx.x; T < Count; T += gridDim.x) {
  // expect-note@-1: in the first iteration of this loop
    const int N = min(Groups, All - T * Groups);
    if (threadIdx.x == 0)
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    syncConsumers();
    Shared.Full[S].wait(Phase);
    if (FencesBefore)
      fence();
    for (int I = threadIdx.x; I < N * Group / 4; I += Consumers) {
      const uint32_t Four =
          reinterpret_cast<const uint32_t *>(Shared.Codes[S])[I];
      const float Scale = __half2float(Shared.Scales[S][I * 4 / Group]);
      __half *Dst = Shared.Out[Buf] + I * 4;
      for (int J = 0; J < 4; ++J)
        Dst[J] = __float2half(Four * Scale);
        // expect-note@-1: stored here
    }
    __syncwarp();
    if (Lane == 0)
      Shared.Empty[S].arrive();
    Next();
    if (!FencesBefore)
      fence();
    syncConsumers();
    if (threadIdx.x == 0)
      store(Out + size_t(T) * Groups * Group, Shared.Out[Buf],
      // expect-note@-1: 'store' called here
            N * Group * unsigned(sizeof(__half)));
    Buf ^= 1;
  }
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

__global__ __launch_bounds__(Consumers + 32) void
rounded_ok(const uint8_t *Codes, const __half *Scales, __half *Out, int All) {
  decode<false>(Codes, Scales, Out, All);
}

// What is stored behind the fence the bulk copy need not see.
__global__ __launch_bounds__(Consumers + 32) void
rounded_bad(const uint8_t *Codes, const __half *Scales, __half *Out, int All) {
// expect-note@-1: with blockIdx.x = 0, All = 1
  decode<true>(Codes, Scales, Out, All);
  // expect-note@-1: 'decode' called here
}
