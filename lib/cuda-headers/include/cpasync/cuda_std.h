//===- cuda_std.h - cuda::std is std here ----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// libcu++ mirrors the standard library with functions for both sides. Here its
// names are the host library's, whose constexpr functions Clang accepts in
// device code.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CUDA_STD_H
#define CPASYNC_CUDA_STD_H

#include <stddef.h>
#include <stdint.h>

namespace std {}

namespace cuda {
namespace std {

using namespace ::std;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;

} // namespace std
} // namespace cuda

#endif // CPASYNC_CUDA_STD_H
