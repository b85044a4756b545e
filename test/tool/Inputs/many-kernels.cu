// More kernels than a file is divided into pieces, of every kind that is
// analysed: test/tool/kernels-apart.test.
#include <cuda_pipeline.h>

#define KERNEL __global__ void __launch_bounds__(128)

// Right for 16 bytes, wrong for 4: the text cannot be mended.
template <int Bytes>
__device__ void copyGlobal(float *To, const float *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(
                   (unsigned)__cvta_generic_to_shared(To)),
               "l"(From), "n"(Bytes));
  asm volatile("cp.async.wait_all;");
}

KERNEL whole_lines(const float *In, float *Out) {
  __shared__ __align__(16) float Tile[512];
  copyGlobal<16>(&Tile[threadIdx.x * 4], &In[threadIdx.x * 4]);
  Out[threadIdx.x] = Tile[threadIdx.x * 4];
}

template <int N> KERNEL weak_wait(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  for (int I = 0; I < N; ++I)
    __pipeline_commit();
  __pipeline_wait_prior(N % 3 + 1);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
#define FOUR(N)                                                                \
  template __global__ void weak_wait<N>(const float *, float *);               \
  template __global__ void weak_wait<N + 1>(const float *, float *);           \
  template __global__ void weak_wait<N + 2>(const float *, float *);           \
  template __global__ void weak_wait<N + 3>(const float *, float *);
FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16)

KERNEL single_floats(const float *In, float *Out) {
  __shared__ float Tile[128];
  copyGlobal<4>(&Tile[threadIdx.x], &In[threadIdx.x]);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// A gap.
KERNEL unknown_count(const float *In, float *Out, int N) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  asm volatile("cp.async.wait_group %0;" ::"r"(N));
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// Nothing tells its block.
__global__ void any_block(const float *In, float *Out) {
  __shared__ float Tile[1024];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x ^ 32];
}

__device__ void helper(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
}

// Nothing instantiates it; its instance reaches the helper.
template <typename T> KERNEL made_up(const T *In, T *Out) {
  __shared__ T Tile[128];
  helper(&Tile[threadIdx.x], &In[threadIdx.x]);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

template <typename T> KERNEL never(const T *In, typename T::Unknown *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
}

// By itself, as nothing calls it.
__device__ void lonely(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
