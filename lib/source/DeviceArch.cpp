//===- DeviceArch.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/DeviceArch.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/TargetInfo.h"

using namespace clang;

unsigned cpasync::deviceArch(const ASTContext &Ctx) {
  llvm::StringRef Cpu = Ctx.getTargetInfo().getTargetOpts().CPU;
  if (!Cpu.consume_front("sm_"))
    return 0;
  unsigned Number = 0;
  Cpu.consumeInteger(10, Number);
  return Number * 10;
}
