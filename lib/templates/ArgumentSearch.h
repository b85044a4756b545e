//===- ArgumentSearch.h - Arguments that compile ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_TEMPLATES_ARGUMENTSEARCH_H
#define CPASYNC_LIB_TEMPLATES_ARGUMENTSEARCH_H

#include "lib/templates/Instantiator.h"

namespace cpasync {

/// Arguments that a parameter may have, most likely first.
struct ParameterChoices {
  std::vector<clang::TemplateArgument> All; ///< none: it keeps its default
  /// So many at the front may be meant; the others only if these do not
  /// compile.
  unsigned Likely = 3;
};

struct FoundInstance {
  clang::NamedDecl *Instance = nullptr;
  TemplateArgumentChoice Arguments;
};

/// Instances with as different arguments as can be, \p Most at most, for which
/// everything compiles: static assertions hold. \p Choices are those of
/// argumentChoices(). If there is none, \p Why says what stood against the
/// first choice.
std::vector<FoundInstance>
findInstances(const TemplateLevels &Of,
              llvm::ArrayRef<ParameterChoices> Choices, unsigned Most,
              Instantiator &Tries, std::string &Why);

/// "T = float, Stages = 2".
std::string textOf(const TemplateLevels &Of,
                   const TemplateArgumentChoice &Arguments,
                   const clang::ASTContext &Ctx);

} // namespace cpasync

#endif // CPASYNC_LIB_TEMPLATES_ARGUMENTSEARCH_H
