//===- cpasync_implicit.h - What Clang's wrapper leaves out ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Force-included after Clang's wrapper when a CUDA file is parsed with a
// toolkit: the part of nvcc's implicit include that host code counts on and the
// wrapper does not bring. A statement of the host that does not parse is lost,
// and with it the kernels it launches.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUDA_IMPLICIT_H
#define CPASYNC_CUDA_IMPLICIT_H

#include "include/cpasync/names_begin.h"

#pragma clang system_header

// The wrapper leaves it without a value, and `#if __CUDACC__` is an error then.
#undef __CUDACC__
#define __CUDACC__ 1

#if __has_include(<assert.h>)
#include <assert.h>
#endif
#if __has_include(<math.h>)
#include <math.h>
#endif
#if __has_include(<new>)
#include <new>
#endif
#if __has_include(<stdio.h>)
#include <stdio.h>
#endif
#if __has_include(<time.h>)
#include <time.h>
#endif

#include "include/cpasync/block_size.h"

// The wrapper has the device's.
#define __CPASYNC_MINMAX_SIDES __attribute__((host))
#include "include/cpasync/minmax.h"
#undef __CPASYNC_MINMAX_SIDES

#define __CPASYNC_D __attribute__((device))
#include "include/cpasync/cache_hints.h"
#include "include/cpasync/nv_atomics.h"
#undef __CPASYNC_D

#include "include/cpasync/names_end.h"

#endif // CPASYNC_CUDA_IMPLICIT_H
