//===- cudaTypedefs.h - Pointers to functions of the driver -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// PFN_x_vN is x as it is since version N of the driver, PFN_x today's.
//
//===----------------------------------------------------------------------===//

#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include <cpasync/names_begin.h>

#include <cuda.h>

#define __CPASYNC_PFN(FUNCTION, VERSION)                                       \
  typedef decltype(&FUNCTION) PFN_##FUNCTION##_v##VERSION;                     \
  typedef PFN_##FUNCTION##_v##VERSION PFN_##FUNCTION;
__CPASYNC_PFN(cuInit, 2000)
__CPASYNC_PFN(cuDeviceGet, 2000)
__CPASYNC_PFN(cuDeviceGetCount, 2000)
__CPASYNC_PFN(cuCtxCreate, 3020)
__CPASYNC_PFN(cuCtxDestroy, 4000)
__CPASYNC_PFN(cuCtxSynchronize, 2000)
__CPASYNC_PFN(cuGetErrorName, 6000)
__CPASYNC_PFN(cuGetErrorString, 6000)
__CPASYNC_PFN(cuMemAlloc, 3020)
__CPASYNC_PFN(cuMemFree, 3020)
__CPASYNC_PFN(cuMemcpyHtoD, 3020)
__CPASYNC_PFN(cuMemcpyDtoH, 3020)
__CPASYNC_PFN(cuModuleLoad, 2000)
__CPASYNC_PFN(cuModuleGetFunction, 2000)
__CPASYNC_PFN(cuFuncSetAttribute, 9000)
__CPASYNC_PFN(cuLaunchKernel, 4000)
__CPASYNC_PFN(cuLaunchKernelEx, 11060)
__CPASYNC_PFN(cuTensorMapEncodeTiled, 12000)
__CPASYNC_PFN(cuTensorMapEncodeIm2col, 12000)
__CPASYNC_PFN(cuTensorMapReplaceAddress, 12000)
#undef __CPASYNC_PFN

#include <cpasync/names_end.h>

#endif // CUDATYPEDEFS_H
