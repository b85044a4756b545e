// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

// Sizes and alignments are those of the CUDA 13 toolkit.

template <class T, unsigned Size, unsigned Alignment> struct Layout {
  static_assert(sizeof(T) == Size, "size");
  static_assert(alignof(T) == Alignment, "alignment");
  static_assert(__is_trivially_copyable(T), "copied as bytes");
  static_assert(__is_trivially_constructible(T), "no initialisation");
};

#define FAMILY(NAME, S1, A1, S2, A2, S3, A3, S4, A4)                           \
  template struct Layout<NAME##1, S1, A1>;                                     \
  template struct Layout<NAME##2, S2, A2>;                                     \
  template struct Layout<NAME##3, S3, A3>;                                     \
  template struct Layout<NAME##4, S4, A4>;
FAMILY(char, 1, 1, 2, 2, 3, 1, 4, 4)
FAMILY(uchar, 1, 1, 2, 2, 3, 1, 4, 4)
FAMILY(short, 2, 2, 4, 4, 6, 2, 8, 8)
FAMILY(ushort, 2, 2, 4, 4, 6, 2, 8, 8)
FAMILY(int, 4, 4, 8, 8, 12, 4, 16, 16)
FAMILY(uint, 4, 4, 8, 8, 12, 4, 16, 16)
FAMILY(long, 8, 8, 16, 16, 24, 8, 32, 16)
FAMILY(ulong, 8, 8, 16, 16, 24, 8, 32, 16)
FAMILY(longlong, 8, 8, 16, 16, 24, 8, 32, 16)
FAMILY(ulonglong, 8, 8, 16, 16, 24, 8, 32, 16)
FAMILY(float, 4, 4, 8, 8, 12, 4, 16, 16)
FAMILY(double, 8, 8, 16, 16, 24, 8, 32, 16)
template struct Layout<double4_16a, 32, 16>;
template struct Layout<double4_32a, 32, 32>;
template struct Layout<longlong4_32a, 32, 32>;

static_assert(sizeof(dim3) == 12 && alignof(dim3) == 4, "dim3");
static_assert(dim3(2).y == 1, "missing extents are 1");

__global__ void vectors(float4 *out, uint3 origin) {
  dim3 block = blockDim;
  uint3 thread = threadIdx;
  out[thread.x + origin.x * block.x] = make_float4(1, 2, 3, 4);
}
