//===- same-place.cu - Threads that copy to one place ----------*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several threads write the same bytes in one instruction: with the same data,
// with data that nobody reads, or only one of them at a time.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

__device__ void copy(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
}
__device__ void finish() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
}

KERNEL same_data_ok(const float *In, float *Out) {
  __shared__ float Row[16];
  copy(&Row[threadIdx.x % 16], &In[threadIdx.x % 16]);
  finish();
  Out[threadIdx.x] = Row[threadIdx.x % 16];
}

KERNEL all_copy_one_element_ok(const float *In, float *Out) {
  __shared__ float Scale;
  copy(&Scale, &In[blockIdx.x]);
  finish();
  Out[threadIdx.x] = Scale;
}

// Rows beyond the last are those of the last.
KERNEL clamped_rows_ok(const float *In, float *Out) {
  __shared__ float Tile[100];
  const int Row = threadIdx.x < 100 ? threadIdx.x : 99;
  copy(&Tile[Row], &In[Row]);
  finish();
  Out[threadIdx.x] = Tile[Row];
}

KERNEL one_of_them_ok(const float *In, float *Out, int Leader) {
  __shared__ float Best;
  if (threadIdx.x == Leader)
    copy(&Best, &In[threadIdx.x]);
  finish();
  Out[threadIdx.x] = Best;
}

KERNEL one_of_them_commits_ok(const float *In, float *Out, int Leader) {
  __shared__ float Best;
  if (threadIdx.x == Leader) {
    copy(&Best, &In[threadIdx.x]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  __syncthreads();
  Out[threadIdx.x] = Best;
}

// The only one for which the flag is set, as far as anybody knows.
KERNEL flagged_thread_ok(const float *In, const bool *Flags, float *Out) {
  __shared__ float Best;
  if (Flags[threadIdx.x])
    copy(&Best, &In[threadIdx.x]);
  finish();
  Out[threadIdx.x] = Best;
}

KERNEL within_one_step_ok(const float *In, float *Out, int First) {
  __shared__ float Best;
  if (threadIdx.x >= First && threadIdx.x < First + 1)
    copy(&Best, &In[threadIdx.x]);
  finish();
  Out[threadIdx.x] = Best;
}

// What is not wanted goes where nobody looks.
KERNEL spare_element_ok(const float *In, float *Out) {
  __shared__ float Tile[65];
  copy(&Tile[threadIdx.x < 64 ? threadIdx.x : 64], &In[threadIdx.x]);
  finish();
  Out[threadIdx.x] = Tile[threadIdx.x % 64];
}

KERNEL filled_with_zeros_ok(const float *In, float *Out) {
  __shared__ float Tile[16];
  __pipeline_memcpy_async(&Tile[threadIdx.x % 16], &In[threadIdx.x], 4, 4);
  finish();
  Out[threadIdx.x] = Tile[threadIdx.x % 16];
}

KERNEL filled_again_ok(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x % 64], &In[threadIdx.x]);
  finish();
  if (threadIdx.x < 64)
    copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  finish();
  Out[threadIdx.x] = Tile[threadIdx.x % 64];
}

// Nothing says whether the rows differ.
KERNEL gathered_rows_ok(const float *In, const int *Rows, float *Out) {
  __shared__ float Tile[16];
  copy(&Tile[threadIdx.x % 16], &In[Rows[threadIdx.x]]);
  // expect-skipped@-1: source of a copy over that of another thread is not known
  finish();
  Out[threadIdx.x] = Tile[threadIdx.x % 16];
}

KERNEL copied_over_by_the_first_ok(const float *In, float *Out) {
  __shared__ float Sink;
  copy(&Sink, &In[blockIdx.x]);
  copy(&Sink, &In[blockIdx.x]);
  finish();
}

// Thread 0 brings what is there already, from itself; others brought something
// else.
KERNEL copied_over_by_the_first(const float *In, float *Out) {
  __shared__ float Sink;
  copy(&Sink, &In[threadIdx.x]);
  // expect-note@-1: copy issued here
  copy(&Sink, &In[0]);
  // expect-note@-1: a wait for the copy belongs before this overwrite
  // expect-note@-2: thread 1 overwrites byte 0 of 'Sink' here, copied by thread 1
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Sink' is overwritten while a copy into it is in flight
  finish();
}

// Where the mask is 0, zeros are copied over zeros.
KERNEL masked_twice_ok(const float *In, float *Out) {
  __shared__ float Tile[128];
  for (int K = 0; K < 2; ++K) {
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[K * 128 + threadIdx.x], 4, 4);
    __pipeline_commit();
  }
}

KERNEL masked_twice(const float *In, float *Out) {
  __shared__ float Tile[128];
  for (int K = 0; K < 2; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    __pipeline_memcpy_async(&Tile[threadIdx.x], &In[K * 128 + threadIdx.x], 4,
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: copy issued here
    // expect-note@-3: thread 7 overwrites 'Tile[7]' here, copied by thread 7
    // expect-warning@-4{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
                            threadIdx.x < 7 ? 4 : 0);
    __pipeline_commit();
  }
}

// The second copy brings another row to each place while the first is in flight:
// that the columns agree is not enough.
KERNEL another_row(const float *In, float *Out, int Stride) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, From = T / 4 * Stride + T % 4;
  copy(&Tile[T], &In[From]);
  // expect-note@-1: copy issued here
  copy(&Tile[T ^ 4], &In[From]);
  // expect-note@-1: a wait for the copy and a barrier belong before this overwrite
  // expect-note@-2: thread 0 overwrites 'Tile[4]' here, copied by thread 4
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  finish();
  Out[T] = Tile[T];
}

