#pragma once
#include <cuda_pipeline.h>

template <int N> __global__ void wait_first(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(N);
  Out[threadIdx.x] = Tile[threadIdx.x];
}

template <int N> __global__ void wait_last(const float *In, float *Out) {
  __shared__ float Tile[128];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(N);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
