//===- block_size.h - __block_size__ ----------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// __block_size__((x, y, z)) or __block_size__((x, y, z), (x, y, z)): threads of
// a block along each axis, and blocks of a cluster. Clang knows no such
// attribute.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUDA_BLOCK_SIZE_H
#define CPASYNC_CUDA_BLOCK_SIZE_H

#define __CPASYNC_TUPLE(...) __VA_ARGS__
#undef __block_size__
#define __block_size__(__B, ...)                                               \
  __attribute__((annotate("cpasync::block_size", __CPASYNC_TUPLE __B)))        \
  __VA_OPT__(__cluster_dims__(__CPASYNC_TUPLE __VA_ARGS__))

#endif // CPASYNC_CUDA_BLOCK_SIZE_H
