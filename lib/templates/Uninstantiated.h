//===- Uninstantiated.h - Templates nobody instantiates ---------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A header of templates says nothing until somebody instantiates them. Where
// the file that is looked at does not, instances are made here, with arguments
// that are guessed (ArgumentChoices.h) and for which everything compiles.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_TEMPLATES_UNINSTANTIATED_H
#define CPASYNC_LIB_TEMPLATES_UNINSTANTIATED_H

#include "lib/Options.h"
#include "lib/source/DeviceFunctions.h"
#include "clang/Basic/SourceLocation.h"
#include <string>
#include <vector>

namespace cpasync {

struct MadeUpInstance {
  const clang::FunctionDecl *F;
  std::string Arguments; ///< "T = float, Stages = 2"
};

struct UninstantiatedTemplate {
  const clang::FunctionDecl *Pattern;
  std::vector<MadeUpInstance> Instances;
  std::string Why; ///< there are none: "nothing tells what 'P' may be"
  bool Copies;     ///< as it is written, whatever it is given
};

/// Kernels with copies that hang on template parameters and have no instance,
/// and device functions that \p Options ask for, those apart that an instance
/// made here of another calls.
std::vector<UninstantiatedTemplate>
uninstantiatedTemplates(clang::ASTContext &Ctx, const DeviceFunctions &Declared,
                        const AnalysisOptions &Options);

} // namespace cpasync

#endif // CPASYNC_LIB_TEMPLATES_UNINSTANTIATED_H
