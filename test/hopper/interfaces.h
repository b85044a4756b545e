//===- interfaces.h - One operation, as each interface writes it -*- CUDA -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A class for each column of docs/hopper.md: what the interface has, under one name
// for each operation. Bar is its mbarrier, Token what an arrival returns. Whatever a
// kernel needs beside the operation that it is about comes from Ptx.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_HOPPER_INTERFACES_H
#define TEST_HOPPER_INTERFACES_H

#include <cstdint>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/chrono>
#include <cuda/std/utility>
#include <cuda_awbarrier.h>
#include <cuda_pipeline_primitives.h>

constexpr int Threads = 128;
constexpr uint32_t Bytes = Threads * sizeof(float);

#ifndef CLUSTER
#define CLUSTER
#endif

// A kernel for each interface that can write it, Name<Interface>. Its last letters
// say what has to come of it: _ok, nothing; _bad, a finding; _missed, it is wrong and
// nothing is said; _gap, it counts as not fully analysed.
#define ARGS                                                                   \
  const float *In, float *Out, const __grid_constant__ CUtensorMap Map
#define KERNEL(Body, Verdict, Right)                                           \
  template <class Api>                                                         \
  __global__ void CLUSTER __launch_bounds__(Threads) Body##_##Verdict(ARGS) {  \
    Body<Api, Right>(In, Out, &Map);                                           \
  }
#define KERNELS(Body) KERNEL(Body, ok, true) KERNEL(Body, bad, false)
#define USE(Name, Api) template __global__ void Name<Api>(ARGS);
#define PAIR(Body, Api) USE(Body##_ok, Api) USE(Body##_bad, Api)
#define BODY(Name)                                                             \
  template <class Api, bool Right>                                             \
  __device__ void Name(const float *In, float *Out, const CUtensorMap *Map)

#define ASM(...) asm volatile(__VA_ARGS__ : "memory")

__device__ inline uint32_t at(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
}

