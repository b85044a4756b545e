//===- LargeVariables.h - Arrays too large to initialise --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang evaluates how an array of class type is initialised that is global or
// shared, element by element, also where there is nothing to initialise:
// gigabytes and seconds for "__device__ float4 Buffer[1 << 26]", and the end of
// the process for more.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_LARGEVARIABLES_H
#define CPASYNC_TOOL_INPUT_LARGEVARIABLES_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace cpasync {

/// From now on every parse leaves large arrays without an initialiser as they
/// are if their elements need no constructor, and refuses them with an error at
/// their place if they do and no memory would be enough.
void spareLargeVariables();

/// The same for the shared variables of functions that \p PP reads from here
/// on, of which nobody hears unless they say so.
void markSharedVariables(clang::Preprocessor &PP);

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_LARGEVARIABLES_H
