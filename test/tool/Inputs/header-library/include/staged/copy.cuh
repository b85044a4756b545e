#pragma once
#include <cuda_runtime.h>

namespace staged {

template <int Bytes>
__device__ inline void copy(void *To, const void *From) {
  const unsigned Address = __cvta_generic_to_shared(To);
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(Address),
                 "l"(From));
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(Address),
                 "l"(From), "n"(Bytes));
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;"); }
template <int Pending> __device__ inline void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending));
}

} // namespace staged
