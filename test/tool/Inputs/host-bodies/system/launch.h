#pragma once
// The only user of the kernel's instantiation.
template <int N> __global__ void fill(const float *In, float *Out) {
  __shared__ float Row[N];
  copyRow<N>(Row, In);
  Out[threadIdx.x] = Row[threadIdx.x];
}
inline void runFill(const float *In, float *Out) {
  fill<256><<<1, 64>>>(In, Out);
}
