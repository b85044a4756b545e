#include <cuda_pipeline.h>
__device__ inline void copy4(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 4);
}
__device__ inline void commit() { __pipeline_commit(); }
__device__ inline void waitAll() { __pipeline_wait_prior(0); }
