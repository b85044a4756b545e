//===- GlobalPointers.h - Pointers that do not lead to shared ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel is given leads to global memory, and so does what it hands on.
// What is read and written there is nothing to the analysis, nor are conditions
// around that.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_GLOBALPOINTERS_H
#define CPASYNC_LIB_SOURCE_GLOBALPOINTERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CallExpr;
class Expr;
class FunctionDecl;
class ParmVarDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace cpasync {

class GlobalPointers {
public:
  /// Nothing runs that \p Roots do not lead to. Without this, no pointer is
  /// known.
  void follow(llvm::ArrayRef<const clang::FunctionDecl *> Roots);

  /// \p Pointer is a parameter of a kernel, or is computed from one, perhaps
  /// in the functions that it is handed to.
  bool isGlobal(const clang::Expr *Pointer);

  /// \p Place is memory that a global pointer leads to.
  bool isBehindGlobal(const clang::Expr *Place);
  /// \p P is a structure that a kernel is given, or a reference to one.
  bool isGiven(const clang::ParmVarDecl *P);

private:
  /// \p E is one, or part of it.
  bool isGiven(const clang::Expr *E);
  bool isGlobal(const clang::VarDecl *V);
  /// The kernel's own, or all calls give something of which \p Holds is true.
  bool isFromKernel(const clang::ParmVarDecl *P,
                    llvm::function_ref<bool(const clang::Expr *)> Holds);
  /// Reads the body of \p F; adds to \p Work what it may call.
  void read(const clang::FunctionDecl *F,
            llvm::SmallVectorImpl<const clang::FunctionDecl *> &Work);
  /// Somebody may give \p V, of the function \p F, another place to lead to.
  bool isReplaced(const clang::VarDecl *V, const clang::FunctionDecl *F) const;

  /// By the definition of what is called.
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<const clang::CallExpr *, 2>>
      Calls;
  llvm::DenseSet<const clang::FunctionDecl *> Read;
  /// Others may call them.
  llvm::DenseSet<const clang::FunctionDecl *> Escaping;
  /// Named where they are neither read nor moved on by a number.
  llvm::DenseSet<const clang::VarDecl *> Replaced;
  llvm::DenseMap<const clang::VarDecl *, bool> Known;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_GLOBALPOINTERS_H
