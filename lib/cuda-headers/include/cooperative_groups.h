//===- cooperative_groups.h - Thread groups --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Ranks and sizes have bodies: kernels compute addresses with them. What
// synchronises or communicates is declared only.
//
//===----------------------------------------------------------------------===//

#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include <cpasync/names_begin.h>

#include <cpasync/runtime_api.h>

#define _CG_HAS_CUDA_11
#define _CG_HAS_CLUSTER_GROUP

namespace cooperative_groups {

template <unsigned int Size, class Parent = void> class thread_block_tile;
class coalesced_group;

/// Scratch memory that tiles of more than a warp communicate through.
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
  char Bytes[MaxBlockSize / 32 * 8 + 16];
};

/// Any group, by its base.
class thread_group {
public:
  __CPASYNC_D unsigned long long size() const;
  __CPASYNC_D unsigned long long num_threads() const;
  __CPASYNC_D unsigned long long thread_rank() const;
  __CPASYNC_D void sync() const;
  __CPASYNC_D unsigned int get_type() const;
};

class thread_block : public thread_group {
public:
  class arrival_token {};
  static __CPASYNC_D unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static __CPASYNC_D unsigned int num_threads() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  static __CPASYNC_D unsigned int size() { return num_threads(); }
  static __CPASYNC_D dim3 group_index() { return blockIdx; }
  static __CPASYNC_D dim3 thread_index() { return threadIdx; }
  static __CPASYNC_D dim3 group_dim() { return blockDim; }
  static __CPASYNC_D dim3 dim_threads() { return blockDim; }
  static __CPASYNC_D void sync();
  static __CPASYNC_D arrival_token barrier_arrive();
  static __CPASYNC_D void barrier_wait(arrival_token &&);
};

class grid_group : public thread_group {
public:
  class arrival_token {};
  static __CPASYNC_D unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static __CPASYNC_D unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) *
               gridDim.x +
           blockIdx.x;
  }
  static __CPASYNC_D unsigned long long num_threads() {
    return num_blocks() * thread_block::num_threads();
  }
  static __CPASYNC_D unsigned long long size() { return num_threads(); }
  static __CPASYNC_D unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() +
           thread_block::thread_rank();
  }
  static __CPASYNC_D dim3 group_dim() { return gridDim; }
  static __CPASYNC_D dim3 dim_blocks() { return gridDim; }
  static __CPASYNC_D dim3 block_index() { return blockIdx; }
  __CPASYNC_D bool is_valid() const;
  __CPASYNC_D void sync() const;
  __CPASYNC_D arrival_token barrier_arrive() const;
  __CPASYNC_D void barrier_wait(arrival_token &&) const;
};

class cluster_group : public thread_group {
public:
  class arrival_token {};
  static __CPASYNC_D void sync() {
    asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" ::: "memory");
  }
  static __CPASYNC_D arrival_token barrier_arrive() {
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    return {};
  }
  static __CPASYNC_D void barrier_wait() {
    asm volatile("barrier.cluster.wait;" ::: "memory");
  }
  static __CPASYNC_D void barrier_wait(arrival_token &&) {
    asm volatile("barrier.cluster.wait;" ::: "memory");
  }
  static __CPASYNC_D unsigned int query_shared_rank(const void *);
  template <class T>
  static __CPASYNC_D T *map_shared_rank(T *__address, int __rank) {
    return static_cast<T *>(__cluster_map_shared_rank(__address, __rank));
  }
  static __CPASYNC_D dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static __CPASYNC_D unsigned int block_rank() {
    return __clusterRelativeBlockRank();
  }
  static __CPASYNC_D unsigned int thread_rank();
  static __CPASYNC_D dim3 dim_blocks() { return __clusterDim(); }
  static __CPASYNC_D unsigned int num_blocks() {
    return __clusterSizeInBlocks();
  }
  static __CPASYNC_D unsigned int num_threads();
  static __CPASYNC_D unsigned int size();
};

