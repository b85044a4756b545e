//===- nvToolsExt.h - Profiler ranges --------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_NVTX3_NVTOOLSEXT_H
#define CPASYNC_NVTX3_NVTOOLSEXT_H

#include <cpasync/names_begin.h>

#include <cpasync/nvtx.h>

#include <cpasync/names_end.h>

#endif // CPASYNC_NVTX3_NVTOOLSEXT_H
