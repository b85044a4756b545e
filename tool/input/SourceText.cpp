//===- SourceText.cpp - Lines and tokens of source files ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/SourceText.h"
#include "tool/input/ReadFile.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace cpasync;
using llvm::StringRef;

SourceText::SourceText(std::unique_ptr<llvm::MemoryBuffer> File)
    : Buffer(std::move(File)) {
  LineStarts.push_back(0);
  const StringRef Text = text();
  for (size_t I = Text.find('\n'); I != StringRef::npos;
       I = Text.find('\n', I + 1))
    LineStarts.push_back(I + 1);
}

StringRef SourceText::line(unsigned Number) const {
  if (Number == 0 || Number > LineStarts.size())
    return {};
  const StringRef Rest = text().drop_front(LineStarts[Number - 1]);
  return Rest.take_until([](char C) { return C == '\n'; }).rtrim('\r');
}

void SourceText::position(unsigned Offset, unsigned &Line,
                          unsigned &Column) const {
  const auto Next = llvm::upper_bound(LineStarts, Offset);
  Line = Next - LineStarts.begin();
  Column = Offset - *std::prev(Next) + 1;
}

/// CUDA C++ as far as its tokens go.
static clang::LangOptions tokenOptions() {
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 =
      Options.CPlusPlus17 = Options.CPlusPlus20 = 1;
  Options.RawStringLiterals = Options.LineComment = 1;
  Options.CUDA = 1;
  return Options;
}

/// Calls \p Found with each token from \p Offset on until it says false.
static void lexFrom(StringRef Text, unsigned Offset,
                    llvm::function_ref<bool(SourceText::Token)> Found) {
  const clang::LangOptions Options = tokenOptions();
  clang::Lexer Lexer(clang::SourceLocation(), Options, Text.begin(),
                     Text.begin() + Offset, Text.end());
  clang::Token T;
  do {
    Lexer.LexFromRawLexer(T);
    const unsigned End = Lexer.getBufferLocation() - Text.begin();
    if (T.is(clang::tok::eof) || !Found({End - T.getLength(), T.getLength()}))
      return;
  } while (true);
}

void SourceText::locate(Place &P) const {
  if (P.Offset > text().size())
    return;
  position(P.Offset, P.Line, P.Column);
  position(std::min<size_t>(P.Offset + P.Length, text().size()), P.EndLine,
           P.EndColumn);
}

void SourceText::locateToken(Place &P) const {
  if (P.Offset > text().size())
    return;
  lexFrom(text(), P.Offset, [&](Token T) {
    P.Length = T.Offset == P.Offset ? T.Length : 0;
    return false;
  });
  locate(P);
}

llvm::ArrayRef<SourceText::Token> SourceText::tokens() const {
  if (Tokens.empty())
    lexFrom(text(), 0, [&](Token T) {
      Tokens.push_back(T);
      return true;
    });
  return Tokens;
}

const SourceText *SourceCache::get(StringRef File, StringRef Directory) {
  llvm::SmallString<128> Path = File;
  if (llvm::sys::path::is_relative(Path))
    llvm::sys::path::make_absolute(Directory, Path);
  auto [It, New] = Files.try_emplace(Path);
  if (New)
    if (auto Buffer = readFile(Path, MaxSourceBytes))
      It->second = std::make_unique<SourceText>(std::move(*Buffer));
  return It->second.get();
}
