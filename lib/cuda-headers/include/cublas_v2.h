//===- cublas_v2.h - The usual part of cuBLAS ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#include <cpasync/names_begin.h>
#define CUBLAS_API_H_

#include <cpasync/runtime_api.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

typedef struct cublasContext *cublasHandle_t;
typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum {
  CUBLAS_POINTER_MODE_HOST = 0,
  CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER,
  CUBLAS_FILL_MODE_UPPER
} cublasFillMode_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t *);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t);
cublasStatus_t cublasGetVersion(cublasHandle_t, int *);
size_t cublasGetCudartVersion();
const char *cublasGetStatusString(cublasStatus_t);
const char *cublasGetStatusName(cublasStatus_t);
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy

// gemm, gemv, axpy and dot of one element type.
#define __CPASYNC_BLAS(LETTER, T)                                              \
  cublasStatus_t cublas##LETTER##gemm(                                         \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,     \
      const T *, const T *, int, const T *, int, const T *, T *, int);         \
  cublasStatus_t cublas##LETTER##gemmStridedBatched(                           \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,     \
      const T *, const T *, int, long long, const T *, int, long long,         \
      const T *, T *, int, long long, int);                                    \
  cublasStatus_t cublas##LETTER##gemmBatched(                                  \
      cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,     \
      const T *, const T *const[], int, const T *const[], int, const T *,      \
      T *const[], int, int);                                                   \
  cublasStatus_t cublas##LETTER##gemv(cublasHandle_t, cublasOperation_t, int,  \
                                      int, const T *, const T *, int,          \
                                      const T *, int, const T *, T *, int);    \
  cublasStatus_t cublas##LETTER##trsmBatched(                                  \
      cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,   \
      cublasDiagType_t, int, int, const T *, const T *const[], int,            \
      T *const[], int, int);                                                   \
  cublasStatus_t cublas##LETTER##axpy(cublasHandle_t, int, const T *,          \
                                      const T *, int, T *, int);               \
  cublasStatus_t cublas##LETTER##dot(cublasHandle_t, int, const T *, int,      \
                                     const T *, int, T *);                     \
  cublasStatus_t cublas##LETTER##scal(cublasHandle_t, int, const T *, T *,     \
                                      int);                                    \
  cublasStatus_t cublas##LETTER##nrm2(cublasHandle_t, int, const T *, int, T *);
__CPASYNC_BLAS(S, float)
__CPASYNC_BLAS(D, double)
__CPASYNC_BLAS(H, __half)
#undef __CPASYNC_BLAS

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t,
                                   cublasOperation_t, int, int, int,
                                   const void *, const void *const[],
                                   cudaDataType, int, const void *const[],
                                   cudaDataType, int, const void *,
                                   void *const[], cudaDataType, int, int,
                                   cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
    const void *, const void *, cudaDataType, int, long long, const void *,
    cudaDataType, int, long long, const void *, void *, cudaDataType, int,
    long long, int, cublasComputeType_t, cublasGemmAlgo_t);
} // extern "C"

// The compute type was a data type before CUDA 11.
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t,
                            cublasOperation_t, int, int, int, const void *,
                            const void *, cudaDataType, int, const void *,
                            cudaDataType, int, const void *, void *,
                            cudaDataType, int, cublasComputeType_t,
                            cublasGemmAlgo_t);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t,
                            cublasOperation_t, int, int, int, const void *,
                            const void *, cudaDataType, int, const void *,
                            cudaDataType, int, const void *, void *,
                            cudaDataType, int, cudaDataType, cublasGemmAlgo_t);

#include <cpasync/names_end.h>

#endif // CUBLAS_V2_H_
