//===- barrier-completion.cu - Copies that a cuda::barrier counts ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A phase of the barrier is complete when its threads have arrived and their
// copies are there; who waits for it may read them all. Every kernel copies Src
// to Dst, Tiles tiles a block, and reads what another warp copied.
//
//===----------------------------------------------------------------------===//

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/utility>

namespace cg = cooperative_groups;

constexpr int Threads = 128;

#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const float4 *Src,           \
                                                  float4 *Dst, int Tiles)

using Barrier = cuda::barrier<cuda::thread_scope_block>;

KERNEL(arrive_and_wait_ok) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, Threads);
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
    cuda::memcpy_async(&Tile[Tid], &Src[T * Threads + Tid], sizeof(float4),
                       Full);
    Full.arrive_and_wait();
    Dst[T * Threads + Other] = Tile[Other];
    Full.arrive_and_wait();
  }
}

// Arrives, does something else, and waits with the token.
KERNEL(token_ok) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, blockDim.x);
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
    cuda::memcpy_async(&Tile[Tid], &Src[T * Threads + Tid], sizeof(float4),
                       Full);
    auto Token = Full.arrive();
    Full.wait(cuda::std::move(Token));
    Dst[T * Threads + Other] = Tile[Other];
    Full.wait(Full.arrive());
  }
}

// A ring with a barrier for each slot, one tile ahead.
KERNEL(barrier_per_slot_ok) {
  __shared__ float4 Ring[2][Threads];
  __shared__ Barrier Full[2];
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    for (int Slot = 0; Slot < 2; ++Slot)
      init(&Full[Slot], Threads);
  __syncthreads();
  cuda::memcpy_async(&Ring[0][Tid], &Src[Tid], sizeof(float4), Full[0]);
  for (int T = 0; T < Tiles; ++T) {
    if (T + 1 < Tiles)
      cuda::memcpy_async(&Ring[(T + 1) % 2][Tid],
                         &Src[(T + 1) * Threads + Tid], sizeof(float4),
                         Full[(T + 1) % 2]);
    Full[T % 2].arrive_and_wait();
    Dst[T * Threads + Other] = Ring[T % 2][Other];
    __syncthreads();
  }
}

// One statement issues both halves of a tile, for whichever barrier it is given;
// the barriers take turns.
__device__ void copyHalves(float4 *Tile, const float4 *Src, Barrier &Full) {
  for (int Half = 0; Half < 2; ++Half)
    cuda::memcpy_async(&Tile[Half * Threads + threadIdx.x],
    // expect-note@-1: copy issued here
                       &Src[Half * Threads + threadIdx.x], sizeof(float4),
                       Full);
}

KERNEL(barriers_take_turns_ok) {
  __shared__ float4 Ring[2][2 * Threads];
  __shared__ Barrier One, Two;
  Barrier *Now = &One, *Next = &Two;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0) {
    init(Now, Threads);
    init(Next, Threads);
  }
  __syncthreads();
  int Slot = 0;
  copyHalves(Ring[Slot], Src, *Now);
  for (int T = 1; T < Tiles; ++T) {
    copyHalves(Ring[1 - Slot], Src + 2 * T * Threads, *Next);
    Now->arrive_and_wait();
    Dst[2 * T * Threads - 2 * Threads + Other] = Ring[Slot][Other];
    Dst[2 * T * Threads - Threads + Other] = Ring[Slot][Threads + Other];
    Slot = 1 - Slot;
    Barrier *Done = Now;
    Now = Next;
    Next = Done;
    __syncthreads();
  }
  Now->arrive_and_wait();
  Dst[2 * (Tiles - 1) * Threads + Other] = Ring[Slot][Other];
  Dst[2 * (Tiles - 1) * Threads + Threads + Other] = Ring[Slot][Threads + Other];
}

