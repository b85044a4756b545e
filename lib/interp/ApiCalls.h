//===- ApiCalls.h - Functions with a meaning of their own -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_APICALLS_H
#define CPASYNC_LIB_INTERP_APICALLS_H

#include "lib/interp/InterpPart.h"

namespace cpasync {

/// What is called by a name of AsyncApis.def.
class ApiCalls : InterpPart {
public:
  using InterpPart::InterpPart;

  bool callApi(State &S, const clang::CallExpr *E, ApiKind K,
               const clang::FunctionDecl *F);
  Value specialRegister(llvm::StringRef Name);

private:
  /// memcpy and memmove, or memset.
  void moveMemory(State &S, const clang::CallExpr *E, bool IsCopy);
  void matrixAccess(State &S, const clang::CallExpr *E, bool IsLoad);

  llvm::StringMap<const Int *> Registers;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_APICALLS_H
