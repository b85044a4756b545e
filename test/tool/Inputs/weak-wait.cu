#include <cuda_pipeline.h>

__global__ void __launch_bounds__(128) waits_for_nothing(const float *In,
                                                         float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
