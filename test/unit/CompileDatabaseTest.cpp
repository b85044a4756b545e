//===- CompileDatabaseTest.cpp - Commands of a build ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/CompileDatabase.h"
#include "tool/input/IncludeScan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace cpasync;
using llvm::StringRef;

namespace {

/// A folder that goes away with the test.
class CompileDatabaseTest : public testing::Test {
protected:
  CompileDatabaseTest() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("database", Folder));
    llvm::SmallString<128> Real;
    EXPECT_FALSE(llvm::sys::fs::real_path(Folder, Real));
    Folder = Real;
  }
  ~CompileDatabaseTest() override {
    EXPECT_FALSE(llvm::sys::fs::remove_directories(Folder));
  }

  std::string path(StringRef Name) const { return (Folder + "/" + Name).str(); }

  void write(StringRef Name, StringRef Text) {
    EXPECT_FALSE(llvm::sys::fs::create_directories(
        llvm::sys::path::parent_path(path(Name))));
    std::error_code Code;
    llvm::raw_fd_ostream OS(path(Name), Code);
    ASSERT_FALSE(Code);
    OS << Text;
  }

  llvm::Expected<CompileDatabase> load(StringRef Json) {
    write("compile_commands.json", Json);
    return CompileDatabase::load(Folder);
  }

  llvm::SmallString<128> Folder;
};

} // namespace

TEST_F(CompileDatabaseTest, TakesCudaOnly) {
  llvm::Expected<CompileDatabase> Database = load(R"([
    {"directory": "sub", "file": "../a.cu", "command": "nvcc -c ../a.cu"},
    {"directory": "/x", "file": "b.cpp", "command": "g++ -c b.cpp"},
    {"directory": "/x", "file": "c.cpp",
     "arguments": ["nvcc", "-x", "cu", "-DA=b c", "-c", "c.cpp"]},
    {"directory": "/x", "file": "d.cpp", "command": "nvcc -x=cu d.cpp"},
    {"directory": "/x", "file": "e.cpp", "command": "nvcc -c e.cpp"},
    {"directory": "/x", "file": "f.cc",
     "command": "/opt/bin/clang++-19 -x cuda f.cc"}])");
  ASSERT_TRUE(bool(Database));
  std::vector<std::string> Files;
  for (const CudaCommand &Command : Database->commands())
    Files.push_back(Command.File);
  EXPECT_EQ(Files, (std::vector<std::string>{path("a.cu"), "/x/c.cpp",
                                             "/x/d.cpp", "/x/f.cc"}));
  EXPECT_EQ(Database->commands()[0].Directory, path("sub"));
  EXPECT_EQ(llvm::join(Database->commands()[1].Flags, "|"),
            "-x|cu|-DA=b c|-c|c.cpp");
  EXPECT_EQ(Database->commands()[1].Language, Dialect::Nvcc);
  EXPECT_EQ(Database->commands()[3].Language, Dialect::Clang);
  EXPECT_EQ(Database->commands()[3].Compiler, "/opt/bin/clang++-19");
}

TEST_F(CompileDatabaseTest, FindsFilesHoweverTheyAreNamed) {
  write("src/a.cu", "");
  ASSERT_FALSE(llvm::sys::fs::create_link(path("src"), path("link")));
  llvm::Expected<CompileDatabase> Database = load(R"([
    {"directory": ".", "file": "link/a.cu", "command": "nvcc link/a.cu"},
    {"directory": ".", "file": "src/a.cu", "command": "nvcc -G src/a.cu"},
    {"directory": ".", "file": "other/b.cu", "command": "nvcc other/b.cu"}])");
  ASSERT_TRUE(bool(Database));
  EXPECT_EQ(Database->commandsFor(path("src/a.cu")).size(), 2u);
  EXPECT_EQ(Database->commandsFor(path("link/a.cu")).size(), 2u);
  EXPECT_EQ(Database->commandsFor(path("other/b.cu")).size(), 1u);
  EXPECT_TRUE(Database->commandsFor(path("src/c.cu")).empty());
  EXPECT_EQ(Database->nearest(path("other/x.cuh")).File, path("other/b.cu"));
  EXPECT_EQ(Database->nearest(path("src/x.cuh")).File, path("src/a.cu"));
  EXPECT_EQ(Database->nearest("/elsewhere/x.cuh").File, path("link/a.cu"));
}

