//===- cuda_runtime_api.h - The C part of the runtime API ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUDA_RUNTIME_API_H
#define CPASYNC_CUDA_RUNTIME_API_H

#include <cpasync/names_begin.h>

#include <cpasync/runtime_api.h>

#include <cpasync/names_end.h>

#endif // CPASYNC_CUDA_RUNTIME_API_H
