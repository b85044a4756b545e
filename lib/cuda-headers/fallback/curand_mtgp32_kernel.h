//===- curand_mtgp32_kernel.h - For toolkits without cuRAND -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang includes this header before every CUDA file; toolkits that are put
// together from packages may lack it. Searched last.
//
//===----------------------------------------------------------------------===//
