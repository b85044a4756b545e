//===- sm_20_intrinsics.h - Device functions since sm_20 -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_SM_20_INTRINSICS_H
#define CPASYNC_SM_20_INTRINSICS_H

#include <cpasync/names_begin.h>

#include <cpasync/runtime_api.h>

#include <cpasync/names_end.h>

#endif // CPASYNC_SM_20_INTRINSICS_H
