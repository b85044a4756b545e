//===- half_family.h - What __half and __nv_bfloat16 share -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Both 16-bit types have the same members, operators and intrinsics; each
// macro declares one part of them for the scalar type T and its pair T2.
// Differences from CUDA: pairs are copied trivially (CUDA's copy constructors
// only move the bits), so that a copy reads as one load.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_HALF_FAMILY_H
#define CPASYNC_HALF_FAMILY_H

#include <cpasync/vector_types.h>

// M(A): M for every arithmetic type that converts to and from T.
#define __CPASYNC_HALF_INTEGERS(M, A)                                          \
  M(A, short)                                                                  \
  M(A, unsigned short)                                                         \
  M(A, int)                                                                    \
  M(A, unsigned int)                                                           \
  M(A, long)                                                                   \
  M(A, unsigned long)                                                          \
  M(A, long long)                                                              \
  M(A, unsigned long long)

#define __CPASYNC_HALF_CONSTRUCT(T, FROM) __CPASYNC_HD T(FROM);
#define __CPASYNC_HALF_ASSIGN(T, FROM) __CPASYNC_HD T &operator=(FROM);
#define __CPASYNC_HALF_CONVERT(T, TO) __CPASYNC_HD operator TO() const;

#define __CPASYNC_HALF_CONVERSIONS(T)                                          \
  __CPASYNC_HALF_CONSTRUCT(T, float)                                           \
  __CPASYNC_HALF_CONSTRUCT(T, double)                                          \
  __CPASYNC_HALF_INTEGERS(__CPASYNC_HALF_CONSTRUCT, T)                         \
  __CPASYNC_HALF_ASSIGN(T, float)                                              \
  __CPASYNC_HALF_ASSIGN(T, double)                                             \
  __CPASYNC_HALF_INTEGERS(__CPASYNC_HALF_ASSIGN, T)                            \
  __CPASYNC_HALF_CONVERT(T, float)                                             \
  __CPASYNC_HALF_CONVERT(T, char)                                              \
  __CPASYNC_HALF_CONVERT(T, signed char)                                       \
  __CPASYNC_HALF_CONVERT(T, unsigned char)                                     \
  __CPASYNC_HALF_INTEGERS(__CPASYNC_HALF_CONVERT, T)                           \
  __CPASYNC_HD constexpr operator bool() const { return (__x & 0x7fffu) != 0; }

// The scalar: two bytes of storage in __x. OTHER is the other 16-bit type.
#define __CPASYNC_HALF_SCALAR(T, RAW, OTHER, CONVERSIONS)                      \
  struct __align__(2) RAW {                                                    \
    unsigned short x;                                                          \
  };                                                                           \
  struct __align__(2) T {                                                      \
  protected:                                                                   \
    unsigned short __x;                                                        \
                                                                               \
  public:                                                                      \
    T() = default;                                                             \
    __CPASYNC_HD constexpr T(const RAW &Raw) : __x(Raw.x) {}                   \
    __CPASYNC_HD explicit T(OTHER);                                            \
    __CPASYNC_HD T &operator=(const RAW &);                                    \
    __CPASYNC_HD volatile T &operator=(const RAW &) volatile;                  \
    __CPASYNC_HD volatile T &operator=(const volatile RAW &) volatile;         \
    __CPASYNC_HD operator RAW() const;                                         \
    __CPASYNC_HD operator RAW() const volatile;                                \
    CONVERSIONS                                                                \
  };

#define __CPASYNC_HALF_PAIR(T, T2, RAW2)                                       \
  struct __align__(4) RAW2 {                                                   \
    unsigned short x, y;                                                       \
  };                                                                           \
  struct __align__(4) T2 {                                                     \
    T x, y;                                                                    \
    T2() = default;                                                            \
    __CPASYNC_HD constexpr T2(const T &X, const T &Y) : x(X), y(Y) {}          \
    __CPASYNC_HD T2(const RAW2 &);                                             \
    __CPASYNC_HD T2 &operator=(const RAW2 &);                                  \
    __CPASYNC_HD operator RAW2() const;                                        \
  };

