//===- cuda_runtime.h - The runtime API ------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The prelude has declared the API; this adds <utility>, which programs that
// include cuda_runtime.h rely on.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUDA_RUNTIME_H
#define CPASYNC_CUDA_RUNTIME_H

#include <cpasync/names_begin.h>

#include <cuda_runtime_api.h>
#if __has_include(<utility>)
#include <utility>
#endif

#include <cpasync/names_end.h>

#endif // CPASYNC_CUDA_RUNTIME_H
