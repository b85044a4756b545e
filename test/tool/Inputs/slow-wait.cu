// What the last round leaves is read behind the loop, where no barrier is.
#include <cuda_pipeline.h>

__global__ void __launch_bounds__(128)
    behind(const float *In, float *Out, int N) {
  __shared__ float Slot[2][128];
  const int T = threadIdx.x;
  __pipeline_memcpy_async(&Slot[0][T], &In[T], 4);
  __pipeline_commit();
  for (int K = 1; K < N; ++K) {
    __pipeline_memcpy_async(&Slot[K & 1][T], &In[K * 128 + T], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    Out[K * 128 + T] = Slot[(K - 1) & 1][127 - T];
    __syncthreads();
  }
  Out[T] = Slot[(N - 1) & 1][127 - T];
}
