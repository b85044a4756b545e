#include <device.h>
#include <floats.h>
#include <host.h>
#include <sums.h>

template <int N> __device__ void copyRow(float *Row, const float *In) {
  if (threadIdx.x < half(2 * lib::count(lanes(N * sizeof(float))).value()))
    copy16(&Row[4 * threadIdx.x], &In[4 * threadIdx.x]);
  __pipeline_commit();
}

#include <launch.h>

template <int N> __global__ void scale(const float *In, float *Out) {
  __shared__ float Row[N];
  copyRow<N>(Row, In);
  __pipeline_wait_prior(1);
  __syncthreads();
  Out[threadIdx.x] = widened(sum(Half(), Half())) + Row[threadIdx.x];
}

__global__ void ordered(const float *In, float *Out) {
  __shared__ float Row[64];
  copyRow<64>(Row, In);
  __pipeline_wait_prior(0);
  const float One = together(1.0f);
  Out[threadIdx.x] = One + Row[63 - threadIdx.x];
}

void run(const float *In, float *Out) {
  ordered<<<1, 64>>>(In, Out);
  forEachSize([&](auto S) {
    scale<decltype(S)::Value><<<1, decltype(S)::Value>>>(In, Out);
  });
}
