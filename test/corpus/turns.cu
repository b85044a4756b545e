//===- turns.cu - Groups that wait for each other in turn ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two groups run the same code, and each waits for its turn, which the other
// gives it: what one waits for, the other does behind the same wait.
//
//===----------------------------------------------------------------------===//

#include <cassert>
#include <cstdint>

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}
__device__ void initBarrier(uint64_t *B, uint32_t Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(toShared(B)),
               "r"(Count)
               : "memory");
}
__device__ void arrive(uint64_t *B) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(toShared(B))
               : "memory");
}
__device__ void waitParity(uint64_t *B, uint32_t Parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra AGAIN_%=;\n}" ::"r"(toShared(B)),
               "r"(Parity)
               : "memory");
}
__device__ void loadBulk(void *To, const void *From, uint32_t Bytes,
                         uint64_t *B) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
  // expect-note@-1: copy issued here
  // expect-note@-2: thread 0 overwrites 'Tile[0][32]' here, read by thread 32
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}

constexpr int Groups = 2, Of = 128, Stages = 2, Threads = Groups * Of + 32;

struct Shared {
  alignas(128) float Tile[Stages][Of];
  uint64_t Full[Stages], Empty[Stages], Turn[Groups];
};

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(Threads)                                   \
      Name(const float *In, float *Out, int Tiles)

__device__ void prepare(Shared &S) {
  if (threadIdx.x == 0) {
    for (int I = 0; I < Stages; ++I) {
      initBarrier(&S.Full[I], 1);
      initBarrier(&S.Empty[I], Of);
    }
    for (int I = 0; I < Groups; ++I)
      initBarrier(&S.Turn[I], Of);
  }
  __syncthreads();
}

__device__ void loadAll(Shared &S, const float *In, int Tiles) {
  if (threadIdx.x % 32)
    return;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 2
  // expect-note@-2: loop run for 2 iterations
  // expect-note@-3: loop run for 3 iterations
    waitParity(&S.Empty[T % Stages], (T / Stages & 1) ^ 1);
    // expect-note@-1: as many must arrive in each phase as the initialisation says
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'S' waited for here may never complete: 0 of 128 arrivals came
    loadBulk(S.Tile[T % Stages], In + T * Of, Of * sizeof(float),
    // expect-note@-1: 'loadBulk' called here
             &S.Full[T % Stages]);
  }
}

KERNEL(in_turn_ok) {
  __shared__ Shared S;
  prepare(S);
  const int Group = threadIdx.x / Of, Lane = threadIdx.x % Of;
  if (Group == Groups)
    return loadAll(S, In, Tiles);
  uint32_t Turn = Group == 0;
  for (int T = Group; T < Tiles; T += Groups, Turn ^= 1) {
    waitParity(&S.Full[T % Stages], T / Stages & 1);
    const float X = S.Tile[T % Stages][Lane];
    arrive(&S.Empty[T % Stages]);
    waitParity(&S.Turn[Group], Turn);
    Out[T * Of + Lane] = X;
    arrive(&S.Turn[(Group + 1) % Groups]);
  }
}

// The other group is never given its turn.
KERNEL(never_its_turn_bad) {
// expect-note@-1: with Tiles = 2
  __shared__ Shared S;
  prepare(S);
  // expect-note@-1: 'S' initialised here, a phase expects 128 arrivals
  const int Group = threadIdx.x / Of, Lane = threadIdx.x % Of;
  if (Group == Groups)
    return loadAll(S, In, Tiles);
    // expect-note@-1: 'loadAll' called here
  uint32_t Turn = Group == 0;
  for (int T = Group; T < Tiles; T += Groups, Turn ^= 1) {
  // expect-note@-1: in the first iteration of this loop
    waitParity(&S.Full[T % Stages], T / Stages & 1);
    const float X = S.Tile[T % Stages][Lane];
    arrive(&S.Empty[T % Stages]);
    waitParity(&S.Turn[Group], Turn);
    // expect-note@-1: as many must arrive in each phase as the initialisation says
    // expect-warning@-2{cpasync-mismatched-phase}: phase of 'S' waited for here may never complete: 0 of 128 arrivals came
    Out[T * Of + Lane] = X;
    arrive(&S.Turn[Group]);
  }
}

