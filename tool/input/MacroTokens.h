//===- MacroTokens.h - What a macro stands for, anew ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_MACROTOKENS_H
#define CPASYNC_TOOL_INPUT_MACROTOKENS_H

#include "clang/Lex/Token.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class MacroInfo;
class Preprocessor;
} // namespace clang

namespace cpasync {

/// Another replacement for an object-like macro, token by token. All of them
/// stand where the last token of the definition stands, as locations within a
/// macro count from its first token.
class MacroTokens {
public:
  MacroTokens(clang::Preprocessor &PP, const clang::MacroInfo &Old);

  void add(const clang::Token &T) { Tokens.push_back(T); }
  void add(clang::tok::TokenKind Punctuator);
  /// A keyword or an identifier.
  void add(llvm::StringRef Word);
  /// A string literal; \p Spelling has its quotes.
  void addString(llvm::StringRef Spelling);

  /// From here on the macro \p Name stands for them.
  void replace(const clang::Token &Name);

private:
  clang::Token &start(unsigned Length);

  clang::Preprocessor &PP;
  const clang::MacroInfo &Old;
  clang::SourceLocation Place;
  llvm::SmallVector<clang::Token, 8> Tokens;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_MACROTOKENS_H
