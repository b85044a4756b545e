#include <cuda_pipeline.h>

// The wait is missing.
__global__ void scale(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], sizeof(float));
  __pipeline_commit();
  Out[threadIdx.x] = 2.0f * Tile[threadIdx.x];
}
