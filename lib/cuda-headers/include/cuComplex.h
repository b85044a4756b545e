//===- cuComplex.h - Complex numbers ---------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <cpasync/names_begin.h>

#include <cpasync/vector_types.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __CPASYNC_COMPLEX(T, REAL, F, MAKE)                                    \
  __CPASYNC_HD T MAKE(REAL, REAL);                                             \
  __CPASYNC_HD REAL cuCreal##F(T);                                             \
  __CPASYNC_HD REAL cuCimag##F(T);                                             \
  __CPASYNC_HD REAL cuCabs##F(T);                                              \
  __CPASYNC_HD T cuConj##F(T);                                                 \
  __CPASYNC_HD T cuCadd##F(T, T);                                              \
  __CPASYNC_HD T cuCsub##F(T, T);                                              \
  __CPASYNC_HD T cuCmul##F(T, T);                                              \
  __CPASYNC_HD T cuCdiv##F(T, T);                                              \
  __CPASYNC_HD T cuCfma##F(T, T, T);
__CPASYNC_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex)
__CPASYNC_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex)
#undef __CPASYNC_COMPLEX
__CPASYNC_HD cuComplex make_cuComplex(float, float);

#include <cpasync/names_end.h>

#endif // CU_COMPLEX_H_
