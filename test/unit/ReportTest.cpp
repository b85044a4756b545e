//===- ReportTest.cpp - Parts of the reports ------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/CheckUrl.h"
#include "tool/report/Fingerprint.h"
#include "tool/report/GitDiff.h"
#include "tool/report/Sarif.h"
#include "tool/report/Suppressions.h"
#include "tool/report/Uri.h"
#include <gtest/gtest.h>

using namespace cpasync;
using llvm::StringRef;

static SourceText source(StringRef Text) {
  return SourceText(llvm::MemoryBuffer::getMemBufferCopy(Text));
}

TEST(SourceText, LocatesTokens) {
  const SourceText Text = source("int A;\r\nauto S = \"x\ty\";\n");
  Place P;
  P.Offset = Text.text().find('"');
  Text.locateToken(P);
  EXPECT_EQ(P.Line, 2u);
  EXPECT_EQ(P.Column, 10u);
  EXPECT_EQ(P.Length, 5u);
  EXPECT_EQ(P.EndLine, 2u);
  EXPECT_EQ(P.EndColumn, 15u);
  EXPECT_EQ(Text.line(1), "int A;");
  EXPECT_EQ(Text.line(9), "");
}

TEST(SourceText, EndOfFileAndBeyond) {
  const SourceText Text = source("a");
  Place P;
  P.Offset = 1;
  Text.locateToken(P);
  EXPECT_EQ(P.Line, 1u);
  EXPECT_EQ(P.Length, 0u);
  Place Beyond;
  Beyond.Offset = 2;
  Text.locateToken(Beyond);
  EXPECT_EQ(Beyond.Line, 0u);
}

TEST(Fingerprint, StatementAround) {
  const StringRef Code = "void f() { a(1); /* c */ b(\n  2, \"x;\"); c(); }";
  EXPECT_EQ(statementAround(source(Code), Code.find("2")),
            "b ( 2 , \"x;\" ) ;");
  EXPECT_EQ(statementAround(source(Code), Code.find("b(")),
            "b ( 2 , \"x;\" ) ;");
  EXPECT_EQ(statementAround(source(Code), Code.find("void")), "void f ( ) {");
  EXPECT_EQ(statementAround(source(""), 0), "");
}

TEST(Uri, Paths) {
  EXPECT_EQ(pathToUri("/a b/c.cu"), "file:///a%20b/c.cu");
  EXPECT_EQ(pathToUri("src/k#1.cu"), "src/k%231.cu");
  EXPECT_EQ(pathToUri("c:x/k.cu"), "./c:x/k.cu");
  EXPECT_EQ(pathToUri("\xc3\xbc"), "%C3%BC");
}

TEST(Uri, ColumnsAreCharacters) {
  EXPECT_EQ(characterColumn("abc", 3), 3u);
  EXPECT_EQ(characterColumn("\xc3\xbc\xe2\x82\xacX", 6), 3u);
  EXPECT_EQ(characterColumn("", 1), 1u);
}

static ReportedFinding findingAt(StringRef File, unsigned Line) {
  ReportedFinding F;
  F.Check = "cpasync-unwaited-read";
  F.Message = "message";
  F.Where.File = File.str();
  F.Where.Line = F.Where.EndLine = Line;
  F.Where.Column = F.Where.EndColumn = 1;
  F.Fingerprint = "0123456789abcdef";
  return F;
}

static RunReport runWith(unsigned Findings, unsigned Steps, unsigned Notes) {
  RunReport Run;
  Run.Directory = Run.Root = "/nowhere";
  FileReport File;
  File.File = "k.cu";
  File.Directory = "/nowhere";
  for (unsigned I = 1; I <= Findings; ++I) {
    ReportedFinding F = findingAt("/nowhere/k.cu", I);
    for (unsigned S = 0; S < Steps; ++S)
      F.Path.push_back({F.Where, "step " + std::to_string(S), "waited"});
    F.Notes.resize(Notes, {F.Where, "note", {}});
    File.Findings.push_back(std::move(F));
  }
  Run.Files.push_back(std::move(File));
  return Run;
}

