#pragma once
#include <cuda_pipeline.h>
template <int N> struct Size {
  static constexpr int Value = N;
};
// Device code calls these.
__device__ inline void copy16(float *To, const float *From) {
  __pipeline_memcpy_async(To, From, 16);
}
constexpr int lanes(int Bytes) { return Bytes / 16; }
// May call what its user wrote.
template <class Function> void forEachSize(Function &&F) {
  F(Size<64>());
  F(Size<128>());
}
