//===- cuda_awbarrier.h - nvcuda::experimental::awbarrier ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _CUDA_AWBARRIER_H_
#define _CUDA_AWBARRIER_H_

#include <cpasync/names_begin.h>

#include <cuda_awbarrier_primitives.h>

namespace nvcuda {
namespace experimental {

class awbarrier {
  __mbarrier_t Barrier;

public:
  class arrival_token {
    __mbarrier_token_t Token;

  public:
    arrival_token() = default;
    __CPASYNC_D uint32_t pending_count() const;
  };
  awbarrier() = default;
  __CPASYNC_D arrival_token arrive();
  __CPASYNC_D arrival_token arrive_and_drop();
  __CPASYNC_D bool timed_wait(arrival_token, uint32_t);
  __CPASYNC_D bool timed_wait_parity(bool, uint32_t);
  __CPASYNC_D void wait(arrival_token);
  __CPASYNC_D void arrive_and_wait();
  __CPASYNC_D bool try_wait(arrival_token, uint32_t);
  __CPASYNC_D bool try_wait_parity(bool, uint32_t);
  static __CPASYNC_D uint32_t max();
};

__CPASYNC_D void init(awbarrier *, uint32_t);
__CPASYNC_D void inval(awbarrier *);

} // namespace experimental
} // namespace nvcuda

#include <cpasync/names_end.h>

#endif // _CUDA_AWBARRIER_H_
