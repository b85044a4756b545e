//===- GridConstants.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/GridConstants.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

/// Longer declarations are not looked through.
static constexpr unsigned MaxBefore = 200;

bool cpasync::isGridConstant(const ParmVarDecl *Parameter) {
  if (Parameter->hasAttr<CUDAGridConstantAttr>())
    return true;
  const SourceManager &SM = Parameter->getASTContext().getSourceManager();
  const auto [File, Name] =
      SM.getDecomposedExpansionLoc(Parameter->getLocation());
  bool IsInvalid = false;
  const llvm::StringRef Text = SM.getBufferData(File, &IsInvalid);
  if (IsInvalid || Name > Text.size())
    return false;
  const llvm::StringRef Before = Text.take_front(Name).take_back(MaxBefore);
  const size_t Begin = Before.find_last_of("(,");
  return Begin != llvm::StringRef::npos &&
         Before.substr(Begin).contains_insensitive("grid_constant");
}
