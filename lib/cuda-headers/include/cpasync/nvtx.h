//===- nvtx.h - Profiler ranges --------------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_NVTX_H
#define CPASYNC_NVTX_H

#include <stdint.h>

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;

extern "C" {
int nvtxRangePushA(const char *);
int nvtxRangePop();
nvtxRangeId_t nvtxRangeStartA(const char *);
void nvtxRangeEnd(nvtxRangeId_t);
void nvtxMarkA(const char *);
nvtxDomainHandle_t nvtxDomainCreateA(const char *);
} // extern "C"
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA

#endif // CPASYNC_NVTX_H
