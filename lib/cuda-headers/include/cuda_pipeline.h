//===- cuda_pipeline.h - nvcuda::experimental::pipeline --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include <cuda_awbarrier.h>
#include <cuda_pipeline_primitives.h>

namespace nvcuda {
namespace experimental {

class pipeline {
  size_t Committed;

public:
  __CPASYNC_D pipeline();
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  __CPASYNC_D size_t commit();
  __CPASYNC_D void commit_and_wait();
  __CPASYNC_D void wait(size_t);
  template <unsigned int N> __CPASYNC_D void wait_prior();
  __CPASYNC_D void arrive_on(awbarrier &);
};

template <class T> __CPASYNC_D void memcpy_async(T &, const T &, pipeline &);
template <class T, size_t DstCount, size_t SrcCount>
__CPASYNC_D void memcpy_async(T (&)[DstCount], const T (&)[SrcCount],
                              pipeline &);

} // namespace experimental
} // namespace nvcuda

#endif // _CUDA_PIPELINE_H_
