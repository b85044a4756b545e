//===- MacroTokens.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/MacroTokens.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace cpasync;

MacroTokens::MacroTokens(Preprocessor &PP, const MacroInfo &Old)
    : PP(PP), Old(Old), Place(Old.tokens().back().getLocation()) {}

Token &MacroTokens::start(unsigned Length) {
  Token &T = Tokens.emplace_back();
  T.startToken();
  T.setLocation(Place);
  T.setLength(Length);
  return T;
}

void MacroTokens::add(tok::TokenKind Punctuator) {
  start(1).setKind(Punctuator);
}

void MacroTokens::add(llvm::StringRef Word) {
  Token &T = start(Word.size());
  T.setIdentifierInfo(PP.getIdentifierInfo(Word));
  T.setKind(T.getIdentifierInfo()->getTokenID());
}

void MacroTokens::addString(llvm::StringRef Spelling) {
  Token &T = start(Spelling.size());
  T.setKind(tok::string_literal);
  PP.CreateString(Spelling, T, Place, Place);
}

void MacroTokens::replace(const Token &Name) {
  MacroInfo *New = PP.AllocateMacroInfo(Old.getDefinitionLoc());
  New->setDefinitionEndLoc(Old.getDefinitionEndLoc());
  New->setTokens(Tokens, PP.getPreprocessorAllocator());
  PP.appendDefMacroDirective(Name.getIdentifierInfo(), New);
}
