//===- minmax.h - Global min and max ---------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Every pair of integer types as C converts them. The bodies are there because
// loop bounds and addresses are computed with them. Whoever includes this says
// in __CPASYNC_MINMAX_SIDES who may call them.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_MINMAX_H
#define CPASYNC_MINMAX_H

#define __CPASYNC_MINMAX(RET, A, B)                                            \
  static __inline__ __CPASYNC_MINMAX_SIDES RET min(A X, B Y) {                 \
    return (RET)Y < (RET)X ? (RET)Y : (RET)X;                                  \
  }                                                                            \
  static __inline__ __CPASYNC_MINMAX_SIDES RET max(A X, B Y) {                 \
    return (RET)X < (RET)Y ? (RET)Y : (RET)X;                                  \
  }
#define __CPASYNC_MINMAX_SIGNS(S, U)                                           \
  __CPASYNC_MINMAX(S, S, S)                                                    \
  __CPASYNC_MINMAX(U, U, U)                                                    \
  __CPASYNC_MINMAX(U, S, U)                                                    \
  __CPASYNC_MINMAX(U, U, S)
__CPASYNC_MINMAX_SIGNS(int, unsigned int)
__CPASYNC_MINMAX_SIGNS(long, unsigned long)
__CPASYNC_MINMAX_SIGNS(long long, unsigned long long)
__CPASYNC_MINMAX(float, float, float)
__CPASYNC_MINMAX(double, double, double)
__CPASYNC_MINMAX(double, float, double)
__CPASYNC_MINMAX(double, double, float)
#undef __CPASYNC_MINMAX
#undef __CPASYNC_MINMAX_SIGNS

#endif // CPASYNC_MINMAX_H
