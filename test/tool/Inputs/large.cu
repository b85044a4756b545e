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

// Every way through is kept.
__global__ void large(const float *In, float *Out, const int *N) {
  __shared__ float Tile[2048];
  for (int I = threadIdx.x; I < N[0]; I += 32)
    while (N[I] > 0)
      for (int L = 0; L < 1000; ++L)
        if (N[L] > threadIdx.x)
          stage(&Tile[threadIdx.x + L % 16 * 128], &In[L]);
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
