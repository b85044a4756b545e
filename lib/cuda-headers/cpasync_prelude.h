//===- cpasync_prelude.h - What nvcc includes before every file --*- C++
//-*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Force-included when a CUDA file is parsed without a toolkit. Declares what a
// CUDA program may use without including anything: qualifiers, vector types,
// built-in variables, device functions and the runtime API. Declarations only,
// for a device-side parse: nothing here can be linked.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUDA_PRELUDE_H
#define CPASYNC_CUDA_PRELUDE_H

#include <cpasync/names_begin.h>

#pragma clang system_header

// libstdc++ looks at __CUDACC__ and then avoids __float128, which no CUDA
// device has.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

#include <cpasync/include_guards.h>
#include <cpasync/qualifiers.h>
#include <cpasync/vector_types.h>

#include <__clang_cuda_builtin_vars.h>

// Device overloads of the C library must be declared before the standard
// library's constexpr ones, else Clang makes the latter host+device.
#include <cpasync/libc.h>
#include <cpasync/math.h>

#include <cpasync/atomics.h>
#include <cpasync/intrinsics.h>
#include <cpasync/loads.h>
#include <cpasync/nv_atomics.h>
#include <cpasync/runtime_types.h>
#include <cpasync/simd.h>
#include <cpasync/textures.h>
#include <cpasync/warp.h>

#include <cpasync/runtime_api.h>
#include <library_types.h>

// What of the standard library host code may use with nothing included. The
// last is libstdc++'s: std::min and its like, a fraction of <algorithm>.
#if __has_include(<limits>)
#include <limits>
#endif
#if __has_include(<utility>)
#include <utility>
#endif
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#endif

#include <cpasync/names_end.h>

#endif // CPASYNC_CUDA_PRELUDE_H