// C++ operators; T is the scalar or the pair.
#define __CPASYNC_HALF_OPERATORS(T)                                            \
  __CPASYNC_HD T operator+(const T &, const T &);                              \
  __CPASYNC_HD T operator-(const T &, const T &);                              \
  __CPASYNC_HD T operator*(const T &, const T &);                              \
  __CPASYNC_HD T operator/(const T &, const T &);                              \
  __CPASYNC_HD T &operator+=(T &, const T &);                                  \
  __CPASYNC_HD T &operator-=(T &, const T &);                                  \
  __CPASYNC_HD T &operator*=(T &, const T &);                                  \
  __CPASYNC_HD T &operator/=(T &, const T &);                                  \
  __CPASYNC_HD T &operator++(T &);                                             \
  __CPASYNC_HD T &operator--(T &);                                             \
  __CPASYNC_HD T operator++(T &, int);                                         \
  __CPASYNC_HD T operator--(T &, int);                                         \
  __CPASYNC_HD T operator+(const T &);                                         \
  __CPASYNC_HD T operator-(const T &);                                         \
  __CPASYNC_HD bool operator==(const T &, const T &);                          \
  __CPASYNC_HD bool operator!=(const T &, const T &);                          \
  __CPASYNC_HD bool operator>(const T &, const T &);                           \
  __CPASYNC_HD bool operator<(const T &, const T &);                           \
  __CPASYNC_HD bool operator>=(const T &, const T &);                          \
  __CPASYNC_HD bool operator<=(const T &, const T &);

// SIDE F(T, ...) and its pair form F2; with a suffix, F_suffix and F2_suffix.
#define __CPASYNC_HALF_F1(SIDE, F, T, T2)                                      \
  SIDE T F(T);                                                                 \
  SIDE T2 F##2(T2);
#define __CPASYNC_HALF_F2(SIDE, F, T, T2)                                      \
  SIDE T F(T, T);                                                              \
  SIDE T2 F##2(T2, T2);
#define __CPASYNC_HALF_F2_SUFFIX(SIDE, F, SUFFIX, T, T2)                       \
  SIDE T F##SUFFIX(T, T);                                                      \
  SIDE T2 F##2##SUFFIX(T2, T2);
#define __CPASYNC_HALF_F3(SIDE, F, SUFFIX, T, T2)                              \
  SIDE T F##SUFFIX(T, T, T);                                                   \
  SIDE T2 F##2##SUFFIX(T2, T2, T2);

// Ordered and unordered forms of one comparison.
#define __CPASYNC_HALF_COMPARE(REL, T, T2)                                     \
  __CPASYNC_HD bool __h##REL(T, T);                                            \
  __CPASYNC_HD bool __h##REL##u(T, T);                                         \
  __CPASYNC_HD T2 __h##REL##2(T2, T2);                                         \
  __CPASYNC_HD T2 __h##REL##u2(T2, T2);                                        \
  __CPASYNC_HD bool __hb##REL##2(T2, T2);                                      \
  __CPASYNC_HD bool __hb##REL##u2(T2, T2);                                     \
  __CPASYNC_HD unsigned int __h##REL##2_mask(T2, T2);                          \
  __CPASYNC_HD unsigned int __h##REL##u2_mask(T2, T2);

