//===- ApiCall.h - Calls with a meaning of their own ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_APICALL_H
#define CPASYNC_LIB_INTERP_APICALL_H

#include "lib/interp/Interpreter.h"

namespace cpasync {

/// A call of a function of AsyncApis.def, on the path \p S.
struct ApiCall {
  Interpreter &I;
  State &S;
  const clang::CallExpr *E;
  const clang::FunctionDecl *Callee;
  const ApiKind Kind;

  clang::SourceLocation loc() const { return E->getBeginLoc(); }
  /// The value, or the place, of that argument; unknown if there is none.
  Value arg(unsigned Index) const;
  /// What the call gives to its caller.
  void setResult(Value Result) const { I.Frames.setTemp(S, E, Result); }
};

/// What runs them. False: the call is none that this handles, and the body of
/// the function says what it does.
namespace apis {
#define ASYNC_API(Kind, Effects, Handler, ...) bool Handler(const ApiCall &C);
#include "lib/source/AsyncApis.def"

/// Copies or waits in a way that is not analysed yet: says so.
bool unmodelled(const ApiCall &C);

/// By the handler of its kind.
bool run(const ApiCall &C);
} // namespace apis

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_APICALL_H
