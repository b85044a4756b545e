//===- GitLabFormat.cpp - Code quality report of GitLab -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list of violations and nothing else, so what was not analysed is one too,
// of the lowest severity. GitLab compares two reports by fingerprint.
//
//===----------------------------------------------------------------------===//

#include "tool/report/Formats.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace cpasync;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::fixUTF8;
using llvm::json::Object;

static Object violation(StringRef Check, StringRef Message, StringRef Severity,
                        const std::string &Path, unsigned Line,
                        StringRef Identity) {
  const std::string Key = Path + '\0' + Check.str() + '\0' + Identity.str();
  return Object{
      {"check_name", Check.str()},
      {"description", fixUTF8(Message)},
      {"severity", Severity},
      {"fingerprint", llvm::utohexstr(llvm::xxh3_64bits(Key),
                                      /*LowerCase=*/true, /*Width=*/16)},
      {"location", Object{{"path", fixUTF8(Path)},
                          {"lines", Object{{"begin", std::max(Line, 1u)}}}}}};
}

void cpasync::writeGitLab(const RunReport &Run, llvm::raw_ostream &OS) {
  Array Violations;
  for (const ListedFinding &Listed : listFindings(Run)) {
    const ReportedFinding &F = *Listed.Finding;
    Violations.push_back(
        violation(F.Check, F.Message,
                  F.IsError || F.WarningAsError ? "critical" : "major",
                  Listed.Path, F.Where.Line, Listed.Identity));
  }
  for (const Notification &N : listNotifications(Run))
    Violations.push_back(
        violation(N.Id, N.Message,
                  N.Severity == Notification::Level::Error ? "major" : "info",
                  N.Path, N.Line, N.Message));
  llvm::json::OStream(OS, /*IndentSize=*/1)
      .value(llvm::json::Value(std::move(Violations)));
  OS << '\n';
}
