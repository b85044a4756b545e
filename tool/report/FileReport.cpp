//===- FileReport.cpp - What the analysis of one file says ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/FileReport.h"
#include "tool/report/Escape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cpasync;
using llvm::json::fixUTF8;
using llvm::json::Object;
using llvm::json::ObjectMapper;
using llvm::json::Value;

/// Reads a name that toUtf8() wrote.
static bool mapName(ObjectMapper &Map, llvm::StringLiteral Key,
                    std::string &Name) {
  if (!Map.map(Key, Name))
    return false;
  Name = fromUtf8(Name);
  return true;
}

static Value namesOf(llvm::ArrayRef<std::string> Names) {
  llvm::json::Array List;
  for (const std::string &Name : Names)
    List.push_back(toUtf8(Name));
  return List;
}

Object cpasync::assumptionsToJson(const Assumptions &Assumed) {
  Object All;
  for (const auto &[What, Kernels] : Assumed)
    All[What] = Kernels;
  return All;
}

const PathStep *cpasync::numbersOf(const ReportedFinding &F) {
  const auto It = llvm::find_if(F.Path, [](const PathStep &S) {
    return llvm::StringRef(S.Kind).starts_with("with-numbers");
  });
  return It == F.Path.end() ? nullptr : &*It;
}

bool cpasync::areConfirmed(const PathStep &Numbers) {
  return Numbers.Kind == "with-numbers";
}

Object cpasync::valuesToJson(const PathStep &S) {
  Object Values;
  for (const auto &[Variable, Number] : S.Values)
    Values[fixUTF8(Variable)] = Number;
  return Values;
}

Value cpasync::toJSON(const Place &P) {
  return Object{{"file", toUtf8(P.File)},  {"offset", P.Offset},
                {"length", P.Length},      {"line", P.Line},
                {"column", P.Column},      {"endLine", P.EndLine},
                {"endColumn", P.EndColumn}};
}

bool cpasync::fromJSON(const Value &V, Place &P, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && mapName(Map, "file", P.File) && Map.map("offset", P.Offset) &&
         Map.map("length", P.Length) && Map.map("line", P.Line) &&
         Map.map("column", P.Column) && Map.map("endLine", P.EndLine) &&
         Map.map("endColumn", P.EndColumn);
}

Value cpasync::toJSON(const Edit &E) {
  return Object{{"where", E.Where}, {"replacement", fixUTF8(E.Replacement)}};
}

bool cpasync::fromJSON(const Value &V, Edit &E, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("where", E.Where) &&
         Map.map("replacement", E.Replacement);
}

Value cpasync::toJSON(const ReportedNote &N) {
  return Object{
      {"where", N.Where}, {"message", fixUTF8(N.Message)}, {"fix", N.Fix}};
}

bool cpasync::fromJSON(const Value &V, ReportedNote &N, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("where", N.Where) && Map.map("message", N.Message) &&
         Map.map("fix", N.Fix);
}

Value cpasync::toJSON(const PathStep &S) {
  return Object{{"where", S.Where},
                {"message", fixUTF8(S.Message)},
                {"kind", S.Kind},
                {"depth", S.Depth},
                {"values", valuesToJson(S)},
                {"at", S.At},
                {"functionLine", S.FunctionLine},
                {"functionEndLine", S.FunctionEndLine}};
}

bool cpasync::fromJSON(const Value &V, PathStep &S, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("where", S.Where) && Map.map("message", S.Message) &&
         Map.map("kind", S.Kind) && Map.map("depth", S.Depth) &&
         Map.map("values", S.Values) && Map.map("at", S.At) &&
         Map.map("functionLine", S.FunctionLine) &&
         Map.map("functionEndLine", S.FunctionEndLine);
}

Value cpasync::toJSON(const ReportedFinding &F) {
  return Object{{"check", F.Check},
                {"isError", F.IsError},
                {"warningAsError", F.WarningAsError},
                {"message", fixUTF8(F.Message)},
                {"where", F.Where},
                {"notes", F.Notes},
                {"fix", F.Fix},
                {"path", F.Path},
                {"around", F.Around},
                {"kernels", F.Kernels},
                {"function", F.Function},
                {"object", F.Object},
                {"advice", F.Advice},
                {"isSlowFix", F.IsSlowFix},
                {"functionLine", F.FunctionLine},
                {"functionEndLine", F.FunctionEndLine},
                {"fingerprint", F.Fingerprint},
                {"statementFingerprint", F.StatementFingerprint}};
}

