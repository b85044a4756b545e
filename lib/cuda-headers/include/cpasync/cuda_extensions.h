//===- cuda_extensions.h - Arithmetic of namespace cuda --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUDA_EXTENSIONS_H
#define CPASYNC_CUDA_EXTENSIONS_H

#include <cpasync/qualifiers.h>

namespace cuda {

template <class T, class U>
__CPASYNC_HD constexpr T ceil_div(const T A, const U B) {
  return (T)((A + B - 1) / B);
}
template <class T, class U>
__CPASYNC_HD constexpr T round_up(const T A, const U B) {
  return (T)((A + B - 1) / B * B);
}
template <class T, class U>
__CPASYNC_HD constexpr T round_down(const T A, const U B) {
  return (T)(A / B * B);
}

} // namespace cuda

#endif // CPASYNC_CUDA_EXTENSIONS_H