// The slots are given back before the turn comes, and read behind it.
KERNEL(given_back_early_bad) {
// expect-note@-1: with Tiles = 3
  __shared__ Shared S;
  prepare(S);
  const int Group = threadIdx.x / Of, Lane = threadIdx.x % Of;
  if (Group == Groups)
    return loadAll(S, In, Tiles);
    // expect-note@-1: 'loadAll' called here
  uint32_t Turn = Group == 0;
  for (int T = Group; T < Tiles; T += Groups, Turn ^= 1) {
  // expect-note@-1: in the first iteration of this loop
    waitParity(&S.Full[T % Stages], T / Stages & 1);
    arrive(&S.Empty[T % Stages]);
    waitParity(&S.Turn[Group], Turn);
    Out[T * Of + Lane] = S.Tile[T % Stages][Lane];
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'S.Tile[0][0]' here, copied by thread 256
    // expect-warning@-3{cpasync-unwaited-read}: 'S' may be read before the asynchronous copy into it has completed
    arrive(&S.Turn[(Group + 1) % Groups]);
  }
}

//===----------------------------------------------------------------------===//
// One thread refills what all read
//===----------------------------------------------------------------------===//

constexpr int Ring = 3;

__device__ void load(float *To, const float *From, uint64_t *Full) {
  loadBulk(To, From, 256 * sizeof(float), Full);
  // expect-note@-1: 'loadBulk' called here
}

#define REFILLED(Name, Parity)                                                 \
  __global__ void __launch_bounds__(256)                                       \
      Name(const float *In, float *Out, int Tiles) {                           \
    __shared__ alignas(128) float Tile[Ring][256];                             \
    __shared__ uint64_t Full[Ring], Empty[Ring];                               \
    assert(Tiles > 0 && "nothing to do");                                      \
    if (threadIdx.x == 0)                                                      \
      for (int I = 0; I < Ring; ++I) {                                         \
        initBarrier(&Full[I], 1);                                              \
        initBarrier(&Empty[I], 8);                                             \
      }                                                                        \
    __syncthreads();                                                           \
    if (threadIdx.x == 0)                                                      \
      for (int I = 0; I < Ring && I < Tiles; ++I)                              \
        load(Tile[I], In + I * 256, &Full[I]);                                 \
    float Sum = 0;                                                             \
    for (int T = 0; T < Tiles; ++T) {                                          \
      waitParity(&Full[T % Ring], T / Ring & 1);                               \
      Sum += Tile[T % Ring][threadIdx.x];                                      \
      __syncwarp();                                                            \
      if (threadIdx.x % 32 == 0)                                               \
        arrive(&Empty[T % Ring]);                                              \
      if (threadIdx.x == 0 && T + Ring < Tiles) {                              \
        waitParity(&Empty[T % Ring], Parity);                                  \
        load(Tile[T % Ring], In + (T + Ring) * 256, &Full[T % Ring]);          \
      }                                                                        \
    }                                                                          \
    Out[threadIdx.x] = Sum;                                                    \
  }

REFILLED(own_round_ok, T / Ring & 1)
// The phase before is complete at once: other warps may not have read yet.
REFILLED(round_before_bad, (T / Ring & 1) ^ 1)
// expect-note@-1: 'load' called here
// expect-note@-2: a barrier belongs between the read in line +0 and this call
// expect-note@-3: in the iteration of this loop with T = 0
// expect-note@-4: read here
// expect-note@-5: taken when this condition is true
// expect-note@-6: with Tiles = 4
// expect-warning@-7{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it

//===----------------------------------------------------------------------===//
// What comes behind an assertion
//===----------------------------------------------------------------------===//

// Nobody gives the slots back. The text of the assertion is true.
KERNEL(never_given_back_bad) {
// expect-note@-1: with Tiles = 3
  __shared__ Shared S;
  assert(Threads > Of && "somebody has to load");
  prepare(S);
  // expect-note@-1: 'S' initialised here, a phase expects 128 arrivals
  if (threadIdx.x >= Groups * Of)
    return loadAll(S, In, Tiles);
    // expect-note@-1: 'loadAll' called here
  if (threadIdx.x >= Of)
    return;
  for (int T = 0; T < Tiles; ++T) {
    waitParity(&S.Full[T % Stages], T / Stages & 1);
    Out[T * Of + threadIdx.x] = S.Tile[T % Stages][threadIdx.x];
  }
}
