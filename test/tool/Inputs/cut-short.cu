#include <cuda_pipeline.h>
__global__ void reversed(const float *In, float *Out, const int *Rows) {
  __shared__ float Tile[256];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[0] = Tile[127 - threadIdx.x];
  for (int I = 0; I < Rows[0]; ++I) {
    if (Rows[I])
      __syncthreads();
    if (Rows[I + 1])
      __pipeline_commit();
  }
}
