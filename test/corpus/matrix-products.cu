//===- matrix-products.cu - wgmma and its operands in shared memory -------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands have to be there when the product is issued, through the proxy that
// reads them, and to stay until its group has been waited for.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

struct alignas(64) TensorMap {
  uint64_t Opaque[16];
};

__device__ uint32_t toShared(const void *P) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(P));
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
__device__ void arriveAndExpect(uint64_t *B, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   toShared(B)),
               "r"(Bytes)
               : "memory");
}
__device__ void waitParity(uint64_t *B, uint32_t Parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN_%=:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra AGAIN_%=;\n}" ::"r"(toShared(B)),
               "r"(Parity)
               : "memory");
}
__device__ void loadTile(void *To, const TensorMap *Map, int Inner, int Outer,
                         uint64_t *B) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          toShared(To)),
      "l"(Map), "r"(Inner), "r"(Outer), "r"(toShared(B))
      : "memory");
}

// 128-byte swizzle; rows of eight are 1024 bytes apart.
__device__ uint64_t descriptorOf(const void *Tile) {
  uint64_t D = (toShared(Tile) & 0x3FFFF) >> 4;
  D |= uint64_t(1) << 16;
  D |= uint64_t(1024 >> 4) << 32;
  D |= uint64_t(1) << 62;
  return D;
}
__device__ void fenceProducts() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void commitProducts() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int N> __device__ void waitForProducts() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
__device__ void multiply(float (&D)[4], uint64_t A, uint64_t B) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
               : "l"(A), "l"(B), "r"(1));
}
__device__ void multiplyRegisters(float (&D)[4], const uint32_t (&A)[4],
                                  uint64_t B) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
               : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "l"(B));
}

constexpr int Stages = 3;

struct alignas(1024) Ring {
  uint16_t A[Stages][64 * 64];
  uint16_t B[Stages][8 * 64];
  uint64_t Full[Stages], Empty[Stages];
};

__device__ void prepare(Ring &R) {
  if (threadIdx.x == 0)
    for (int I = 0; I < Stages; ++I) {
      initBarrier(&R.Full[I], 1);
      initBarrier(&R.Empty[I], 128);
    }
  __syncthreads();
}

__device__ void produce(Ring &R, const TensorMap *A, const TensorMap *B,
                        int Steps) {
  if (threadIdx.x == 128)
    for (int K = 0; K < Steps; ++K) {
    // expect-note@-1: in the iteration of this loop with K = 0
    // expect-note@-2: in the iteration of this loop with K = 3
    // expect-note@-3: loop run for 1 iteration
      const int Slot = K % Stages;
      waitParity(&R.Empty[Slot], (K / Stages & 1) ^ 1);
      arriveAndExpect(&R.Full[Slot], sizeof(R.A[0]) + sizeof(R.B[0]));
      // expect-note@-1: a tile has 1024 bytes by what is announced here
      // expect-note@-2: a tile has 8192 bytes by what is announced here
      loadTile(R.A[Slot], A, K * 64, blockIdx.x * 64, &R.Full[Slot]);
      // expect-note@-1: a 'wgmma.wait_group' for the product, and a barrier or an arrival, belong before this overwrite
      // expect-note@-2: copy issued here
      // expect-note@-3: thread 128 overwrites 'R.A[0]' here, used in a matrix product by thread 0
      // expect-warning@-4{cpasync-in-flight-overwrite}: 'R' may be overwritten while a matrix product still reads it
      loadTile(R.B[Slot], B, K * 64, 0, &R.Full[Slot]);
      // expect-note@-1: a 'wgmma.wait_group' for the product, and a barrier or an arrival, belong before this overwrite
      // expect-note@-2: thread 128 overwrites 'R.B[0]' here, used in a matrix product by thread 0
      // expect-warning@-3{cpasync-in-flight-overwrite}: 'R' may be overwritten while a matrix product still reads it
    }
}