#define __CPASYNC_HALF_ARITHMETIC(T, T2)                                       \
  __CPASYNC_HALF_F1(__CPASYNC_HD, __habs, T, T2)                               \
  __CPASYNC_HALF_F1(__CPASYNC_HD, __hneg, T, T2)                               \
  __CPASYNC_HALF_F2(__CPASYNC_HD, __hadd, T, T2)                               \
  __CPASYNC_HALF_F2(__CPASYNC_HD, __hsub, T, T2)                               \
  __CPASYNC_HALF_F2(__CPASYNC_HD, __hmul, T, T2)                               \
  __CPASYNC_HALF_F2(__CPASYNC_HD, __hmax, T, T2)                               \
  __CPASYNC_HALF_F2(__CPASYNC_HD, __hmin, T, T2)                               \
  __CPASYNC_HALF_F2_SUFFIX(__CPASYNC_HD, __hadd, _rn, T, T2)                   \
  __CPASYNC_HALF_F2_SUFFIX(__CPASYNC_HD, __hadd, _sat, T, T2)                  \
  __CPASYNC_HALF_F2_SUFFIX(__CPASYNC_HD, __hsub, _rn, T, T2)                   \
  __CPASYNC_HALF_F2_SUFFIX(__CPASYNC_HD, __hsub, _sat, T, T2)                  \
  __CPASYNC_HALF_F2_SUFFIX(__CPASYNC_HD, __hmul, _rn, T, T2)                   \
  __CPASYNC_HALF_F2_SUFFIX(__CPASYNC_HD, __hmul, _sat, T, T2)                  \
  __CPASYNC_HALF_F2_SUFFIX(__CPASYNC_HD, __hmax, _nan, T, T2)                  \
  __CPASYNC_HALF_F2_SUFFIX(__CPASYNC_HD, __hmin, _nan, T, T2)                  \
  __CPASYNC_HALF_F3(__CPASYNC_D, __hfma, , T, T2)                              \
  __CPASYNC_HALF_F3(__CPASYNC_D, __hfma, _relu, T, T2)                         \
  __CPASYNC_HALF_F3(__CPASYNC_D, __hfma, _sat, T, T2)                          \
  __CPASYNC_HD T __hdiv(T, T);                                                 \
  __CPASYNC_HD T2 __h2div(T2, T2);                                             \
  __CPASYNC_D T2 __hcmadd(T2, T2, T2);                                         \
  __CPASYNC_HD int __hisinf(T);                                                \
  __CPASYNC_HD bool __hisnan(T);                                               \
  __CPASYNC_HD T2 __hisnan2(T2);                                               \
  __CPASYNC_HALF_COMPARE(eq, T, T2)                                            \
  __CPASYNC_HALF_COMPARE(ne, T, T2)                                            \
  __CPASYNC_HALF_COMPARE(lt, T, T2)                                            \
  __CPASYNC_HALF_COMPARE(le, T, T2)                                            \
  __CPASYNC_HALF_COMPARE(gt, T, T2)                                            \
  __CPASYNC_HALF_COMPARE(ge, T, T2)

// hNAME of the scalar, h2NAME of the pair.
#define __CPASYNC_HALF_MATH1(NAME, T, T2)                                      \
  __CPASYNC_D T h##NAME(T);                                                    \
  __CPASYNC_D T2 h2##NAME(T2);
#define __CPASYNC_HALF_MATH(T, T2)                                             \
  __CPASYNC_HALF_MATH1(ceil, T, T2)                                            \
  __CPASYNC_HALF_MATH1(cos, T, T2)                                             \
  __CPASYNC_HALF_MATH1(exp, T, T2)                                             \
  __CPASYNC_HALF_MATH1(exp10, T, T2)                                           \
  __CPASYNC_HALF_MATH1(exp2, T, T2)                                            \
  __CPASYNC_HALF_MATH1(floor, T, T2)                                           \
  __CPASYNC_HALF_MATH1(log, T, T2)                                             \
  __CPASYNC_HALF_MATH1(log10, T, T2)                                           \
  __CPASYNC_HALF_MATH1(log2, T, T2)                                            \
  __CPASYNC_HALF_MATH1(rcp, T, T2)                                             \
  __CPASYNC_HALF_MATH1(rint, T, T2)                                            \
  __CPASYNC_HALF_MATH1(rsqrt, T, T2)                                           \
  __CPASYNC_HALF_MATH1(sin, T, T2)                                             \
  __CPASYNC_HALF_MATH1(sqrt, T, T2)                                            \
  __CPASYNC_HALF_MATH1(tanh, T, T2)                                            \
  __CPASYNC_HALF_MATH1(tanh_approx, T, T2)                                     \
  __CPASYNC_HALF_MATH1(trunc, T, T2)

// N is the word for T in the conversions' names: half or bfloat16.
#define __CPASYNC_HALF_TO_INTEGER(N, T, WORD, INTEGER)                         \
  __CPASYNC_D INTEGER __##N##2##WORD##_rn(T);                                  \
  __CPASYNC_HD INTEGER __##N##2##WORD##_rz(T);                                 \
  __CPASYNC_D INTEGER __##N##2##WORD##_ru(T);                                  \
  __CPASYNC_D INTEGER __##N##2##WORD##_rd(T);                                  \
  __CPASYNC_HD T __##WORD##2##N##_rn(INTEGER);                                 \
  __CPASYNC_HD T __##WORD##2##N##_rz(INTEGER);                                 \
  __CPASYNC_HD T __##WORD##2##N##_ru(INTEGER);                                 \
  __CPASYNC_HD T __##WORD##2##N##_rd(INTEGER);

