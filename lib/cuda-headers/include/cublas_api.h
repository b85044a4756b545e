//===- cublas_api.h - cuBLAS -----------------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUBLAS_API_H
#define CPASYNC_CUBLAS_API_H

#include <cpasync/names_begin.h>

#include <cublas_v2.h>

#include <cpasync/names_end.h>

#endif // CPASYNC_CUBLAS_API_H
