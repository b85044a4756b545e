//===- EnginePart.h - A part of what walks the paths ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_ENGINEPART_H
#define CPASYNC_LIB_ENGINE_ENGINEPART_H

#include "lib/interp/Interpreter.h"

namespace cpasync {

class Executor;

/// A part of what walks the paths; it may ask the interpreter for values.
class EnginePart : protected InterpPart {
public:
  EnginePart(Interpreter &Interp, Executor &Paths)
      : InterpPart(Interp), Paths(Paths) {}

protected:
  Executor &Paths;
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_ENGINEPART_H
