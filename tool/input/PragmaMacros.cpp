//===- PragmaMacros.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/PragmaMacros.h"
#include "tool/input/MacroTokens.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace cpasync;

namespace {
class PragmaMacros : public PPCallbacks {
public:
  explicit PragmaMacros(Preprocessor &PP) : PP(PP) {}

  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    const MacroInfo *Old = MD->getMacroInfo();
    if (!Old->isObjectLike() || Old->getNumTokens() < 2 ||
        Old->getReplacementToken(0).isNot(tok::hash))
      return;
    const Token &Second = Old->getReplacementToken(1);
    if (Second.isNot(tok::identifier) ||
        !Second.getIdentifierInfo()->isStr("pragma"))
      return;
    // Its words between quotes: a pragma of loops has none of its own.
    std::string Words = "\"";
    for (unsigned I = 2; I < Old->getNumTokens(); ++I)
      Words += (I > 2 ? " " : "") + PP.getSpelling(Old->getReplacementToken(I));
    Words += '"';
    MacroTokens Tokens(PP, *Old);
    Tokens.add("_Pragma");
    Tokens.add(tok::l_paren);
    Tokens.addString(Words);
    Tokens.add(tok::r_paren);
    Tokens.replace(Name);
  }

private:
  Preprocessor &PP;
};
} // namespace

void cpasync::acceptPragmaMacros(Preprocessor &PP) {
  PP.addPPCallbacks(std::make_unique<PragmaMacros>(PP));
}
