//===- warp.h - Barriers, votes, shuffles, fences, clusters ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_WARP_H
#define CPASYNC_WARP_H

#include <cpasync/cluster.h>
#include <cpasync/vector_types.h>
#include <stddef.h>

// Block and warp barriers.
__CPASYNC_D void __syncthreads();
__CPASYNC_D int __syncthreads_and(int);
__CPASYNC_D int __syncthreads_count(int);
__CPASYNC_D int __syncthreads_or(int);
__CPASYNC_D void __syncwarp(unsigned int Mask = 0xffffffffu);
__CPASYNC_D void __barrier_sync(unsigned int);
__CPASYNC_D void __barrier_sync_count(unsigned int, unsigned int);

// Memory fences.
__CPASYNC_D void __threadfence();
__CPASYNC_D void __threadfence_block();
__CPASYNC_D void __threadfence_cluster();
__CPASYNC_D void __threadfence_system();

// Votes. The ones without a mask are gone since Volta, but still declared.
__CPASYNC_D unsigned int __activemask();
__CPASYNC_D int __all(int);
__CPASYNC_D int __any(int);
__CPASYNC_D unsigned int __ballot(int);
__CPASYNC_D int __all_sync(unsigned int, int);
__CPASYNC_D int __any_sync(unsigned int, int);
__CPASYNC_D int __uni_sync(unsigned int, int);
__CPASYNC_D unsigned int __ballot_sync(unsigned int, int);
__CPASYNC_D unsigned int __fns(unsigned int, unsigned int, int);

#define __CPASYNC_SHUFFLES(T)                                                  \
  __CPASYNC_D T __shfl(T, int, int = warpSize);                                \
  __CPASYNC_D T __shfl_up(T, unsigned int, int = warpSize);                    \
  __CPASYNC_D T __shfl_down(T, unsigned int, int = warpSize);                  \
  __CPASYNC_D T __shfl_xor(T, int, int = warpSize);                            \
  __CPASYNC_D T __shfl_sync(unsigned int, T, int, int = warpSize);             \
  __CPASYNC_D T __shfl_up_sync(unsigned int, T, unsigned int, int = warpSize); \
  __CPASYNC_D T __shfl_down_sync(unsigned int, T, unsigned int,                \
                                 int = warpSize);                              \
  __CPASYNC_D T __shfl_xor_sync(unsigned int, T, int, int = warpSize);         \
  __CPASYNC_D unsigned int __match_any_sync(unsigned int, T);                  \
  __CPASYNC_D unsigned int __match_all_sync(unsigned int, T, int *);
__CPASYNC_SHUFFLES(int)
__CPASYNC_SHUFFLES(unsigned int)
__CPASYNC_SHUFFLES(long)
__CPASYNC_SHUFFLES(unsigned long)
__CPASYNC_SHUFFLES(long long)
__CPASYNC_SHUFFLES(unsigned long long)
__CPASYNC_SHUFFLES(float)
__CPASYNC_SHUFFLES(double)
#undef __CPASYNC_SHUFFLES

__CPASYNC_D unsigned int __reduce_add_sync(unsigned int, unsigned int);
__CPASYNC_D int __reduce_add_sync(unsigned int, int);
__CPASYNC_D unsigned int __reduce_min_sync(unsigned int, unsigned int);
__CPASYNC_D int __reduce_min_sync(unsigned int, int);
__CPASYNC_D unsigned int __reduce_max_sync(unsigned int, unsigned int);
__CPASYNC_D int __reduce_max_sync(unsigned int, int);
__CPASYNC_D unsigned int __reduce_and_sync(unsigned int, unsigned int);
__CPASYNC_D unsigned int __reduce_or_sync(unsigned int, unsigned int);
__CPASYNC_D unsigned int __reduce_xor_sync(unsigned int, unsigned int);