static size_t count(StringRef Text, StringRef What) { return Text.count(What); }

TEST(Sarif, HasEveryResultAndStep) {
  const std::string Log = sarifLog(runWith(3, 4, 2));
  EXPECT_EQ(count(Log, "\"ruleId\""), 3u);
  EXPECT_EQ(count(Log, "\"executionOrder\""), 12u);
  EXPECT_EQ(count(Log, "\"text\": \"note\""), 6u);
  EXPECT_EQ(count(Log, "left-out"), 0u);
  EXPECT_EQ(count(Log, "0123456789abcdef:3"), 1u);
}

TEST(Sarif, KeepsTheEndsOfALongPath) {
  SarifLimits Limits;
  Limits.Steps = 4;
  const std::string Log = sarifLog(runWith(1, 10, 0), Limits);
  EXPECT_EQ(count(Log, "\"executionOrder\""), 4u);
  for (const char *Kept : {"step 0\"", "step 1\"", "step 8\"", "step 9\""})
    EXPECT_EQ(count(Log, Kept), 1u) << Kept;
  EXPECT_EQ(count(Log, "6 steps of a path left out"), 1u);
}

TEST(Sarif, CountsTheLocationsOfAResult) {
  SarifLimits Limits;
  Limits.Related = 3;
  const std::string Log = sarifLog(runWith(1, 0, 5), Limits);
  EXPECT_EQ(count(Log, "\"text\": \"note\""), 2u);
  EXPECT_EQ(count(Log, "3 notes left out"), 1u);
}

TEST(Sarif, DropsDetailBeforeResults) {
  const RunReport Run = runWith(50, 20, 5);
  SarifLimits Limits;
  Limits.CompressedBytes = 1;
  const std::string Log = sarifLog(Run, Limits);
  EXPECT_EQ(count(Log, "\"ruleId\""), 50u);
  EXPECT_EQ(count(Log, "\"codeFlows\""), 0u);
  EXPECT_EQ(count(Log, "\"relatedLocations\""), 0u);
  EXPECT_EQ(count(Log, "paths, notes and fixes left out"), 1u);
}

TEST(Sarif, SaysWhichResultsAreMissing) {
  SarifLimits Limits;
  Limits.Results = 4;
  Limits.ShownResults = 2;
  const std::string Log = sarifLog(runWith(6, 0, 0), Limits);
  EXPECT_EQ(count(Log, "\"ruleId\""), 4u);
  EXPECT_EQ(count(Log, "2 findings left out: an upload holds 4 at most"), 1u);
  Limits.Results = 6;
  EXPECT_EQ(count(sarifLog(runWith(6, 0, 0), Limits),
                  "GitHub shows 2 of these findings"),
            1u);
}

TEST(FileReport, SurvivesJson) {
  RunReport Run = runWith(2, 3, 1);
  FileReport &Before = Run.Files.front();
  Before.Failure = "failure";
  Before.Findings[0].Notes[0].Fix = {{Before.Findings[0].Where, "0"}};
  Before.Findings[0].Kernels = {"k<1>"};
  Before.Suppressed = Before.Findings;
  Before.Gaps = {{"k", Before.Findings[0].Where, "reason"}};
  Before.Sources = {"a.h"};
  Before.Checks = {"cpasync-unwaited-read"};
  const llvm::json::Value Sent = toJSON(Before);
  FileReport After;
  llvm::json::Path::Root Root;
  ASSERT_TRUE(fromJSON(Sent, After, Root));
  EXPECT_EQ(toJSON(After), Sent);
  EXPECT_EQ(After.Findings[0].Path.size(), 3u);
}

