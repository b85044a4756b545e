// A warp that copies and three that read: they meet at a barrier, but the tile that
// was copied last is the one that is left in flight.
#include <cuda_pipeline.h>

constexpr int Slots = 2;

__global__ void __launch_bounds__(128)
    roles(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Slot[Slots][32];
  if (threadIdx.x < 32) {
    for (int K = 0; K < Tiles; ++K) {
      __pipeline_memcpy_async(&Slot[K % Slots][threadIdx.x],
                              &In[K * 32 + threadIdx.x], 16);
      __pipeline_commit();
      __pipeline_wait_prior(1);
      __syncthreads();
      __syncthreads();
    }
  } else {
    for (int K = 0; K < Tiles; ++K) {
      __syncthreads();
      Out[K * 96 + threadIdx.x - 32] = Slot[K % Slots][threadIdx.x % 32];
      __syncthreads();
    }
  }
}
