// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>

__global__ void primitives(const float4 *g, float4 *out, int valid) {
  __shared__ float4 s[2][128];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0)
    __mbarrier_init(&bar, blockDim.x);
  __pipeline_memcpy_async(&s[0][threadIdx.x], g, sizeof(float4));
  __pipeline_memcpy_async(&s[1][threadIdx.x], g + 1, 16, 16 - valid);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __pipeline_arrive_on(&bar);
  __mbarrier_token_t token = __mbarrier_arrive(&bar);
  while (!__mbarrier_test_wait(&bar, token))
    ;
  out[0] = s[0][0];
}

__global__ void experimental(const int *g, int *out) {
  __shared__ int s[128];
  nvcuda::experimental::pipeline pipe;
  nvcuda::experimental::memcpy_async(s[threadIdx.x], g[threadIdx.x], pipe);
  pipe.commit();
  pipe.wait_prior<0>();
  out[0] = s[0];
}
