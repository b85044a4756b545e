//===- simd.h - Packed-integer intrinsics ----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_SIMD_H
#define CPASYNC_SIMD_H

#include <cpasync/qualifiers.h>

// Two halfwords (suffix 2) or four bytes (suffix 4) in an unsigned int.
#define __CPASYNC_PACKED1(F)                                                   \
  __CPASYNC_D unsigned int F##2(unsigned int);                                 \
  __CPASYNC_D unsigned int F##4(unsigned int);
#define __CPASYNC_PACKED2(F)                                                   \
  __CPASYNC_D unsigned int F##2(unsigned int, unsigned int);                   \
  __CPASYNC_D unsigned int F##4(unsigned int, unsigned int);
#define __CPASYNC_PACKED_RELATIONS(F)                                          \
  __CPASYNC_PACKED2(F##eq)                                                     \
  __CPASYNC_PACKED2(F##ne)                                                     \
  __CPASYNC_PACKED2(F##ges)                                                    \
  __CPASYNC_PACKED2(F##geu)                                                    \
  __CPASYNC_PACKED2(F##gts)                                                    \
  __CPASYNC_PACKED2(F##gtu)                                                    \
  __CPASYNC_PACKED2(F##les)                                                    \
  __CPASYNC_PACKED2(F##leu)                                                    \
  __CPASYNC_PACKED2(F##lts)                                                    \
  __CPASYNC_PACKED2(F##ltu)

__CPASYNC_PACKED1(__vabs)
__CPASYNC_PACKED1(__vabsss)
__CPASYNC_PACKED1(__vneg)
__CPASYNC_PACKED1(__vnegss)
__CPASYNC_PACKED2(__vabsdiffs)
__CPASYNC_PACKED2(__vabsdiffu)
__CPASYNC_PACKED2(__vadd)
__CPASYNC_PACKED2(__vaddss)
__CPASYNC_PACKED2(__vaddus)
__CPASYNC_PACKED2(__vavgs)
__CPASYNC_PACKED2(__vavgu)
__CPASYNC_PACKED2(__vhaddu)
__CPASYNC_PACKED2(__vmaxs)
__CPASYNC_PACKED2(__vmaxu)
__CPASYNC_PACKED2(__vmins)
__CPASYNC_PACKED2(__vminu)
__CPASYNC_PACKED2(__vsads)
__CPASYNC_PACKED2(__vsadu)
__CPASYNC_PACKED2(__vsub)
__CPASYNC_PACKED2(__vsubss)
__CPASYNC_PACKED2(__vsubus)
__CPASYNC_PACKED_RELATIONS(__vcmp)
__CPASYNC_PACKED_RELATIONS(__vset)
#undef __CPASYNC_PACKED1
#undef __CPASYNC_PACKED2
#undef __CPASYNC_PACKED_RELATIONS

// Dynamic-programming instructions: SUFFIX names the element type.
#define __CPASYNC_DPX(T, SUFFIX)                                               \
  __CPASYNC_HD T __vimax3_##SUFFIX(T, T, T);                                   \
  __CPASYNC_HD T __vimin3_##SUFFIX(T, T, T);                                   \
  __CPASYNC_HD T __viaddmax_##SUFFIX(T, T, T);                                 \
  __CPASYNC_HD T __viaddmin_##SUFFIX(T, T, T);
#define __CPASYNC_DPX_RELU(T, SUFFIX)                                          \
  __CPASYNC_HD T __vimax_##SUFFIX##_relu(T, T);                                \
  __CPASYNC_HD T __vimin_##SUFFIX##_relu(T, T);                                \
  __CPASYNC_HD T __vimax3_##SUFFIX##_relu(T, T, T);                            \
  __CPASYNC_HD T __vimin3_##SUFFIX##_relu(T, T, T);                            \
  __CPASYNC_HD T __viaddmax_##SUFFIX##_relu(T, T, T);                          \
  __CPASYNC_HD T __viaddmin_##SUFFIX##_relu(T, T, T);
__CPASYNC_DPX(int, s32)
__CPASYNC_DPX(unsigned int, u32)
__CPASYNC_DPX(unsigned int, s16x2)
__CPASYNC_DPX(unsigned int, u16x2)
__CPASYNC_DPX_RELU(int, s32)
__CPASYNC_DPX_RELU(unsigned int, s16x2)
#undef __CPASYNC_DPX
#undef __CPASYNC_DPX_RELU
__CPASYNC_HD int __vibmax_s32(int, int, bool *);
__CPASYNC_HD int __vibmin_s32(int, int, bool *);
__CPASYNC_HD unsigned int __vibmax_u32(unsigned int, unsigned int, bool *);
__CPASYNC_HD unsigned int __vibmin_u32(unsigned int, unsigned int, bool *);
__CPASYNC_HD unsigned int __vibmax_s16x2(unsigned int, unsigned int, bool *,
                                         bool *);
__CPASYNC_HD unsigned int __vibmin_s16x2(unsigned int, unsigned int, bool *,
                                         bool *);
__CPASYNC_HD unsigned int __vibmax_u16x2(unsigned int, unsigned int, bool *,
                                         bool *);
__CPASYNC_HD unsigned int __vibmin_u16x2(unsigned int, unsigned int, bool *,
                                         bool *);

#endif // CPASYNC_SIMD_H
