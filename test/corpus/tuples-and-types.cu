//===- tuples-and-types.cu - Integers that are types, tuples of them ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts of tile libraries: strides are types where they are known and
// members where they are not, tuples store only what is not empty, pointers
// hide in adaptors with inherited constructors, instructions are handed on as
// function pointers, and the multiplication runs on registers behind the same
// interfaces as the copies.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_fp16.h>
#include <initializer_list>

constexpr int Threads = 64;

#define KERNEL __global__ void __launch_bounds__(Threads)
#define DEVICE __device__ constexpr

template <int N> struct Int {
  static constexpr int value = N;
  DEVICE operator int() const { return value; }
};
template <int A, int B> DEVICE Int<A * B> operator*(Int<A>, Int<B>) {
  return {};
}

// Only what is not empty takes space.
template <class T, bool Empty = __is_empty(T)> struct Slot;
template <class T> struct Slot<T, true> {
  DEVICE Slot() {}
  DEVICE Slot(const T &) {}
  DEVICE T get() const { return {}; }
};
template <class T> struct Slot<T, false> {
  DEVICE Slot() : Kept{} {}
  DEVICE Slot(const T &V) : Kept{V} {}
  DEVICE const T &get() const { return Kept; }
  T Kept;
};
template <class A> struct First : Slot<A> {
  DEVICE First(const A &V) : Slot<A>(V) {}
};
template <class B> struct Second : Slot<B> {
  DEVICE Second(const B &V) : Slot<B>(V) {}
};
template <class A, class B> struct Pair : First<A>, Second<B> {
  DEVICE Pair(const A &X = {}, const B &Y = {}) : First<A>(X), Second<B>(Y) {}
  DEVICE auto first() const { return First<A>::get(); }
  DEVICE auto second() const { return Second<B>::get(); }
};

template <class Row, class Stage> struct Layout : Pair<Row, Stage> {
  DEVICE Layout(const Row &R = {}, const Stage &S = {})
      : Pair<Row, Stage>(R, S) {}
  DEVICE int operator()(int R, int S) const {
    return R * this->first() + S * this->second();
  }
};

template <class T> struct Adaptor {
  DEVICE Adaptor(T *P) : Ptr(P) {}
  DEVICE T *operator+(int N) const { return Ptr + N; }
  T *Ptr;
};
template <class T> struct SharedPtr : Adaptor<T> {
  using Adaptor<T>::Adaptor;
};
template <class T> struct GlobalPtr : Adaptor<T> {
  using Adaptor<T>::Adaptor;
};

template <class Place, class Shape> struct View {
  DEVICE View(const Place &P, const Shape &S) : Rep(S, P) {}
  DEVICE auto operator()(int R, int S) const {
    return Rep.second() + Rep.first()(R, S);
  }
  Pair<Shape, Place> Rep;
};

struct CopyInstruction {
  static __device__ void run(float4 *To, const float4 *From) {
    uint32_t Address = static_cast<uint32_t>(__cvta_generic_to_shared(To));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(Address),
                 "l"(From));
  }
};
struct Multiply {
  static __device__ void run(uint32_t &D0, uint32_t &D1, const uint32_t &A0,
                             const uint32_t &A1, const uint32_t &B) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 "
                 "{%0, %1}, {%2, %3}, {%4}, {%0, %1};\n"
                 : "+r"(D0), "+r"(D1)
                 : "r"(A0), "r"(A1), "r"(B));
  }
};
template <class F, class... A> __device__ void explode(F Run, A &&...Args) {
  Run(static_cast<A &&>(Args)...);
  // expect-note@-1: copy issued here
}
template <class Operation, class To, class From>
__device__ void copyTile(const To &Dst, const From &Src, int Slot, int Tile) {
  explode(Operation::run, Dst(threadIdx.x, Slot), Src(threadIdx.x, Tile));
  // expect-note@-1: 'explode' called here
}

struct Fragment {
  __half Values[4];
};
__device__ void multiply(Fragment &D, const Fragment &A) {
  uint32_t *To = reinterpret_cast<uint32_t *>(D.Values);
  const uint32_t *From = reinterpret_cast<const uint32_t *>(A.Values);
  for (int I = 0; I < 1000; ++I)
    explode(Multiply::run, To[0], To[1], From[0], From[1], From[I % 2]);
}

template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}
__device__ void commit() { asm volatile("cp.async.commit_group;\n"); }

