//===- Instantiator.h - Instances on trial ----------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_TEMPLATES_INSTANTIATOR_H
#define CPASYNC_LIB_TEMPLATES_INSTANTIATOR_H

#include "lib/support/Budget.h"
#include "clang/AST/TemplateBase.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class CXXRecordDecl;
class Decl;
class FunctionDecl;
class NamedDecl;
class Sema;
class TemplateDecl;
} // namespace clang

namespace cpasync {

/// Templates inside each other, from the outermost: those whose parameters a
/// function, or a class, hangs on.
struct TemplateLevels {
  std::vector<clang::TemplateDecl *> Levels;
  /// What is to be instantiated: a function with a body, or a class.
  const clang::NamedDecl *Pattern = nullptr;

  /// None: \p Pattern belongs to a partial specialisation, or the like.
  static std::optional<TemplateLevels> of(const clang::NamedDecl *Pattern);
  /// Of all levels, in order.
  std::vector<const clang::NamedDecl *> parameters() const;
};

/// For each parameter; none: its default, or an empty pack.
using TemplateArgumentChoice =
    std::vector<std::optional<clang::TemplateArgument>>;

/// Instantiates templates behind the end of the translation unit. Errors are
/// counted and told to nobody else.
class Instantiator {
public:
  /// \p Limits: of all instances together; they begin now.
  Instantiator(clang::Sema &S, CostLimits Limits) : S(S), Cost(Limits) {}

  struct Result {
    /// The instance, with what it calls; null: there is none.
    clang::NamedDecl *Instance = nullptr;
    unsigned Errors = 0;
    std::string FirstError; ///< "line 12: static assertion failed"
    bool isGood() const { return Instance && Errors == 0; }
  };

  /// In one file; from then on, behind a fatal error and when the budget is
  /// spent, each is an error.
  static constexpr unsigned MaxInstances = 2000;
  Result instantiate(const TemplateLevels &Of,
                     const TemplateArgumentChoice &Arguments);
  clang::Sema &sema() { return S; }

private:
  class ErrorCounter;
  clang::NamedDecl *make(const TemplateLevels &Of,
                         const TemplateArgumentChoice &Arguments);
  // Inside \p In, if that is not null; null if Clang gives up.
  clang::CXXRecordDecl *makeClass(clang::CXXRecordDecl *In,
                                  const clang::CXXRecordDecl *Pattern,
                                  clang::TemplateArgumentListInfo &Arguments);
  clang::FunctionDecl *makeFunction(clang::CXXRecordDecl *In,
                                    const clang::FunctionDecl *Pattern,
                                    clang::TemplateArgumentListInfo &Arguments);
  void defineConstructors(clang::CXXRecordDecl *Of);
  clang::CXXRecordDecl *complete(clang::CXXRecordDecl *C);

  clang::Sema &S;
  Budget Cost;
  unsigned Made = 0;
  /// Was being instantiated when an error came; there is no second error for
  /// it.
  llvm::DenseSet<const clang::Decl *> Broken;
};

} // namespace cpasync

#endif // CPASYNC_LIB_TEMPLATES_INSTANTIATOR_H
