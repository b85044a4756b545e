//===- lambdas.cu - Copies, commits and waits in lambdas ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The slot is a parameter or a captured variable, the copy is predicated off
// when the tiles run out, the commit never is.
//
//===----------------------------------------------------------------------===//

constexpr int Threads = 128;

__device__ inline void asyncCopy16(void *Shared, const void *Global,
                                   bool Pred = true) {
  unsigned To = static_cast<unsigned>(__cvta_generic_to_shared(Shared));
  asm volatile("{\n"
               "   .reg .pred p;\n"
               "   setp.ne.b32 p, %0, 0;\n"
               "   @p cp.async.cg.shared.global [%1], [%2], %3;\n"
               "}\n" ::"r"(static_cast<int>(Pred)),
               "r"(To), "l"(Global), "n"(16));
}

__device__ inline void fence() { asm volatile("cp.async.commit_group;\n" ::); }

template <int N> __device__ inline void waitFor() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

// The ring is walked by a counter that the inner loop advances itself.
template <int Stages>
__global__ void slot_parameter_ok(const float4 *Src, float4 *Dst, int Tiles) {
  extern __shared__ float4 Pool[];
  const int Tid = threadIdx.x;
  int Left = Tiles;
  int Done = 0;

  auto fetch = [&](int Pipe, int Offset, bool Pred = true) {
    if (Pred) {
      float4 *Stage = Pool + Threads * Pipe;
      asyncCopy16(&Stage[Tid], &Src[(Done + Offset) * Threads + Tid]);
    }
    fence();
  };
  auto waitForStage = [&]() {
    waitFor<Stages - 2>();
    __syncthreads();
  };

#pragma unroll
  for (int I = 0; I < Stages - 1; ++I)
    fetch(I, I, I < Left);
  waitForStage();

  while (Left > 0) {
#pragma unroll
    for (int Pipe = 0; Pipe < Stages;) {
      float4 *Stage = Pool + Threads * Pipe;
      Dst[(Done + Pipe) * Threads + Tid] = Stage[Threads - 1 - Tid];
      fetch((Pipe + Stages - 1) % Stages, Pipe + Stages - 1, Left >= Stages);
      ++Pipe;
      waitForStage();
      --Left;
      if (Left == 0)
        break;
    }
    Done += Stages;
  }
}

__global__ __launch_bounds__(Threads) void captured_slot_ok(const float4 *Src,
                                                            float4 *Dst,
                                                            int Tiles) {
  __shared__ float4 Ring[3][Threads];
  const int Tid = threadIdx.x;
  int Fill = 0, Next = 0, Ready = 0;

  auto produce = [&] {
    if (Next < Tiles)
      asyncCopy16(&Ring[Fill][Tid], Src + Next * Threads + Tid);
    fence();
    ++Next;
    Fill = (Fill + 1) % 3;
  };
  auto consume = [&](int Tile) {
    float4 V = Ring[Ready][Threads - 1 - Tid];
    Ready = (Ready + 1) % 3;
    Dst[Tile * Threads + Tid] = V;
  };

  produce();
  produce();
  for (int T = 0; T < Tiles; ++T) {
    waitFor<1>();
    __syncthreads();
    produce();
    consume(T);
  }
}

template <typename Body> __device__ void forEachTile(int Tiles, Body &&B) {
  for (int T = 0; T < Tiles; ++T)
    B(T);
}

__global__ __launch_bounds__(Threads) void lambda_argument_ok(const float4 *Src,
                                                              float4 *Dst,
                                                              int Tiles) {
  __shared__ float4 Tile[Threads];
  const int Tid = threadIdx.x;
  forEachTile(Tiles, [&](int T) {
    asyncCopy16(&Tile[Tid], Src + T * Threads + Tid);
    fence();
    waitFor<0>();
    __syncthreads();
    Dst[T * Threads + Tid] = Tile[Threads - 1 - Tid];
    __syncthreads();
  });
}

// The predicate of each copy is kept in an array, as is its swizzled slot.
__global__ __launch_bounds__(Threads) void arrays_of_addresses_ok(
    const float4 *Src, float4 *Dst, int Rows, int Tiles) {
  constexpr int Passes = 4, Stages = 3, RowsAPass = Threads / 8;
  __shared__ float4 Ring[Stages][Passes * RowsAPass * 8];
  const int Tid = threadIdx.x;
  auto swizzle = [](int I) { return I ^ ((I / 8) % 8); };

  bool Valid[Passes];
  int Where[Passes];
#pragma unroll
  for (int I = 0; I < Passes; ++I) {
    Valid[I] = I * RowsAPass + Tid / 8 < Rows;
    Where[I] = swizzle(I * Threads + Tid);
  }
  auto fetch = [&](int Tile) {
    if (Tile < Tiles) {
#pragma unroll
      for (int I = 0; I < Passes; ++I)
        asyncCopy16(&Ring[Tile % Stages][Where[I]],
                    Src + (Tile * Passes + I) * Threads + Tid, Valid[I]);
    }
    fence();
  };

  fetch(0);
  fetch(1);
  for (int T = 0; T < Tiles; ++T) {
    waitFor<Stages - 2>();
    __syncthreads();
    fetch(T + 2);
#pragma unroll
    for (int I = 0; I < Passes; ++I)
      if (I * RowsAPass + Tid / 8 < Rows)
        Dst[(T * Passes + I) * Threads + Tid] =
            Ring[T % Stages][swizzle(I * Threads + (Tid ^ 1))];
  }
}

void launchLambdas(const float4 *Src, float4 *Dst, int Tiles) {
  slot_parameter_ok<2><<<4, Threads, 2 * 2048>>>(Src, Dst, Tiles);
  slot_parameter_ok<4><<<4, Threads, 4 * 2048>>>(Src, Dst, Tiles);
}
