//===- mma.h - nvcuda::wmma ------------------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One primary template stands for every fragment shape. A fragment spreads its
// matrix over the 32 lanes of a warp, but half operands always take 16 elements
// a lane.
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include <cpasync/names_begin.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
} // namespace precision

namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

namespace __cpasync {

// Elements of the matrix that Use names, before they are dealt to the lanes.
template <class Use, int M, int N, int K> struct extent;
template <int M, int N, int K> struct extent<matrix_a, M, N, K> {
  enum { value = M * K };
};
template <int M, int N, int K> struct extent<matrix_b, M, N, K> {
  enum { value = K * N };
};
template <int M, int N, int K> struct extent<accumulator, M, N, K> {
  enum { value = M * N };
};

// Elements a lane holds.
template <class Use, int M, int N, int K, class T> struct share {
  enum { value = extent<Use, M, N, K>::value / 32 };
};
template <int M, int N, int K> struct share<matrix_a, M, N, K, __half> {
  enum { value = 16 };
};
template <int M, int N, int K> struct share<matrix_b, M, N, K, __half> {
  enum { value = 16 };
};

// How an element type is addressed in memory and stored in a fragment.
template <class T> struct element {
  typedef T memory;
  typedef T storage;
  enum { per_storage = 1 };
};
template <> struct element<precision::tf32> {
  typedef float memory;
  typedef float storage;
  enum { per_storage = 1 };
};
template <> struct element<experimental::precision::u4> {
  typedef void memory;
  typedef unsigned int storage;
  enum { per_storage = 8 };
};
template <> struct element<experimental::precision::s4> {
  typedef void memory;
  typedef int storage;
  enum { per_storage = 8 };
};
template <> struct element<experimental::precision::b1> {
  typedef void memory;
  typedef unsigned int storage;
  enum { per_storage = 32 };
};

} // namespace __cpasync

template <class Use, int M, int N, int K, class T, class Layout = void>
class __align__(8) fragment {
  typedef __cpasync::element<T> Element;

public:
  typedef T element_type;
  typedef typename Element::storage storage_element_type;
  typedef typename Element::memory __cpasync_memory_type;
  enum {
    num_elements = __cpasync::share<Use, M, N, K, T>::value,
    num_storage_elements = num_elements / Element::per_storage
  };
  storage_element_type x[num_storage_elements];
};

template <class Use, int M, int N, int K, class T, class Layout>
__CPASYNC_D void
fill_fragment(fragment<Use, M, N, K, T, Layout> &,
              typename fragment<Use, M, N, K, T, Layout>::storage_element_type);

template <class Use, int M, int N, int K, class T, class Layout>
__CPASYNC_D void load_matrix_sync(
    fragment<Use, M, N, K, T, Layout> &,
    const typename fragment<Use, M, N, K, T, Layout>::__cpasync_memory_type *,
    unsigned int);

template <int M, int N, int K, class T>
__CPASYNC_D void load_matrix_sync(
    fragment<accumulator, M, N, K, T> &,
    const typename fragment<accumulator, M, N, K, T>::__cpasync_memory_type *,
    unsigned int, layout_t);

template <int M, int N, int K, class T>
__CPASYNC_D void store_matrix_sync(
    typename fragment<accumulator, M, N, K, T>::__cpasync_memory_type *,
    const fragment<accumulator, M, N, K, T> &, unsigned int, layout_t);

template <int M, int N, int K, class D, class A, class LayoutA, class B,
          class LayoutB, class C>
__CPASYNC_D void mma_sync(fragment<accumulator, M, N, K, D> &,
                          const fragment<matrix_a, M, N, K, A, LayoutA> &,
                          const fragment<matrix_b, M, N, K, B, LayoutB> &,
                          const fragment<accumulator, M, N, K, C> &,
                          bool Saturate = false);

template <int M, int N, int K, class A, class LayoutA, class B, class LayoutB>
__CPASYNC_D void
bmma_sync(fragment<accumulator, M, N, K, int> &,
          const fragment<matrix_a, M, N, K, A, LayoutA> &,
          const fragment<matrix_b, M, N, K, B, LayoutB> &,
          const fragment<accumulator, M, N, K, int> &,
          experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);

__CPASYNC_D float __float_to_tf32(float);

} // namespace wmma
} // namespace nvcuda

#include <cpasync/names_end.h>

#endif // __CUDA_MMA_H__
