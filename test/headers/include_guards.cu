// RUN: %clang_cuda -Xclang -verify %s
// expected-no-diagnostics

// nvcc includes the runtime's headers before the first line, and programs ask.
#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) ||            \
    !defined(__VECTOR_TYPES_H__)
#error "the runtime API is there"
#endif
#ifdef __CUDA_FP16_H__
#error "nobody has included it yet"
#endif
cudaDataType_t without_an_include = CUDA_R_16F;

#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <curand.h>

#if !defined(__CUDA_FP16_H__) || !defined(__CUDA_BF16_H__) ||                  \
    !defined(__CUDA_FP8_H__) || !defined(__cuda_cuda_h__) ||                   \
    !defined(CUBLAS_API_H_) || !defined(CURAND_H_)
#error "CUDA's names"
#endif
