//===- qualifiers.h - Function and variable qualifiers ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_QUALIFIERS_H
#define CPASYNC_QUALIFIERS_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __grid_constant__ __attribute__((grid_constant))
// Clang has managed variables for HIP only.
#define __managed__ __device__

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

#if __has_attribute(cluster_dims)
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#else
#define __cluster_dims__(...)
#endif
#include <cpasync/block_size.h>
#define __maxnreg__(n)
#define __local_maxnreg__(n)
#define __tile_global__ __global__
#define __nv_pure__ __attribute__((pure))
#define __thread__ __thread
#define __cdecl
#define __specialization_static static

// Empty in nvcc too; user code repeats them when it declares runtime functions.
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#define CUDART_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#endif
#ifndef __CUDACC_VER_BUILD__
#define __CUDACC_VER_BUILD__ 0
#endif

// Shorthands of these headers. HD: callable from both sides.
#define __CPASYNC_D __attribute__((device))
#define __CPASYNC_H __attribute__((host))
#define __CPASYNC_HD __attribute__((host, device))

#endif // CPASYNC_QUALIFIERS_H
