#pragma once
template <int N> __global__ void fill(float *Out) {
  __shared__ float Row[N];
  cp_row<N>(Row, Out);
}
inline void runFill(float *Out) { fill<32><<<1, 32>>>(Out); }
