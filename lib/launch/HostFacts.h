//===- HostFacts.h - Which host code shapes launches ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read once for a file: the variables that the block of a launch, or the kernel
// of one, may be computed from, and the statements that lead to a launch or
// change such a variable. Only these are followed.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_LAUNCH_HOSTFACTS_H
#define CPASYNC_LIB_LAUNCH_HOSTFACTS_H

#include "clang/AST/Type.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class Decl;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace cpasync {

/// What a call launches, and how many threads a block of it has; null: it is no
/// launch.
struct LaunchCall {
  const clang::Expr *Kernel = nullptr;
  const clang::Expr *Block = nullptr;  ///< dim3 or an integer
  const clang::Expr *Config = nullptr; ///< cudaLaunchConfig_t, or its address
  /// What the kernel is given; if it is an array of addresses, that.
  llvm::ArrayRef<const clang::Expr *> Arguments;
  const clang::Expr *Packed = nullptr;
  explicit operator bool() const { return Kernel; }
};
/// `<<<grid, block>>>`, cudaLaunchKernel and its like.
LaunchCall launchOf(const clang::CallExpr *E);

/// As \p F is defined; \p F itself if that is not seen.
const clang::FunctionDecl *definitionOf(const clang::FunctionDecl *F);

/// A member of a string, a vector and the like: what they hold is on a heap,
/// which is not followed.
bool isOnHeap(const clang::FunctionDecl *F);

/// The arguments of \p E that are bound to parameters: without the object that
/// an operator is called on.
llvm::ArrayRef<const clang::Expr *> boundArguments(const clang::CallExpr *E);
/// The object that \p E is called on; null: none.
const clang::Expr *objectOf(const clang::CallExpr *E);

/// The variables that \p S itself, without what it is made of, assigns to or
/// gives to a function that may; of the members of an object, \p Method, which
/// it is a part of.
void forEachChanged(const clang::Stmt *S, const clang::FunctionDecl *Method,
                    llvm::function_ref<void(const clang::Decl *)> Do);

/// Whether a function can change through \p Type what it is given.
bool givesAway(clang::QualType Type);

class HostFacts {
public:
  explicit HostFacts(clang::ASTContext &Ctx);

  /// Where to begin: functions that lead to a launch, those that nobody in the
  /// file calls first.
  llvm::ArrayRef<const clang::FunctionDecl *> roots() const { return Roots; }
  /// Those that \p F calls and that lead to a launch, in the order of the file.
  llvm::ArrayRef<const clang::FunctionDecl *>
  leadingCallees(const clang::FunctionDecl *F) const;
  /// A launch may be computed from what \p D, a variable or what a function
  /// returns, holds.
  bool isWanted(const clang::Decl *D) const { return Wanted.contains(D); }
  /// \p F leads to a launch, or changes something wanted that is not its own.
  bool isActive(const clang::FunctionDecl *F) const {
    return Active.contains(F);
  }
  /// \p S, a part of \p F, leads to a launch, changes what is wanted, or goes
  /// elsewhere than to what follows.
  bool matters(const clang::Stmt *S, const clang::FunctionDecl *F);
  /// Something else than its initialisation changes \p D, too.
  bool isAssigned(const clang::Decl *D) const { return Assigned.contains(D); }

private:
  llvm::SmallVector<const clang::FunctionDecl *, 0> Roots;
  llvm::DenseMap<const clang::FunctionDecl *,
                 llvm::SmallVector<const clang::FunctionDecl *, 2>>
      Leads;
  llvm::DenseSet<const clang::Decl *> Wanted, Assigned;
  /// Functions that launch, or change something wanted that is not theirs.
  llvm::DenseSet<const clang::Decl *> Active;
  llvm::DenseMap<const clang::Stmt *, bool> Matters;
};

} // namespace cpasync

#endif // CPASYNC_LIB_LAUNCH_HOSTFACTS_H
