//===- math.h - Device overloads of the C math library ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One device overload per function and type, and the C library's host function:
// nvcc's implicit include brings <math.h> in, but reading the system's would
// cost more than all the rest. Integer arguments go to double, as in <cmath>.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_MATH_H
#define CPASYNC_MATH_H

#include <cpasync/qualifiers.h>

#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_E 2.7182818284590452354
#define M_LN10 2.30258509299404568402
#define M_LN2 0.69314718055994530942
#define M_LOG10E 0.43429448190325182765
#define M_LOG2E 1.4426950408889634074
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT1_2 0.70710678118654752440
#define M_SQRT2 1.41421356237309504880

template <bool Condition, class T> struct __cpasync_enable_if {};
template <class T> struct __cpasync_enable_if<true, T> {
  typedef T type;
};

// Host side: same linkage and exception specification as the C library's.
#define __CPASYNC_HOST(RET_D, RET_F, F, ARGS_D, ARGS_F)                        \
  extern "C" RET_D F ARGS_D noexcept;                                          \
  extern "C" RET_F F##f ARGS_F noexcept;

// F(double), F(float), F(integer) and Ff(float).
#define __CPASYNC_MATH1(F)                                                     \
  __CPASYNC_HOST(double, float, F, (double), (float))                          \
  __CPASYNC_D double F(double);                                                \
  __CPASYNC_D float F(float);                                                  \
  __CPASYNC_D float F##f(float);                                               \
  template <class T>                                                           \
  __CPASYNC_D                                                                  \
      typename __cpasync_enable_if<__is_integral(T), double>::type F(T);

#define __CPASYNC_MATH1_STD(F)                                                 \
  __CPASYNC_MATH1(F)                                                           \
  namespace std {                                                              \
  using ::F;                                                                   \
  }

#define __CPASYNC_MATH2(F)                                                     \
  __CPASYNC_HOST(double, float, F, (double, double), (float, float))           \
  __CPASYNC_D double F(double, double);                                        \
  __CPASYNC_D float F(float, float);                                           \
  __CPASYNC_D float F##f(float, float);                                        \
  template <class T, class U>                                                  \
  __CPASYNC_D                                                                  \
      typename __cpasync_enable_if<__is_arithmetic(T) && __is_arithmetic(U),   \
                                   double>::type F(T, U);

#define __CPASYNC_MATH2_STD(F)                                                 \
  __CPASYNC_MATH2(F)                                                           \
  namespace std {                                                              \
  using ::F;                                                                   \
  }

#define __CPASYNC_MATH3(F)                                                     \
  __CPASYNC_HOST(double, float, F, (double, double, double),                   \
                 (float, float, float))                                        \
  __CPASYNC_D double F(double, double, double);                                \
  __CPASYNC_D float F(float, float, float);                                    \
  __CPASYNC_D float F##f(float, float, float);

// A function whose double and float forms differ in more than their type.
#define __CPASYNC_MATH(RET_D, RET_F, F, ARGS_D, ARGS_F)                        \
  __CPASYNC_HOST(RET_D, RET_F, F, ARGS_D, ARGS_F)                              \
  __CPASYNC_D RET_D F ARGS_D;                                                  \
  __CPASYNC_D RET_F F ARGS_F;                                                  \
  __CPASYNC_D RET_F F##f ARGS_F;

