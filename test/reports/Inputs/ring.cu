// Four slots, three tiles ahead: the last iterations commit nothing, so that the
// two groups which the wait leaves may be all that there are.
#include <cuda_pipeline.h>

constexpr int Stages = 4;
constexpr int Ahead = Stages - 1;

__device__ void fetch(float4 *Slot, const float4 *Tile) {
  __pipeline_memcpy_async(&Slot[threadIdx.x], &Tile[threadIdx.x], 16);
  __pipeline_commit();
}

__global__ void __launch_bounds__(128)
    ring(const float4 *In, float4 *Out, int Tiles) {
  __shared__ float4 Ring[Stages][128];
  for (int S = 0; S < Ahead; ++S)
    fetch(Ring[S], In + S * 128);
  float Sum = 0;
  for (int K = 0; K < Tiles; ++K) {
    __pipeline_wait_prior(Ahead - 1);
    __syncthreads();
    if (K + Ahead < Tiles)
      fetch(Ring[(K + Ahead) % Stages], In + (K + Ahead) * 128);
    Sum += Ring[K % Stages][127 - threadIdx.x].x;
  }
  Out[threadIdx.x].x = Sum;
}
