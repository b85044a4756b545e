//===- intrinsics.h - Scalar device intrinsics -----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_INTRINSICS_H
#define CPASYNC_INTRINSICS_H

#include <cpasync/vector_types.h>

// One function per rounding mode: nearest even, zero, up, down.
#define __CPASYNC_ROUNDED(RET, F, ARGS)                                        \
  __CPASYNC_D RET F##_rn ARGS;                                                 \
  __CPASYNC_D RET F##_rz ARGS;                                                 \
  __CPASYNC_D RET F##_ru ARGS;                                                 \
  __CPASYNC_D RET F##_rd ARGS;

__CPASYNC_ROUNDED(float, __fadd, (float, float))
__CPASYNC_ROUNDED(float, __fsub, (float, float))
__CPASYNC_ROUNDED(float, __fmul, (float, float))
__CPASYNC_ROUNDED(float, __fdiv, (float, float))
__CPASYNC_ROUNDED(float, __fmaf, (float, float, float))
__CPASYNC_ROUNDED(float, __fmaf_ieee, (float, float, float))
__CPASYNC_ROUNDED(float, __frcp, (float))
__CPASYNC_ROUNDED(float, __fsqrt, (float))
__CPASYNC_ROUNDED(double, __dadd, (double, double))
__CPASYNC_ROUNDED(double, __dsub, (double, double))
__CPASYNC_ROUNDED(double, __dmul, (double, double))
__CPASYNC_ROUNDED(double, __ddiv, (double, double))
__CPASYNC_ROUNDED(double, __fma, (double, double, double))
__CPASYNC_ROUNDED(double, __drcp, (double))
__CPASYNC_ROUNDED(double, __dsqrt, (double))
__CPASYNC_D float __frsqrt_rn(float);

// Conversions.
__CPASYNC_ROUNDED(float, __double2float, (double))
__CPASYNC_ROUNDED(int, __double2int, (double))
__CPASYNC_ROUNDED(unsigned int, __double2uint, (double))
__CPASYNC_ROUNDED(long long, __double2ll, (double))
__CPASYNC_ROUNDED(unsigned long long, __double2ull, (double))
__CPASYNC_ROUNDED(int, __float2int, (float))
__CPASYNC_ROUNDED(unsigned int, __float2uint, (float))
__CPASYNC_ROUNDED(long long, __float2ll, (float))
__CPASYNC_ROUNDED(unsigned long long, __float2ull, (float))
__CPASYNC_ROUNDED(float, __int2float, (int))
__CPASYNC_ROUNDED(float, __uint2float, (unsigned int))
__CPASYNC_ROUNDED(float, __ll2float, (long long))
__CPASYNC_ROUNDED(float, __ull2float, (unsigned long long))
__CPASYNC_ROUNDED(double, __ll2double, (long long))
__CPASYNC_ROUNDED(double, __ull2double, (unsigned long long))
__CPASYNC_D double __int2double_rn(int);
__CPASYNC_D double __uint2double_rn(unsigned int);
#undef __CPASYNC_ROUNDED

// Reinterpretations.
__CPASYNC_D int __float_as_int(float);
__CPASYNC_D unsigned int __float_as_uint(float);
__CPASYNC_D float __int_as_float(int);
__CPASYNC_D float __uint_as_float(unsigned int);
__CPASYNC_D long long __double_as_longlong(double);
__CPASYNC_D double __longlong_as_double(long long);
__CPASYNC_D int __double2hiint(double);
__CPASYNC_D int __double2loint(double);
__CPASYNC_D double __hiloint2double(int, int);

// Fast approximations.
__CPASYNC_D float __cosf(float);
__CPASYNC_D float __exp10f(float);
__CPASYNC_D float __expf(float);
__CPASYNC_D float __fdividef(float, float);
__CPASYNC_D float __log10f(float);
__CPASYNC_D float __log2f(float);
__CPASYNC_D float __logf(float);
__CPASYNC_D float __powf(float, float);
__CPASYNC_D float __saturatef(float);
__CPASYNC_D void __sincosf(float, float *, float *);
__CPASYNC_D float __sinf(float);
__CPASYNC_D float __tanf(float);
__CPASYNC_D float __tanhf(float);

// Integers.
__CPASYNC_D unsigned int __brev(unsigned int);
__CPASYNC_D unsigned long long __brevll(unsigned long long);
__CPASYNC_D unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
__CPASYNC_D int __clz(int);
__CPASYNC_D int __clzll(long long);
__CPASYNC_D int __ffs(int);
__CPASYNC_D int __ffsll(long long);
__CPASYNC_D int __popc(unsigned int);
__CPASYNC_D int __popcll(unsigned long long);
__CPASYNC_D int __hadd(int, int);
__CPASYNC_D int __rhadd(int, int);
__CPASYNC_D unsigned int __uhadd(unsigned int, unsigned int);
__CPASYNC_D unsigned int __urhadd(unsigned int, unsigned int);
__CPASYNC_D int __mul24(int, int);
__CPASYNC_D unsigned int __umul24(unsigned int, unsigned int);
__CPASYNC_D int __mulhi(int, int);
__CPASYNC_D unsigned int __umulhi(unsigned int, unsigned int);
__CPASYNC_D long long __mul64hi(long long, long long);
__CPASYNC_D unsigned long long __umul64hi(unsigned long long,
                                          unsigned long long);
__CPASYNC_D unsigned int __sad(int, int, unsigned int);
__CPASYNC_D unsigned int __usad(unsigned int, unsigned int, unsigned int);
__CPASYNC_D unsigned int __funnelshift_l(unsigned int, unsigned int,
                                         unsigned int);
__CPASYNC_D unsigned int __funnelshift_lc(unsigned int, unsigned int,
                                          unsigned int);
__CPASYNC_D unsigned int __funnelshift_r(unsigned int, unsigned int,
                                         unsigned int);
__CPASYNC_D unsigned int __funnelshift_rc(unsigned int, unsigned int,
                                          unsigned int);
__CPASYNC_D int __dp4a(int, int, int);
__CPASYNC_D unsigned int __dp4a(unsigned int, unsigned int, unsigned int);
__CPASYNC_D int __dp4a(char4, char4, int);
__CPASYNC_D unsigned int __dp4a(uchar4, uchar4, unsigned int);
#define __CPASYNC_DP2A(F)                                                      \
  __CPASYNC_D int F(int, int, int);                                            \
  __CPASYNC_D unsigned int F(unsigned int, unsigned int, unsigned int);        \
  __CPASYNC_D int F(short2, char4, int);                                       \
  __CPASYNC_D unsigned int F(ushort2, uchar4, unsigned int);
__CPASYNC_DP2A(__dp2a_hi)
__CPASYNC_DP2A(__dp2a_lo)
#undef __CPASYNC_DP2A

#endif // CPASYNC_INTRINSICS_H
