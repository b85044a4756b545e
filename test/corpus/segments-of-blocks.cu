//===- segments-of-blocks.cu - Each block has a segment -------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows whose length only the host knows, in shared memory that has room for the
// longest: each is read in rounds of a number of threads that does not divide
// the room. No round leaves the room, and what would lie behind it is in no
// other block of the cluster.
//
//===----------------------------------------------------------------------===//
// lint-flags: -- --offload-arch=sm_90

#include <cstdint>

constexpr int Blocks = 4, Room = 512, Threads = 96;

__device__ uint32_t addressOf(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}

__device__ uint32_t rankOfBlock() {
  uint32_t R;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(R));
  return R;
}

__device__ uint32_t inBlock(uint32_t Address, uint32_t Rank) {
  uint32_t R;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(R)
               : "r"(Address), "r"(Rank));
  return R;
}

__device__ void syncCluster() {
  asm volatile("barrier.cluster.arrive.release;\n\t"
               "barrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void init(uint64_t &Bar) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(addressOf(&Bar))
               : "memory");
}

__device__ void announce(uint64_t &Bar, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   addressOf(&Bar)),
               "r"(Bytes)
               : "memory");
}

__device__ void wait(uint64_t &Bar, uint32_t Parity) {
  asm volatile("{\n\t.reg .pred P;\nAGAIN:\n\t"
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P, "
               "[%0], %1;\n\t@!P bra AGAIN;\n\t}" ::"r"(addressOf(&Bar)),
               "r"(Parity)
               : "memory");
}

__device__ void load(float *To, const float *From, uint32_t Bytes,
                     uint64_t &Bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(addressOf(To)),
               "l"(From), "r"(Bytes), "r"(addressOf(&Bar))
               : "memory");
}

__device__ void send(uint32_t To, const float *From, uint32_t Bytes,
                     uint32_t Bar) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_"
               "tx::bytes [%0], [%1], %2, [%3];" ::"r"(To),
               "r"(addressOf(From)), "r"(Bytes), "r"(Bar)
               : "memory");
}

// Every block sends a segment to every block, and adds up what it is sent.
template <bool AreBlocksDone>
__device__ void addSegments(const float *In, float *Out, int Items,
                            int Length) {
  __shared__ alignas(128) float Mine[Blocks][Room];
  __shared__ alignas(128) float Sent[Blocks][Room];
  __shared__ uint64_t Loaded, Received;
  const int Thread = threadIdx.x;
  const uint32_t Rank = rankOfBlock();
  const uint32_t Bytes = Length * sizeof(float);
  if (Thread == 0) {
    init(Loaded);
    init(Received);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    announce(Received, Blocks * Bytes);
  }
  syncCluster();
  uint32_t Parity = 0;
  for (int Item = 0; Item < Items; ++Item, Parity ^= 1) {
  // expect-note@-1: in the iteration of this loop with Item = 0
  // expect-note@-2: in the iteration of this loop with Item = 1
    if (Thread == 0) {
      const float *From = In + (size_t(Item) * Blocks + Rank) * Blocks * Length;
      announce(Loaded, Blocks * Bytes);
      for (int D = 0; D < Blocks; ++D)
        load(Mine[D], From + D * Length, Bytes, Loaded);
    }
    wait(Loaded, Parity);
    for (int D = 0; D < Blocks; ++D)
      for (int I = Thread; I < Length; I += Threads)
        Mine[D][I] *= 2;
        // expect-note@-1: a wait in the block that gets it and then a barrier of the cluster belong before this overwrite
        // expect-note@-2: thread 0 of block 1 overwrites 'Mine[0][0]' here, copied in bulk by thread 0 of block 1
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'Mine' may be overwritten while a bulk copy still reads it
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (Thread == 0)
      for (int D = 0; D < Blocks; ++D)
      // expect-note@-1: after the last iteration of this loop
      // expect-note@-2: in the iteration of this loop with D = 0
      // expect-note@-3: in the iteration of this loop with D = 3
        send(inBlock(addressOf(Sent[Rank]), D), Mine[D], Bytes,
        // expect-note@-1: a barrier belongs between the read in line +5 and this overwrite in a later iteration
        // expect-note@-2: copy issued here
        // expect-note@-3: thread 0 of block 1 overwrites 'Sent[1][0]' here, read by thread 0 of block 0
        // expect-warning@-4{cpasync-in-flight-overwrite}: 'Sent' may be overwritten while other threads still read it
             inBlock(addressOf(&Received), D));
    wait(Received, Parity);
    // expect-note@-1: its thread waits for the copy here
    float *Row = Out + (size_t(Item) * Blocks + Rank) * Length;
    for (int I = Thread; I < Length; I += Threads)
      Row[I] = Sent[0][I] + Sent[1][I] + Sent[2][I] + Sent[3][I];
      // expect-note@-1: also read here
      // expect-note@-2: read here
    __syncthreads();
    // expect-note@-1: barrier is here
    if (Thread == 0 && Item + 1 < Items)
    // expect-note@-1: taken when this condition is true
      announce(Received, Blocks * Bytes);
    if (AreBlocksDone)
      syncCluster();
    else
      __syncthreads();
      // expect-note@-1: barrier is here
  }
}

__global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(Threads)
    segments(const float *In, float *Out, int Items, int Length) {
  addSegments<true>(In, Out, Items, Length);
}

// Others may not have received what is in the room yet.
__global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(Threads)
    segmentsTwo(const float *In, float *Out, int Items, int Length) {
    // expect-note@-1: with Length = 96, Items = 2
  addSegments<false>(In, Out, Items, Length);
  // expect-note@-1: 'addSegments' called here
}
