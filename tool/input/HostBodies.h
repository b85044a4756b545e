//===- HostBodies.h - Host code that is not parsed --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_HOSTBODIES_H
#define CPASYNC_TOOL_INPUT_HOSTBODIES_H

#include "llvm/ADT/ArrayRef.h"

namespace cpasync {

/// Flags that let Clang not parse the bodies of functions in system headers
/// that only the host calls: much of a file that includes PyTorch or the
/// standard library. No kernel and no finding depends on
/// them: see the reasons in HostBodies.cpp.
llvm::ArrayRef<const char *> skipHostBodies();

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_HOSTBODIES_H