// Address spaces.
extern "C" {
__CPASYNC_D size_t __cvta_generic_to_global(const void *);
__CPASYNC_D size_t __cvta_generic_to_shared(const void *);
__CPASYNC_D size_t __cvta_generic_to_constant(const void *);
__CPASYNC_D size_t __cvta_generic_to_local(const void *);
__CPASYNC_D size_t __cvta_generic_to_grid_constant(const void *);
__CPASYNC_D void *__cvta_global_to_generic(size_t);
__CPASYNC_D void *__cvta_shared_to_generic(size_t);
__CPASYNC_D void *__cvta_constant_to_generic(size_t);
__CPASYNC_D void *__cvta_local_to_generic(size_t);
__CPASYNC_D void *__cvta_grid_constant_to_generic(size_t);
__CPASYNC_D unsigned int __nvvm_get_smem_pointer(void *);
}
__CPASYNC_D unsigned int __isGlobal(const void *);
__CPASYNC_D unsigned int __isShared(const void *);
__CPASYNC_D unsigned int __isConstant(const void *);
__CPASYNC_D unsigned int __isLocal(const void *);
__CPASYNC_D unsigned int __isGridConstant(const void *);
__CPASYNC_D int __isCtaShared(const void *);
__CPASYNC_D int __isClusterShared(const void *);

// Thread block clusters.
__CPASYNC_D void *__cluster_map_shared_rank(const void *, unsigned int);
__CPASYNC_D unsigned int __cluster_query_shared_rank(const void *);
__CPASYNC_D uint2 __cluster_map_shared_multicast(const void *, unsigned int);
__CPASYNC_D unsigned int __clusterDimIsSpecified();
#define __CPASYNC_INDEX(NAME, REGISTER)                                        \
  __CPASYNC_D inline dim3 NAME() {                                             \
    return dim3(__cpasync_##REGISTER##_x(), __cpasync_##REGISTER##_y(),        \
                __cpasync_##REGISTER##_z());                                   \
  }
__CPASYNC_INDEX(__clusterDim, cluster_nctaid)
__CPASYNC_INDEX(__clusterRelativeBlockIdx, cluster_ctaid)
__CPASYNC_INDEX(__clusterGridDimInClusters, nclusterid)
__CPASYNC_INDEX(__clusterIdx, clusterid)
#undef __CPASYNC_INDEX
__CPASYNC_D unsigned int __clusterRelativeBlockRank();
__CPASYNC_D unsigned int __clusterSizeInBlocks();
__CPASYNC_D void __cluster_barrier_arrive();
__CPASYNC_D void __cluster_barrier_arrive_relaxed();
__CPASYNC_D void __cluster_barrier_wait();

// Out of the ordinary.
__CPASYNC_D void __nanosleep(unsigned int);
__CPASYNC_D void __trap() __attribute__((noreturn));
__CPASYNC_D void __brkpt();
__CPASYNC_D void __prof_trigger(int);
__CPASYNC_D void __nv_ptx_builtin_ocg_setmaxnreg_inc(unsigned int);
__CPASYNC_D void __nv_ptx_builtin_ocg_setmaxnreg_dec(unsigned int);

// threadIdx and the others convert to the types they have in nvcc.
#define __CPASYNC_BUILTIN_VARIABLE(T)                                          \
  __CPASYNC_D inline T::operator dim3() const { return dim3(x, y, z); }        \
  __CPASYNC_D inline T::operator uint3() const { return uint3{x, y, z}; }
__CPASYNC_BUILTIN_VARIABLE(__cuda_builtin_threadIdx_t)
__CPASYNC_BUILTIN_VARIABLE(__cuda_builtin_blockIdx_t)
__CPASYNC_BUILTIN_VARIABLE(__cuda_builtin_blockDim_t)
__CPASYNC_BUILTIN_VARIABLE(__cuda_builtin_gridDim_t)
#undef __CPASYNC_BUILTIN_VARIABLE

#endif // CPASYNC_WARP_H
