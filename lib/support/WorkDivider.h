//===- WorkDivider.h - Work in several processes ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SUPPORT_WORKDIVIDER_H
#define CPASYNC_LIB_SUPPORT_WORKDIVIDER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>

namespace cpasync {

/// Has Work do the pieces 0 to Count - 1, here or in copies of this process,
/// and hands to Take, here and in that order, what it returned for each. A
/// piece that was lost with its process is left out.
using WorkDivider = std::function<void(
    size_t Count, llvm::function_ref<std::string(size_t)> Work,
    llvm::function_ref<void(size_t, llvm::StringRef)> Take)>;

} // namespace cpasync

#endif // CPASYNC_LIB_SUPPORT_WORKDIVIDER_H