struct Ptx {
  using Bar = uint64_t;
  using Token = uint64_t;

#define TRY(Name, How, Constraint, Given)                                      \
  static __device__ bool Name(Bar &B, Given G) {                               \
    uint32_t Done;                                                             \
    ASM("{ .reg .pred p; mbarrier." How ".b64 p, [%1], %2; "                   \
        "selp.u32 %0, 1, 0, p; }" : "=r"(Done) : "r"(at(&B)), Constraint(G));  \
    return Done;                                                               \
  }
  TRY(testWait, "test_wait.shared::cta", "l", Token)
  TRY(tryWait, "try_wait.shared::cta", "l", Token)
  TRY(testParity, "test_wait.parity.shared::cta", "r", uint32_t)
  TRY(tryParity, "try_wait.parity.shared::cta", "r", uint32_t)
  TRY(tryRelaxed, "try_wait.parity.relaxed.cta.shared::cta", "r", uint32_t)
  static __device__ void wait(Bar &B, Token T) {
    while (!testWait(B, T))
      ;
  }
  static __device__ void waitParity(Bar &B, uint32_t Parity) {
    while (!tryParity(B, Parity))
      ;
  }
  static __device__ void init(Bar &B, uint32_t Count) {
    ASM("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&B)), "r"(Count));
  }
  static __device__ void inval(Bar &B) {
    ASM("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at(&B)));
  }
#define ARRIVE(Name, How)                                                      \
  static __device__ Token Name(Bar &B) {                                       \
    Token T;                                                                   \
    ASM("mbarrier." How ".shared::cta.b64 %0, [%1];" : "=l"(T) : "r"(at(&B))); \
    return T;                                                                  \
  }
  ARRIVE(arrive, "arrive")
  ARRIVE(arriveRelaxed, "arrive.relaxed.cta")
  ARRIVE(drop, "arrive_drop")
#define ARRIVE_WITH(Name, How)                                                 \
  static __device__ Token Name(Bar &B, uint32_t N) {                           \
    Token T;                                                                   \
    ASM("mbarrier." How ".shared::cta.b64 %0, [%1], %2;"                       \
        : "=l"(T) : "r"(at(&B)), "r"(N));                                      \
    return T;                                                                  \
  }
  ARRIVE_WITH(arriveNoComplete, "arrive.noComplete")
  ARRIVE_WITH(dropSeveral, "arrive_drop")
  ARRIVE_WITH(arriveExpect, "arrive.expect_tx")
  static __device__ void expect(Bar &B, uint32_t Size) {
    ASM("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
            at(&B)), "r"(Size));
  }
  static __device__ uint32_t pendingCount(Token T) {
    uint32_t Count;
    ASM("mbarrier.pending_count.b64 %0, %1;" : "=r"(Count) : "l"(T));
    return Count;
  }
  static __device__ void copiesArrive(Bar &B) {
    ASM("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(at(&B)));
  }
  static __device__ void copiesArriveNoinc(Bar &B) {
    ASM("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at(&B)));
  }

#define LOAD(Name, To)                                                         \
  static __device__ void Name(void *T, const void *F, uint32_t Size, Bar &B) { \
    ASM("cp.async.bulk." To ".global.mbarrier::complete_tx::bytes "            \
        "[%0], [%1], %2, [%3];" ::"r"(at(T)), "l"(F), "r"(Size), "r"(at(&B))); \
  }
  LOAD(load, "shared::cluster")
  LOAD(loadHere, "shared::cta")
  static __device__ void store(void *To, const void *From, uint32_t Size) {
    ASM("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(To),
        "r"(at(From)), "r"(Size));
  }
  static __device__ void add(int *To, const int *From, uint32_t Size) {
    ASM("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 "
        "[%0], [%1], %2;" ::"l"(To), "r"(at(From)), "r"(Size));
  }
  static __device__ void commit() { ASM("cp.async.bulk.commit_group;" ::); }
  template <int N> static __device__ void waitGroup() {
    ASM("cp.async.bulk.wait_group %0;" ::"n"(N));
  }
  template <int N> static __device__ void waitRead() {
    ASM("cp.async.bulk.wait_group.read %0;" ::"n"(N));
  }
  static __device__ void fence() { ASM("fence.proxy.async.shared::cta;" ::); }

#define TENSOR(N, Places, ...)                                                 \
  static __device__ void loadTile(void *To, const CUtensorMap *Map,            \
                                  const int (&C)[N], Bar &B) {                 \
    ASM("cp.async.bulk.tensor." #N "d.shared::cluster.global.tile.mbarrier::"  \
        "complete_tx::bytes [%0], [%1, {" Places "}], [%2];" ::"r"(at(To)),    \
        "l"(Map), "r"(at(&B)), __VA_ARGS__);                                   \
  }                                                                            \
  static __device__ void storeTile(const CUtensorMap *Map, const int (&C)[N],  \
                                   const void *From) {                         \
    ASM("cp.async.bulk.tensor." #N "d.global.shared::cta.tile.bulk_group "     \
        "[%0, {" Places "}], [%1];" ::"l"(Map), "r"(at(From)), "r"(0),         \
        __VA_ARGS__);                                                          \
  }                                                                            \
  static __device__ void addTile(const CUtensorMap *Map, const int (&C)[N],    \
                                 const void *From) {                           \
    ASM("cp.reduce.async.bulk.tensor." #N "d.global.shared::cta.add.tile."     \
        "bulk_group [%0, {" Places "}], [%1];" ::"l"(Map), "r"(at(From)),      \
        "r"(0), __VA_ARGS__);                                                  \
  }
  TENSOR(1, "%3", "r"(C[0]))
  TENSOR(2, "%3, %4", "r"(C[0]), "r"(C[1]))
  TENSOR(3, "%3, %4, %5", "r"(C[0]), "r"(C[1]), "r"(C[2]))
  TENSOR(4, "%3, %4, %5, %6", "r"(C[0]), "r"(C[1]), "r"(C[2]), "r"(C[3]))
  TENSOR(5, "%3, %4, %5, %6, %7", "r"(C[0]), "r"(C[1]), "r"(C[2]), "r"(C[3]),
         "r"(C[4]))
};

struct CudaPtx {
  using Bar = uint64_t;
  using Token = uint64_t;

  static __device__ bool testWait(Bar &B, Token T) {
    return cuda::ptx::mbarrier_test_wait(&B, T);
  }
  static __device__ bool tryWait(Bar &B, Token T) {
    return cuda::ptx::mbarrier_try_wait(&B, T);
  }
  static __device__ bool testParity(Bar &B, uint32_t Parity) {
    return cuda::ptx::mbarrier_test_wait_parity(&B, Parity);
  }
  static __device__ bool tryParity(Bar &B, uint32_t Parity) {
    return cuda::ptx::mbarrier_try_wait_parity(&B, Parity);
  }
  static __device__ void wait(Bar &B, Token T) {
    while (!testWait(B, T))
      ;
  }
  static __device__ void init(Bar &B, uint32_t Count) {
    cuda::ptx::mbarrier_init(&B, Count);
  }
  static __device__ Token arrive(Bar &B) {
    return cuda::ptx::mbarrier_arrive(&B);
  }
  static __device__ Token arriveNoComplete(Bar &B, uint32_t Count) {
    return cuda::ptx::mbarrier_arrive_no_complete(&B, Count);
  }
  static __device__ Token arriveExpect(Bar &B, uint32_t Size) {
    return cuda::ptx::mbarrier_arrive_expect_tx(
        cuda::ptx::sem_release, cuda::ptx::scope_cta, cuda::ptx::space_shared,
        &B, Size);
  }
  static __device__ void expect(Bar &B, uint32_t Size) {
    cuda::ptx::mbarrier_expect_tx(cuda::ptx::sem_relaxed, cuda::ptx::scope_cta,
                                  cuda::ptx::space_shared, &B, Size);
  }
  static __device__ void copiesArrive(Bar &B) {
    cuda::ptx::cp_async_mbarrier_arrive(&B);
  }
  static __device__ void copiesArriveNoinc(Bar &B) {
    cuda::ptx::cp_async_mbarrier_arrive_noinc(&B);
  }

  static __device__ void load(void *To, const void *From, uint32_t Size,
                              Bar &B) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global,
                             To, From, Size, &B);
  }
  static __device__ void loadHere(void *To, const void *From, uint32_t Size,
                                  Bar &B) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_shared, cuda::ptx::space_global,
                             To, From, Size, &B);
  }
  static __device__ void store(void *To, const void *From, uint32_t Size) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared,
                             To, From, Size);
  }
  static __device__ void add(int *To, const int *From, uint32_t Size) {
    cuda::ptx::cp_reduce_async_bulk(cuda::ptx::space_global,
                                    cuda::ptx::space_shared, cuda::ptx::op_add,
                                    To, From, Size);
  }
  static __device__ void commit() { cuda::ptx::cp_async_bulk_commit_group(); }
  template <int N> static __device__ void waitGroup() {
    cuda::ptx::cp_async_bulk_wait_group(cuda::ptx::n32_t<N>());
  }
  template <int N> static __device__ void waitRead() {
    cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<N>());
  }
  static __device__ void fence() {
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  template <int N>
  static __device__ void loadTile(void *To, const CUtensorMap *Map,
                                  const int (&C)[N], Bar &B) {
    cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster,
                                    cuda::ptx::space_global, To, Map, C, &B);
  }
  template <int N>
  static __device__ void storeTile(const CUtensorMap *Map, const int (&C)[N],
                                   const void *From) {
    cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_global,
                                    cuda::ptx::space_shared, Map, C, From);
  }
  template <int N>
  static __device__ void addTile(const CUtensorMap *Map, const int (&C)[N],
                                 const void *From) {
    cuda::ptx::cp_reduce_async_bulk_tensor(cuda::ptx::space_global,
                                           cuda::ptx::space_shared,
                                           cuda::ptx::op_add, Map, C, From);
  }
};

