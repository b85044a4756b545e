#include <cuda_pipeline.h>

struct alignas(16) Pair {
  double X, Y;
};
__global__ void assign(const Pair *In, Pair *Out) {
  __shared__ Pair Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 16);
  __pipeline_commit();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
void launch(const Pair *In, Pair *Out) { assign<<<1, 64>>>(In, Out); }
