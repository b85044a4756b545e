//===- GridConstants.h - Parameters that stay where they are ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_GRIDCONSTANTS_H
#define CPASYNC_LIB_INFERENCE_GRIDCONSTANTS_H

#include "clang/AST/Decl.h"

namespace cpasync {

/// \p Parameter, of a kernel, is __grid_constant__: its address is that of the
/// parameter, not of a copy. CUDA, "__grid_constant__ Parameters". A guess:
/// libraries have a macro for it that is empty where Clang compiles, and is
/// known by its name.
bool isGridConstant(const clang::ParmVarDecl *Parameter);

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_GRIDCONSTANTS_H