/// Found by its argument, which a member of that name would hide.
template <class Bar> __device__ void start(Bar *B, uint32_t Count) {
  init(B, Count);
}

/// cuda::barrier and the functions of cuda::device for it.
struct Barrier {
  using Bar = cuda::barrier<cuda::thread_scope_block>;
  using Token = Bar::arrival_token;

  static __device__ bool tryWait(Bar &B, Token &T) {
    return B.try_wait_for(cuda::std::move(T), cuda::std::chrono::seconds(1));
  }
  static __device__ bool tryParity(Bar &B, uint32_t Parity) {
    return B.try_wait_parity_for(Parity, cuda::std::chrono::seconds(1));
  }
  static __device__ void wait(Bar &B, Token &T) {
    B.wait(cuda::std::move(T));
  }
  static __device__ void waitParity(Bar &B, uint32_t Parity) {
    B.wait_parity(Parity);
  }
  static __device__ void init(Bar &B, uint32_t Count) { start(&B, Count); }
  static __device__ Token arrive(Bar &B) { return B.arrive(); }
  static __device__ void drop(Bar &B) { B.arrive_and_drop(); }
  static __device__ void arriveAndWait(Bar &B) { B.arrive_and_wait(); }
  static __device__ Token arriveExpect(Bar &B, uint32_t Size) {
    return cuda::device::barrier_arrive_tx(B, 1, Size);
  }
  static __device__ void expect(Bar &B, uint32_t Size) {
    cuda::device::barrier_expect_tx(B, Size);
  }
  static __device__ void load(void *To, const void *From, uint32_t Size,
                              Bar &B) {
    cuda::device::memcpy_async_tx(static_cast<float *>(To),
                                  static_cast<const float *>(From),
                                  cuda::aligned_size_t<16>(Size), B);
  }
};

