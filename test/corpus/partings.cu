//===- partings.cu - Some threads leave, others stay -----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which threads leave is not known. Where all do, nobody reads; where none does,
// all wait for their copies. In between, those who stay read copies of those who
// left without a wait.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ void copy(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
}

KERNEL rows_beyond_the_end(const float *In, float *Out, int Rows) {
// expect-note@-1: with blockIdx.x = 0, Rows = 65
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (blockIdx.x * 128 + threadIdx.x >= Rows)
  // expect-note@-1: taken when this condition is true only in threads 65-127
    return;
    // expect-note@-1: kernel left here by threads 65-127
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 0-64
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 32];
  // expect-note@-1: thread 64 reads 'Tile[96]' here, copied by thread 96
}

KERNEL rows_beyond_the_end_wait_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (blockIdx.x * 128 + threadIdx.x >= Rows)
    return;
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 32];
}

KERNEL rows_beyond_the_end_copy_nothing_ok(const float *In, float *Out,
                                           int Rows) {
  __shared__ float Tile[128];
  if (blockIdx.x * 128 + threadIdx.x >= Rows)
    return;
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 32];
}

// What those who left copied is read by nobody.
KERNEL own_rows_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  if (threadIdx.x >= Rows)
    return;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// Those below the bound go, and only higher rows are read.
KERNEL rows_above_stay_ok(const float *In, float *Out, int First) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  if (threadIdx.x < First)
    return;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[(threadIdx.x + 128) / 2];
}

KERNEL rows_above_go(const float *In, float *Out, int First) {
// expect-note@-1: with First = 65
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x >= First)
  // expect-note@-1: taken when this condition is true only in threads 65-127
    return;
    // expect-note@-1: kernel left here by threads 65-127
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 0-64
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some lanes of a warp that copies into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[(threadIdx.x + 128) / 2];
  // expect-note@-1: thread 2 reads 'Tile[65]' here, copied by thread 65
}

// Up to warp 1, somebody needs what thread 40 copied.
KERNEL all_read_one_row(const float *In, float *Out, int Warps) {
// expect-note@-1: with Warps = 1
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x < 32 * Warps) {
  // expect-note@-1: taken when this condition is true only in threads 0-31
    __pipeline_wait_prior(0);
    // expect-note@-1: all threads that copy must come to this wait
    // expect-note@-2: waited for here only by threads 0-31
    // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
    __syncthreads();
    Out[threadIdx.x] = Tile[40];
    // expect-note@-1: thread 0 reads 'Tile[40]' here, copied by thread 40
  }
}

KERNEL rows_and_columns(const float *In, float *Out, int Rows, int Columns) {
// expect-note@-1: with blockIdx.x = 0, Rows = 2, blockIdx.y = 0, Columns = 33
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  const int Row = blockIdx.x * 2 + threadIdx.x / 64;
  const int Column = blockIdx.y * 64 + threadIdx.x % 64;
  if (Row < Rows && Column < Columns) {
  // expect-note@-1: taken when this condition is true
  // expect-note@-2: taken when this condition is true only in threads 0-32, 64-96
    __pipeline_wait_prior(0);
    // expect-note@-1: all threads that copy must come to this wait
    // expect-note@-2: waited for here only by threads 0-32, 64-96
    // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some lanes of a warp that copies into 'Tile'
    __syncthreads();
    Out[threadIdx.x] = Tile[127 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
  }
}

KERNEL flags(const float *In, float *Out, const int *IsValid) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (!IsValid[threadIdx.x])
  // expect-note@-1: taken when this condition is true only in threads 0-64
    return;
    // expect-note@-1: kernel left here by threads 0-64
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 65-127
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some lanes of a warp that copies into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 1];
  // expect-note@-1: thread 65 reads 'Tile[64]' here, copied by thread 64
}

// The eight threads of a row have one flag, and read that row only.
KERNEL flags_of_rows_ok(const float *In, float *Out, const int *IsValid) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  if (!IsValid[threadIdx.x / 8])
    return;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 1];
}

KERNEL flags_of_rows(const float *In, float *Out, const int *IsValid) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (!IsValid[threadIdx.x / 8])
  // expect-note@-1: taken when this condition is true only in threads 0-71
    return;
    // expect-note@-1: kernel left here by threads 0-71
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 72-127
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some lanes of a warp that copies into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 8];
  // expect-note@-1: thread 72 reads 'Tile[64]' here, copied by thread 64
}

// Two rows that lie 64 threads apart have one flag.
KERNEL folded_flags_ok(const float *In, float *Out, const int *IsValid) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  if (IsValid[threadIdx.x % 64] < blockIdx.x)
    return;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 64];
}

// Each warp by itself.
KERNEL warps_leave_ok(const float *In, float *Out, const int *Tiles) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  if (Tiles[threadIdx.x / 32] == 0)
    return;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 1];
}

