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
  /// A gap; true.
  bool unmodelled(State &S, const clang::CallExpr *E,
                  const clang::FunctionDecl *F);
  void callOfCopies(State &S, const clang::CallExpr *E, ApiKind K,
                    const clang::FunctionDecl *F);
  /// The value, or the place, of that argument; unknown if there is none.
  Value arg(State &S, const clang::CallExpr *E, unsigned I);
  void blockBarrier(State &S, const clang::CallExpr *E,
                    const clang::FunctionDecl *F);
  void copyIntrinsic(State &S, const clang::CallExpr *E,
                     const clang::FunctionDecl *F);
  void pipelineCopy(State &S, const clang::CallExpr *E);
  void atomic(State &S, const clang::CallExpr *E);
  void readSpecialRegister(State &S, const clang::CallExpr *E,
                           const clang::FunctionDecl *F);
  bool extremum(State &S, const clang::CallExpr *E, Atom::Op Which);
  /// memcpy and memmove, or memset.
  void moveMemory(State &S, const clang::CallExpr *E, bool IsCopy);
  void matrixAccess(State &S, const clang::CallExpr *E, bool IsLoad);

  llvm::StringMap<const Int *> Registers;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_APICALLS_H
