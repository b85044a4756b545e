//===- SpecialRegisters.h - threadIdx and the like --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_SPECIALREGISTERS_H
#define CPASYNC_LIB_INTERP_SPECIALREGISTERS_H

#include "lib/interp/ShapeWatch.h"

namespace cpasync {

/// Special registers (PTX ISA, Special Registers).
class SpecialRegisters : InterpPart {
public:
  explicit SpecialRegisters(Interpreter &Interp)
      : InterpPart(Interp), Uses(Interp) {}

  /// \p Name as in PTX, without '%': "tid.x". Unknown if it is not followed.
  Value read(llvm::StringRef Name);

  ShapeWatch Uses; ///< what the kernel does with the numbers of its threads

private:
  /// What names a block in the grid, or in its cluster; unknown: another name.
  Value ofBlock(llvm::StringRef Name);

  llvm::StringMap<const Int *> Known;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_SPECIALREGISTERS_H