// Both halves are bound to one barrier; it is the other that is waited for.
KERNEL(barrier_out_of_turn_bad) {
  __shared__ float4 Tile[2 * Threads];
  __shared__ Barrier One, Two;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0) {
    init(&One, Threads);
    init(&Two, Threads);
  }
  __syncthreads();
  copyHalves(Tile, Src, One);
  // expect-note@-1: 'copyHalves' called here
  Two.arrive_and_wait();
  // expect-note@-1: wait for all copies: insert 'asm volatile("cp.async.wait_all;" ::: "memory");'
  Dst[Other] = Tile[Threads + Other];
  // expect-note@-1: thread 0 reads 'Tile[255]' here, copied by thread 127
  // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// The block shares the copy; each thread may read any byte after the wait.
KERNEL(block_copies_ok) {
  __shared__ alignas(16) float4 Tile[Threads];
  __shared__ Barrier Full;
  auto Block = cg::this_thread_block();
  if (Block.thread_rank() == 0)
    init(&Full, Block.size());
  Block.sync();
  for (int T = 0; T < Tiles; ++T) {
    cuda::memcpy_async(Block, Tile, Src + T * Threads,
                       cuda::aligned_size_t<16>(sizeof(Tile)), Full);
    Full.arrive_and_wait();
    Dst[T * Threads + threadIdx.x] = Tile[threadIdx.x];
    Block.sync();
  }
}

// Half of the block fills, the other half reads; both count.
KERNEL(handed_over_ok) {
  constexpr int Half = Threads / 2;
  __shared__ float4 Tile[Half];
  __shared__ Barrier Full, Empty;
  const int Lane = threadIdx.x % Half;
  if (threadIdx.x == 0) {
    init(&Full, Threads);
    init(&Empty, Threads);
  }
  __syncthreads();
  if (threadIdx.x < Half) {
    for (int T = 0; T < Tiles; ++T) {
      cuda::memcpy_async(&Tile[Lane], &Src[T * Half + Lane], sizeof(float4),
                         Full);
      (void)Full.arrive();
      Empty.arrive_and_wait();
    }
  } else {
    for (int T = 0; T < Tiles; ++T) {
      Full.arrive_and_wait();
      Dst[T * Half + Lane] = Tile[Lane];
      (void)Empty.arrive();
    }
  }
}

KERNEL(no_wait_bad) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, Threads);
  __syncthreads();
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  // expect-note@-1: copy issued here
  __syncthreads();
  // expect-note@-1: wait for all copies: insert 'asm volatile("cp.async.wait_all;" ::: "memory");'
  Dst[Other] = Tile[Other];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// Arriving is not waiting.
KERNEL(only_arrives_bad) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, Threads);
  __syncthreads();
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  // expect-note@-1: copy issued here
  (void)Full.arrive();
  Dst[Other] = Tile[Other];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// Bound to one barrier, waited for at another.
KERNEL(other_barrier_bad) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full, Other;
  const int Tid = threadIdx.x, Far = Threads - 1 - Tid;
  if (Tid == 0) {
    init(&Full, Threads);
    init(&Other, Threads);
  }
  __syncthreads();
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  // expect-note@-1: copy issued here
  Other.arrive_and_wait();
  // expect-note@-1: wait for all copies: insert 'asm volatile("cp.async.wait_all;" ::: "memory");'
  Dst[Far] = Tile[Far];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-2{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL(refilled_too_early_bad) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, Threads);
  __syncthreads();
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    cuda::memcpy_async(&Tile[Tid], &Src[T * Threads + Tid], sizeof(float4),
    // expect-note@-1: a barrier belongs between the read in line +3 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 127
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
                       Full);
    Full.arrive_and_wait();
    Dst[T * Threads + Other] = Tile[Other];
    // expect-note@-1: read here
  }
}

//===----------------------------------------------------------------------===//
// Phases by their parity
//===----------------------------------------------------------------------===//

enum class Wait { Flipped, NeverFlipped, Inverted };
template <Wait How>
__device__ void tilesByParity(const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, Threads);
  __syncthreads();
  bool Phase = How == Wait::Inverted;
  for (int T = 0; T < Tiles; ++T) {
    cuda::memcpy_async(&Tile[Tid], &Src[T * Threads + Tid], sizeof(float4),
    // expect-note@-1: copy issued here
                       Full);
    (void)Full.arrive();
    Full.wait_parity(Phase);
    // expect-note@-1: wait may return at once: parity 1 is that of the phase before
    if (How != Wait::NeverFlipped)
      Phase = !Phase;
    Dst[T * Threads + Other] = Tile[Other];
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
    __syncthreads();
  }
}
KERNEL(parity_ok) { tilesByParity<Wait::Flipped>(Src, Dst, Tiles); }
KERNEL(parity_stays_bad) { tilesByParity<Wait::NeverFlipped>(Src, Dst, Tiles); }
KERNEL(parity_inverted_bad) { tilesByParity<Wait::Inverted>(Src, Dst, Tiles); }
// expect-note@-1: 'tilesByParity' called here
// expect-note@-2: with Tiles = 1