__CPASYNC_MATH1_STD(acos)
__CPASYNC_MATH1_STD(acosh)
__CPASYNC_MATH1_STD(asin)
__CPASYNC_MATH1_STD(asinh)
__CPASYNC_MATH1_STD(atan)
__CPASYNC_MATH1_STD(atanh)
__CPASYNC_MATH1_STD(cbrt)
__CPASYNC_MATH1_STD(ceil)
__CPASYNC_MATH1_STD(cos)
__CPASYNC_MATH1_STD(cosh)
__CPASYNC_MATH1_STD(erf)
__CPASYNC_MATH1_STD(erfc)
__CPASYNC_MATH1_STD(exp)
__CPASYNC_MATH1_STD(exp2)
__CPASYNC_MATH1_STD(expm1)
__CPASYNC_MATH1_STD(fabs)
__CPASYNC_MATH1_STD(floor)
__CPASYNC_MATH1_STD(lgamma)
__CPASYNC_MATH1_STD(log)
__CPASYNC_MATH1_STD(log10)
__CPASYNC_MATH1_STD(log1p)
__CPASYNC_MATH1_STD(log2)
__CPASYNC_MATH1_STD(logb)
__CPASYNC_MATH1_STD(nearbyint)
__CPASYNC_MATH1_STD(rint)
__CPASYNC_MATH1_STD(round)
__CPASYNC_MATH1_STD(sin)
__CPASYNC_MATH1_STD(sinh)
__CPASYNC_MATH1_STD(sqrt)
__CPASYNC_MATH1_STD(tan)
__CPASYNC_MATH1_STD(tanh)
__CPASYNC_MATH1_STD(tgamma)
__CPASYNC_MATH1_STD(trunc)

// CUDA's own.
__CPASYNC_MATH1(cospi)
__CPASYNC_MATH1(cyl_bessel_i0)
__CPASYNC_MATH1(cyl_bessel_i1)
__CPASYNC_MATH1(erfcinv)
__CPASYNC_MATH1(erfcx)
__CPASYNC_MATH1(erfinv)
__CPASYNC_MATH1(exp10)
__CPASYNC_MATH1(j0)
__CPASYNC_MATH1(j1)
__CPASYNC_MATH1(normcdf)
__CPASYNC_MATH1(normcdfinv)
__CPASYNC_MATH1(rcbrt)
__CPASYNC_MATH1(rsqrt)
__CPASYNC_MATH1(sinpi)
__CPASYNC_MATH1(y0)
__CPASYNC_MATH1(y1)

__CPASYNC_MATH2_STD(atan2)
__CPASYNC_MATH2_STD(copysign)
__CPASYNC_MATH2_STD(fdim)
__CPASYNC_MATH2_STD(fmax)
__CPASYNC_MATH2_STD(fmin)
__CPASYNC_MATH2_STD(fmod)
__CPASYNC_MATH2_STD(hypot)
__CPASYNC_MATH2_STD(nextafter)
__CPASYNC_MATH2_STD(pow)
__CPASYNC_MATH2_STD(remainder)
__CPASYNC_MATH2(fdivide)
__CPASYNC_MATH2(rhypot)

__CPASYNC_D float pow(float, int);
__CPASYNC_D double pow(double, int);
__CPASYNC_D float powif(float, int);
__CPASYNC_D double powi(double, int);

__CPASYNC_MATH3(fma)
__CPASYNC_MATH3(norm3d)
__CPASYNC_MATH3(rnorm3d)
__CPASYNC_MATH(double, float, norm4d, (double, double, double, double),
               (float, float, float, float))
__CPASYNC_MATH(double, float, rnorm4d, (double, double, double, double),
               (float, float, float, float))
__CPASYNC_MATH(double, float, norm, (int, const double *), (int, const float *))
__CPASYNC_MATH(double, float, rnorm, (int, const double *),
               (int, const float *))
__CPASYNC_MATH(double, float, frexp, (double, int *), (float, int *))
__CPASYNC_MATH(double, float, ldexp, (double, int), (float, int))
__CPASYNC_MATH(double, float, modf, (double, double *), (float, float *))
__CPASYNC_MATH(double, float, remquo, (double, double, int *),
               (float, float, int *))
__CPASYNC_MATH(double, float, scalbn, (double, int), (float, int))
__CPASYNC_MATH(double, float, scalbln, (double, long), (float, long))
__CPASYNC_MATH(int, int, ilogb, (double), (float))
__CPASYNC_MATH(long, long, lrint, (double), (float))
__CPASYNC_MATH(long, long, lround, (double), (float))
__CPASYNC_MATH(long long, long long, llrint, (double), (float))
__CPASYNC_MATH(long long, long long, llround, (double), (float))
__CPASYNC_MATH(void, void, sincos, (double, double *, double *),
               (float, float *, float *))
__CPASYNC_MATH(void, void, sincospi, (double, double *, double *),
               (float, float *, float *))