TEST(GitDiff, TouchesThePath) {
  GitDiff Diff;
  // The hunk's lines look like headers; the second hunk removes a line.
  Diff.addUnifiedDiff("diff --git a/k.cu b/k.cu\n"
                      "--- a/k.cu\n"
                      "+++ b/k.cu\n"
                      "@@ -3 +3,2 @@ void f()\n"
                      "--- a/x\n"
                      "+++ b/other.cu\n"
                      "+@@ -1 +1 @@\n"
                      "@@ -40 +40,0 @@\n"
                      "-wait();\n",
                      "/nowhere");
  Diff.track("/nowhere/k.cu");
  const auto Touches = [&](unsigned First, unsigned Line, StringRef Kind = "",
                           unsigned End = 0) {
    ReportedFinding F = findingAt("/nowhere/k.cu", Line);
    F.FunctionLine = First;
    if (!Kind.empty())
      F.Path.push_back({F.Where, "", Kind.str(), 0, First, End});
    return Diff.touches(F, "/nowhere");
  };
  EXPECT_TRUE(Touches(1, 3));
  EXPECT_TRUE(Touches(4, 9));
  EXPECT_FALSE(Touches(5, 39));
  EXPECT_TRUE(Touches(5, 40));
  EXPECT_TRUE(Touches(41, 50));
  EXPECT_FALSE(Touches(42, 50));
  EXPECT_FALSE(Touches(10, 20, "waited", 60));
  EXPECT_TRUE(Touches(10, 20, "iteration", 60));
  EXPECT_TRUE(Diff.touches(findingAt("/nowhere/untracked.cu", 1), "/nowhere"));
}

TEST(GitDiff, NamesAsGitQuotesThem) {
  GitDiff Diff;
  Diff.addUnifiedDiff("+++ \"b/a\\\"b\\303\\274\\t.cu\"\n@@ -0,0 +1 @@\n+x\n"
                      "+++ b/with blank.cu\t\n@@ -0,0 +1 @@\n+x\n"
                      "+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
                      "/nowhere");
  for (const char *Name : {"/nowhere/a\"b\xc3\xbc\t.cu",
                           "/nowhere/with blank.cu", "/nowhere/none.cu"})
    Diff.track(Name);
  EXPECT_TRUE(Diff.touches(findingAt("/nowhere/a\"b\xc3\xbc\t.cu", 1), ""));
  EXPECT_TRUE(Diff.touches(findingAt("/nowhere/with blank.cu", 1), ""));
  EXPECT_FALSE(Diff.touches(findingAt("/nowhere/none.cu", 1), ""));
}

TEST(Suppressions, OnesForOurChecks) {
  const SourceText Text = source("a(); // NOLINT\n"
                                 "b(); // NOLINT(cpasync-x, other): reason \n"
                                 "// NOLINTNEXTLINE(cpasync-*)\n"
                                 "// NOLINTBEGIN(cpasync-y) -- why\n"
                                 "c(); /* NOLINT(bugprone-z) */\n"
                                 "// NOLINTEND(cpasync-y)\n"
                                 "// NOLINTBEGIN(cpasync-z)\n");
  const std::vector<Suppression> Found = findSuppressions("k.cu", Text);
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_EQ(Found[0].Checks, "cpasync-x, other");
  EXPECT_EQ(Found[0].Reason, "reason");
  EXPECT_EQ(Found[0].FirstLine, 2u);
  EXPECT_EQ(Found[1].FirstLine, 4u);
  EXPECT_EQ(Found[2].Reason, "why");
  EXPECT_EQ(Found[2].FirstLine, 4u);
  EXPECT_EQ(Found[2].LastLine, 6u);
  ReportedFinding F = findingAt("k.cu", 2);
  EXPECT_FALSE(Found[0].covers(F));
  F.Check = "cpasync-x";
  EXPECT_TRUE(Found[0].covers(F));
}

TEST(CheckUrl, IsThePageBelowTheBase) {
  EXPECT_EQ(checkUrl("cpasync-unwaited-read", "https://x/docs/"),
            "https://x/docs/unwaited-read.md");
  EXPECT_EQ(checkUrl("cpasync-unwaited-read", ""), "");
  EXPECT_EQ(checkUrl("cpasync-unused-suppression", "https://x"), "");
  EXPECT_EQ(checkUrl("file-not-analysed", "https://x"), "");
}
