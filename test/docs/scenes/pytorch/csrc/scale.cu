#include <torch/extension.h>

#include <cuda_pipeline.h>

// The wait is missing.
template <typename T> __global__ void scale(const T *In, T *Out, T Factor) {
  __shared__ T Tile[256];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], sizeof(T));
  __pipeline_commit();
  Out[threadIdx.x] = Factor * Tile[threadIdx.x];
}

torch::Tensor forward(torch::Tensor In, double Factor) {
  torch::Tensor Out = torch::empty_like(In);
  scale<float><<<1, 256>>>(In.data_ptr<float>(), Out.data_ptr<float>(), Factor);
  return Out;
}
