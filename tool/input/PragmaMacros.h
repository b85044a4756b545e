//===- PragmaMacros.h - Macros that stand for a pragma ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc takes `#define UNROLL #pragma unroll` and lets UNROLL unroll the loop
// behind it; older CuTe is full of it. Standard C++ has `_Pragma("unroll")` for
// that, and such a macro is read as if it had been written so.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_PRAGMAMACROS_H
#define CPASYNC_TOOL_INPUT_PRAGMAMACROS_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace cpasync {

/// From here on, \p PP reads such macros so.
void acceptPragmaMacros(clang::Preprocessor &PP);

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_PRAGMAMACROS_H
