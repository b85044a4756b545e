//===- nested-roles.cu - Roles within roles -------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last warpgroup parts into a warp that loads, one that hands results on
// and two that do nothing; the others into two that compute. Each side of each
// branch runs once, whoever comes to wait first.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

__device__ uint32_t toShared(const void *P) {
  return (uint32_t)__cvta_generic_to_shared(P);
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
__device__ void expect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
}
__device__ void wait(uint64_t *B, uint32_t Parity) {
  asm volatile("{\n.reg .pred "
               "done;\nAGAIN_%=:\nmbarrier.try_wait.parity.shared::cta.b64 "
               "done, [%0], %1;\n@!done bra AGAIN_%=;\n}" ::"r"(toShared(B)),
               "r"(Parity)
               : "memory");
}
__device__ void load(void *To, const void *From, uint32_t Bytes, uint64_t *B) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(toShared(To)),
               "l"(From), "r"(Bytes), "r"(toShared(B))
               : "memory");
}
constexpr int Computing = 256, All = 384;

struct Shared {
  alignas(128) float Tile[2][Computing];
  uint64_t Full[2], Done[2], Handed;
};

__device__ void prepare(Shared &S, const float *In) {
  if (threadIdx.x == 0) {
    initBarrier(&S.Handed, 1);
    for (int I = 0; I < 2; ++I) {
      initBarrier(&S.Full[I], 1);
      initBarrier(&S.Done[I], 1);
    }
    expect(&S.Full[0], sizeof(S.Tile[0]));
    load(S.Tile[0], In, sizeof(S.Tile[0]), &S.Full[0]);
    // expect-note@-1: copy issued here
  }
  __syncthreads();
}

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(All)                                       \
      Name(const float *In, float *Out, int Tiles)

KERNEL(handed_on_ok) {
  __shared__ Shared S;
  const int Group = threadIdx.x / 128, Warp = threadIdx.x / 32;
  int Now = 0, Next = 1;
  prepare(S, In);
  if (Group == 2) {
    if (Warp % 4 == 0) {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
        if (T + 1 < Tiles && threadIdx.x % 32 == 0) {
          expect(&S.Full[Next], sizeof(S.Tile[0]));
          load(S.Tile[Next], In + (T + 1) * Computing, sizeof(S.Tile[0]),
               &S.Full[Next]);
        }
        wait(&S.Done[Now], T / 2 % 2);
      }
    } else if (Warp % 4 == 1) {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
        wait(&S.Done[Now], T / 2 % 2);
        if (threadIdx.x % 32 == 0)
          arrive(&S.Handed);
      }
    }
  } else {
    float Sum = 0;
    if (Group == 0) {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
        wait(&S.Full[Now], T / 2 % 2);
        Sum += S.Tile[Now][threadIdx.x];
        asm volatile("bar.sync 10, 256;" ::: "memory");
        wait(&S.Handed, Next);
        asm volatile("bar.sync 4, 128;" ::: "memory");
        if (threadIdx.x == 0)
          arrive(&S.Done[Now]);
      }
    } else {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
        wait(&S.Full[Now], T / 2 % 2);
        Sum += S.Tile[Now][threadIdx.x];
        asm volatile("bar.sync 10, 256;" ::: "memory");
      }
    }
    Out[threadIdx.x] = Sum;
  }
}

