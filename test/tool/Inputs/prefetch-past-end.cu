#include <cuda_pipeline.h>
#define KERNEL __global__ void __launch_bounds__(64)

KERNEL past_end(const float *In, float *Out, int Tiles) {
  __shared__ float Slot[2][64];
  __pipeline_memcpy_async(&Slot[0][threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int K = 0; K < Tiles; ++K) {
    Out[K * 64 + threadIdx.x] = Slot[K % 2][threadIdx.x];
    const float *Next = &In[(K + 1) * 64 + threadIdx.x];
    // The copy of the last iteration is for nobody, and not committed.
    float *To = &Slot[(K + 1) % 2][threadIdx.x];

      __pipeline_memcpy_async(To, Next, 4);
    if (K + 1 < Tiles)
      __pipeline_commit(), __pipeline_wait_prior(0);
  }
}

// Nothing is ever done with it.
KERNEL dead_copy(const float *In) {
  __shared__ float Slot[64];
  __pipeline_memcpy_async(&Slot[threadIdx.x], &In[threadIdx.x], 4);
}

// In a group that nobody waits for: no copy is lost by a missing commit.
KERNEL committed(const float *In) {
  __shared__ float Slot[64];
  __pipeline_memcpy_async(&Slot[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
}

KERNEL waited_for(const float *In) {
  __shared__ float Slot[64];
  __pipeline_memcpy_async(&Slot[threadIdx.x], &In[threadIdx.x], 4);
  asm volatile("cp.async.wait_all;" ::: "memory");
}