TEST(CompileDatabase, CompilerBehindLaunchers) {
  struct {
    const char *Command, *Compiler, *Flags;
    Dialect Language;
  } const Cases[] = {
      {"nvcc -c a.cu", "nvcc", "-c a.cu", Dialect::Nvcc},
      {"/usr/bin/ccache /usr/local/cuda/bin/nvcc -c a.cu",
       "/usr/local/cuda/bin/nvcc", "-c a.cu", Dialect::Nvcc},
      {"env A=b C=d sccache nvcc -dc a.cu", "nvcc", "-dc a.cu", Dialect::Nvcc},
      {"cmake -E env --unset=X A=b nvcc a.cu", "nvcc", "a.cu", Dialect::Nvcc},
      {"ccache clang++-22 a.cu", "clang++-22", "a.cu", Dialect::Clang},
      {"c++ -x cuda a.cu", "c++", "-x cuda a.cu", Dialect::Nvcc},
      {"cmake -E __run_co_compile --launcher=ccache --source=a.cu -- "
       "/opt/cuda/bin/nvcc -c a.cu",
       "/opt/cuda/bin/nvcc", "-c a.cu", Dialect::Nvcc},
      {"cmake -E __run_co_compile --launcher=ccache -- clang++ a.cu", "clang++",
       "a.cu", Dialect::Clang},
      // Launchers with arguments, and some that nobody has heard of.
      {"nice -n 10 nvcc a.cu", "nvcc", "a.cu", Dialect::Nvcc},
      {"/opt/launch --cache=x -v /opt/cuda/bin/nvcc -c a.cu",
       "/opt/cuda/bin/nvcc", "-c a.cu", Dialect::Nvcc},
      {"python3 wrap.py nvcc a.cu", "nvcc", "a.cu", Dialect::Nvcc},
      {"cd . && nvcc a.cu", "nvcc", "a.cu", Dialect::Nvcc},
      // No launchers.
      {"my-nvcc -c nvcc.cu", "my-nvcc", "-c nvcc.cu", Dialect::Nvcc},
      {"clang++ -o nvcc a.cu", "clang++", "-o nvcc a.cu", Dialect::Clang},
      {"ccache", "ccache", "", Dialect::Nvcc},
  };
  for (const auto &Case : Cases) {
    llvm::SmallVector<StringRef> Split;
    StringRef(Case.Command).split(Split, ' ');
    std::vector<std::string> Words(Split.begin(), Split.end());
    Dialect Language = Dialect::Either;
    EXPECT_EQ(takeCompiler(Words, Language), Case.Compiler) << Case.Command;
    EXPECT_EQ(llvm::join(Words, " "), Case.Flags) << Case.Command;
    EXPECT_EQ(Language, Case.Language) << Case.Command;
  }
}

TEST_F(CompileDatabaseTest, IncludeScan) {
  write("a.cu", "  #  include \"near.cuh\"\n#include <far.h>\n");
  write("near.cuh", "#pragma once\n#include \"loop.h\"\n");
  write("loop.h", "#include \"near.cuh\"\n// #include \"comment.h\"\n");
  write("inc/far.h", "#include \"beside.h\"\n#include <absent.h>\n");
  write("inc/beside.h", "");
  write("quoted/beside.h", "");
  write("comment.h", "");
  write("macro.h", "");
  write("inc/forced.h", "#include \"beside.h\"\n");
  IncludeScan Scan;
  const auto Reaches = [&](const char *Header,
                           const std::vector<std::string> &Flags) {
    return Scan.distance(path("a.cu"), path(Header), Flags, Folder).has_value();
  };
  EXPECT_EQ(Scan.distance(path("a.cu"), path("a.cu"), {}, Folder), 0u);
  EXPECT_EQ(Scan.distance(path("a.cu"), path("near.cuh"), {}, Folder), 1u);
  EXPECT_EQ(Scan.distance(path("a.cu"), path("loop.h"), {}, Folder), 2u);
  EXPECT_TRUE(Reaches("near.cuh", {}));
  EXPECT_TRUE(Reaches("loop.h", {}));
  EXPECT_FALSE(Reaches("inc/beside.h", {}));
  EXPECT_TRUE(Reaches("inc/beside.h", {"-I", "inc"}));
  EXPECT_TRUE(Reaches("inc/beside.h", {"-isystem", path("inc")}));
  EXPECT_FALSE(Reaches("quoted/beside.h", {"-iquote", "quoted", "-I", "inc"}));
  EXPECT_FALSE(Reaches("comment.h", {}));
  EXPECT_FALSE(Reaches("macro.h", {"-I", "inc"}));
  EXPECT_TRUE(Reaches("inc/beside.h", {"-include", "inc/forced.h"}));
  EXPECT_TRUE(Reaches("inc/beside.h", {"-include", "forced.h", "-I", "inc"}));
  EXPECT_FALSE(Reaches("inc/beside.h", {"-include", "forced.h"}));
}