/// cuda::device::experimental.
struct Experimental : Barrier {
  static __device__ void load(void *To, const void *From, uint32_t Size,
                              Bar &B) {
    cuda::device::experimental::cp_async_bulk_global_to_shared(To, From, Size,
                                                               B);
  }
  static __device__ void store(void *To, const void *From, uint32_t Size) {
    cuda::device::experimental::cp_async_bulk_shared_to_global(To, From, Size);
  }
  static __device__ void commit() {
    cuda::device::experimental::cp_async_bulk_commit_group();
  }
  template <int N> static __device__ void waitRead() {
    cuda::device::experimental::cp_async_bulk_wait_group_read<N>();
  }
  static __device__ void fence() {
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
#define TENSOR_CALLS(N, ...)                                                   \
  static __device__ void loadTile(void *To, const CUtensorMap *Map,            \
                                  const int (&C)[N], Bar &B) {                 \
    cuda::device::experimental::cp_async_bulk_tensor_##N##d_global_to_shared(  \
        To, Map, __VA_ARGS__, B);                                              \
  }                                                                            \
  static __device__ void storeTile(const CUtensorMap *Map, const int (&C)[N],  \
                                   const void *From) {                         \
    cuda::device::experimental::cp_async_bulk_tensor_##N##d_shared_to_global(  \
        Map, __VA_ARGS__, From);                                               \
  }
  TENSOR_CALLS(1, C[0])
  TENSOR_CALLS(2, C[0], C[1])
  TENSOR_CALLS(3, C[0], C[1], C[2])
  TENSOR_CALLS(4, C[0], C[1], C[2], C[3])
  TENSOR_CALLS(5, C[0], C[1], C[2], C[3], C[4])
};

/// The functions of cuda_awbarrier_primitives.h.
struct Primitives {
  using Bar = __mbarrier_t;
  using Token = __mbarrier_token_t;

  static __device__ bool testWait(Bar &B, Token T) {
    return __mbarrier_test_wait(&B, T);
  }
  static __device__ bool tryWait(Bar &B, Token T) {
    return __mbarrier_try_wait(&B, T, 1000);
  }
  static __device__ bool testParity(Bar &B, uint32_t Parity) {
    return __mbarrier_test_wait_parity(&B, Parity);
  }
  static __device__ bool tryParity(Bar &B, uint32_t Parity) {
    return __mbarrier_try_wait_parity(&B, Parity, 1000);
  }
  static __device__ void wait(Bar &B, Token T) {
    while (!testWait(B, T))
      ;
  }
  static __device__ void init(Bar &B, uint32_t Count) {
    __mbarrier_init(&B, Count);
  }
  static __device__ void inval(Bar &B) { __mbarrier_inval(&B); }
  static __device__ Token arrive(Bar &B) { return __mbarrier_arrive(&B); }
  static __device__ Token drop(Bar &B) { return __mbarrier_arrive_and_drop(&B); }
  static __device__ uint32_t pendingCount(Token T) {
    return __mbarrier_token_pending_count(T);
  }
  static __device__ void copiesArrive(Bar &B) { __pipeline_arrive_on(&B); }
};

