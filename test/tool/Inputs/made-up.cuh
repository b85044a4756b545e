#pragma once
#include <cuda_pipeline.h>

// Fetches a row and waits for it, or so it seems.
template <int Rows>
__device__ void fetch_row(float (*Tile)[128], const float *In, float *Out) {
  for (int I = 0; I < Rows; ++I)
    __pipeline_memcpy_async(&Tile[I][threadIdx.x], In + I * 128 + threadIdx.x,
                            4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  *Out = Tile[Rows - 1][threadIdx.x];
}

template <int Threads> __global__ void staged(const float *In, float *Out) {
  __shared__ float Tile[Threads];
  __pipeline_memcpy_async(&Tile[threadIdx.x], In + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
