// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

#include <mma.h>

using namespace nvcuda;

// Elements a lane holds, as in the CUDA 13 toolkit.
template <class Use, int M, int N, int K, class T, class L, int Elements>
struct Fragment {
  typedef wmma::fragment<Use, M, N, K, T, L> type;
  static_assert(type::num_elements == Elements, "elements");
  static_assert(alignof(type) == 8, "alignment");
};
#define SHAPE(M, N, K, T, A, B)                                                \
  template struct Fragment<wmma::matrix_a, M, N, K, T, wmma::row_major, A>;    \
  template struct Fragment<wmma::matrix_b, M, N, K, T, wmma::col_major, B>;
SHAPE(16, 16, 16, half, 16, 16)
SHAPE(32, 8, 16, half, 16, 16)
SHAPE(8, 32, 16, half, 16, 16)
SHAPE(16, 16, 16, __nv_bfloat16, 8, 8)
SHAPE(32, 8, 16, __nv_bfloat16, 16, 4)
SHAPE(16, 16, 16, signed char, 8, 8)
SHAPE(8, 32, 16, unsigned char, 4, 16)
SHAPE(16, 16, 8, wmma::precision::tf32, 4, 4)
SHAPE(8, 8, 4, double, 1, 1)
SHAPE(8, 8, 32, wmma::experimental::precision::s4, 8, 8)
template struct Fragment<wmma::accumulator, 16, 16, 16, float, void, 8>;
template struct Fragment<wmma::accumulator, 8, 8, 4, double, void, 2>;

template <class T, class Accumulator>
__global__ void product(const T *a, const T *b, Accumulator *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> fb[2];
  wmma::fragment<wmma::accumulator, 16, 16, 16, Accumulator> fc;
  __shared__ T tile[16][16 + 8];
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, &tile[0][0], 24);
  wmma::load_matrix_sync(fb[0], b, 16);
  wmma::mma_sync(fc, fa, fb[0], fc);
  for (int i = 0; i < fc.num_elements; ++i)
    fc.x[i] = fc.x[i] + fc.x[0];
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
}
template __global__ void product(const half *, const half *, float *);
template __global__ void product(const half *, const half *, half *);
template __global__ void product(const __nv_bfloat16 *, const __nv_bfloat16 *,
                                 float *);

__global__ void tf32(const float *a, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32,
                 wmma::row_major>
      fa;
  wmma::load_matrix_sync(fa, a, 8);
  fa.x[0] = wmma::__float_to_tf32(fa.x[0]);
}