// Consumers of two stages, and one thread that frees them for itself.
KERNEL(empty_and_full_ok) {
  __shared__ float4 Tile[2][Threads];
  __shared__ Barrier Full[2], Empty[2];
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid < 2) {
    init(&Full[Tid], Threads);
    init(&Empty[Tid], Threads);
  }
  __syncthreads();
  auto Fetch = [&](int T) {
    Empty[T % 2].wait_parity((T / 2 + 1) % 2);
    cuda::memcpy_async(&Tile[T % 2][Tid], &Src[T * Threads + Tid],
                       sizeof(float4), Full[T % 2]);
    (void)Full[T % 2].arrive();
  };
  Fetch(0);
  for (int T = 0; T < 6; ++T) {
    if (T + 1 < 6)
      Fetch(T + 1);
    Full[T % 2].wait_parity(T / 2 % 2);
    Dst[T * Threads + Other] = Tile[T % 2][Other];
    (void)Empty[T % 2].arrive();
  }
}

//===----------------------------------------------------------------------===//
// How many arrivals a phase expects
//===----------------------------------------------------------------------===//

// 128 threads arrive where 64 are expected: the phase does not wait for all.
KERNEL(expects_half_bad) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, Threads / 2);
  __syncthreads();
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  // expect-note@-1: copy issued here
  Full.arrive_and_wait();
  // expect-note@-1: barrier is here
  // expect-note@-2: barrier reached here only by threads 0-63
  // expect-note@-3: barrier reached here only by threads 64-127
  // expect-note@-4: its thread waits for the copy here
  // expect-note@-5: wait for all groups is here
  Dst[Other] = Tile[Other];
  // expect-note@-1: a barrier belongs between the wait in line -1 and this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

// The other barrier orders all copies before the first arrival.
KERNEL(expects_half_behind_barrier_ok) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, Threads / 2);
  __syncthreads();
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  __syncthreads();
  Full.arrive_and_wait();
  Dst[Other] = Tile[Other];
}

// Only producers arrive.
KERNEL(expects_producers_ok) {
  __shared__ float4 Tile[32];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x;
  if (Tid == 0)
    init(&Full, 32);
  __syncthreads();
  if (Tid < 32) {
    cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
    (void)Full.arrive();
  }
  Full.wait_parity(false);
  Dst[Tid] = Tile[31 - Tid % 32];
}

// Each thread arrives twice.
KERNEL(expects_two_of_each_ok) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, 2 * Threads);
  __syncthreads();
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  Full.wait(Full.arrive(2));
  Dst[Other] = Tile[Other];
}

// One thread arrives for its block; nobody knows which.
KERNEL(expects_a_leader_ok) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, 1);
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  __syncthreads();
  if (Tid == Tiles)
    (void)Full.arrive();
  Full.wait_parity(false);
  Dst[Other] = Tile[Other];
}

//===----------------------------------------------------------------------===//
// Copies that only some threads issue
//===----------------------------------------------------------------------===//

// Threads behind the end copy nothing; they arrive, as all do.
__device__ void fetch(float4 *Tile, const float4 *Src, int Rows, Barrier &Full) {
  if (threadIdx.x < Rows)
  // expect-note@-1: taken when this condition is true
    cuda::memcpy_async(&Tile[threadIdx.x], &Src[threadIdx.x], sizeof(float4),
    // expect-note@-1: copy issued here
                       Full);
  else
    Tile[threadIdx.x] = make_float4(0, 0, 0, 0);
  (void)Full.arrive();
}

