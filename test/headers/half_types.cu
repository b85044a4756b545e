// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <class T, unsigned Size, unsigned Alignment> struct Layout {
  static_assert(sizeof(T) == Size && alignof(T) == Alignment, "layout");
  static_assert(__is_trivially_constructible(T), "usable in shared memory");
  static_assert(__is_standard_layout(T), "bytes in order");
};
template struct Layout<__half, 2, 2>;
template struct Layout<__half_raw, 2, 2>;
template struct Layout<__half2, 4, 4>;
template struct Layout<__half2_raw, 4, 4>;
template struct Layout<__nv_bfloat16, 2, 2>;
template struct Layout<__nv_bfloat162, 4, 4>;
template struct Layout<__nv_fp8_e4m3, 1, 1>;
template struct Layout<__nv_fp8x2_e5m2, 2, 2>;
template struct Layout<__nv_fp8x4_e4m3, 4, 4>;
static_assert(__is_trivially_copyable(half), "half");
static_assert(__is_trivially_copyable(__nv_bfloat16), "bf16");
constexpr half Zero = __half_raw{0};
static_assert(!Zero, "constant expressions");

__global__ void halves(half *h, half2 *h2, __nv_bfloat16 *b, float *f) {
  __shared__ half s[8][16 + 8];
  __shared__ half2 s2[32];
  s[0][threadIdx.x] = h[0] + h[1] * half(2.f);
  s2[threadIdx.x] = __hfma2(h2[0], h2[1], __float2half2_rn(0.5f));
  h[0] = 1.0f;
  h[1] = 3;
  h[2] = __float2half(f[0]);
  h[3] += s[0][1];
  f[0] = __half2float(h[0]) + float(b[0]) + __bfloat162float(b[1]);
  f[1] = h[0] > h[1] ? __low2float(h2[0]) : f[2];
  b[0] = __float2bfloat16(f[0]) * b[1];
  h2[0] = make_half2(h[0], h[1]);
  h2[1] = __halves2half2(hexp(h[0]), __hmax(h[0], h[1]));
  h2[2].x = __shfl_xor_sync(0xffffffff, h[0], 1);
  float2 pair = __half22float2(h2[0]);
  h[5] = __hadd(h[0], __habs(h[1]) == h[2] ? h[3] : h[4]);
  f[3] = pair.x;
  atomicAdd(h2, h2[1]);
  reinterpret_cast<float4 *>(h)[0] = *reinterpret_cast<float4 *>(&s[0][0]);
  __nv_fp8_e4m3 tiny(f[0]);
  f[4] = float(tiny) + __ushort_as_half(0x3c00).operator float();
}