// Shuffles, votes and matches of groups within a warp.
#define __CPASYNC_WARP_GROUP                                                   \
  template <class T> __CPASYNC_D T shfl(T, int) const;                         \
  template <class T> __CPASYNC_D T shfl_down(T, unsigned int) const;           \
  template <class T> __CPASYNC_D T shfl_up(T, unsigned int) const;             \
  __CPASYNC_D int any(int) const;                                              \
  __CPASYNC_D int all(int) const;                                              \
  __CPASYNC_D unsigned int ballot(int) const;                                  \
  template <class T> __CPASYNC_D unsigned int match_any(T) const;              \
  template <class T> __CPASYNC_D unsigned int match_all(T, int &) const;

class coalesced_group : public thread_group {
public:
  __CPASYNC_D unsigned long long num_threads() const;
  __CPASYNC_D unsigned long long size() const;
  __CPASYNC_D unsigned long long thread_rank() const;
  __CPASYNC_D unsigned long long meta_group_size() const;
  __CPASYNC_D unsigned long long meta_group_rank() const;
  __CPASYNC_D void sync() const;
  __CPASYNC_WARP_GROUP
};

template <unsigned int Size>
class thread_block_tile<Size, void> : public thread_group {
public:
  thread_block_tile() = default;
  template <class Parent>
  __CPASYNC_D thread_block_tile(const thread_block_tile<Size, Parent> &) {}
  static __CPASYNC_D unsigned int thread_rank() {
    return thread_block::thread_rank() % Size;
  }
  static __CPASYNC_D constexpr unsigned int num_threads() { return Size; }
  static __CPASYNC_D constexpr unsigned int size() { return Size; }
  static __CPASYNC_D unsigned int meta_group_rank() {
    return thread_block::thread_rank() / Size;
  }
  static __CPASYNC_D unsigned int meta_group_size() {
    return (thread_block::num_threads() + Size - 1) / Size;
  }
  __CPASYNC_D void sync() const;
  template <class T> __CPASYNC_D T shfl_xor(T, unsigned int) const;
  __CPASYNC_WARP_GROUP
};
#undef __CPASYNC_WARP_GROUP

template <unsigned int Size, class Parent>
class thread_block_tile : public thread_block_tile<Size, void> {};

static __inline__ __CPASYNC_D thread_block this_thread_block() {
  return thread_block();
}
template <unsigned int MaxBlockSize>
__CPASYNC_D thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return thread_block();
}
static __inline__ __CPASYNC_D grid_group this_grid() { return grid_group(); }
static __inline__ __CPASYNC_D cluster_group this_cluster() {
  return cluster_group();
}
__CPASYNC_D thread_block_tile<1> this_thread();
__CPASYNC_D coalesced_group coalesced_threads();

template <unsigned int Size, class Group>
__CPASYNC_D thread_block_tile<Size, Group> tiled_partition(const Group &) {
  return thread_block_tile<Size, Group>();
}
__CPASYNC_D thread_group tiled_partition(const thread_group &, unsigned int);
__CPASYNC_D coalesced_group tiled_partition(const coalesced_group &,
                                            unsigned int);
template <class Group>
__CPASYNC_D coalesced_group binary_partition(const Group &, bool);
template <class Group, class Label>
__CPASYNC_D coalesced_group labeled_partition(const Group &, Label);

template <class Group> __CPASYNC_D void sync(const Group &G) { G.sync(); }
template <class Group>
__CPASYNC_D unsigned long long thread_rank(const Group &G) {
  return G.thread_rank();
}
template <class Group>
__CPASYNC_D unsigned long long group_size(const Group &G) {
  return G.size();
}
template <class Group, class F, class... Args>
__CPASYNC_D void invoke_one(const Group &, F &&, Args &&...);
template <class Group, class F, class... Args>
__CPASYNC_D auto invoke_one_broadcast(const Group &, F &&f, Args &&...args)
    -> decltype(f(args...));

} // namespace cooperative_groups

#include <cpasync/names_end.h>

#endif // _COOPERATIVE_GROUPS_H_
