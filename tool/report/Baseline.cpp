//===- Baseline.cpp - Findings that were there before ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Baseline.h"
#include "tool/input/ReadFile.h"
#include "tool/input/ReplaceFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <tuple>

using namespace cpasync;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::fixUTF8;
using llvm::json::Object;

static constexpr int Version = 1;

// In the namespace, where the library looks for them.
namespace cpasync {
static llvm::json::Value toJSON(const BaselineEntry &E) {
  return Object{{"check", E.Check},
                {"file", fixUTF8(E.File)},
                {"unit", fixUTF8(E.Unit)},
                {"function", fixUTF8(E.Function)},
                {"kernels", E.Kernels},
                {"message", fixUTF8(E.Message)},
                {"fingerprint", E.Fingerprint},
                {"statement", E.StatementFingerprint}};
}

static bool fromJSON(const llvm::json::Value &V, BaselineEntry &E,
                     llvm::json::Path At) {
  llvm::json::ObjectMapper Map(V, At);
  return Map && Map.map("check", E.Check) && Map.map("file", E.File) &&
         Map.map("unit", E.Unit) && Map.map("function", E.Function) &&
         Map.map("kernels", E.Kernels) && Map.map("message", E.Message) &&
         Map.map("fingerprint", E.Fingerprint) &&
         Map.map("statement", E.StatementFingerprint);
}
} // namespace cpasync

llvm::Expected<Baseline> Baseline::read(StringRef File) {
  const auto Fail = [&](const llvm::Twine &Message) {
    return llvm::createStringError(File + ": " + Message);
  };
  const auto Buffer = readFile(File, MaxBaselineBytes);
  if (!Buffer)
    return Fail(Buffer.getError().message());
  llvm::Expected<llvm::json::Value> Parsed = parseJson((*Buffer)->getBuffer());
  if (!Parsed)
    return Fail("not a baseline: " + llvm::toString(Parsed.takeError()));
  Baseline Result;
  int Found = 0;
  llvm::json::Path::Root Root;
  llvm::json::ObjectMapper Map(*Parsed, Root);
  if (!Map || !Map.map("version", Found) ||
      !Map.map("findings", Result.Entries))
    return Fail("not a baseline: " + llvm::toString(Root.getError()));
  if (Found != Version)
    return Fail("baseline of version " + llvm::Twine(Found) + ", not " +
                llvm::Twine(Version));
  return Result;
}

llvm::Error Baseline::write(const RunReport &Run,
                            std::vector<BaselineEntry> Others, StringRef File) {
  std::vector<BaselineEntry> Entries = std::move(Others);
  for (const FileReport &Unit : Run.Files)
    for (const auto *List : {&Unit.Findings, &Unit.Known, &Unit.Untouched})
      for (const ReportedFinding &F : *List)
        if (F.isOurs())
          Entries.push_back(
              {F.Check, Run.displayPath(F.Where.File, Unit.Directory),
               Run.displayPath(Unit.File, Run.Directory), F.Function, F.Kernels,
               F.Message, F.Fingerprint, F.StatementFingerprint});
  // No line numbers, so that edits elsewhere leave the file as it is.
  llvm::sort(Entries, [](const BaselineEntry &A, const BaselineEntry &B) {
    return std::tie(A.File, A.Check, A.Function, A.Fingerprint, A.Message) <
           std::tie(B.File, B.Check, B.Function, B.Fingerprint, B.Message);
  });
  Array List;
  for (const BaselineEntry &E : Entries)
    List.push_back(toJSON(E));
  return writeFile(File, [&](llvm::raw_ostream &OS) {
    llvm::json::OStream(OS, /*IndentSize=*/1)
        .value(Object{{"version", Version}, {"findings", std::move(List)}});
    OS << '\n';
  });
}

void Baseline::filter(FileReport &Report, const RunReport &Run) {
  using Rule = bool (*)(const ReportedFinding &, StringRef Path,
                        const BaselineEntry &, const RunReport &);
  const Rule Rules[] = {
      [](const ReportedFinding &F, StringRef Path, const BaselineEntry &E,
         const RunReport &) {
        return E.File == Path && E.Fingerprint == F.Fingerprint;
      },
      [](const ReportedFinding &F, StringRef Path, const BaselineEntry &E,
         const RunReport &) {
        return E.File == Path &&
               E.StatementFingerprint == F.StatementFingerprint;
      },
      [](const ReportedFinding &F, StringRef, const BaselineEntry &E,
         const RunReport &Run) {
        return E.Fingerprint == F.Fingerprint && !Run.exists(E.File);
      },
  };
  // The better reason first for all findings, then the next.
  for (const Rule Same : Rules)
    llvm::erase_if(Report.Findings, [&](ReportedFinding &F) {
      const std::string Path = Run.displayPath(F.Where.File, Report.Directory);
      const auto It = llvm::find_if(Entries, [&](const BaselineEntry &E) {
        return F.isOurs() && E.Check == F.Check && Same(F, Path, E, Run);
      });
      if (It == Entries.end())
        return false;
      Entries.erase(It);
      Report.Known.push_back(F);
      return true;
    });
}

/// True if \p Unit would show the finding of \p E if it were there.
static bool wouldShow(const FileReport &Unit, const BaselineEntry &E) {
  return Unit.Failure.empty() && Unit.ParseErrors == 0 &&
         llvm::is_contained(Unit.Checks, E.Check) &&
         llvm::none_of(Unit.Gaps, [&](const ReportedGap &Gap) {
           return llvm::is_contained(E.Kernels, Gap.Kernel);
         });
}

bool Baseline::isFixed(const BaselineEntry &E, const RunReport &Run) {
  return !Run.exists(E.Unit) ||
         llvm::any_of(Run.Files, [&](const FileReport &Unit) {
           return Run.displayPath(Unit.File, Run.Directory) == E.Unit &&
                  wouldShow(Unit, E);
         });
}

std::vector<BaselineEntry> Baseline::fixed(const RunReport &Run) const {
  std::vector<BaselineEntry> Fixed;
  llvm::copy_if(Entries, std::back_inserter(Fixed),
                [&](const BaselineEntry &E) { return isFixed(E, Run); });
  return Fixed;
}

std::vector<BaselineEntry> Baseline::unjudged(const RunReport &Run) const {
  std::vector<BaselineEntry> Rest;
  llvm::copy_if(Entries, std::back_inserter(Rest),
                [&](const BaselineEntry &E) { return !isFixed(E, Run); });
  return Rest;
}
