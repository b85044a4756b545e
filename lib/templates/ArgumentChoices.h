//===- ArgumentChoices.h - What a template may be meant for -----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This room guesses. A number is guessed from the words in its parameter's
// name, a type from what the template asks of it: the members that it names,
// and whether it is called. Nothing here is a rule of C++ or CUDA; whether a
// guess is good, Clang says, and what comes of it is told with the guess.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_TEMPLATES_ARGUMENTCHOICES_H
#define CPASYNC_LIB_TEMPLATES_ARGUMENTCHOICES_H

#include "lib/source/DeviceFunctions.h"
#include "lib/templates/ArgumentSearch.h"
#include "llvm/ADT/StringRef.h"

namespace cpasync {

/// Numbers that a parameter of this name may stand for, most likely first; of
/// different sizes at the front.
llvm::ArrayRef<int> likelyNumbers(llvm::StringRef ParameterName);

/// For each parameter of \p Of the arguments that it may have, most likely
/// first; none of one: it keeps its default. No list: nothing is known that a
/// parameter may stand for, and \p Unknown is its name. Class templates of the
/// file that may be meant are instantiated, with arguments that are guessed.
std::optional<std::vector<ParameterChoices>>
argumentChoices(const TemplateLevels &Of, const DeviceFunctions &Declared,
                Instantiator &Tries, std::string &Unknown);

} // namespace cpasync

#endif // CPASYNC_LIB_TEMPLATES_ARGUMENTCHOICES_H
