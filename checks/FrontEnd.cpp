//===- FrontEnd.cpp - Between the clang-tidy module and the tool ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/FrontEnd.h"

cpasync::FrontEnd &cpasync::frontEnd() {
  static FrontEnd TheFrontEnd;
  return TheFrontEnd;
}
