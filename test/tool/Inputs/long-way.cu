// The second kernel takes twice the steps of the first, unless it is spared
// those that the first has made.
#include <cuda_pipeline.h>

#define STEP Sum = (Sum * 5 + 1) % 32;
#define EIGHT STEP STEP STEP STEP STEP STEP STEP STEP
__device__ int column(int Sum) {
  EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
  return Sum;
}

__global__ void first(const float *In, float *Out) {
  __shared__ float Tile[64];
  float *To = &Tile[threadIdx.x + column(1)];
  __pipeline_memcpy_async(To, &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = *To;
}

__global__ void second(const float *In, float *Out) {
  __shared__ float Tile[64];
  float *To = &Tile[threadIdx.x + column(2) / 32 + column(1)];
  __pipeline_memcpy_async(To, &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = *To;
}

void launch(const float *In, float *Out) {
  first<<<1, 32>>>(In, Out);
  second<<<1, 32>>>(In, Out);
}
