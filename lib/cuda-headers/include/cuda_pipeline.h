//===- cuda_pipeline.h - nvcuda::experimental::pipeline --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include <cpasync/names_begin.h>

#include <cuda_awbarrier.h>
#include <cuda_pipeline_primitives.h>

namespace nvcuda {
namespace experimental {

class pipeline {
  size_t Committed;

public:
  __CPASYNC_D pipeline() : Committed(0) {}
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  __CPASYNC_D size_t commit() {
    __pipeline_commit();
    return Committed++;
  }
  __CPASYNC_D void commit_and_wait() {
    commit();
    __pipeline_wait_prior(0);
  }
  /// As CUDA's own: batch \p Batch itself stays in flight.
  __CPASYNC_D void wait(size_t Batch) {
    __pipeline_wait_prior(Committed > Batch ? Committed - Batch : 0);
  }
  template <unsigned int N> __CPASYNC_D void wait_prior() {
    __pipeline_wait_prior(N);
  }
  __CPASYNC_D void arrive_on(awbarrier &Bar) {
    __pipeline_arrive_on(reinterpret_cast<__mbarrier_t *>(&Bar));
  }
};

/// In pieces as large as the alignment.
template <class T>
__CPASYNC_D inline void memcpy_async(T &To, const T &From, pipeline &) {
  constexpr size_t Piece = alignof(T) < 16 ? alignof(T) : 16;
  if (Piece < 4)
    To = From;
  else
    for (size_t At = 0; At < sizeof(T); At += Piece)
      __pipeline_memcpy_async(reinterpret_cast<char *>(&To) + At,
                              reinterpret_cast<const char *>(&From) + At,
                              Piece);
}
/// What lies behind the source is filled with zeros.
template <class T, size_t DstCount, size_t SrcCount>
__CPASYNC_D inline void memcpy_async(T (*To)[DstCount],
                                     const T (*From)[SrcCount], pipeline &) {
  __pipeline_memcpy_async(*To, *From, sizeof(*To),
                          sizeof(*To) - sizeof(*From));
}

} // namespace experimental
} // namespace nvcuda

#include <cpasync/names_end.h>

#endif // _CUDA_PIPELINE_H_
