#include "load_tile.cuh"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__global__ void __launch_bounds__(128)
reverse(const float *In, float *Out) {
  __shared__ float Tile[128];
  loadTile<128>(Tile, In + blockIdx.x * 128);
  Out[blockIdx.x * 128 + threadIdx.x] = Tile[127 - threadIdx.x];
}
#endif

// The wait is missing.
__global__ void __launch_bounds__(128) scale(const float *In, float *Out) {
  __shared__ float Row[128];
  __pipeline_memcpy_async(&Row[threadIdx.x], &In[threadIdx.x], sizeof(float));
  __pipeline_commit();
  Out[threadIdx.x] = 2.0f * Row[threadIdx.x];
}