KERNEL warps_leave(const float *In, float *Out, const int *Tiles) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (Tiles[threadIdx.x / 32] == 0)
  // expect-note@-1: taken when this condition is true only in threads 0-95
    return;
    // expect-note@-1: kernel left here by threads 0-95
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 96-127
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: thread 96 reads 'Tile[31]' here, copied by thread 31
}

// A vote takes the warp along.
KERNEL warps_vote_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  if (!__any_sync(~0u, threadIdx.x < Rows))
    return;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 1];
}

KERNEL all_but_the_leader(const float *In, float *Out, int Leader) {
// expect-note@-1: with Leader = 64
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x != Leader)
  // expect-note@-1: taken when this condition is true only in threads 0-63, 65-127
    return;
    // expect-note@-1: kernel left here by threads 0-63, 65-127
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by thread 64
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some lanes of a warp that copies into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[(threadIdx.x + 1) % 128];
  // expect-note@-1: thread 64 reads 'Tile[65]' here, copied by thread 65
}

KERNEL break_of_the_last_loop(const float *In, float *Out, const int *Count,
// expect-note@-1: with Tiles = 1
                              int Tiles) {
  __shared__ float Tile[128];
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with K = 0
    copy(&Tile[threadIdx.x], &In[K * 128 + threadIdx.x]);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: committed here
    if (K >= Count[threadIdx.x])
    // expect-note@-1: taken when this condition is true only in threads 0-64
      break;
    __pipeline_wait_prior(0);
    // expect-note@-1: all threads that copy must come to this wait
    // expect-note@-2: waited for here only by threads 65-127
    // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
    __syncthreads();
    Out[K * 128 + threadIdx.x] = Tile[127 - threadIdx.x];
    // expect-note@-1: thread 65 reads 'Tile[62]' here, copied by thread 62
    __syncthreads();
  }
}

KERNEL break_after_the_wait_ok(const float *In, float *Out, const int *Count,
                               int Tiles) {
  __shared__ float Tile[128];
  for (int K = 0; K < Tiles; ++K) {
    copy(&Tile[threadIdx.x], &In[K * 128 + threadIdx.x]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (K >= Count[threadIdx.x])
      break;
    __syncthreads();
    Out[K * 128 + threadIdx.x] = Tile[127 - threadIdx.x];
    __syncthreads();
  }
}

// All threads have to come to the last barrier: they break together.
KERNEL break_before_a_barrier_ok(const float *In, float *Out, const int *Count,
                                 int Tiles) {
  __shared__ float Tile[128];
  for (int K = 0; K < Tiles; ++K) {
    copy(&Tile[threadIdx.x], &In[K * 128 + threadIdx.x]);
    __pipeline_commit();
    if (K >= Count[threadIdx.x])
      break;
    __pipeline_wait_prior(0);
    __syncthreads();
    Out[K * 128 + threadIdx.x] = Tile[127 - threadIdx.x];
    __syncthreads();
  }
  __syncthreads();
}

__device__ void finish(float *Out, const float *Tile, int Rows) {
  if (threadIdx.x >= Rows)
  // expect-note@-1: taken when this condition is true only in threads 65-127
    return;
    // expect-note@-1: function left here by threads 65-127
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 0-64
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
}

KERNEL helper_is_the_last_call(const float *In, float *Out, int Rows) {
// expect-note@-1: with Rows = 65
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  finish(Out, Tile, Rows);
  // expect-note@-1: 'finish' called here
}

KERNEL helper_before_a_barrier_ok(const float *In, float *Out, int Rows) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  finish(Out, Tile, Rows);
  __syncthreads();
}

