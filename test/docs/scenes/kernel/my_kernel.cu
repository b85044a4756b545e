#include <cuda_pipeline.h>
#include "tile.h"

// The wait is missing.
__global__ void scale(const float *In, float *Out) {
  __shared__ float Tile[TILE];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], sizeof(float));
  __pipeline_commit();
  Out[threadIdx.x] = Factor * Tile[threadIdx.x];
}
