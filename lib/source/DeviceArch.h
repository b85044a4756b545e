//===- DeviceArch.h - What is compiled for ----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_DEVICEARCH_H
#define CPASYNC_LIB_SOURCE_DEVICEARCH_H

namespace clang {
class ASTContext;
} // namespace clang

namespace cpasync {

/// 900 for sm_90 and sm_90a, as __CUDA_ARCH__; 0 if it is not known.
unsigned deviceArch(const clang::ASTContext &Ctx);

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_DEVICEARCH_H
