//===- thrust/complex.h - Complex numbers of Thrust -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The one header of Thrust that PyTorch's own headers cannot do without.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_THRUST_COMPLEX_H
#define CPASYNC_THRUST_COMPLEX_H

#include <cpasync/names_begin.h>

#include <cpasync/qualifiers.h>

namespace thrust {

template <class T> struct complex {
  typedef T value_type;

  __CPASYNC_HD complex(const T &re = T(), const T &im = T())
      : re_(re), im_(im) {}
  template <class U>
  __CPASYNC_HD complex(const complex<U> &z)
      : re_(T(z.real())), im_(T(z.imag())) {}

  __CPASYNC_HD T real() const { return re_; }
  __CPASYNC_HD T imag() const { return im_; }
  __CPASYNC_HD void real(T re) { re_ = re; }
  __CPASYNC_HD void imag(T im) { im_ = im; }

#define __CPASYNC_ASSIGN(OP)                                                   \
  template <class U> __CPASYNC_HD complex &operator OP(const U &);
  __CPASYNC_ASSIGN(+=)
  __CPASYNC_ASSIGN(-=)
  __CPASYNC_ASSIGN(*=)
  __CPASYNC_ASSIGN(/=)
#undef __CPASYNC_ASSIGN

private:
  T re_, im_;
};

#define __CPASYNC_BINARY(RESULT, NAME)                                         \
  template <class T>                                                           \
  __CPASYNC_HD RESULT NAME(const complex<T> &, const complex<T> &);            \
  template <class T> __CPASYNC_HD RESULT NAME(const complex<T> &, const T &);  \
  template <class T> __CPASYNC_HD RESULT NAME(const T &, const complex<T> &);
__CPASYNC_BINARY(complex<T>, operator+)
__CPASYNC_BINARY(complex<T>, operator-)
__CPASYNC_BINARY(complex<T>, operator*)
__CPASYNC_BINARY(complex<T>, operator/)
__CPASYNC_BINARY(bool, operator==)
__CPASYNC_BINARY(bool, operator!=)
__CPASYNC_BINARY(complex<T>, pow)
#undef __CPASYNC_BINARY

#define __CPASYNC_UNARY(RESULT, NAME)                                          \
  template <class T> __CPASYNC_HD RESULT NAME(const complex<T> &);
__CPASYNC_UNARY(T, abs)
__CPASYNC_UNARY(T, arg)
__CPASYNC_UNARY(T, norm)
__CPASYNC_UNARY(complex<T>, operator+)
__CPASYNC_UNARY(complex<T>, operator-)
__CPASYNC_UNARY(complex<T>, conj)
__CPASYNC_UNARY(complex<T>, proj)
__CPASYNC_UNARY(complex<T>, exp)
__CPASYNC_UNARY(complex<T>, log)
__CPASYNC_UNARY(complex<T>, log10)
__CPASYNC_UNARY(complex<T>, sqrt)
__CPASYNC_UNARY(complex<T>, sin)
__CPASYNC_UNARY(complex<T>, cos)
__CPASYNC_UNARY(complex<T>, tan)
__CPASYNC_UNARY(complex<T>, sinh)
__CPASYNC_UNARY(complex<T>, cosh)
__CPASYNC_UNARY(complex<T>, tanh)
__CPASYNC_UNARY(complex<T>, asin)
__CPASYNC_UNARY(complex<T>, acos)
__CPASYNC_UNARY(complex<T>, atan)
__CPASYNC_UNARY(complex<T>, asinh)
__CPASYNC_UNARY(complex<T>, acosh)
__CPASYNC_UNARY(complex<T>, atanh)
#undef __CPASYNC_UNARY

template <class T> __CPASYNC_HD complex<T> polar(const T &, const T & = T());

} // namespace thrust

#include <cpasync/names_end.h>

#endif // CPASYNC_THRUST_COMPLEX_H
