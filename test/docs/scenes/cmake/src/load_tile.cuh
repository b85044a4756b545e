#pragma once
#include <cuda_pipeline.h>

// The commit is missing: nothing ends the group that holds the copy.
template <int Threads>
__device__ void loadTile(float *Tile, const float *In) {
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], sizeof(float));
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
}
