//===- VirtualCalls.h - What a virtual call may run -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_VIRTUALCALLS_H
#define CPASYNC_LIB_SOURCE_VIRTUALCALLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class CallExpr;
class CXXMethodDecl;
class CXXRecordDecl;
class FunctionDecl;
} // namespace clang

namespace cpasync {

class VirtualCalls {
public:
  explicit VirtualCalls(clang::ASTContext &Ctx) : Ctx(Ctx) {}

  /// Methods of the translation unit that override \p F, directly or not.
  llvm::ArrayRef<const clang::CXXMethodDecl *>
  overridersOf(const clang::FunctionDecl *F);

  /// The method that \p Call names, if that does not say which one runs: it is
  /// virtual, and neither the class nor the spelling is final.
  static const clang::CXXMethodDecl *openCallee(const clang::CallExpr *Call);

private:
  clang::ASTContext &Ctx;
  bool IsFilled = false; ///< when somebody asks for a virtual method
  llvm::DenseMap<const clang::CXXMethodDecl *,
                 llvm::SmallVector<const clang::CXXMethodDecl *, 2>>
      Overriders;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_VIRTUALCALLS_H
