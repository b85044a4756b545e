//===- cuda_profiler_api.h - Profiler control ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__

#include <cpasync/names_begin.h>

#include <cpasync/runtime_api.h>

#include <cpasync/names_end.h>

#endif // __CUDA_PROFILER_API_H__
