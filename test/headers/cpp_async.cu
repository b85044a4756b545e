// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

// libcu++: barriers and pipelines in shared memory are plain variables.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/std/array>
#include <cuda/std/barrier>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
using Shared = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
static_assert(sizeof(Barrier) == 8 && alignof(Barrier) == 8, "an mbarrier");
static_assert(cuda::std::is_same<int, int>::value, "traits");

__global__ void barriers(const int *g, int *out) {
  __shared__ alignas(16) int s[256];
  __shared__ Barrier bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, s, g, cuda::aligned_size_t<16>(1024), bar);
  Barrier::arrival_token token = bar.arrive();
  bar.wait(std::move(token));
  bar.arrive_and_wait();
  cuda::memcpy_async(&s[0], &g[0], sizeof(int), bar);
  cuda::device::memcpy_async_tx(s, g, cuda::aligned_size_t<16>(1024), bar);
  token = cuda::device::barrier_arrive_tx(bar, 1, 1024);
  uint64_t *native = cuda::device::barrier_native_handle(bar);
  while (!cuda::ptx::mbarrier_try_wait_parity(native, 0))
    ;
  cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, s,
                           g, 1024, native);
  cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
  out[0] = s[0];
}

__global__ void pipelines(const int *g, int *out) {
  __shared__ int s[2][128];
  __shared__ Shared state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, s[0], g, sizeof(s[0]), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[0] = s[0][0];
  pipe.consumer_release();
  cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
  cuda::memcpy_async(&s[1][threadIdx.x], g, sizeof(int), own);
  cuda::pipeline_consumer_wait_prior<0>(own);
}

__global__ void groups(const int *g, int *out) {
  __shared__ int s[128];
  auto block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, s, g, sizeof(s));
  cg::memcpy_async(block, s, 128, g, 128);
  cg::wait_prior<1>(block);
  cg::wait(block);
  cg::sync(block);
  int sum = cg::reduce(warp, s[warp.thread_rank()], cg::plus<int>());
  sum += warp.shfl_down(sum, 4) + cg::exclusive_scan(warp, sum);
  if (warp.meta_group_rank() == 0 && cg::coalesced_threads().size() > 1)
    out[block.group_index().x] = sum;
  cg::this_grid().sync();
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(out[1]);
  counter.fetch_add(1, cuda::memory_order_relaxed);
  cuda::std::array<int, 4> a = {};
  out[2] = a[0];
}
