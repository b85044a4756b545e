//===- assert.h - libcu++'s assertions with NDEBUG --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With NDEBUG, as in every release build, the toolkit's header declares
// __assert_fail once more, for host and device, and Clang refuses that: it has a
// device version of its own.
//
//===----------------------------------------------------------------------===//

#pragma push_macro("NDEBUG")
#undef NDEBUG
#include_next <cuda/std/__cccl/assert.h>
#pragma pop_macro("NDEBUG")
// What assert() means follows NDEBUG again.
#include <assert.h>
