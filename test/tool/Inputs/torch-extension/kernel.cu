#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <cuda_pipeline.h>

template <int Groups> __device__ void wait() { __pipeline_wait_prior(Groups); }

template <int Left>
__global__ void __launch_bounds__(64) stage(const float *In, float *Out) {
  __shared__ float Tile[64];
  __pipeline_memcpy_async(&Tile[threadIdx.x], &In[threadIdx.x], 4);
  __pipeline_commit();
  wait<Left>();
  Out[threadIdx.x] = Tile[threadIdx.x];
}

torch::Tensor run(torch::Tensor In) {
  auto Out = torch::empty_like(In);
  const cudaStream_t Stream = at::cuda::getCurrentCUDAStream();
  stage<0><<<1, 64, 0, Stream>>>(In.data_ptr<float>(), Out.data_ptr<float>());
  return Out;
}

// BAD: one group is left in flight.
template __global__ void stage<1>(const float *, float *);