// Nothing keeps the tile that is read from being refilled.
KERNEL(no_way_back_bad) {
// expect-note@-1: with Tiles = 3
  __shared__ Shared S;
  const int Group = threadIdx.x / 128, Warp = threadIdx.x / 32;
  int Now = 0, Next = 1;
  prepare(S, In);
  // expect-note@-1: 'prepare' called here
  if (Group == 2) {
    if (Warp % 4 == 0) {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
      // expect-note@-1: in the iteration of this loop with T = 1
      // expect-note@-2: in the iteration of this loop with T = 2
      // expect-skipped@-3: loop does not settle within 64 iterations
        if (T + 1 < Tiles && threadIdx.x % 32 == 0) {
        // expect-note@-1: taken when this condition is false
        // expect-note@-2: taken when this condition is true
          expect(&S.Full[Next], sizeof(S.Tile[0]));
          load(S.Tile[Next], In + (T + 1) * Computing, sizeof(S.Tile[0]),
          // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
          // expect-note@-2: copy issued here
          // expect-note@-3: thread 256 overwrites 'S.Tile[0]' here, copied by thread 0
          // expect-warning@-4{cpasync-in-flight-overwrite}: 'S' may be overwritten while a copy into it is in flight
               &S.Full[Next]);
        }
      }
    } else if (Warp % 4 == 1) {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
        wait(&S.Done[Now], T / 2 % 2);
        if (threadIdx.x % 32 == 0)
          arrive(&S.Handed);
      }
    }
  } else {
    float Sum = 0;
    if (Group == 0) {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
      // expect-note@-1: in the iteration of this loop with T = 0
        wait(&S.Full[Now], T / 2 % 2);
        Sum += S.Tile[Now][threadIdx.x];
        // expect-note@-1: a wait for the copy and a barrier belong before this read
        // expect-note@-2: thread 0 reads 'S.Tile[0][0]' here, copied by thread 256
        // expect-warning@-3{cpasync-unwaited-read}: 'S' may be read before the asynchronous copy into it has completed
        asm volatile("bar.sync 10, 256;" ::: "memory");
        wait(&S.Handed, Next);
        asm volatile("bar.sync 4, 128;" ::: "memory");
        if (threadIdx.x == 0)
          arrive(&S.Done[Now]);
      }
    } else {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
      // expect-note@-1: in the iteration of this loop with T = 0
        wait(&S.Full[Now], T / 2 % 2);
        Sum += S.Tile[Now][threadIdx.x];
        // expect-note@-1: a wait for the copy and a barrier belong before this read
        // expect-note@-2: thread 128 reads 'S.Tile[0][128]' here, copied by thread 256
        // expect-warning@-3{cpasync-unwaited-read}: 'S' may be read before the asynchronous copy into it has completed
        asm volatile("bar.sync 10, 256;" ::: "memory");
      }
    }
    Out[threadIdx.x] = Sum;
  }
}

// The sides that do not wait are over when the one that does comes to wait.
KERNEL(one_waits_ok) {
  __shared__ Shared S;
  const int Group = threadIdx.x / 128, Warp = threadIdx.x / 32;
  int Now = 0, Next = 1;
  prepare(S, In);
  if (Group == 2) {
    if (Warp % 4 == 0) {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
        if (T + 1 < Tiles && threadIdx.x % 32 == 0) {
          expect(&S.Full[Next], sizeof(S.Tile[0]));
          load(S.Tile[Next], In + (T + 1) * Computing, sizeof(S.Tile[0]),
               &S.Full[Next]);
        }
        wait(&S.Done[Now], T / 2 % 2);
      }
    } else if (Warp % 4 == 1) {
      Out += Tiles;
    }
  } else {
    float Sum = 0;
    if (Group == 0) {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
        wait(&S.Full[Now], T / 2 % 2);
        Sum += S.Tile[Now][threadIdx.x];
        asm volatile("bar.sync 10, 256;" ::: "memory");
        asm volatile("bar.sync 4, 128;" ::: "memory");
        if (threadIdx.x == 0)
          arrive(&S.Done[Now]);
      }
    } else {
      for (int T = 0; T < Tiles; ++T, Now ^= 1, Next ^= 1) {
        wait(&S.Full[Now], T / 2 % 2);
        Sum += S.Tile[Now][threadIdx.x];
        asm volatile("bar.sync 10, 256;" ::: "memory");
      }
    }
    Out[threadIdx.x] = Sum;
  }
}