bool cpasync::fromJSON(const Value &V, ReportedFinding &F,
                       llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("check", F.Check) && Map.map("isError", F.IsError) &&
         Map.map("warningAsError", F.WarningAsError) &&
         Map.map("message", F.Message) && Map.map("where", F.Where) &&
         Map.map("notes", F.Notes) && Map.map("fix", F.Fix) &&
         Map.map("path", F.Path) && Map.map("around", F.Around) &&
         Map.map("kernels", F.Kernels) && Map.map("function", F.Function) &&
         Map.map("object", F.Object) && Map.map("advice", F.Advice) &&
         Map.map("isSlowFix", F.IsSlowFix) &&
         Map.map("functionLine", F.FunctionLine) &&
         Map.map("functionEndLine", F.FunctionEndLine) &&
         Map.map("fingerprint", F.Fingerprint) &&
         Map.map("statementFingerprint", F.StatementFingerprint);
}

Value cpasync::toJSON(const ReportedGap &G) {
  return Object{{"kernel", G.Kernel}, {"where", G.Where}, {"reason", G.Reason}};
}

bool cpasync::fromJSON(const Value &V, ReportedGap &G, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("kernel", G.Kernel) && Map.map("where", G.Where) &&
         Map.map("reason", G.Reason);
}

Value cpasync::toJSON(const ReportedState &S) {
  return Object{{"where", S.Where}, {"text", fixUTF8(S.Text)}};
}

bool cpasync::fromJSON(const Value &V, ReportedState &S, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("where", S.Where) && Map.map("text", S.Text);
}

static Object launchesToJson(const LaunchIndex &Launches) {
  Object Kernels;
  for (const auto &[Kernel, Blocks] : Launches) {
    llvm::json::Array Texts;
    for (const auto &[X, Y, Z] : Blocks)
      Texts.push_back(llvm::formatv("{0},{1},{2}", X, Y, Z).str());
    Kernels[Kernel] = std::move(Texts);
  }
  return Kernels;
}

Value cpasync::toJSON(const FileReport &R) {
  Object Read;
  for (const auto &[File, Digest] : R.Read)
    Read[toUtf8(File)] = Digest;
  return Object{{"file", toUtf8(R.File)},
                {"directory", toUtf8(R.Directory)},
                {"failure", fixUTF8(R.Failure)},
                {"parseErrors", R.ParseErrors},
                {"firstParseError", fixUTF8(R.FirstParseError)},
                {"errors", R.Errors},
                {"kernels", R.Kernels},
                {"functions", R.Functions},
                {"notFullyAnalysed", R.NotFullyAnalysed},
                {"assumedBlocks", assumptionsToJson(R.AssumedBlocks)},
                {"assumedSizes", assumptionsToJson(R.AssumedSizes)},
                {"madeUpTemplates", R.MadeUp},
                {"findings", R.Findings},
                {"suppressed", R.Suppressed},
                {"gaps", R.Gaps},
                {"refuted", R.Refuted},
                {"states", R.States},
                {"sources", namesOf(R.Sources)},
                {"checks", R.Checks},
                {"read", std::move(Read)},
                {"launches", launchesToJson(R.Launches)},
                {"unlaunched", R.Unlaunched}};
}