__device__ void multiplyTile(float (&D)[4], const Ring &R, int Slot) {
  const uint64_t A = descriptorOf(R.A[Slot]), B = descriptorOf(R.B[Slot]);
  fenceProducts();
  for (int I = 0; I < 4; ++I)
    multiply(D, A + I * 2, B + I * 2);
    // expect-note@-1: matrix product issued here
    // expect-note@-2: thread 0 reads 'R.A[0][0]' here, copied by thread 128
    // expect-skipped@-3: a clash here was found more than 100 times; another cause of it may be missing
  commitProducts();
}

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(160)                                       \
      Name(const __grid_constant__ TensorMap A,                                \
           const __grid_constant__ TensorMap B, float *Out, int Steps)

KERNEL(one_group_ok) {
  __shared__ Ring R;
  prepare(R);
  if (threadIdx.x >= 128)
    return produce(R, &A, &B, Steps);
  float D[4] = {};
  for (int K = 0; K < Steps; ++K) {
    const int Slot = K % Stages;
    waitParity(&R.Full[Slot], K / Stages & 1);
    multiplyTile(D, R, Slot);
    waitForProducts<0>();
    arrive(&R.Empty[Slot]);
  }
  for (int I = 0; I < 4; ++I)
    Out[threadIdx.x * 4 + I] = D[I];
}

// The slot is given back while its products may still be running.
KERNEL(given_back_bad) {
// expect-note@-1: with Steps = 4
  __shared__ Ring R;
  prepare(R);
  if (threadIdx.x >= 128)
    return produce(R, &A, &B, Steps);
    // expect-note@-1: 'produce' called here
  float D[4] = {};
  for (int K = 0; K < Steps; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    const int Slot = K % Stages;
    waitParity(&R.Full[Slot], K / Stages & 1);
    multiplyTile(D, R, Slot);
    // expect-note@-1: 'multiplyTile' called here
    arrive(&R.Empty[Slot]);
    waitForProducts<0>();
  }
  for (int I = 0; I < 4; ++I)
    Out[threadIdx.x * 4 + I] = D[I];
}

// One group stays in flight: the slot before is given back.
KERNEL(one_behind_ok) {
  __shared__ Ring R;
  prepare(R);
  if (threadIdx.x >= 128)
    return produce(R, &A, &B, Steps);
  float D[4] = {};
  for (int K = 0; K < Steps; ++K) {
    const int Slot = K % Stages;
    waitParity(&R.Full[Slot], K / Stages & 1);
    multiplyTile(D, R, Slot);
    waitForProducts<1>();
    if (K > 0)
      arrive(&R.Empty[(K - 1) % Stages]);
  }
  waitForProducts<0>();
  for (int I = 0; I < 4; ++I)
    Out[threadIdx.x * 4 + I] = D[I];
}
KERNEL(this_one_bad) {
// expect-note@-1: with Steps = 4
  __shared__ Ring R;
  prepare(R);
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (int K = 0; K < Steps; ++K) {
      // expect-note@-1: in the iteration of this loop with K = 3
        const int Slot = K % Stages;
        waitParity(&R.Empty[Slot], (K / Stages & 1) ^ 1);
        arriveAndExpect(&R.Full[Slot], sizeof(R.A[0]) + sizeof(R.B[0]));
        // expect-note@-1: a tile has 1024 bytes by what is announced here
        // expect-note@-2: a tile has 8192 bytes by what is announced here
        loadTile(R.A[Slot], &A, K * 64, blockIdx.x * 64, &R.Full[Slot]);
        // expect-note@-1: a 'wgmma.wait_group' for the product, and a barrier or an arrival, belong before this overwrite
        // expect-note@-2: thread 128 overwrites 'R.A[0]' here, used in a matrix product by thread 0
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'R' may be overwritten while a matrix product still reads it
        loadTile(R.B[Slot], &B, K * 64, 0, &R.Full[Slot]);
        // expect-note@-1: a 'wgmma.wait_group' for the product, and a barrier or an arrival, belong before this overwrite
        // expect-note@-2: thread 128 overwrites 'R.B[0]' here, used in a matrix product by thread 0
        // expect-warning@-3{cpasync-in-flight-overwrite}: 'R' may be overwritten while a matrix product still reads it
      }
    return;
  }
  float D[4] = {};
  for (int K = 0; K < Steps; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    const int Slot = K % Stages;
    waitParity(&R.Full[Slot], K / Stages & 1);
    multiplyTile(D, R, Slot);
    // expect-note@-1: 'multiplyTile' called here
    waitForProducts<1>();
    arrive(&R.Empty[Slot]);
  }
  waitForProducts<0>();
  for (int I = 0; I < 4; ++I)
    Out[threadIdx.x * 4 + I] = D[I];
}

