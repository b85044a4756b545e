//===- sm_35_atomic_functions.h - Device functions since sm_35 --*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_SM_35_ATOMIC_FUNCTIONS_H
#define CPASYNC_SM_35_ATOMIC_FUNCTIONS_H

#include <cpasync/names_begin.h>

#include <cpasync/runtime_api.h>

#include <cpasync/names_end.h>

#endif // CPASYNC_SM_35_ATOMIC_FUNCTIONS_H
