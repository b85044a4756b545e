//===- Requirements.h - What a template asks of a type ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_TEMPLATES_REQUIREMENTS_H
#define CPASYNC_LIB_TEMPLATES_REQUIREMENTS_H

#include "clang/AST/DeclarationName.h"
#include <map>
#include <set>
#include <utility>

namespace clang {
class NamedDecl;
class TemplateTypeParmDecl;
} // namespace clang

namespace cpasync {

/// Read off a template as it is written; of what it calls, nothing.
class Requirements {
public:
  explicit Requirements(const clang::NamedDecl *Pattern);

  struct OfType {
    /// "T::Stages", "x.size()"; operator() of what is called.
    std::set<clang::DeclarationName> Members;
  };
  bool any() const { return !Types.empty(); }
  const OfType &of(const clang::TemplateTypeParmDecl *P) const;

private:
  std::map<std::pair<unsigned, unsigned>, OfType> Types; ///< by depth and index
};

} // namespace cpasync

#endif // CPASYNC_LIB_TEMPLATES_REQUIREMENTS_H
