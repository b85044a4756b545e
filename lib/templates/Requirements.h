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
class CXXRecordDecl;
class NamedDecl;
class NonTypeTemplateParmDecl;
class TemplateTypeParmDecl;
} // namespace clang

namespace cpasync {

/// Read off a template as it is written; of what it calls, the names.
class Requirements {
public:
  explicit Requirements(const clang::NamedDecl *Pattern);

  struct OfType {
    /// "T::Stages", "x.size()"; operator() of what is called.
    std::set<clang::DeclarationName> Members;
    /// "T::Op::identity": what is asked of a type that is a member.
    std::set<std::pair<clang::DeclarationName, clang::DeclarationName>>
        OfMembers;
  };
  bool any() const { return !Types.empty(); }
  /// What a number is for that is handed on as it is, and nothing else.
  enum class Role {
    Any,
    WaitCount, ///< groups that a wait leaves in flight: its caller knows how
               ///< many
    CopySize,  ///< bytes
  };
  struct OfNumber {
    Role Is = Role::Any;
    unsigned Uses = 0, HandedOn = 0;
  };
  const OfNumber &of(const clang::NonTypeTemplateParmDecl *P) const;

  const OfType &of(const clang::TemplateTypeParmDecl *P) const;
  /// Whoever uses an instance of a class asks that of what it hands on:
  /// "using Op = T;".
  void askOfMembers(const clang::CXXRecordDecl *Pattern, const OfType &Of);

private:
  // By depth and index.
  std::map<std::pair<unsigned, unsigned>, OfType> Types;
  std::map<std::pair<unsigned, unsigned>, OfNumber> Numbers;
};

} // namespace cpasync

#endif // CPASYNC_LIB_TEMPLATES_REQUIREMENTS_H
