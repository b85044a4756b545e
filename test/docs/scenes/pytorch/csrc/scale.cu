#include <torch/extension.h>

#include <cuda_pipeline.h>

// The wait is missing.
__global__ void scale(const float *In, float *Out, float Factor) {
  __shared__ float Tile[256];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], sizeof(float));
  __pipeline_commit();
  Out[threadIdx.x] = Factor * Tile[threadIdx.x];
}

torch::Tensor forward(torch::Tensor In, double Factor) {
  torch::Tensor Out = torch::empty_like(In);
  scale<<<1, 256>>>(In.data_ptr<float>(), Out.data_ptr<float>(), Factor);
  return Out;
}