template <int Stages, int Left>
__device__ void pipeline(const float4 *Src, float4 *Dst, int Tiles, int Pitch) {
  extern __shared__ float4 Pool[];
  View<SharedPtr<float4>, Layout<Int<1>, Int<Threads>>> Shared(Pool, {});
  View<GlobalPtr<const float4>, Layout<Int<1>, int>> Global(Src, {{}, Pitch});
  Fragment A{}, D{};
  int Read = 0, Write = Stages - 1, Next = 0;
  for (; Next < Stages - 1; ++Next) {
  // expect-note@-1: in the iteration of this loop with Next = 0
    copyTile<CopyInstruction>(Shared, Global, Next, Next);
    // expect-note@-1: 'copyTile' called here
    commit();
    // expect-note@-1: committed here
  }
  for (int Count = Tiles; Count > 0; --Count) {
  // expect-note@-1: in the iteration of this loop with Count = 1
    wait<Left>();
    // expect-note@-1: leave at most 2 groups in flight here
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 3 groups in flight, but only 2 may be newer than the copy into 'Pool'
    __syncthreads();
    Dst[threadIdx.x] = *Shared(Threads - 1 - threadIdx.x, Read);
    // expect-note@-1: thread 0 reads byte 1008 of 'Pool' here, copied by thread 63
    multiply(D, A);
    copyTile<CopyInstruction>(Shared, Global, Write, Next);
    commit();
    if (Count > Stages)
      ++Next;
    Write = Read;
    Read = Read == Stages - 1 ? 0 : Read + 1;
  }
  wait<0>();
}

KERNEL static_strides_ok(const float4 *Src, float4 *Dst, int Tiles, int Pitch) {
  pipeline<3, 1>(Src, Dst, Tiles, Pitch);
}

KERNEL static_strides_weak_wait_bad(const float4 *Src, float4 *Dst, int Tiles,
// expect-note@-1: with Tiles = 1
                                    int Pitch) {
  pipeline<4, 3>(Src, Dst, Tiles, Pitch);
  // expect-note@-1: 'pipeline' called here
}

__device__ int largest(std::initializer_list<int> L) {
  int R = 0;
  for (int I : L)
    R = I > R ? I : R;
  return R;
}

KERNEL initializer_list_ok(const float4 *Src, float4 *Dst) {
  __shared__ float4 Tile[2][Threads];
  const int Slot = largest({0, 1});
  CopyInstruction::run(&Tile[Slot][threadIdx.x], Src + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  Dst[threadIdx.x] = Tile[1][Threads - 1 - threadIdx.x];
}

KERNEL initializer_list_bad(const float4 *Src, float4 *Dst) {
  __shared__ float4 Tile[2][Threads];
  const int Slot = largest({0, 1});
  CopyInstruction::run(&Tile[Slot][threadIdx.x], Src + threadIdx.x);
  // expect-note@-1: copy issued here
  commit();
  // expect-note@-1: committed here
  Dst[threadIdx.x] = Tile[1][threadIdx.x];
  // expect-note@-1: thread 0 reads 'Tile[1][0]' here
  // expect-note@-2: wait for all copies: insert 'wait<0>();'
  // expect-warning@-3{cpasync-unwaited-read}: 'Tile' is read before the asynchronous copy into it has completed
}

// What stays in registers is passed over; what steps an index is not.
struct Ring {
  int Index;
  float Sum[8];
};
__device__ void accumulate(Ring &R) {
  for (int I = 0; I < 8; ++I)
    R.Sum[I] += 1.0f;
}
__device__ void step(Ring &R) {
  R.Sum[0] = 0.0f;
  R.Index ^= 1;
}

KERNEL index_beside_payload_ok(const float4 *Src, float4 *Dst, int Tiles) {
  __shared__ float4 Tile[2][Threads];
  Ring R{};
  CopyInstruction::run(&Tile[R.Index][threadIdx.x], Src + threadIdx.x);
  commit();
  for (int T = 1; T < Tiles; ++T) {
    step(R);
    CopyInstruction::run(&Tile[R.Index][threadIdx.x], Src + T * Threads);
    commit();
    accumulate(R);
    wait<1>();
    __syncthreads();
    Dst[threadIdx.x] = Tile[R.Index ^ 1][Threads - 1 - threadIdx.x];
    __syncthreads();
  }
  wait<0>();
}

KERNEL index_beside_payload_bad(const float4 *Src, float4 *Dst, int Tiles) {
// expect-note@-1: with Tiles = 2
  __shared__ float4 Tile[2][Threads];
  Ring R{};
  CopyInstruction::run(&Tile[R.Index][threadIdx.x], Src + threadIdx.x);
  commit();
  for (int T = 1; T < Tiles; ++T) {
  // expect-note@-1: in the iteration of this loop with T = 1
    step(R);
    CopyInstruction::run(&Tile[R.Index][threadIdx.x], Src + T * Threads);
    // expect-note@-1: copy issued here
    commit();
    // expect-note@-1: committed here as the newest group
    accumulate(R);
    wait<1>();
    // expect-note@-1: wait for all groups
    // expect-warning@-2{cpasync-wrong-wait-group}: wait leaves 1 group in flight, but 'Tile' may be in the newest one
    __syncthreads();
    Dst[threadIdx.x] = Tile[R.Index][Threads - 1 - threadIdx.x];
    // expect-note@-1: thread 0 reads 'Tile[1][63]' here, copied by thread 63
    __syncthreads();
  }
  wait<0>();
}
