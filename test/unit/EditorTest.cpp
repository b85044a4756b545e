//===- EditorTest.cpp - What an editor gets -------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/KeptStates.h"
#include "tool/input/BoundedFiles.h"
#include "tool/input/CompileDatabase.h"
#include "tool/input/EditedTexts.h"
#include "tool/input/ReadFile.h"
#include "tool/lsp/Translator.h"
#include "tool/report/Uri.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace cpasync;
using llvm::StringRef;

namespace {

class EditorTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("editor", Folder));
  }
  void TearDown() override {
    EXPECT_FALSE(llvm::sys::fs::remove_directories(Folder));
  }

  std::string write(StringRef Name, StringRef Text) {
    llvm::SmallString<128> Path = Folder;
    llvm::sys::path::append(Path, Name);
    EXPECT_FALSE(
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(Path)));
    std::error_code Code;
    llvm::raw_fd_ostream(Path, Code) << Text;
    EXPECT_FALSE(Code);
    return realPath(Path);
  }

  llvm::SmallString<128> Folder;
};

/// A token in the first line.
Place tokenAt(const std::string &File, unsigned Column, unsigned Length) {
  return {File, Column - 1, Length, 1, Column, 1, Column + Length};
}

/// A run that found something in \p File, "wait(1);", with a fix for each of
/// \p Texts.
RunReport runOf(const std::string &File,
                const std::vector<std::string> &Texts) {
  FileReport Report;
  Report.File = File;
  ReportedFinding F;
  F.Check = "cpasync-wrong-wait-group";
  F.Message = "wait leaves 1 group in flight";
  F.Where = tokenAt(File, 1, 4);
  for (const std::string &Text : Texts)
    F.Notes.push_back(
        {tokenAt(File, 6, 1), "write " + Text, {{tokenAt(File, 6, 1), Text}}});
  Report.Findings = {F};
  RunReport Run;
  Run.Directory = "/";
  Run.Files = {Report};
  return Run;
}

EditorReport translated(const RunReport &Run) {
  EditorReport Report;
  const Documents Open;
  Translator(Open, {}, Report).add(Run);
  return Report;
}

} // namespace

TEST_F(EditorTest, OneFixOfANoteIsOffered) {
  const std::string File = write("a.cu", "wait(1);\n");
  const EditorReport Report = translated(runOf(File, {"0"}));
  const EditorFinding &F = Report.Files.at(File).Findings.at(0);
  ASSERT_EQ(F.Fixes.size(), 1U);
  EXPECT_EQ(F.Fixes.front().Files, std::vector{File});
  const llvm::json::Object &Action = *F.Fixes.front().Action.getAsObject();
  EXPECT_EQ(Action.getString("title"), "write 0");
  EXPECT_NE(Action.getBoolean("isPreferred"), true);
}

TEST_F(EditorTest, OneOfSeveralFixesSaysSo) {
  const std::string File = write("a.cu", "wait(1);\n");
  const EditorReport Report = translated(runOf(File, {"0", "2"}));
  const EditorFinding &F = Report.Files.at(File).Findings.at(0);
  ASSERT_EQ(F.Fixes.size(), 2U);
  EXPECT_EQ(F.Fixes[1].Action.getAsObject()->getString("title"),
            "write 2 (one of 2 ways)");
}

TEST_F(EditorTest, FixOfAWarningIsPreferred) {
  const std::string File = write("a.cu", "wait(1);\n");
  RunReport Run = runOf(File, {});
  Run.Files[0].Findings[0].Fix = {{tokenAt(File, 6, 1), "0"}};
  const EditorReport Report = translated(Run);
  const EditorFinding &F = Report.Files.at(File).Findings.at(0);
  ASSERT_EQ(F.Fixes.size(), 1U);
  EXPECT_EQ(F.Fixes[0].Action.getAsObject()->getBoolean("isPreferred"), true);
}

TEST_F(EditorTest, FixWithoutAPlaceIsNone) {
  const std::string File = write("a.cu", "wait(1);\n");
  RunReport Run = runOf(File, {"0"});
  Run.Files[0].Findings[0].Notes[0].Fix[0].Where = Place();
  EXPECT_TRUE(translated(Run).Files.at(File).Findings.at(0).Fixes.empty());
}

