//===- DeviceFunctions.h - What a file has for the device -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_DEVICEFUNCTIONS_H
#define CPASYNC_LIB_SOURCE_DEVICEFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace clang {
class ASTContext;
class ClassTemplateDecl;
class CXXRecordDecl;
class FunctionDecl;
} // namespace clang

namespace cpasync {

/// Each list in the order of the source, instances behind their template.
struct DeviceFunctions {
  explicit DeviceFunctions(clang::ASTContext &Ctx);

  /// With a body, and no template parameters left.
  std::vector<clang::FunctionDecl *> Kernels, Functions;
  /// With a body that hangs on template parameters, their own or those of a
  /// class around them.
  std::vector<clang::FunctionDecl *> KernelPatterns, FunctionPatterns;
  /// Instances of kernels that Clang gave up at an error.
  std::vector<clang::FunctionDecl *> Failed;
  /// Defined outside functions; of these, templates apart.
  std::vector<clang::CXXRecordDecl *> Classes;
  std::vector<clang::ClassTemplateDecl *> ClassTemplates;
};

/// Calls \p Read with the body of each of \p Roots, and with what it adds to
/// its second argument; with none that is in \p Done.
void forEachReached(llvm::ArrayRef<const clang::FunctionDecl *> Roots,
                    llvm::DenseSet<const clang::FunctionDecl *> &Done,
                    llvm::function_ref<void(
                        const clang::FunctionDecl *,
                        llvm::SmallVectorImpl<const clang::FunctionDecl *> &)>
                        Read);

/// The definition of \p F, which may be null; null: this file has none.
const clang::FunctionDecl *bodyOf(const clang::FunctionDecl *F);

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_DEVICEFUNCTIONS_H
