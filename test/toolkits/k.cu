#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#if __CUDACC_VER_MAJOR__ != WANTED
#error the version of another toolkit
#endif
// BAD: nobody waits.
__global__ void __launch_bounds__(64) stage(const float *In, float *Out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> Bar;
  __shared__ float Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
void run() { stage<<<1, 64>>>(nullptr, nullptr); }
