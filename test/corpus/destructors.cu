//===- destructors.cu - What happens at the end of a scope ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guards commit, wait and step on when they go out of scope.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

constexpr int Threads = 128;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const uint4 *Src,            \
                                                  uint4 *Dst, int Tiles)

struct Commit {
  __device__ ~Commit() { __pipeline_commit(); }
};
struct Complete {
  __device__ ~Complete() {
    __pipeline_wait_prior(0);
    // expect-note@-1: this wait belongs behind the commit in line +32
    // expect-warning@-2{cpasync-wrong-wait-group}: wait runs before the copy into 'Tile' is committed
    __syncthreads();
  }
};
// Bases go after members, members after what the destructor itself does.
struct CommitThenComplete : Complete {
  Commit Inner;
  __device__ ~CommitThenComplete() {}
};
struct Step {
  unsigned &At;
  __device__ Step(unsigned &At) : At(At) {}
  __device__ ~Step() { At ^= 1; }
};

KERNEL(guards_ok) {
  __shared__ uint4 Tile[Threads];
  {
    Complete Last;
    Commit First;
    __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  }
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

// What is declared last goes first: the wait comes before the commit.
KERNEL(guards_in_wrong_order_bad) {
  __shared__ uint4 Tile[Threads];
  {
    Commit Last;
    Complete First;
    __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
    // expect-note@-1: copy issued here
  }
  // expect-note@-1: '~Complete' called here
  // expect-note@-2: committed here
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
}

KERNEL(members_and_bases_ok) {
  __shared__ uint4 Tile[Threads];
  {
    CommitThenComplete Both;
    __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  }
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}

KERNEL(still_in_scope_bad) {
  __shared__ uint4 Tile[Threads];
  CommitThenComplete Both;
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

KERNEL(in_rounds_ok) {
  __shared__ uint4 Slot[2][Threads];
  unsigned At = 0;
  for (int T = 0; T < Tiles; ++T) {
    Step Next(At);
    {
      CommitThenComplete Both;
      __pipeline_memcpy_async(&Slot[At][threadIdx.x],
                              Src + T * Threads + threadIdx.x, 16);
      if (T == 7)
        continue;
    }
    Dst[T * Threads + threadIdx.x] = Slot[At][Threads - 1 - threadIdx.x];
  }
}

// The slot stays the same, and is filled again while others read it.
KERNEL(one_slot_bad) {
// expect-note@-1: with Tiles = 2
  __shared__ uint4 Slot[2][Threads];
  unsigned At = 0;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    Step Next(At), NextAgain(At);
    {
      CommitThenComplete Both;
      __pipeline_memcpy_async(&Slot[At][threadIdx.x],
      // expect-note@-1: a barrier belongs between the read in line +3 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Slot[0][0]' here, read by thread 127
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slot' may be overwritten while other threads still read it
                              Src + T * Threads + threadIdx.x, 16);
    }
    Dst[T * Threads + threadIdx.x] = Slot[At][Threads - 1 - threadIdx.x];
    // expect-note@-1: read here
  }
}

// Temporaries end with the expression they are part of.
KERNEL(temporaries_ok) {
  __shared__ uint4 Tile[Threads];
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  Commit();
  Complete{};
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}
KERNEL(commit_ends_too_early_bad) {
  __shared__ uint4 Tile[Threads];
  Commit();
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  // expect-warning@-1{cpasync-uncommitted-copy}: asynchronous copy into 'Tile' is uncommitted at the wait
  __pipeline_wait_prior(0);
  // expect-note@-1: commit the copy: insert '__pipeline_commit();'
  // expect-note@-2: wait for all groups is here
  __syncthreads();
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
}

struct Stepping {
  unsigned &At;
  __device__ unsigned at() const { return At; }
  __device__ ~Stepping() { At ^= 1; }
};
__device__ Stepping stepping(unsigned &At) { return {At}; }

// The slot changes when the statement is over.
KERNEL(returned_ok) {
  __shared__ uint4 Slot[2][Threads];
  unsigned At = 0;
  for (int T = 0; T < Tiles; ++T) {
    __pipeline_memcpy_async(&Slot[stepping(At).at()][threadIdx.x],
                            Src + T * Threads + threadIdx.x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Slot[At ^ 1][Threads - 1 - threadIdx.x];
  }
}
KERNEL(returned_bad) {
// expect-note@-1: with Tiles = 2
  __shared__ uint4 Slot[2][Threads];
  unsigned At = 0;
  for (int T = 0; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 0
  // expect-note@-2: in the iteration of this loop with T = 1
    __pipeline_memcpy_async(&Slot[stepping(At).at()][threadIdx.x],
    // expect-note@-1: a barrier belongs between the read in line +5 and this overwrite in a later iteration
    // expect-note@-2: thread 0 overwrites 'Slot[0][0]' here, read by thread 127
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Slot' may be overwritten while other threads still read it
                            Src + T * Threads + threadIdx.x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    Dst[T * Threads + threadIdx.x] = Slot[At ^ 1][Threads - 1 - threadIdx.x];
    // expect-note@-1: read here
    stepping(At).at();
  }
}

// A reference keeps it until the end of its scope.
KERNEL(referred_ok) {
  __shared__ uint4 Tile[Threads];
  {
    const Complete &Last = Complete();
    const Commit &First = Commit();
    __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  }
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
}
KERNEL(referred_bad) {
  __shared__ uint4 Tile[Threads];
  const Complete &Last = Complete();
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  Dst[threadIdx.x] = Tile[Threads - 1 - threadIdx.x];
  // expect-note@-1: a wait for the copy and a barrier belong before this read
  // expect-note@-2: thread 0 reads 'Tile[127]' here, copied by thread 127
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// A temporary that only some paths make ends on those.
struct Waits {
  int N;
  __device__ bool isPositive() const { return N > 0; }
  __device__ ~Waits() { __pipeline_wait_prior(0); }
};
struct Plain {
  int N;
  __device__ bool isPositive() const { return N > 0; }
  __device__ ~Plain() { N = 0; }
};
KERNEL(behind_a_condition_bad) {
// expect-note@-1: with Tiles = 0
  __shared__ uint4 Tile[Threads];
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (Tiles > 3 && Waits{Tiles}.isPositive())
  // expect-note@-1: taken when this condition is false
    Dst += Threads;
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' may be read before the asynchronous copy into it has completed
}
KERNEL(in_both_arms_ok) {
  __shared__ uint4 Tile[Threads];
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  __pipeline_commit();
  Tiles > 3 ? Waits{Tiles} : Waits{2};
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(nothing_to_do_ok) {
  __shared__ uint4 Tile[Threads];
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  __pipeline_commit();
  if (Tiles > 3 && Plain{Tiles}.isPositive())
    Dst += Threads;
  __pipeline_wait_prior(0);
  Dst[threadIdx.x] = Tile[threadIdx.x];
}

// A reference to what is there already ends nothing.
KERNEL(alias_bad) {
  __shared__ uint4 Tile[Threads];
  Complete Last;
  {
    const Complete &Alias = Last;
    __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
  }
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}
