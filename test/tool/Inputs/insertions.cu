// Copies that nobody commits, reads without a wait, and `.cg` with a size it
// does not take; test/tool/insertions.test names those one edit away from right.
#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define COPY_CG(To, From, Bytes)                                               \
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(To),          \
               "l"(From), "n"(Bytes)                                           \
               : "memory")
#define COPY_ANY(To, From, Bytes)                                              \
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2; // any" ::"r"(To),   \
               "l"(From), "n"(Bytes)                                           \
               : "memory")

__device__ unsigned sharedAddress(const void *P) {
  return static_cast<unsigned>(__cvta_generic_to_shared(P));
}
__device__ void copy(void *To, const void *From) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                   sharedAddress(To)),
               "l"(From)
               : "memory");
}
template <int N> __device__ void waitGroup() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// Nothing in this file waits for all before this kernel.
KERNEL raw_wait(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL commit_macro(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  waitGroup<0>(); // commit_macro
  Out[threadIdx.x] = Tile[threadIdx.x];
  COMMIT();
}

KERNEL two_tiles(const float *In, float *Out) {
  __shared__ float A[64], B[64];
  copy(&A[threadIdx.x], &In[threadIdx.x]);
  copy(&B[threadIdx.x], &In[threadIdx.x + 64]);
  waitGroup<0>(); // two_tiles
  Out[threadIdx.x] = A[threadIdx.x] + B[threadIdx.x];
}

KERNEL conditional_commit(const float *In, float *Out, bool Flag) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  if (Flag)
    COMMIT();
  waitGroup<0>(); // conditional_commit
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL own_data(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  COMMIT();
  Out[threadIdx.x] = Tile[threadIdx.x]; // own_data
}

KERNEL others_data(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  COMMIT();
  __syncthreads(); // others_data
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}

KERNEL every_iteration(const float *In, float *Out, int Tiles) {
  __shared__ float Tile[2][64];
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_memcpy_async(&Tile[K % 2][threadIdx.x],
                            &In[K * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __syncthreads(); // every_iteration
    Out[K * 64 + threadIdx.x] = Tile[K % 2][threadIdx.x ^ 32];
  }
}

KERNEL cache_text(const float *In, float *Out) {
  __shared__ float Tile[64];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 4;\n" // cache_text
               "cp.async.wait_all;" ::"r"(sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[threadIdx.x])
               : "memory");
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL cache_macro(const float2 *In, float2 *Out) {
  __shared__ float2 A[64], B[64];
  COPY_CG(sharedAddress(&A[threadIdx.x]), &In[threadIdx.x], 8);
  COPY_CG(sharedAddress(&B[threadIdx.x]), &In[threadIdx.x + 64], 8);
  asm volatile("cp.async.wait_all;" ::: "memory");
  Out[threadIdx.x] = A[threadIdx.x];
  Out[threadIdx.x + 64] = B[threadIdx.x];
}

// The macro is right for the kernel below it.
KERNEL left_cache_macro(const float2 *In, float2 *Out) {
  __shared__ float2 Tile[64];
  COPY_ANY(sharedAddress(&Tile[threadIdx.x]), &In[threadIdx.x], 8);
  asm volatile("cp.async.wait_all;" ::: "memory");
  Out[threadIdx.x] = Tile[threadIdx.x];
}
KERNEL right_cache_macro(const float4 *In, float4 *Out) {
  __shared__ float4 Tile[64];
  COPY_ANY(sharedAddress(&Tile[threadIdx.x]), &In[threadIdx.x], 16);
  asm volatile("cp.async.wait_all;" ::: "memory");
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// The wait leaves a group: a commit before it makes the copy that group.
KERNEL left_weak_wait(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  waitGroup<1>();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// One template, and not every instantiation waits for all.
template <int N> KERNEL left_dependent(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  waitGroup<N>();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
template __global__ void left_dependent<0>(const float *, float *);

// The data of other threads take a barrier as well.
KERNEL left_no_barrier(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  COMMIT();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}

// On one of the paths there is no barrier.
KERNEL left_barrier_on_a_path(const float *In, float *Out, bool Flag) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  COMMIT();
  if (Flag)
    __syncthreads();
  Out[threadIdx.x] = Tile[63 - threadIdx.x];
}

// The read is the whole body of a branch.
KERNEL left_without_braces(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  COMMIT();
  if (threadIdx.x < 32)
    Out[threadIdx.x] = Tile[threadIdx.x];
}

// Copy and wait are one statement.
KERNEL left_one_statement(const float *In, float *Out) {
  __shared__ float Tile[64];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n"
               "cp.async.wait_group 0;" ::"r"(
                   sharedAddress(&Tile[threadIdx.x])),
               "l"(&In[threadIdx.x])
               : "memory");
  Out[threadIdx.x] = Tile[threadIdx.x];
}
