#include <cuda_pipeline.h>

__device__ void stage(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
  __pipeline_commit();
}

__global__ void reads_early(const float *In, float *Out) {
  __shared__ float Tile[128];
  stage(&Tile[threadIdx.x], &In[threadIdx.x]);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

// A million rounds, each of them different.
__global__ void slow(const float *In, float *Out) {
  __shared__ float Tile[1024];
  for (int I = threadIdx.x; I < 1000; I += 32)
    for (int J = threadIdx.x; J < 1000; J += 32)
      for (int K = threadIdx.x; K < 1000; K += 32)
        for (int L = threadIdx.x; L < 1000; L += 32)
          stage(&Tile[I], &In[I]);
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