// The products begin before their operands have arrived.
KERNEL(not_awaited_bad) {
// expect-note@-1: with Steps = 1
  __shared__ Ring R;
  prepare(R);
  if (threadIdx.x >= 128)
    return produce(R, &A, &B, Steps);
    // expect-note@-1: 'produce' called here
  float D[4] = {};
  for (int K = 0; K < Steps; ++K) {
  // expect-note@-1: in the iteration of this loop with K = 0
    const int Slot = K % Stages;
    multiplyTile(D, R, Slot);
    // expect-note@-1: 'multiplyTile' called here
    // expect-note@-2: a wait for the copy and a barrier belong before this call
    // expect-warning@-3{cpasync-unwaited-read}: 'R' may be read before the asynchronous copy into it has completed
    waitParity(&R.Full[Slot], K / Stages & 1);
    waitForProducts<0>();
    arrive(&R.Empty[Slot]);
  }
  for (int I = 0; I < 4; ++I)
    Out[threadIdx.x * 4 + I] = D[I];
}

// One operand in registers, the other written by the threads themselves.
template <bool Fence, bool WaitFirst>
__device__ void multiplyStored(const uint16_t *In, float *Out, int Steps) {
  __shared__ alignas(1024) uint16_t Tile[8 * 64];
  float D[4] = {};
  const uint32_t A[4] = {1, 2, 3, 4};
  for (int K = 0; K < Steps; ++K) {
    for (int I = threadIdx.x; I < 8 * 64; I += 128)
      Tile[I] = In[K * 8 * 64 + I];
      // expect-note@-1: stored here
    if (Fence)
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    fenceProducts();
    multiplyRegisters(D, A, descriptorOf(Tile));
    // expect-note@-1: 'fence.proxy.async' by the threads that store and a barrier belong before this product
    // expect-note@-2: matrix product of thread 0 reads 'Tile[0]' here, stored by thread 0
    // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Tile' may be read by a matrix product with no proxy fence behind the stores to it
    commitProducts();
    if (WaitFirst)
      waitForProducts<0>();
    __syncthreads();
    if (!WaitFirst)
      waitForProducts<0>();
  }
  for (int I = 0; I < 4; ++I)
    Out[threadIdx.x * 4 + I] = D[I];
}
#define STORED(Name)                                                           \
  __global__ void __launch_bounds__(128)                                       \
      Name(const uint16_t *In, float *Out, int Steps)
STORED(stored_ok) { multiplyStored<true, true>(In, Out, Steps); }
STORED(no_fence_bad) { multiplyStored<false, true>(In, Out, Steps); }
// expect-note@-1: 'multiplyStored' called here
// expect-note@-2: with Steps = 1
// The wait stands behind the barrier: the products of a warpgroup are over
// together, as far as was seen.
STORED(waited_late_ok) { multiplyStored<true, false>(In, Out, Steps); }