/// nvcuda::experimental::awbarrier.
struct Awbarrier {
  using Bar = nvcuda::experimental::awbarrier;
  using Token = Bar::arrival_token;

  static __device__ bool tryWait(Bar &B, Token T) {
    return B.try_wait(T, 1000);
  }
  static __device__ bool tryParity(Bar &B, uint32_t Parity) {
    return B.try_wait_parity(Parity, 1000);
  }
  static __device__ bool testWait(Bar &B, Token T) {
    return B.timed_wait(T, 1000);
  }
  static __device__ bool testParity(Bar &B, uint32_t Parity) {
    return B.timed_wait_parity(Parity, 1000);
  }
  static __device__ void wait(Bar &B, Token T) { B.wait(T); }
  static __device__ void init(Bar &B, uint32_t Count) {
    nvcuda::experimental::init(&B, Count);
  }
  static __device__ void inval(Bar &B) { nvcuda::experimental::inval(&B); }
  static __device__ Token arrive(Bar &B) { return B.arrive(); }
  static __device__ Token drop(Bar &B) { return B.arrive_and_drop(); }
  static __device__ void arriveAndWait(Bar &B) { B.arrive_and_wait(); }
  static __device__ uint32_t pendingCount(Token T) { return T.pending_count(); }
};

#ifdef __clang__
/// Clang's builtins; nvcc has none of them.
struct Builtins {
  using Bar = long;
  using Token = long;

  static __device__ bool testWait(Bar &B, Token T) {
    return __nvvm_mbarrier_test_wait(&B, T);
  }
  static __device__ void wait(Bar &B, Token T) {
    while (!__nvvm_mbarrier_test_wait_shared(
        (__attribute__((address_space(3))) long *)&B, T))
      ;
  }
  static __device__ void init(Bar &B, uint32_t Count) {
    __nvvm_mbarrier_init(&B, Count);
  }
  static __device__ void inval(Bar &B) { __nvvm_mbarrier_inval(&B); }
  static __device__ Token arrive(Bar &B) { return __nvvm_mbarrier_arrive(&B); }
  static __device__ Token arriveNoComplete(Bar &B, uint32_t Count) {
    return __nvvm_mbarrier_arrive_noComplete(&B, Count);
  }
  static __device__ Token drop(Bar &B) {
    return threadIdx.x == Threads - 1
               ? __nvvm_mbarrier_arrive_drop_noComplete(&B, 1)
               : __nvvm_mbarrier_arrive_drop(&B);
  }
  static __device__ uint32_t pendingCount(Token T) {
    return __nvvm_mbarrier_pending_count(T);
  }
  static __device__ void copiesArrive(Bar &B) {
    __nvvm_cp_async_mbarrier_arrive(&B);
  }
  static __device__ void copiesArriveNoinc(Bar &B) {
    __nvvm_cp_async_mbarrier_arrive_noinc(&B);
  }
};
#define USE_BUILTINS(Name) USE(Name, Builtins)
#else
#define USE_BUILTINS(Name)
#endif
#define PAIR_BUILTINS(Body) USE_BUILTINS(Body##_ok) USE_BUILTINS(Body##_bad)

/// Begins with `Full` ready for Count arrivals.
template <class Api>
__device__ void begin(typename Api::Bar &Full, uint32_t Count) {
  if (threadIdx.x == 0)
    Api::init(Full, Count);
  __syncthreads();
}
/// One thread announces a tile, without an arrival, and has it copied.
template <class Bar>
__device__ void bring(float *Tile, const float *In, Bar &Full) {
  if (threadIdx.x != 0)
    return;
  Ptx::expect(reinterpret_cast<uint64_t &>(Full), Bytes);
  Ptx::load(Tile, In, Bytes, reinterpret_cast<uint64_t &>(Full));
}

#endif // TEST_HOPPER_INTERFACES_H
