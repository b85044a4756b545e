// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

// Host code shares the file with the kernels; launches instantiate them.

#include <cuda_runtime.h>
#include <vector>

template <int Tile> __global__ void __launch_bounds__(128, 2) kernel(float *p) {
  static_assert(Tile == 4 || Tile == 8, "instantiated by the host code below");
  p[threadIdx.x] = Tile;
}
__constant__ float Table[16];
__device__ int Counter;

#define CHECK(X)                                                               \
  do {                                                                         \
    cudaError_t E = (X);                                                       \
    if (E != cudaSuccess)                                                      \
      fprintf(stderr, "%s\n", cudaGetErrorString(E)), exit(EXIT_FAILURE);      \
  } while (0)

int main() {
  std::vector<float> host(128);
  srand(time(nullptr));
  float *p, *q;
  int *pinned, blocks;
  size_t pitch;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  CHECK(cudaMalloc(&p, host.size() * sizeof(float)));
  CHECK(cudaMalloc((void **)&q, 512));
  CHECK(cudaMallocHost(&pinned, 4));
  CHECK(cudaMallocManaged(&q, 4));
  CHECK(cudaMallocPitch(&q, &pitch, 16, 16));
  CHECK(cudaMemcpy(p, host.data(), 512, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(Table, host.data(), sizeof(Table)));
  CHECK(cudaMemset(p, 0, 512));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreateWithFlags(&stop, cudaEventDisableTiming));
  CHECK(cudaFuncSetAttribute(
      kernel<4>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel<8>, 128,
                                                      0));
  kernel<4><<<1, 128>>>(p);
  kernel<8><<<dim3(2, 2), dim3(64, 2), prop.sharedMemPerBlock, stream>>>(p);
  void *args[] = {&p};
  CHECK(
      cudaLaunchKernel((void *)kernel<8>, dim3(1), dim3(128), args, 0, stream));
  CHECK(cudaLaunchCooperativeKernel(kernel<8>, 1, 128, args));
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 128;
  CHECK(cudaLaunchKernelEx(&config, kernel<4>, p));
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaDeviceSynchronize());
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%f %f %d\n", ms, sqrt(2.0) + fabsf(1.f), max(1, 2));
  cudaFree(p);
  return 0;
}