#define __CPASYNC_HALF_NAMED_CONVERSIONS(N, T, T2)                             \
  __CPASYNC_HALF_TO_INTEGER(N, T, short, short)                                \
  __CPASYNC_HALF_TO_INTEGER(N, T, ushort, unsigned short)                      \
  __CPASYNC_HALF_TO_INTEGER(N, T, int, int)                                    \
  __CPASYNC_HALF_TO_INTEGER(N, T, uint, unsigned int)                          \
  __CPASYNC_HALF_TO_INTEGER(N, T, ll, long long)                               \
  __CPASYNC_HALF_TO_INTEGER(N, T, ull, unsigned long long)                     \
  __CPASYNC_HD signed char __##N##2char_rz(T);                                 \
  __CPASYNC_HD unsigned char __##N##2uchar_rz(T);                              \
  __CPASYNC_HD T __double2##N(double);                                         \
  __CPASYNC_HD T __float2##N(float);                                           \
  __CPASYNC_HD T __float2##N##_rn(float);                                      \
  __CPASYNC_HD T __float2##N##_rz(float);                                      \
  __CPASYNC_HD T __float2##N##_ru(float);                                      \
  __CPASYNC_HD T __float2##N##_rd(float);                                      \
  __CPASYNC_HD float __##N##2float(T);                                         \
  __CPASYNC_HD T2 __float2##N##2_rn(float);                                    \
  __CPASYNC_HD T2 __floats2##N##2_rn(float, float);                            \
  __CPASYNC_HD T2 __float22##N##2_rn(float2);                                  \
  __CPASYNC_HD float2 __##N##22float2(T2);                                     \
  __CPASYNC_HD float __low2float(T2);                                          \
  __CPASYNC_HD float __high2float(T2);                                         \
  __CPASYNC_HD T2 __##N##2##N##2(T);                                           \
  __CPASYNC_HD T __low2##N(T2);                                                \
  __CPASYNC_HD T __high2##N(T2);                                               \
  __CPASYNC_HD T2 __low2##N##2(T2);                                            \
  __CPASYNC_HD T2 __high2##N##2(T2);                                           \
  __CPASYNC_HD T2 __lows2##N##2(T2, T2);                                       \
  __CPASYNC_HD T2 __highs2##N##2(T2, T2);                                      \
  __CPASYNC_HD T2 __lowhigh2highlow(T2);                                       \
  __CPASYNC_HD short __##N##_as_short(T);                                      \
  __CPASYNC_HD unsigned short __##N##_as_ushort(T);                            \
  __CPASYNC_HD T __short_as_##N(short);                                        \
  __CPASYNC_HD T __ushort_as_##N(unsigned short);

// Shuffles, hinted loads and stores and atomics; T is the scalar or the pair.
#define __CPASYNC_HALF_MEMORY(T)                                               \
  __CPASYNC_D T __shfl_sync(unsigned int, T, int, int = warpSize);             \
  __CPASYNC_D T __shfl_up_sync(unsigned int, T, unsigned int, int = warpSize); \
  __CPASYNC_D T __shfl_down_sync(unsigned int, T, unsigned int,                \
                                 int = warpSize);                              \
  __CPASYNC_D T __shfl_xor_sync(unsigned int, T, int, int = warpSize);         \
  __CPASYNC_D T __ldg(const T *);                                              \
  __CPASYNC_D T __ldca(const T *);                                             \
  __CPASYNC_D T __ldcg(const T *);                                             \
  __CPASYNC_D T __ldcs(const T *);                                             \
  __CPASYNC_D T __ldcv(const T *);                                             \
  __CPASYNC_D T __ldlu(const T *);                                             \
  __CPASYNC_D void __stcg(T *, T);                                             \
  __CPASYNC_D void __stcs(T *, T);                                             \
  __CPASYNC_D void __stwb(T *, T);                                             \
  __CPASYNC_D void __stwt(T *, T);                                             \
  __CPASYNC_D T atomicAdd(T *, T);

#define __CPASYNC_HALF_FUNCTIONS(N, T, T2)                                     \
  __CPASYNC_HALF_ARITHMETIC(T, T2)                                             \
  __CPASYNC_HALF_MATH(T, T2)                                                   \
  __CPASYNC_HALF_NAMED_CONVERSIONS(N, T, T2)                                   \
  __CPASYNC_HALF_MEMORY(T)                                                     \
  __CPASYNC_HALF_MEMORY(T2)

#endif // CPASYNC_HALF_FAMILY_H
