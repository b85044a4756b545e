// As ring.cu, for so many tiles that the way to the last is long.
#include <cuda_pipeline.h>

constexpr int Stages = 4;
constexpr int Ahead = Stages - 1;
constexpr int Tiles = 12;

__global__ void __launch_bounds__(128) longRing(const float *In, float *Out) {
  __shared__ float A[Stages][128], B[Stages][128];
  for (int S = 0; S < Ahead; ++S) {
    __pipeline_memcpy_async(&A[S][threadIdx.x], &In[S * 128 + threadIdx.x], 4);
    __pipeline_memcpy_async(&B[S][threadIdx.x], &In[S * 128 + threadIdx.x], 4);
    __pipeline_commit();
  }
  float Sum = 0;
  for (int K = 0; K < Tiles; ++K) {
    if (K + Ahead < Tiles) {
      const int Next = (K + Ahead) % Stages;
      const float *From = &In[(K + Ahead) * 128 + threadIdx.x];
      __pipeline_memcpy_async(&A[Next][threadIdx.x], From, 4);
      __pipeline_memcpy_async(&B[Next][threadIdx.x], From, 4);
      __pipeline_commit();
    }
    __pipeline_wait_prior(Ahead - 1);
    __syncthreads();
    Sum += A[K % Stages][127 - threadIdx.x] * B[K % Stages][threadIdx.x];
    __syncthreads();
  }
  Out[threadIdx.x] = Sum;
}
