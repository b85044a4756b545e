// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <curand_kernel.h>
#include <math_constants.h>
#include <nv/target>
#include <nvtx3/nvToolsExt.h>
#include <thrust/complex.h>

__global__ void randomNumbers(curandState *states, float *out) {
  curandState state = states[threadIdx.x];
  curand_init(1234, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_uniform(&state) + CUDART_PI_F;
}

__global__ void textures(cudaTextureObject_t texture,
                         const __grid_constant__ CUtensorMap map, float *out) {
  NV_IF_TARGET(NV_PROVIDES_SM_80, (out[1] = 1;))
  NV_IF_ELSE_TARGET(NV_IS_HOST, (no such host;), (out[2] = 2;))
  out[0] = tex2D<float>(texture, 0.5f, 0.5f);
}

__global__ void complexNumbers(thrust::complex<float> *out, double x) {
  const thrust::complex<float> one(1.0f);
  static_assert(sizeof(one) == 2 * sizeof(float), "");
  thrust::complex<double> z = thrust::exp(thrust::complex<double>(x, x));
  z *= 2.0;
  out[0] = thrust::complex<float>(thrust::pow(z, 2.0) / thrust::sqrt(z));
  out[1] = thrust::abs(z) > 1.0 && z != thrust::conj(z) ? one : -one;
}

void host(const half *a, const half *b, half *c, int n) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetMathMode(handle, CUBLAS_TENSOR_OP_MATH);
  half one = 1.0f, zero = 0.0f;
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, CUDA_R_16F,
               n, b, CUDA_R_16F, n, &zero, c, CUDA_R_16F, n, CUBLAS_COMPUTE_16F,
               CUBLAS_GEMM_DEFAULT_TENSOR_OP);
  cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n,
              &zero, c, n);
  cudaProfilerStart();
  nvtxRangePush("range");
  nvtxRangePop();
}
