// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

// libcu++'s headers bring clocks along.
auto start = std::chrono::steady_clock::now();

__device__ cuda::binary_semaphore<cuda::thread_scope_device> gate{1};

__global__ void takeTurns(float *out) {
  __shared__ char space[sizeof(cuda::latch<cuda::thread_scope_block>)];
  auto &all = reinterpret_cast<cuda::latch<cuda::thread_scope_block> &>(space);
  gate.acquire();
  out[0] += 1;
  gate.release();
  all.arrive_and_wait();
  out[1] = __isnanf(out[0]) || __isinff(out[0]);
}
