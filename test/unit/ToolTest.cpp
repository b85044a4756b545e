//===- ToolTest.cpp - Options and summary of the tool ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Summary.h"
#include "tool/run/Options.h"
#include <gtest/gtest.h>

using namespace cpasync;

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

TEST(Options, OfABuild) {
  for (const std::vector<const char *> &Args :
       {std::vector<const char *>{"-p", "build", "-j", "4"},
        std::vector<const char *>{"-p=build", "-j=4"},
        std::vector<const char *>{"-p", "build", "-j4"}}) {
    llvm::Expected<Options> Opts = parse(Args);
    ASSERT_TRUE(bool(Opts));
    EXPECT_EQ(Opts->Build, "build");
    EXPECT_EQ(Opts->Workers, "4");
    EXPECT_TRUE(Opts->Files.empty());
  }
}

TEST(Options, BlocksThatAreNone) {
  for (const std::string Value : {"0", "64,32", "4,1,65", "8,", "2000", "k=64,",
                                  " =64", "64;96", "64;"}) {
    llvm::Expected<Options> Opts =
        parse({("--assumed-threads=" + Value).c_str()});
    ASSERT_FALSE(bool(Opts)) << Value;
    EXPECT_EQ(llvm::toString(Opts.takeError()),
              "'--assumed-threads' is [KERNEL=]X[,Y[,Z]], several with ';' "
              "between, from 1 to 1024 threads, not '" +
                  Value + "'; see --help");
  }
}

TEST(Options, BlocksOfKernels) {
  using Block = std::array<unsigned, 3>;
  const auto Blocks = parseBlocks("a=64; ns::b<3, 128>=16,8 ;32,2;a=96");
  ASSERT_TRUE(Blocks);
  EXPECT_EQ(Blocks->Any, (Block{32, 2, 1}));
  const LaunchIndex ByKernel = {{"a", {Block{64, 1, 1}, Block{96, 1, 1}}},
                                {"ns::b<3, 128>", {Block{16, 8, 1}}}};
  EXPECT_EQ(Blocks->ByKernel, ByKernel);
  EXPECT_EQ(parseBlocks("k=32")->Any, BlockOption().Any);
}

TEST(Options, ErrorsNameTheOption) {
  const std::pair<std::vector<const char *>, const char *> Cases[] = {
      {{"--bogus"}, "unknown option '--bogus'; see --help"},
      {{"--quiet=1"}, "option '--quiet' takes no value; see --help"},
      {{"--checks"}, "option '--checks' needs a value; see --help"},
      {{"--diff="}, "option '--diff' needs a value; see --help"},
      {{"--baseline", ""}, "option '--baseline' needs a value; see --help"},
      {{"--cuda=some"},
       "'--cuda' is auto, toolkit or bundled, not 'some'; see --help"},
      {{"-j", "none"}, "'-j' is a number from 1, not 'none'; see --help"},
      {{"-j0"}, "'-j' is a number from 1, not '0'; see --help"},
      {{"--timeout-per-file=soon"},
       "'--timeout-per-file' is a number of seconds, not 'soon'; see --help"},
      {{"--memory-per-file=all"},
       "'--memory-per-file' is a number of MiB from 128, or 0, not 'all'; see "
       "--help"},
      {{"--memory-per-file=64"},
       "'--memory-per-file' is a number of MiB from 128, or 0, not '64'; see "
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
  S.AssumedBlocks = {{"128 threads", 1}, {"16x8 threads", 2}};
  S.AssumedSizes = {{"pitch = 1024", 1}};
  EXPECT_EQ(S.line(),
            "3 findings in 2 of 42 kernels and 1 device function; 2 functions "
            "not fully analysed (path budget; recursion; and others): see "
            "--skipped; 3 functions analysed for assumed blocks of 128 threads "
            "or 16x8 threads; 1 function analysed for assumed sizes pitch = "
            "1024; 2 files parsed with errors; 1 file not analysed");
}