__CPASYNC_D double jn(int, double);
__CPASYNC_D float jnf(int, float);
__CPASYNC_D double yn(int, double);
__CPASYNC_D float ynf(int, float);
__CPASYNC_D double nan(const char *);
__CPASYNC_D float nanf(const char *);

__CPASYNC_D int abs(int);
__CPASYNC_D long abs(long);
__CPASYNC_D long long abs(long long);
__CPASYNC_D float abs(float);
__CPASYNC_D double abs(double);
__CPASYNC_D long labs(long);
__CPASYNC_D long long llabs(long long);

// The host's are templates, so that <cmath> may declare functions beside them.
#define __CPASYNC_CLASSIFY_HOST(RET, F, ARGS)                                  \
  template <class T>                                                           \
  __CPASYNC_H                                                                  \
      typename __cpasync_enable_if<!__is_integral(T), RET>::type F ARGS;
#define __CPASYNC_CLASSIFY1(F)                                                 \
  __CPASYNC_D bool F(float);                                                   \
  __CPASYNC_D bool F(double);                                                  \
  __CPASYNC_CLASSIFY_HOST(bool, F, (T))
#define __CPASYNC_CLASSIFY2(F)                                                 \
  __CPASYNC_D bool F(float, float);                                            \
  __CPASYNC_D bool F(double, double);                                          \
  __CPASYNC_CLASSIFY_HOST(bool, F, (T, T))
__CPASYNC_CLASSIFY1(isfinite)
__CPASYNC_CLASSIFY1(isinf)
__CPASYNC_CLASSIFY1(isnan)
__CPASYNC_CLASSIFY1(isnormal)
__CPASYNC_CLASSIFY1(signbit)
__CPASYNC_CLASSIFY2(isgreater)
__CPASYNC_CLASSIFY2(isgreaterequal)
__CPASYNC_CLASSIFY2(isless)
__CPASYNC_CLASSIFY2(islessequal)
__CPASYNC_CLASSIFY2(islessgreater)
__CPASYNC_CLASSIFY2(isunordered)
__CPASYNC_D int fpclassify(float);
__CPASYNC_D int fpclassify(double);
__CPASYNC_CLASSIFY_HOST(int, fpclassify, (T))
// What the C library's macros of these names come down to.
__CPASYNC_D int __finitef(float);
__CPASYNC_D int __isinff(float);
__CPASYNC_D int __isnanf(float);
__CPASYNC_D int __signbitf(float);
__CPASYNC_D int __finite(double);
__CPASYNC_D int __isinf(double);
__CPASYNC_D int __isnan(double);
__CPASYNC_D int __signbitd(double);

namespace std {
using ::abs;
using ::fma;
using ::fpclassify;
using ::frexp;
using ::ilogb;
using ::isfinite;
using ::isgreater;
using ::isgreaterequal;
using ::isinf;
using ::isless;
using ::islessequal;
using ::islessgreater;
using ::isnan;
using ::isnormal;
using ::isunordered;
using ::labs;
using ::ldexp;
using ::llabs;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::nan;
using ::nanf;
using ::remquo;
using ::scalbln;
using ::scalbn;
using ::signbit;
} // namespace std

#define __CPASYNC_MINMAX_SIDES __CPASYNC_HD
#include <cpasync/minmax.h>
#undef __CPASYNC_MINMAX_SIDES
__CPASYNC_D unsigned int umin(unsigned int, unsigned int);
__CPASYNC_D unsigned int umax(unsigned int, unsigned int);
__CPASYNC_D long long llmin(long long, long long);
__CPASYNC_D long long llmax(long long, long long);
__CPASYNC_D unsigned long long ullmin(unsigned long long, unsigned long long);
__CPASYNC_D unsigned long long ullmax(unsigned long long, unsigned long long);

#undef __CPASYNC_HOST
#undef __CPASYNC_MATH
#undef __CPASYNC_MATH1
#undef __CPASYNC_MATH1_STD
#undef __CPASYNC_MATH2
#undef __CPASYNC_MATH2_STD
#undef __CPASYNC_MATH3
#undef __CPASYNC_CLASSIFY_HOST
#undef __CPASYNC_CLASSIFY1
#undef __CPASYNC_CLASSIFY2

#endif // CPASYNC_MATH_H
