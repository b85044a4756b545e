//===- Fingerprint.cpp - What identifies a finding over time --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Fingerprint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace cpasync;
using llvm::StringRef;

std::string cpasync::statementAround(const SourceText &Text, unsigned Offset) {
  const llvm::ArrayRef<SourceText::Token> Tokens = Text.tokens();
  const auto Spelling = [&](const SourceText::Token &T) {
    return Text.text().substr(T.Offset, T.Length);
  };
  const auto EndsStatement = [&](const SourceText::Token &T) {
    const StringRef S = Spelling(T);
    return S == ";" || S == "{" || S == "}";
  };
  const auto *At = llvm::partition_point(
      Tokens, [&](const auto &T) { return T.Offset + T.Length <= Offset; });
  const auto *Begin = At;
  while (Begin != Tokens.begin() && !EndsStatement(*std::prev(Begin)))
    --Begin;
  std::string Words;
  for (const auto *T = Begin; T != Tokens.end(); ++T) {
    if (!Words.empty())
      Words += ' ';
    Words += Spelling(*T);
    if (T >= At && EndsStatement(*T))
      break;
  }
  return Words;
}

static std::string hashed(StringRef Key) {
  return llvm::utohexstr(llvm::xxh3_64bits(Key), /*LowerCase=*/true,
                         /*Width=*/16);
}

void cpasync::setFingerprints(ReportedFinding &F, SourceCache &Sources,
                              StringRef Directory) {
  const SourceText *Text = Sources.get(F.Where.File, Directory);
  // Without the source there is nothing better than the message.
  const std::string Key =
      F.Check + '\0' + F.Object + '\0' +
      (Text ? statementAround(*Text, F.Where.Offset) : F.Message);
  F.StatementFingerprint = hashed(Key);
  F.Fingerprint = hashed(F.Function + '\0' + Key);
}