TEST_F(EditorTest, FailureIsAFinding) {
  const std::string File = write("a.cu", "wait(1);\n");
  RunReport Run;
  Run.Directory = "/";
  Run.Files.emplace_back();
  Run.Files[0].File = File;
  Run.Files[0].Failure = "given up";
  const EditorReport Report = translated(Run);
  const EditorFinding &F = Report.Files.at(File).Findings.at(0);
  EXPECT_EQ(F.Diagnostic.getAsObject()->getString("message"),
            "not analysed: given up");
}

TEST_F(EditorTest, ReportComesBack) {
  const std::string File = write("a\xff.cu", "wait(1);\n");
  EditorReport Report = translated(runOf(File, {"0"}));
  Report.Sources = {File};
  Report.Messages = {{llvm::lsp::MessageType::Log, "text"}};
  Report.Files.at(File).States = {{3, "copy"}};
  const std::string Text = llvm::formatv("{0}", toJSON(Report));
  llvm::Expected<EditorReport> Back =
      llvm::json::parse<EditorReport>(Text, "report");
  ASSERT_TRUE(bool(Back)) << llvm::toString(Back.takeError());
  EXPECT_EQ(Back->Files.count(File), 1U);
  EXPECT_EQ(llvm::formatv("{0}", toJSON(*Back)).str(), Text);
}

// The texts are those of the process: a child of the test has some.
TEST_F(EditorTest, EditedTextCounts) {
  const std::string File = write("a.cu", "on disk");
  const std::string Other = write("b.cu", "other");
  llvm::SmallString<128> Link = Folder;
  llvm::sys::path::append(Link, "link.cu");
  ASSERT_FALSE(llvm::sys::fs::create_link(File, Link));
  EXPECT_FALSE(editedTexts().find(File));
  editedTexts().set(File, "edited text");
  BoundedFiles Files;
  for (const StringRef Name : {StringRef(File), Link.str()}) {
    EXPECT_EQ((*readFile(Name, 100))->getBuffer(), "edited text");
    EXPECT_EQ(Files.status(Name)->getSize(), 11U);
    auto Opened = Files.openFileForRead(Name);
    ASSERT_TRUE(bool(Opened));
    EXPECT_EQ((*Opened)->status()->getSize(), 11U);
    EXPECT_EQ((*(*Opened)->getBuffer("x"))->getBuffer(), "edited text");
  }
  EXPECT_EQ(Files.digest(File), digestOf("edited text"));
  EXPECT_EQ(Files.status(File)->getUniqueID(),
            Files.status(Link)->getUniqueID());
  EXPECT_EQ((*readFile(Other, 100))->getBuffer(), "other");
  EXPECT_EQ(Files.status(Other)->getSize(), 5U);
}

TEST_F(EditorTest, DatabaseIsTheNearestAbove) {
  const std::string File = write("a/b/c.cu", "");
  const std::string Root = realPath(Folder);
  write("build/compile_commands.json", "[]");
  EXPECT_EQ(findDatabaseAbove(File), Root + "/build");
  write("compile_commands.json", "[]");
  EXPECT_EQ(findDatabaseAbove(File), Root);
  write("a/b/build/compile_commands.json", "[]");
  EXPECT_EQ(findDatabaseAbove(File), Root + "/a/b/build");
}

TEST(Utf16Column, CountsUnits) {
  const StringRef Line = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z"; // aä€😀z
  EXPECT_EQ(utf16Column(Line, 1), 1U);
  EXPECT_EQ(utf16Column(Line, 2), 2U);
  EXPECT_EQ(utf16Column(Line, 4), 3U);
  EXPECT_EQ(utf16Column(Line, 7), 4U);
  EXPECT_EQ(utf16Column(Line, 11), 6U);
}

TEST(KeptStates, EachOnceAndNotTooMany) {
  const auto Loc = clang::SourceLocation::getFromRawEncoding(7);
  const auto Other = clang::SourceLocation::getFromRawEncoding(8);
  KeptStates States;
  for (unsigned I = 0; I < 3 && States.hasRoom(Loc); ++I)
    States.add({Loc, "same"});
  for (unsigned I = 0; I < 99 && States.hasRoom(Loc); ++I)
    States.add({Loc, std::to_string(I)});
  EXPECT_FALSE(States.hasRoom(Loc));
  EXPECT_TRUE(States.hasRoom(Other));
  EXPECT_EQ(States.take().size(), size_t(KeptStates::MaxOfPlace));
}
