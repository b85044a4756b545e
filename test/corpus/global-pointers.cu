//===- global-pointers.cu - What kernels hand on --------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer that a kernel is given leads to global memory wherever it is handed
// to: conditions around what is stored there decide nothing, and a loop settles
// whatever they compare. One function that is handed shared memory, too, is
// looked at as before.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_pipeline.h>

struct Image {
  float *Data;
  int Width, Height;
};

__device__ void smooth(const float *Tile, float *To, int X, int Y, int Width,
                       int Height) {
  const float V = Tile[threadIdx.x] + Tile[threadIdx.x ^ 1];
  if (X < Width && Y < Height)
    To[Y * Width + X] = V / 2;
}
__device__ void smooth(const float *Tile, const Image &To, int X, int Y) {
  const float V = Tile[threadIdx.x] + Tile[threadIdx.x ^ 1];
  if (X < To.Width && Y < To.Height)
    To.Data[Y * To.Width + X] = V / 2;
}

struct Ring {
  alignas(128) float Tile[3][64];
  uint64_t Full[3], Empty[3];
};
struct Place {
  int Slot = 0;
  uint32_t Phase = 0;
  __device__ void advance() {
    if (++Slot == 3) {
      Slot = 0;
      Phase ^= 1;
    }
  }
};

__device__ uint32_t addressOf(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}
__device__ void prepare(Ring &R) {
  if (threadIdx.x == 0)
    for (int I = 0; I < 3; ++I) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
          addressOf(&R.Full[I])));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(
          addressOf(&R.Empty[I])));
    }
  __syncthreads();
}
__device__ void waitFor(uint64_t *Barrier, uint32_t Parity) {
  asm volatile("{\n.reg .pred done;\n"
               "again_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again_%=;\n}" ::"r"(addressOf(Barrier)),
               "r"(Parity)
               : "memory");
}
__device__ void release(Ring &R, const Place &At) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                   addressOf(&R.Empty[At.Slot]))
               : "memory");
}
__device__ void fetch(Ring &R, const Place &At, const float *From) {
  waitFor(&R.Empty[At.Slot], At.Phase ^ 1);
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(
          addressOf(&R.Full[At.Slot]))
      : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], 256, [%2];" ::"r"(
                   addressOf(R.Tile[At.Slot])),
               "l"(From), "r"(addressOf(&R.Full[At.Slot]))
               : "memory");
}

#define PRODUCER_AND_CONSUMERS __global__ void __launch_bounds__(96)

PRODUCER_AND_CONSUMERS handed_on(const float *In, float *Out, int Width,
                                 int Height) {
  __shared__ Ring R;
  prepare(R);
  const int Across = (Width + 63) / 64, Tiles = Across * Height;
  Place At;
  if (threadIdx.x >= 64) {
    if (threadIdx.x == 64)
      for (int T = blockIdx.x; T < Tiles; T += gridDim.x, At.advance())
        fetch(R, At, &In[T * 64]);
    return;
  }
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x, At.advance()) {
    waitFor(&R.Full[At.Slot], At.Phase);
    smooth(R.Tile[At.Slot], Out, T % Across * 64 + threadIdx.x, T / Across,
           Width, Height);
    release(R, At);
  }
}

PRODUCER_AND_CONSUMERS in_structure(const float *In, const Image Out) {
  __shared__ Ring R;
  prepare(R);
  const int Across = (Out.Width + 63) / 64, Tiles = Across * Out.Height;
  Place At;
  if (threadIdx.x >= 64) {
    if (threadIdx.x == 64)
      for (int T = blockIdx.x; T < Tiles; T += gridDim.x, At.advance())
        fetch(R, At, &In[T * 64]);
    return;
  }
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x, At.advance()) {
    waitFor(&R.Full[At.Slot], At.Phase);
    smooth(R.Tile[At.Slot], Out, T % Across * 64 + threadIdx.x, T / Across);
    release(R, At);
  }
}

// A local pointer, and a bound of its own.
PRODUCER_AND_CONSUMERS moved_on(const float *In, float *Out, int Tiles,
                                int Across, int Width) {
  __shared__ Ring R;
  prepare(R);
  Place At;
  if (threadIdx.x >= 64) {
    if (threadIdx.x == 64)
      for (int T = blockIdx.x; T < Tiles; T += gridDim.x, At.advance())
        fetch(R, At, &In[T * 64]);
    return;
  }
  float *Row = Out + threadIdx.x;
  auto Next = [&] { Row += 64 * gridDim.x; };
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x, At.advance()) {
    waitFor(&R.Full[At.Slot], At.Phase);
    const float V = R.Tile[At.Slot][threadIdx.x];
    if (T % Across * 64 + threadIdx.x < Width)
      Row[0] = V;
    Next();
    release(R, At);
  }
}

// One that is handed shared memory as well.
__device__ void keep(float *To, int I, bool Is, float V) {
  if (Is)
    To[I] = V;
    // expect-note@-1: thread 0 overwrites 'Tile[0]' here, copied by thread 0
}

__global__ void __launch_bounds__(64)
    into_shared(const float *In, float *Out, int N) {
  __shared__ float Tile[64], Kept[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  keep(Kept, threadIdx.x, true, 1);
  keep(Tile, threadIdx.x, true, 1);
  // expect-note@-1: 'keep' called here
  // expect-note@-2: a wait for the copy belongs before this call
  // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' is overwritten while a copy into it is in flight
  __pipeline_wait_prior(0);
  keep(Out, threadIdx.x, N > 0, Tile[threadIdx.x] + Kept[threadIdx.x]);
}

// Whoever is given the pointer itself may make it lead elsewhere.
__device__ void choose(float *&To, float *Other, bool Is) {
  if (Is)
    To = Other;
}
__global__ void __launch_bounds__(64)
    given_away(const float *In, float *Out, int N) {
    // expect-note@-1: with N = 1
  __shared__ float Tile[64];
  float *To = Out;
  choose(To, Tile, true);
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  if (N > 0)
    To[threadIdx.x] = 1;
    // expect-note@-1: a wait for the copy belongs before this overwrite
    // expect-note@-2: thread 0 overwrites 'Tile[0]' here, copied by thread 0
    // expect-warning@-3{cpasync-in-flight-overwrite}: 'Tile' may be overwritten while a copy into it is in flight
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
