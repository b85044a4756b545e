//===- ComparedNumbers.h - Floating point that decides ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floating-point numbers are computed with, and nothing else hangs on them. But
// for a factor: `if (Beta != 0)` the source is copied, and later, if so, waited
// for. Those that are compared with zero or with each other are followed as
// integers are, and so is what they are copies of.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_COMPAREDNUMBERS_H
#define CPASYNC_LIB_SOURCE_COMPAREDNUMBERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class Expr;
class FunctionDecl;
class Stmt;
class ValueDecl;
} // namespace clang

namespace cpasync {

class Layouts;

class ComparedNumbers {
public:
  explicit ComparedNumbers(const Layouts &Constants) : Constants(Constants) {}

  /// Nothing runs that \p Roots do not lead to.
  void follow(llvm::ArrayRef<const clang::FunctionDecl *> Roots);

  /// \p D, a variable or a member, is one.
  bool contains(const clang::ValueDecl *D) const { return Known.contains(D); }
  /// \p E is the name of one.
  bool isOne(const clang::Expr *E) const;

private:
  void read(const clang::FunctionDecl *F,
            llvm::SmallVectorImpl<const clang::FunctionDecl *> &Work);
  /// \p S compares, or copies from one to another.
  void note(const clang::Stmt *S);
  void noteComparison(const clang::Expr *A, const clang::Expr *B);
  /// \p To is made a copy of \p From.
  void noteCopy(const clang::ValueDecl *To, const clang::Expr *From);
  /// What is compared, and copies, but for what is changed by pointers.
  void close();

  const Layouts &Constants;
  llvm::DenseSet<const clang::FunctionDecl *> Read;
  llvm::DenseSet<const clang::ValueDecl *> Compared, Known;
  /// Somebody has a pointer or a reference to them.
  llvm::DenseSet<const clang::ValueDecl *> Escaping;
  llvm::DenseMap<const clang::ValueDecl *,
                 llvm::SmallVector<const clang::ValueDecl *, 2>>
      CopiedFrom;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_COMPAREDNUMBERS_H