// A descriptor that is written as fields and moved on as one of its halves.
union Descriptor {
  uint64_t Whole;
  uint32_t Half[2];
  struct {
    uint16_t Address : 14, : 2;
    uint16_t Leading : 14, : 2;
    uint16_t Stride : 14, : 2;
    uint8_t : 1, Offset : 3, : 4;
    uint8_t : 6, Swizzle : 2;
  } Field;
  __device__ Descriptor() : Whole(0) {}
  __device__ Descriptor moved(uint32_t Units) const {
    Descriptor D;
    D.Half[0] = Half[0] + Units;
    D.Half[1] = Half[1];
    return D;
  }
};

__device__ Descriptor fieldsOf(const void *Tile) {
  Descriptor D;
  D.Field.Address = uint16_t(toShared(Tile) >> 4);
  D.Field.Leading = 1;
  D.Field.Stride = 1024 >> 4;
  D.Field.Swizzle = 1;
  return D;
}

template <int Left>
__device__ void multiplyByFields(Ring &R, const TensorMap *A,
                                 const TensorMap *B, float *Out, int Steps) {
  prepare(R);
  if (threadIdx.x >= 128) {
    produce(R, A, B, Steps);
    return;
  }
  float D[4] = {};
  const Descriptor OfA = fieldsOf(R.A), OfB = fieldsOf(R.B);
  for (int K = 0, Slot = 0, Phase = 0; K < Steps; ++K) {
    waitParity(&R.Full[Slot], Phase);
    fenceProducts();
    for (int I = 0; I < 4; ++I)
      multiply(D, OfA.moved(Slot * (sizeof(R.A[0]) / 16) + I * 2).Whole,
               OfB.moved(Slot * (sizeof(R.B[0]) / 16) + I * 2).Whole);
    commitProducts();
    waitForProducts<Left>();
    arrive(&R.Empty[Slot]);
    if (++Slot == Stages) {
      Slot = 0;
      Phase ^= 1;
    }
  }
  waitForProducts<0>();
  for (int I = 0; I < 4; ++I)
    Out[4 * threadIdx.x + I] = D[I];
}

__global__ void __launch_bounds__(256)
    fields_of_descriptor_ok(const __grid_constant__ TensorMap A,
                            const __grid_constant__ TensorMap B, float *Out,
                            int Steps) {
  extern __shared__ Ring Shared[];
  multiplyByFields<0>(Shared[0], &A, &B, Out, Steps);
}

__global__ void __launch_bounds__(256)
    fields_of_descriptor_bad(const __grid_constant__ TensorMap A,
                             const __grid_constant__ TensorMap B, float *Out,
                             int Steps) {
  extern __shared__ Ring Shared[];
  multiplyByFields<1>(Shared[0], &A, &B, Out, Steps);
}

// The warps of a warpgroup come together at a product: what each has stored and
// fenced is there for all. Other warpgroups do not.
template <int Count>
__device__ void multiplyWhatAllStored(const uint16_t *In, float *Out) {
  __shared__ alignas(1024) uint16_t Tile[64 * 64];
  for (int I = threadIdx.x; I < 64 * 64; I += Count)
    Tile[I] = In[I];
    // expect-note@-1: stored here
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  float D[4] = {};
  fenceProducts();
  multiply(D, descriptorOf(Tile), descriptorOf(Tile));
  // expect-note@-1: a barrier belongs between the stores and this product
  // expect-note@-2: matrix product of thread 128 reads 'Tile[0]' here, stored by thread 0
  // expect-warning@-3{cpasync-unfenced-bulk-copy}: 'Tile' is read by a matrix product with no barrier behind the stores to it
  commitProducts();
  waitForProducts<0>();
  for (int I = 0; I < 4; ++I)
    Out[4 * threadIdx.x + I] = D[I];
}

__global__ void __launch_bounds__(128)
    stored_by_own_warpgroup_ok(const uint16_t *In, float *Out) {
  multiplyWhatAllStored<128>(In, Out);
}

__global__ void __launch_bounds__(256)
    stored_by_other_warpgroup_bad(const uint16_t *In, float *Out) {
  multiplyWhatAllStored<256>(In, Out);
  // expect-note@-1: 'multiplyWhatAllStored' called here
}
