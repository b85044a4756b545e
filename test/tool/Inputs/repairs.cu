// Waits that are too weak by one group or more; test/tool/repairs.test names
// those whose count is one edit away from right.
#include <cstring>
#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(64)
#define WAIT(N) __pipeline_wait_prior(N)
#define WAIT_AND_TELL(N)                                                       \
  __pipeline_wait_prior(N);                                                    \
  Out[64] = N
#define WAIT_FOR_OLDER() __pipeline_wait_prior(1)

constexpr int Stages = 3;

__device__ void copy(void *To, const void *From) {
  __pipeline_memcpy_async(To, From, 4);
  __pipeline_commit();
}
template <int N> __device__ void waitGroup() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
template <int N> __device__ void waitAndTell(float *Out) {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
  Out[64] = N;
}

KERNEL macro_argument(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  WAIT(/*macro_argument*/ 1);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL template_argument(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  waitGroup</*template_argument*/ 1>();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL expression(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_wait_prior(/*expression*/ Stages - 2);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// Two instantiations: the smaller count is right for both.
template <int Newer> KERNEL literal_in_template(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  for (int I = 0; I < Newer; ++I)
    __pipeline_commit();
  __pipeline_wait_prior(/*literal_in_template*/ 4);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
template __global__ void literal_in_template<3>(const float *, float *);
template __global__ void literal_in_template<1>(const float *, float *);

// The read begins in the older of two groups and ends in the newer.
KERNEL both_groups(const float *In, float2 *Out) {
  __shared__ float2 Tile[64];
  copy(&Tile[threadIdx.x].x, &In[threadIdx.x]);
  copy(&Tile[threadIdx.x].y, &In[threadIdx.x]);
  __pipeline_commit();
  __pipeline_wait_prior(/*both_groups*/ 3);
  memcpy(&Out[threadIdx.x], &Tile[threadIdx.x], 8);
}

KERNEL left_used_twice(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  WAIT_AND_TELL(/*left*/ 1);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL left_more_than_a_wrapper(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  waitAndTell</*left*/ 1>(Out);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL left_macro_body(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  WAIT_FOR_OLDER();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

KERNEL left_asm_text(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  Out[threadIdx.x] = Tile[threadIdx.x];
}

template <int Count> KERNEL left_dependent(const float *In, float *Out) {
  __shared__ float Tile[64];
  copy(&Tile[threadIdx.x], &In[threadIdx.x]);
  __pipeline_wait_prior(/*left*/ Count);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
template __global__ void left_dependent<1>(const float *, float *);
