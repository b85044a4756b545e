//===- PragmaMacros.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/PragmaMacros.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

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
    const SourceLocation Loc = Old->getDefinitionLoc();
    Token Tokens[4];
    for (Token &T : Tokens) {
      T.startToken();
      T.setLocation(Loc);
    }
    Tokens[0].setIdentifierInfo(PP.getIdentifierInfo("_Pragma"));
    Tokens[0].setKind(Tokens[0].getIdentifierInfo()->getTokenID());
    Tokens[0].setLength(7);
    Tokens[1].setKind(tok::l_paren);
    Tokens[1].setLength(1);
    Tokens[2].setKind(tok::string_literal);
    PP.CreateString(Words, Tokens[2], Loc, Loc);
    Tokens[3].setKind(tok::r_paren);
    Tokens[3].setLength(1);
    MacroInfo *New = PP.AllocateMacroInfo(Loc);
    New->setDefinitionEndLoc(Old->getDefinitionEndLoc());
    New->setTokens(Tokens, PP.getPreprocessorAllocator());
    PP.appendDefMacroDirective(Name.getIdentifierInfo(), New);
  }

private:
  Preprocessor &PP;
};
} // namespace

void cpasync::acceptPragmaMacros(Preprocessor &PP) {
  PP.addPPCallbacks(std::make_unique<PragmaMacros>(PP));
}
