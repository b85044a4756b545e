//===- device_launch_parameters.h - threadIdx and friends ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_DEVICE_LAUNCH_PARAMETERS_H
#define CPASYNC_DEVICE_LAUNCH_PARAMETERS_H

#include <cpasync/names_begin.h>

#include <cpasync/runtime_api.h>

#include <cpasync/names_end.h>

#endif // CPASYNC_DEVICE_LAUNCH_PARAMETERS_H
