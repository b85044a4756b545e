#include <device.h>
#include <floats.h>
#include <host.h>

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
  Out[threadIdx.x] = scaled(Row[threadIdx.x], 2);
}

void run(const float *In, float *Out) {
  forEachSize([&](auto S) {
    scale<decltype(S)::Value><<<1, decltype(S)::Value>>>(In, Out);
  });
}
