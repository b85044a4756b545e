// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

#include <cuda_fp4.h>
#include <cuda_fp6.h>

template <class T, unsigned Size, unsigned Alignment> struct Layout {
  static_assert(sizeof(T) == Size && alignof(T) == Alignment, "layout");
  static_assert(__is_trivially_constructible(T), "usable in shared memory");
};
template struct Layout<__nv_fp8_e8m0, 1, 1>;
template struct Layout<__nv_fp8x2_e8m0, 2, 2>;
template struct Layout<__nv_fp6_e2m3, 1, 1>;
template struct Layout<__nv_fp6x2_e3m2, 2, 2>;
template struct Layout<__nv_fp6x4_e2m3, 4, 4>;
template struct Layout<__nv_fp4_e2m1, 1, 1>;
template struct Layout<__nv_fp4x2_e2m1, 1, 1>;
template struct Layout<__nv_fp4x4_e2m1, 2, 2>;
static_assert(__NV_E2M3 == 0 && __NV_E3M2 == 1 && __NV_E2M1 == 0, "formats");

__global__ void scale(__nv_fp4x4_e2m1 *q, __nv_fp8_e8m0 *scales, float4 *out) {
  __shared__ __nv_fp4x4_e2m1 s[128];
  s[threadIdx.x] = q[threadIdx.x];
  float4 four = static_cast<float4>(s[threadIdx.x]);
  four.x *= static_cast<float>(scales[0]);
  out[threadIdx.x] = four;
  q[0] = __nv_fp4x4_e2m1(four);
  scales[1] = __nv_fp8_e8m0(four.x);
  scales[2].__x = __nv_cvt_float_to_e8m0(four.y, __NV_SATFINITE, cudaRoundZero);
  __nv_bfloat16_raw back = __nv_cvt_e8m0_to_bf16raw(scales[2].__x);
  __nv_fp6_storage_t six =
      __nv_cvt_bfloat16raw_to_fp6(back, __NV_E3M2, cudaRoundNearest);
  __half_raw half = __nv_cvt_fp6_to_halfraw(six, __NV_E3M2);
  __nv_fp4x2_storage_t pair = __nv_cvt_float2_to_fp4x2(
      make_float2(four.z, four.w), __NV_E2M1, cudaRoundNearest);
  __half2_raw two = __nv_cvt_fp4x2_to_halfraw2(pair, __NV_E2M1);
  out[1].x = half.x + two.x;
}