KERNEL the_same_row_ok(const float *In, float *Out, int Stride) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, From = blockIdx.x * Stride + T % 4;
  copy(&Tile[T], &In[From]);
  copy(&Tile[T ^ 4], &In[From]);
  finish();
  Out[T] = Tile[T];
}

// Nothing says which rows the threads look up.
KERNEL rows_looked_up_ok(const float *In, const int *Rows, float *Out) {
  __shared__ float Tile[128];
  const int T = threadIdx.x, From = Rows[T] + T % 4;
  copy(&Tile[T], &In[From]);
  copy(&Tile[T ^ 4], &In[From]);
  // expect-skipped@-1: source of a copy over that of another thread is not known
  finish();
  Out[T] = Tile[T];
}

// Each round looks its row up: the name of the number is the same, not the row.
KERNEL row_of_each_round(const float *In, const int *Rows, float *Out,
// expect-note@-1: with Rounds = 2
                         int Rounds) {
  __shared__ float Tile[128];
  for (int K = 0; K < Rounds; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
  // expect-note@-2: in the iteration of this loop with K = 1
    const int Row = Rows[K];
    copy(&Tile[threadIdx.x], &In[Row * 128 + threadIdx.x]);
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: copy issued here
    // expect-note@-3: thread 0 overwrites 'Tile[0]' here, copied by thread 0
    // expect-warning@-4{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a copy into it is in flight
  }
  finish();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL one_row_again_ok(const float *In, const int *Rows, float *Out,
                        int Rounds) {
  __shared__ float Tile[128];
  const int Row = Rows[blockIdx.x];
  for (int K = 0; K < Rounds; ++K)
    copy(&Tile[threadIdx.x], &In[Row * 128 + threadIdx.x]);
  finish();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

//===----------------------------------------------------------------------===//
// Each warp copies the same data to the same place, for itself
//===----------------------------------------------------------------------===//

// Whichever warp comes last, it brings what is there.
KERNEL own_copy_of_all_warps_ok(const float *In, float *Out) {
  __shared__ float Tile[32];
  const int Lane = threadIdx.x % 32;
  copy(&Tile[Lane], &In[Lane]);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  Out[threadIdx.x] = Tile[31 - Lane];
}

KERNEL own_copy_in_every_round_ok(const float *In, float *Out, int Rounds) {
  __shared__ float Tile[32];
  const int Lane = threadIdx.x % 32;
  for (int K = 0; K < Rounds; ++K) {
    copy(&Tile[Lane], &In[blockIdx.x * 32 + Lane]);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    Out[K * 128 + threadIdx.x] = Tile[31 - Lane];
    __syncwarp();
  }
}

// The other warps bring the same, and this one reads more than it copied.
KERNEL beyond_own_copy(const float *In, float *Out) {
  __shared__ float Tile[64];
  const int Lane = threadIdx.x % 64;
  copy(&Tile[Lane], &In[Lane]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  __syncwarp();
  Out[threadIdx.x] = Tile[63 - Lane];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 reads 'Tile[63]' here, copied by thread 63
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

// What is copied may be written in between.
KERNEL from_what_changes(float *In, float *Out) {
  __shared__ float Tile[32];
  const int Lane = threadIdx.x % 32;
  copy(&Tile[Lane], &In[Lane]);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  // expect-note@-1: its thread waits for the copy here
  __syncwarp();
  In[Lane] = Tile[31 - Lane];
  // expect-note@-1: a barrier belongs between the wait in line -2 and this read
  // expect-note@-2: thread 0 reads 'Tile[31]' here, copied by thread 63
  // expect-warning@-3{cpasync-unsynchronized-read}: 'Tile' is read with no barrier after the wait for its copy
}

// Nothing but zeros, twice: who has a flag ignores the source. Not so who ignores
// it without one.
template <bool WithFlag>
__device__ void fillTwice(const float *In, float *Out, const int *Flags) {
  __shared__ float Row[32];
  const int Flag = Flags[threadIdx.x], Lane = threadIdx.x % 32;
  if (Flag == 0)
  // expect-note@-1: taken when this condition is false
    return;
  for (int I = 0; I < 2; ++I)
  // expect-note@-1: in the iteration of this loop with I = 0
  // expect-note@-2: in the iteration of this loop with I = 1
    asm volatile("{\n.reg .pred q;\nsetp.ne.b32 q, %2, 0;\n"
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: copy issued here
    // expect-note@-3: thread 0 overwrites 'Row[0]' here, copied by thread 0
    // expect-warning@-4{cpasync-in-flight-overwrite}: 'Row' may be overwritten while a copy into it is in flight
                 "cp.async.ca.shared.global [%0], [%1], 4, q;\n}" ::"r"(
                     static_cast<unsigned>(
                         __cvta_generic_to_shared(&Row[Lane]))),
                 "l"(&In[32 * I + Lane]), "r"(WithFlag ? Flag : 0));
  asm volatile("cp.async.wait_all;");
  Out[threadIdx.x] = Row[Lane];
}
KERNEL zeros_twice_ok(const float *In, float *Out, const int *Flags) {
  fillTwice<true>(In, Out, Flags);
}
KERNEL filled_twice_bad(const float *In, float *Out, const int *Flags) {
  fillTwice<false>(In, Out, Flags);
  // expect-note@-1: 'fillTwice' called here
}
