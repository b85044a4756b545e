#include <cuda_pipeline.h>

__global__ void __launch_bounds__(128) reads_early(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

__global__ void __launch_bounds__(128) waits(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
