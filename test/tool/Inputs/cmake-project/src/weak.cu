#include <cuda_pipeline.h>

#ifdef WANTED
// BAD: the count leaves the only group in flight.
__global__ void __launch_bounds__(64) weak(const float *In, float *Out) {
  __shared__ float Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  Out[threadIdx.x] = Tile[threadIdx.x];
}
#endif