KERNEL(ragged_ok) {
  __shared__ float4 Tile[2][Threads];
  __shared__ Barrier Full[2], Read;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0) {
    for (Barrier &B : Full)
      init(&B, Threads);
    init(&Read, Threads);
  }
  __syncthreads();
  fetch(Tile[0], Src, Tiles, Full[0]);
  for (int T = 0; T < 4; ++T) {
    if (T < 3)
      fetch(Tile[(T + 1) % 2], Src + (T + 1) * Threads, Tiles,
            Full[(T + 1) % 2]);
    Full[T % 2].wait_parity(T / 2 % 2);
    Dst[T * Threads + Other] = Tile[T % 2][Other];
    Read.arrive_and_wait();
  }
}

KERNEL(ragged_never_waited_bad) {
// expect-note@-1: with Tiles = 128
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, Threads);
  __syncthreads();
  fetch(Tile, Src, Tiles, Full);
  // expect-note@-1: 'fetch' called here
  Dst[Other] = Tile[Other];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
  Full.wait_parity(0);
}

// Odd tiles wait for the phase before, which lets them through at once.
KERNEL(ragged_wrong_parity_bad) {
// expect-note@-1: with Tiles = 128
  __shared__ float4 Tile[2][Threads];
  __shared__ Barrier Full[2], Read;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0) {
    for (Barrier &B : Full)
      init(&B, Threads);
    init(&Read, Threads);
  }
  __syncthreads();
  for (int T = 0; T < 4; ++T) {
    fetch(Tile[T % 2], Src + T * Threads, Tiles, Full[T % 2]);
    // expect-note@-1: 'fetch' called here
    Full[T % 2].wait_parity(T % 2);
    // expect-note@-1: wait may return at once: parity 1 is that of the phase before
    Dst[T * Threads + Other] = Tile[T % 2][Other];
    // expect-note@-1: a wait for the copy and a barrier belong before this read
    // expect-note@-2: thread 0 reads 'Tile[1][127]' here, copied by thread 127
    // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
    Read.arrive_and_wait();
  }
}

// Who has arrived copies into whatever phase is open then.
KERNEL(arrives_first_bad) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, Threads);
  __syncthreads();
  auto Token = Full.arrive();
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  // expect-note@-1: copy issued here
  Full.wait(cuda::std::move(Token));
  Dst[Other] = Tile[Other];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// One arrives for all, behind their copies.
KERNEL(leader_arrives_ok) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x, Other = Threads - 1 - Tid;
  if (Tid == 0)
    init(&Full, 1);
  __syncthreads();
  if (Tid < Tiles)
    cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  __syncthreads();
  if (Tid == 0)
    (void)Full.arrive();
  Full.wait_parity(0);
  Dst[Other] = Tile[Other];
}

//===----------------------------------------------------------------------===//
// Threads that have left do not arrive
//===----------------------------------------------------------------------===//

KERNEL(leaves_before_arriving_bad) {
// expect-note@-1: with blockIdx.x = 0, Tiles = 65
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x;
  if (Tid == 0)
    init(&Full, Threads);
    // expect-note@-1: 'Full' initialised here, a phase expects 128 arrivals
  __syncthreads();
  if (blockIdx.x * Threads + Tid >= Tiles)
  // expect-note@-1: taken when this condition is true only in threads 65-127
    return;
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  Full.arrive_and_wait();
  // expect-note@-1: arrived at 'Full' here
  // expect-note@-2: as many must arrive in each phase as the initialisation says
  // expect-warning@-3{cpasync-mismatched-phase}: phase of 'Full' waited for here may never complete: 65 of 128 arrivals came
  Dst[Tid] = Tile[Tid];
}

KERNEL(drops_before_leaving_ok) {
  __shared__ float4 Tile[Threads];
  __shared__ Barrier Full;
  const int Tid = threadIdx.x;
  if (Tid == 0)
    init(&Full, Threads);
  __syncthreads();
  if (blockIdx.x * Threads + Tid >= Tiles) {
    Full.arrive_and_drop();
    return;
  }
  cuda::memcpy_async(&Tile[Tid], &Src[Tid], sizeof(float4), Full);
  Full.arrive_and_wait();
  Dst[Tid] = Tile[Tid];
}