bool cpasync::fromJSON(const Value &V, FileReport &R, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  std::map<std::string, std::string> Read;
  std::map<std::string, std::vector<std::string>> Launches;
  const bool Mapped =
      Map && mapName(Map, "file", R.File) &&
      mapName(Map, "directory", R.Directory) && Map.map("failure", R.Failure) &&
      Map.map("parseErrors", R.ParseErrors) &&
      Map.map("firstParseError", R.FirstParseError) &&
      Map.map("errors", R.Errors) && Map.map("kernels", R.Kernels) &&
      Map.map("functions", R.Functions) &&
      Map.map("notFullyAnalysed", R.NotFullyAnalysed) &&
      Map.map("assumedBlocks", R.AssumedBlocks) &&
      Map.map("assumedSizes", R.AssumedSizes) &&
      Map.map("madeUpTemplates", R.MadeUp) && Map.map("findings", R.Findings) &&
      Map.map("suppressed", R.Suppressed) && Map.map("gaps", R.Gaps) &&
      Map.map("refuted", R.Refuted) && Map.map("states", R.States) &&
      Map.map("sources", R.Sources) && Map.map("checks", R.Checks) &&
      Map.map("read", Read) && Map.map("launches", Launches) &&
      Map.map("unlaunched", R.Unlaunched);
  for (const auto &[Kernel, Blocks] : Launches)
    for (const std::string &Text : Blocks)
      if (const auto Block = parseBlock(Text))
        R.Launches[Kernel].insert(*Block);
  for (std::string &Source : R.Sources)
    Source = fromUtf8(Source);
  for (const auto &[File, Digest] : Read)
    R.Read[fromUtf8(File)] = Digest;
  return Mapped;
}

static bool isSame(const Place &A, const Place &B) {
  return A.Offset == B.Offset && A.Length == B.Length && A.File == B.File;
}

static bool isSame(const ReportedFinding &A, const ReportedFinding &B) {
  return A.Check == B.Check && isSame(A.Where, B.Where) &&
         A.Message == B.Message;
}

static bool isSame(const ReportedGap &A, const ReportedGap &B) {
  return A.Kernel == B.Kernel && isSame(A.Where, B.Where) &&
         A.Reason == B.Reason;
}

static bool isSame(const ReportedState &A, const ReportedState &B) {
  return A.Where.Line == B.Where.Line && A.Where.Column == B.Where.Column &&
         A.Where.File == B.Where.File && A.Text == B.Text;
}

static bool isSame(const std::string &A, const std::string &B) {
  return A == B;
}

template <class T>
static void unite(std::vector<T> &Into, std::vector<T> From) {
  for (T &New : From)
    if (llvm::none_of(Into, [&](const T &Old) { return isSame(Old, New); }))
      Into.push_back(std::move(New));
}

void cpasync::mergeReport(FileReport &Into, FileReport Other) {
  if (Into.Failure.empty())
    Into.Failure = Other.Failure;
  if (Into.ParseErrors == 0)
    Into.FirstParseError = Other.FirstParseError;
  Into.ParseErrors = std::max(Into.ParseErrors, Other.ParseErrors);
  Into.Kernels = std::max(Into.Kernels, Other.Kernels);
  Into.Functions = std::max(Into.Functions, Other.Functions);
  Into.NotFullyAnalysed =
      std::max(Into.NotFullyAnalysed, Other.NotFullyAnalysed);
  for (const auto &[To, From] :
       {std::pair(&Into.AssumedBlocks, &Other.AssumedBlocks),
        {&Into.AssumedSizes, &Other.AssumedSizes}})
    for (const auto &[What, Kernels] : *From)
      (*To)[What] = std::max((*To)[What], Kernels);
  Into.MadeUp = std::max(Into.MadeUp, Other.MadeUp);
  unite(Into.Errors, std::move(Other.Errors));
  unite(Into.Findings, std::move(Other.Findings));
  unite(Into.Suppressed, std::move(Other.Suppressed));
  unite(Into.Gaps, std::move(Other.Gaps));
  unite(Into.Refuted, std::move(Other.Refuted));
  unite(Into.States, std::move(Other.States));
  unite(Into.Sources, std::move(Other.Sources));
  unite(Into.Checks, std::move(Other.Checks));
  unite(Into.Unlaunched, std::move(Other.Unlaunched));
  for (const auto &[Kernel, Blocks] : Other.Launches)
    Into.Launches[Kernel].insert(Blocks.begin(), Blocks.end());
  for (const auto &[File, Digest] : Other.Read)
    if (const auto [It, IsNew] = Into.Read.try_emplace(File, Digest);
        !IsNew && It->second != Digest)
      It->second.clear();
}
