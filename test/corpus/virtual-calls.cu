//===- virtual-calls.cu - Methods that others override --------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which method a virtual call runs hangs on the object, not on the pointer to
// it.
//
//===----------------------------------------------------------------------===//

#include <cuda_pipeline_primitives.h>

constexpr int Threads = 128;
#define KERNEL(Name)                                                           \
  __global__ __launch_bounds__(Threads) void Name(const uint4 *Src, uint4 *Dst)

class Stage {
public:
  __device__ virtual void wait() {}
  __device__ virtual void load(uint4 *To, const uint4 *From) const = 0;
  __device__ void loadOne(uint4 *To, const uint4 *From) const {
    load(To, From);
    // expect-note@-1: copy issued here
    // expect-skipped@-2: virtual call of 'load': which function it runs is not known
    __pipeline_commit();
    // expect-note@-1: committed here
  }
};
class Eager : public Stage {
public:
  __device__ void wait() override { __pipeline_wait_prior(0); }
  __device__ void load(uint4 *To, const uint4 *From) const override {
    __pipeline_memcpy_async(To, From, 16);
  }
};
class Lazy final : public Eager {
public:
  __device__ void wait() override {}
};
class Guarded : public Eager {
public:
  __device__ void load(uint4 *To, const uint4 *From) const final {
    __pipeline_memcpy_async(To, From, 16, *Valid ? 0 : 16);
  }
  const bool *Valid;
};

KERNEL(through_a_reference_ok) {
  __shared__ uint4 Tile[Threads];
  Eager E;
  Stage &S = E;
  S.loadOne(&Tile[threadIdx.x], Src + threadIdx.x);
  S.wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(through_a_pointer_bad) {
  __shared__ uint4 Tile[Threads];
  Lazy L;
  Eager *E = &L;
  E->loadOne(&Tile[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: 'loadOne' called here
  E->wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// It says which one it means.
KERNEL(by_name_ok) {
  __shared__ uint4 Tile[Threads];
  Lazy L;
  L.loadOne(&Tile[threadIdx.x], Src + threadIdx.x);
  L.Eager::wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(by_class_bad) {
  __shared__ uint4 Tile[Threads];
  Lazy L;
  L.loadOne(&Tile[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: 'loadOne' called here
  L.wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// A copy as a base is no more than that base.
KERNEL(copied_as_base_ok) {
  __shared__ uint4 Tile[Threads];
  Lazy L;
  Eager Base = L;
  Stage *S = &Base;
  S->loadOne(&Tile[threadIdx.x], Src + threadIdx.x);
  S->wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
}

// While a constructor or a destructor of the base runs, it is the base.
class WaitsInBase {
public:
  __device__ WaitsInBase() { wait(); }
  __device__ ~WaitsInBase() { wait(); }
  __device__ virtual void wait() { __pipeline_wait_prior(0); }
};
class WaitsNever : public WaitsInBase {
public:
  __device__ WaitsNever() { wait(); }
  __device__ ~WaitsNever() { wait(); }
  __device__ void wait() override {}
};
KERNEL(while_it_is_made_ok) {
  __shared__ uint4 Tile[Threads];
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  __pipeline_commit();
  WaitsNever W;
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(while_it_ends_ok) {
  __shared__ uint4 Tile[Threads];
  {
    WaitsNever W;
    __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
    __pipeline_commit();
  }
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(when_it_is_made_bad) {
  __shared__ uint4 Tile[Threads];
  WaitsNever W;
  __pipeline_memcpy_async(&Tile[threadIdx.x], Src + threadIdx.x, 16);
  // expect-note@-1: copy issued here
  __pipeline_commit();
  // expect-note@-1: committed here
  W.wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// The second base begins behind the first.
struct Counts {
  int N = 0;
  __device__ virtual void count() { ++N; }
};
class Both : public Counts, public Eager {
public:
  int M = 0;
  __device__ void count() override { ++M; }
  __device__ void wait() override {
    if (M == 1)
      __pipeline_wait_prior(0);
  }
};
KERNEL(second_base_ok) {
  __shared__ uint4 Tile[Threads];
  Both B;
  Counts &C = B;
  Stage &S = B;
  S.loadOne(&Tile[threadIdx.x], Src + threadIdx.x);
  C.count();
  S.wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL(second_base_bad) {
  __shared__ uint4 Tile[Threads];
  Both B;
  Stage &S = B;
  S.loadOne(&Tile[threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: 'loadOne' called here
  S.wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[0]' here
  // expect-note@-2: wait for all copies: insert '__pipeline_wait_prior(0);'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// One of two, by what the kernel is given: not followed.
__global__ __launch_bounds__(Threads) void chosen(const uint4 *Src,
                                                  uint4 *Dst, bool Late) {
  __shared__ uint4 Tile[Threads];
  Eager E;
  Lazy L;
  Stage *S = &E;
  if (Late)
    S = &L;
  S->loadOne(&Tile[threadIdx.x], Src + threadIdx.x);
  S->wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
}

// Somebody else made it.
__global__ __launch_bounds__(Threads) void not_made_here(const uint4 *Src,
                                                         uint4 *Dst, Stage *S) {
  __shared__ uint4 Tile[Threads];
  S->loadOne(&Tile[threadIdx.x], Src + threadIdx.x);
  S->wait();
  Dst[threadIdx.x] = Tile[threadIdx.x];
}
