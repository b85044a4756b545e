//===- vector_types.h - char1 ... double4, dim3 ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Layout and alignment are CUDA's (checked in test/headers/vector_types.cu):
// two- and four-element vectors are aligned to their size up to 16 bytes, the
// three-element ones to their element.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_VECTOR_TYPES_H
#define CPASYNC_VECTOR_TYPES_H

#include <cpasync/qualifiers.h>

#define __CPASYNC_MAKE static __inline__ __CPASYNC_HD

// NAME1..NAME4 of ELEM, aligned to A2 and A4, and their make_ functions.
#define __CPASYNC_VECTORS(NAME, ELEM, A2, A4)                                  \
  struct NAME##1 { ELEM x; };                                                  \
  struct __align__(A2) NAME##2 { ELEM x, y; };                                 \
  struct NAME##3 { ELEM x, y, z; };                                            \
  struct __align__(A4) NAME##4 { ELEM x, y, z, w; };                           \
  __CPASYNC_MAKE NAME##1 make_##NAME##1(ELEM x) { return {x}; }                \
  __CPASYNC_MAKE NAME##2 make_##NAME##2(ELEM x, ELEM y) { return {x, y}; }     \
  __CPASYNC_MAKE NAME##3 make_##NAME##3(ELEM x, ELEM y, ELEM z) {              \
    return {x, y, z};                                                          \
  }                                                                            \
  __CPASYNC_MAKE NAME##4 make_##NAME##4(ELEM x, ELEM y, ELEM z, ELEM w) {      \
    return {x, y, z, w};                                                       \
  }

// The explicitly aligned four-element types that CUDA 13 adds.
#define __CPASYNC_VECTORS4(NAME, ELEM)                                         \
  struct __align__(16) NAME##4_16a { ELEM x, y, z, w; };                       \
  struct __align__(32) NAME##4_32a { ELEM x, y, z, w; };                       \
  __CPASYNC_MAKE NAME##4_16a make_##NAME##4_16a(ELEM x, ELEM y, ELEM z,        \
                                                ELEM w) {                      \
    return {x, y, z, w};                                                       \
  }                                                                            \
  __CPASYNC_MAKE NAME##4_32a make_##NAME##4_32a(ELEM x, ELEM y, ELEM z,        \
                                                ELEM w) {                      \
    return {x, y, z, w};                                                       \
  }

__CPASYNC_VECTORS(char, signed char, 2, 4)
__CPASYNC_VECTORS(uchar, unsigned char, 2, 4)
__CPASYNC_VECTORS(short, short, 4, 8)
__CPASYNC_VECTORS(ushort, unsigned short, 4, 8)
__CPASYNC_VECTORS(int, int, 8, 16)
__CPASYNC_VECTORS(uint, unsigned int, 8, 16)
__CPASYNC_VECTORS(long, long, (2 * sizeof(long)), 16)
__CPASYNC_VECTORS(ulong, unsigned long, (2 * sizeof(long)), 16)
__CPASYNC_VECTORS(longlong, long long, 16, 16)
__CPASYNC_VECTORS(ulonglong, unsigned long long, 16, 16)
__CPASYNC_VECTORS(float, float, 8, 16)
__CPASYNC_VECTORS(double, double, 16, 16)
__CPASYNC_VECTORS4(long, long)
__CPASYNC_VECTORS4(ulong, unsigned long)
__CPASYNC_VECTORS4(longlong, long long)
__CPASYNC_VECTORS4(ulonglong, unsigned long long)
__CPASYNC_VECTORS4(double, double)

#undef __CPASYNC_VECTORS
#undef __CPASYNC_VECTORS4
#undef __CPASYNC_MAKE

/// Extent of a grid or block; unset dimensions are 1.
struct dim3 {
  unsigned int x, y, z;
  __CPASYNC_HD constexpr dim3(unsigned int X = 1, unsigned int Y = 1,
                              unsigned int Z = 1)
      : x(X), y(Y), z(Z) {}
  __CPASYNC_HD constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  __CPASYNC_HD constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif // CPASYNC_VECTOR_TYPES_H