// The next tile is on its way when some leave.
KERNEL prefetch_of_those_who_leave(const float *In, float *Out, int Tiles,
// expect-note@-1: with Tiles = 2
                                   const int *IsDone) {
  __shared__ float Tile[2][128];
  copy(&Tile[0][threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  for (int K = 0; K < Tiles; ++K) {
  // expect-note@-1: after the last iteration of this loop
  // expect-note@-2: in the iteration of this loop with K = 0
  // expect-note@-3: in the iteration of this loop with K = 1
    copy(&Tile[(K + 1) % 2][threadIdx.x], &In[(K + 1) * 128 + threadIdx.x]);
    // expect-note@-1: copy issued here
    __pipeline_commit();
    // expect-note@-1: all threads that copy must come to this commit
    // expect-note@-2: committed here
    // expect-note@-3: committed here only by threads 65-127
    // expect-warning@-4{cpasync-divergent-commit}: commit may be run by only some of the warps that copy into 'Tile'
    __pipeline_wait_prior(1);
    // expect-note@-1: wait leaves up to 1 group in flight
    __syncthreads();
    Out[K * 128 + threadIdx.x] = Tile[K % 2][127 - threadIdx.x];
    // expect-note@-1: thread 65 reads 'Tile[1][62]' here, copied by thread 62
    __syncthreads();
    if (IsDone[K * 128 + threadIdx.x])
    // expect-note@-1: taken when this condition is true only in threads 0-64
      return;
      // expect-note@-1: kernel left here by threads 0-64
  }
}

// If the first tile is not copied, no later one is: nothing is read too early. It
// is refilled too early.
KERNEL first_tiles_only(const float *In, float *Out, int Tiles,
// expect-note@-1: with Tiles = 2
                        const int *IsDone) {
  __shared__ float Tile[128];
  for (int K = 0; K < 2; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    if (threadIdx.x < 32 && K < Tiles) {
    // expect-note@-1: taken when this condition is true
      if (IsDone[threadIdx.x])
      // expect-note@-1: taken when this condition is false
        return;
      copy(&Tile[threadIdx.x], &In[K * 128 + threadIdx.x]);
      // expect-note@-1: a barrier belongs between the read in line +5 and this overwrite in a later iteration
      // expect-note@-2: thread 0 overwrites 'Tile[0]' here, read by thread 32
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while other threads still read it
      __pipeline_commit();
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    // expect-note@-1: barrier reached here only by threads 32-127
    Out[K * 128 + threadIdx.x] = Tile[threadIdx.x % 32];
    // expect-note@-1: read here
  }
}

// Who leaves is decided by the first condition, whatever the second one says.
KERNEL rows_beyond_the_end_of_the_last_tile(const float *In, float *Out,
// expect-note@-1: with Rows = 65, IsLast = 1
                                            int Rows, int IsLast) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x >= Rows && IsLast)
  // expect-note@-1: taken when this condition is true
  // expect-note@-2: taken when this condition is true only in threads 65-127
    return;
    // expect-note@-1: kernel left here by threads 65-127
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 0-64
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 32];
  // expect-note@-1: thread 64 reads 'Tile[96]' here, copied by thread 96
}

KERNEL rows_beyond_the_end_of_the_last_tile_wait_ok(const float *In, float *Out,
                                                    int Rows, int IsLast) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (threadIdx.x >= Rows && IsLast)
    return;
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x ^ 32];
}

KERNEL own_rows_of_the_last_tile_ok(const float *In, float *Out, int Rows,
                                    int IsLast) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  if (threadIdx.x >= Rows && IsLast)
    return;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// The other way about: who stays is asked for twice.
KERNEL rows_or_another_tile_stay(const float *In, float *Out, int Rows,
// expect-note@-1: with Rows = 65, IsLast = 1
                                 int IsLast) {
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x < Rows || !IsLast) {
  // expect-note@-1: taken when this condition is false
  // expect-note@-2: taken when this condition is true only in threads 0-64
    __pipeline_wait_prior(0);
    // expect-note@-1: all threads that copy must come to this wait
    // expect-note@-2: waited for here only by threads 0-64
    // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some of the warps that copy into 'Tile'
    __syncthreads();
    Out[threadIdx.x] = Tile[threadIdx.x ^ 32];
    // expect-note@-1: thread 64 reads 'Tile[96]' here, copied by thread 96
  }
}

// Of the threads that it may be, some only leave.
KERNEL one_of_every_third(const float *In, float *Out, int Chosen) {
// expect-note@-1: with Chosen = 65
  __shared__ float Tile[128];
  const int Lane = threadIdx.x % 32;
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x == Chosen) {
  // expect-note@-1: taken when this condition is true only in thread 65
    if (Lane % 3 == 1 && threadIdx.x > 2)
      return;
      // expect-note@-1: kernel left here by thread 65
  }
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 0-64, 66-127
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some lanes of a warp that copies into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: thread 62 reads 'Tile[65]' here, copied by thread 65
}

KERNEL one_of_none_ok(const float *In, float *Out, int Chosen) {
  __shared__ float Tile[128];
  const int Lane = threadIdx.x % 32;
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_commit();
  if (threadIdx.x == Chosen && Lane > 31)
    return;
  __pipeline_wait_prior(0);
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
}

// All that may leave, or one of them: it is one mistake.
KERNEL last_rows(const float *In, float *Out, int Rows) {
// expect-note@-1: with Rows = 128
  __shared__ float Tile[128];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  if (threadIdx.x > 125 && threadIdx.x < Rows)
  // expect-note@-1: taken when this condition is true
    return;
    // expect-note@-1: kernel left here by threads 126-127
  __pipeline_wait_prior(0);
  // expect-note@-1: all threads that copy must come to this wait
  // expect-note@-2: waited for here only by threads 0-125
  // expect-warning@-3{cpasync-divergent-commit}: wait may be run by only some lanes of a warp that copies into 'Tile'
  __syncthreads();
  Out[threadIdx.x] = Tile[127 - threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[127]' here, copied by thread 127
}
