//===- ToolTest.cpp - Flags, options and summary of the tool --------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/CompilerFlags.h"
#include "tool/Options.h"
#include "tool/Summary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <gtest/gtest.h>

using namespace cpasync;

static CompilerFlags flags(llvm::StringRef Text) {
  std::vector<std::string> Flags;
  llvm::SmallVector<llvm::StringRef, 8> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef Word : Words)
    Flags.push_back(Word.str());
  return readCompilerFlags(Flags);
}

TEST(CompilerFlags, Architecture) {
  const std::pair<const char *, const char *> Cases[] = {
      {"", "sm_80"},
      {"-arch=sm_90a", "sm_90a"},
      {"-arch sm_86", "sm_86"},
      {"--gpu-architecture=compute_89", "sm_89"},
      {"--gpu-architecture compute_89", "sm_89"},
      {"-arch=sm_75", "sm_80"},
      {"-arch=native", "sm_80"},
      {"-arch=sm_100f", "sm_100a"},
      {"--offload-arch=sm_90,sm_86", "sm_86"},
      {"-gencode arch=compute_70,code=sm_70 -gencode "
       "arch=compute_90,code=[compute_90,sm_90]",
       "sm_90"},
      {"--generate-code=arch=compute_86,code=sm_86", "sm_86"},
  };
  for (const auto &[Text, Arch] : Cases) {
    EXPECT_EQ(flags(Text).Arch, Arch) << Text;
    EXPECT_TRUE(flags(Text).Dropped.empty()) << Text;
    EXPECT_TRUE(flags(Text).Kept.empty()) << Text;
  }
}

// Clang takes joined and separate values alike.
TEST(CompilerFlags, KeptInOrder) {
  const CompilerFlags Result =
      flags("-I inc -Iinc2 -DX=1 -U Y -std=c++20 -isystem sys -include a.h");
  EXPECT_EQ(llvm::join(Result.Kept, " "),
            "-I inc -I inc2 -D X=1 -U Y -std=c++20 -isystem sys -include a.h");
  EXPECT_TRUE(Result.Dropped.empty());
}

TEST(CompilerFlags, DroppedByName) {
  const CompilerFlags Result = flags("-Xptxas -v -DX --expt-relaxed-constexpr "
                                     "--threads 2 -G -DY other.cu");
  EXPECT_EQ(llvm::join(Result.Kept, " "), "-D X -D Y");
  EXPECT_EQ(llvm::join(Result.Dropped, " "),
            "-Xptxas=-v --threads=2 -G --expt-relaxed-constexpr other.cu");
}

TEST(CompilerFlags, CudaPath) {
  EXPECT_EQ(flags("--cuda-path=/opt/cuda").CudaPath, "/opt/cuda");
}

static llvm::Expected<Options> parse(const std::vector<const char *> &Args) {
  return parseOptions(Args);
}

TEST(Options, FilesAndFlags) {
  llvm::Expected<Options> Opts =
      parse({"a.cu", "--quiet", "-checks=-*", "--config", "{}", "b.cu", "--",
             "-DX", "--quiet"});
  ASSERT_TRUE(bool(Opts));
  EXPECT_EQ(Opts->Files, (std::vector<std::string>{"a.cu", "b.cu"}));
  EXPECT_EQ(Opts->CompilerFlags, (std::vector<std::string>{"-DX", "--quiet"}));
  EXPECT_EQ(Opts->Checks, "-*");
  EXPECT_EQ(Opts->Config, "{}");
  EXPECT_TRUE(Opts->Quiet);
}

TEST(Options, ErrorsNameTheOption) {
  const std::pair<std::vector<const char *>, const char *> Cases[] = {
      {{"--bogus"}, "unknown option '--bogus'; see --help"},
      {{"--quiet=1"}, "option '--quiet' takes no value; see --help"},
      {{"--checks"}, "option '--checks' needs a value; see --help"},
      {{"--cuda=some"},
       "'--cuda' is auto, toolkit or bundled, not 'some'; see --help"},
      {{"--assumed-threads=0"},
       "'--assumed-threads' is a number from 1 to 1024, not '0'; see --help"},
      {{"--assumed-threads=2000"},
       "'--assumed-threads' is a number from 1 to 1024, not '2000'; see "
       "--help"},
  };
  for (const auto &[Args, Text] : Cases) {
    llvm::Expected<Options> Opts = parse(Args);
    ASSERT_FALSE(bool(Opts)) << Text;
    EXPECT_EQ(llvm::toString(Opts.takeError()), Text);
  }
}

TEST(Summary, CountsWhatWasNotAnalysed) {
  Summary S;
  EXPECT_EQ(S.line(), "no findings in 0 kernels");
  FileReport Report;
  Report.Kernels = 41;
  Report.NotFullyAnalysed = 1;
  Report.Gaps = {{"k", {}, "path budget"}};
  S.add(Report);
  S.Findings = 3;
  S.KernelsWithFindings = {"a", "b"};
  EXPECT_EQ(S.line(), "3 findings in 2 of 41 kernels; 1 kernel not fully "
                      "analysed (path budget): see --skipped");
  FileReport Other;
  Other.Kernels = 1;
  Other.Functions = 1;
  Other.NotFullyAnalysed = 1;
  Other.Gaps = {
      {"f", {}, "path budget"}, {"f", {}, "recursion"}, {"f", {}, "goto"}};
  S.add(Other);
  S.FilesWithErrors = 2;
  S.FilesNotAnalysed = 1;
  EXPECT_EQ(S.line(),
            "3 findings in 2 of 42 kernels and 1 device function; 2 functions "
            "not fully analysed (path budget; recursion; and others): see "
            "--skipped; 2 files parsed with errors; 1 file not analysed");
}
