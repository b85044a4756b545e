//===- CompilerFlagsTest.cpp - Flags of nvcc and of Clang -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/CompilerFlags.h"
#include "tool/input/Architectures.h"
#include "tool/input/NvccFlags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace cpasync;
using llvm::StringRef;

static std::vector<std::string> words(StringRef Command) {
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *, 32> Words;
  llvm::cl::TokenizeGNUCommandLine(Command, Saver, Words);
  return {Words.begin(), Words.end()};
}

static CompilerFlags flags(StringRef Command, Dialect As = Dialect::Nvcc) {
  return readCompilerFlags(words(Command), As, "/nowhere");
}

static std::string archs(StringRef Command) {
  const CompilerFlags Result = flags(Command);
  EXPECT_TRUE(Result.Unknown.empty()) << Command.str();
  EXPECT_TRUE(Result.Kept.empty()) << Command.str();
  return llvm::join(Result.Archs, " ");
}

TEST(CompilerFlags, ArchitecturesThatAreNot) {
  const auto Remarks = [](const char *Line) {
    llvm::SmallVector<llvm::StringRef, 4> Words;
    llvm::StringRef(Line).split(Words, ' ', -1, /*KeepEmpty=*/false);
    const std::vector<std::string> Flags(Words.begin(), Words.end());
    return llvm::join(
        readCompilerFlags(Flags, Dialect::Either, "/").ArchRemarks, "; ");
  };
  EXPECT_EQ(Remarks(""), "");
  EXPECT_EQ(Remarks("-arch=sm_100f"), "");
  EXPECT_EQ(Remarks("-gencode arch=compute_70,code=sm_70 -arch=sm_90"), "");
  EXPECT_EQ(Remarks("-arch=sm_75 -gencode arch=compute_60,code=sm_60"),
            "'sm_75' has no asynchronous copies: analysed for sm_80");
  EXPECT_EQ(Remarks("-arch=sm_91"),
            "no architecture 'sm_91' is known: analysed for sm_90");
  EXPECT_EQ(Remarks("-arch=sm_75 -arch=sm_84"),
            "no architecture 'sm_84' is known: analysed for sm_80");
}

TEST(CompilerFlags, Architectures) {
  const std::pair<const char *, const char *> Cases[] = {
      {"", "sm_80"},
      {"-arch=sm_90a", "sm_90a"},
      {"-arch sm_86", "sm_86"},
      {"--gpu-architecture=compute_89", "sm_89"},
      {"--gpu-architecture compute_89", "sm_89"},
      {"-arch=lto_89", "sm_89"},
      // Too old: the oldest with asynchronous copies.
      {"-arch=sm_75", "sm_80"},
      {"-arch=sm_75 -gencode arch=compute_90,code=sm_90", "sm_90"},
      // What the machine has is not known here.
      {"-arch=native", "sm_80"},
      {"-arch=all", "sm_80 sm_90 sm_100 sm_120"},
      {"-arch=all-major", "sm_80 sm_90 sm_100 sm_120"},
      // Clang has no families; the specific one is next.
      {"-arch=sm_100f", "sm_100a"},
      {"--offload-arch=sm_90,sm_86", "sm_86 sm_90"},
      {"-gencode arch=compute_70,code=sm_70 "
       "-gencode arch=compute_90,code=[compute_90,sm_90]",
       "sm_90"},
      {"-gencode=arch=compute_80,code=\\\"sm_80,compute_80\\\"", "sm_80"},
      {"-gencode code=sm_89,arch=compute_89", "sm_89"},
      {"--generate-code=arch=compute_86,code=sm_86 "
       "--generate-code arch=compute_80,code=sm_80 "
       "-gencode=arch=compute_86,code=compute_86",
       "sm_80 sm_86"},
      // arch= is compiled, code= only packed.
      {"-gencode arch=compute_80,code=sm_90", "sm_80"},
      {"-arch=compute_80 -code=sm_86,sm_90", "sm_80"},
      {"-gencode arch=compute_90,code=sm_90 -gencode "
       "arch=compute_90a,code=sm_90a",
       "sm_90 sm_90a"},
      {"-arch=sm_100 -arch=sm_90", "sm_90 sm_100"},
  };
  for (const auto &[Command, Expected] : Cases)
    EXPECT_EQ(archs(Command), Expected) << Command;
}

TEST(CompilerFlags, NoArchitectures) {
  const CompilerFlags Result =
      flags("-arch=sm_90x -gencode arch=foo,code=sm_90 -arch=sm_86 -arch=,");
  EXPECT_EQ(llvm::join(Result.Unknown, " "), "-arch=sm_90x -arch=foo");
  EXPECT_EQ(llvm::join(Result.Archs, " "), "sm_86");
}

TEST(CompilerFlags, ArchitecturesThatClangLacks) {
  EXPECT_EQ(clangArch("sm_80"), "sm_80");
  EXPECT_EQ(clangArch("compute_90a"), "sm_90a");
  EXPECT_EQ(clangArch("sm_85"), "sm_80");
  EXPECT_EQ(clangArch("sm_91a"), "sm_90a");
  EXPECT_EQ(clangArch("sm_86a"), "sm_86");
  EXPECT_EQ(clangArch("native"), "");
  EXPECT_EQ(clangArch("sm_90x"), "");
}

struct Translation {
  const char *Command;
  const char *Kept;
};

// What nvcc 13.0 does with these was tried with --dryrun.
TEST(CompilerFlags, NvccInClangsSpelling) {
  const Translation Cases[] = {
      // Every way to give a value.
      {"-DX -D Y --define-macro=Z --define-macro W -D=V",
       "-D X -D Y -D Z -D W -D V"},
      {"-Ia -I b -I=c --include-path d --include-path=e",
       "-I a -I b -I c -I d -I e"},
      {"-isystem a -isystem=b --system-include c --system-include=d",
       "-isystem a -isystem b -isystem c -isystem d"},
      {"-UX -U Y --undefine-macro=Z", "-U X -U Y -U Z"},
      {"-include a.h -include=b.h --pre-include c.h",
       "-include a.h -include b.h -include c.h"},
      {"-std=c++17", "-std=c++17"},
      {"-std c++20 --std=c++14 --std c++11",
       "-std=c++20 -std=c++14 -std=c++11"},
      // Lists are split at commas, macros too.
      {"-I a,b -isystem=c,d", "-I a -I b -isystem c -isystem d"},
      {"-DX=1,Y", "-D X=1 -D Y"},
      {"-DX=1\\\\,2", "-D X=1,2"},
      {"'-DX=\"1,2\"'", "-D X=\"1,2\""},
      // The host compiler's: commas are blanks, the rest is a shell's.
      {"-Xcompiler -DX,-Iinc", "-D X -I inc"},
      {"-Xcompiler=-fPIC,-Wall,-O3,-DX=1", "-D X=1"},
      {"--compiler-options '-fPIC -DX=1'", "-D X=1"},
      {"-Xcompiler '\"-DX=a b\",-DY'", "-D X=a b -D Y"},
      {"-Xcompiler '-DX=\"a,b\"'", "-D X=a,b"},
      {R"(-Xcompiler -DX=\\\"a,b\\\")", "-D X=a b"},
      {"-Xcompiler -fno-rtti,-fno-exceptions,-funsigned-char",
       "-fno-rtti -fno-exceptions -funsigned-char"},
      {"-Xcompiler -march=native,-fopenmp,-mavx2,-fcf-protection=full", ""},
      {"-Xcompiler= -DX", "-D X"},
      // Unknown to nvcc: the host compiler's as well.
      {"-forward-unknown-to-host-compiler -fPIC -Wall -march=native "
       "-fvisibility=hidden -iquote dir -pthread",
       "-iquote dir -pthread"},
      // What else changes the device side.
      {"-dc", "-fgpu-rdc -D __CUDACC_RDC__"},
      {"-rdc=true", "-fgpu-rdc -D __CUDACC_RDC__"},
      {"--relocatable-device-code true", "-fgpu-rdc -D __CUDACC_RDC__"},
      {"-rdc=false", ""},
      {"--expt-relaxed-constexpr --expt-extended-lambda -G -ewp",
       "-D __CUDACC_RELAXED_CONSTEXPR__ -D __CUDACC_EXTENDED_LAMBDA__ "
       "-D __CUDACC_DEBUG__ -D __CUDACC_EWP__"},
      {"-default-stream per-thread --default-stream=legacy",
       "-D CUDA_API_PER_THREAD_DEFAULT_STREAM=1"},
      {"--use_fast_math -use_fast_math",
       "-D __USE_FAST_MATH__=1 -D __USE_FAST_MATH__=1"},
      {"-noeh", "-fno-exceptions"},
      {"-ftemplate-depth 2000 -ftemplate-backtrace-limit=3",
       "-ftemplate-depth=2000"},
      // What does not.
      {"-x cu -c a.cu -o a.o -dw -dlink -ptx -cubin -fatbin -E -lib", ""},
      {"--x=cu -x=cu --compile --output-file a.o", ""},
      {"-MD -MT a.o -MF a.o.d -M -MM -MMD -MP -MQ x", ""},
      {"-ccbin g++ -ccbin=/usr/bin/g++ --compiler-bindir=g++", ""},
      {"-Xptxas -v -Xptxas=-O3,-v --ptxas-options=-v", ""},
      {"-Xcudafe --diag_suppress=177 -Xnvlink -x -Xlinker=-rpath,/x", ""},
      {"-maxrregcount 64 -maxrregcount=64 --maxrregcount=64", ""},
      {"--threads 4 -t 4 -t4 -t=0 --split-compile=0", ""},
      {"-O3 -O 3 -lineinfo -g -pg -m64 -m 64 -w -lfoo -l foo -L/x -L x", ""},
      {"-Werror all-warnings -Werror=cross-execution-space-call", ""},
      {"-diag-suppress=20012,177 -Wno-deprecated-gpu-targets -res-usage", ""},
      {"-keep -keep-dir=/tmp --save-temps -v -lto -dlto -odir /tmp", ""},
      {"-ftz=true -prec-div false --fmad=true -cudart shared -time t.csv", ""},
  };
  for (const Translation &T : Cases) {
    const CompilerFlags Result = flags(T.Command);
    EXPECT_EQ(llvm::join(Result.Kept, " "), T.Kept) << T.Command;
    EXPECT_EQ(llvm::join(Result.Unknown, " "), "") << T.Command;
    EXPECT_EQ(Result.Archs.front(), "sm_80") << T.Command;
  }
}

TEST(CompilerFlags, UnknownByName) {
  const CompilerFlags Result =
      flags("--bogus -DX -fno-gnu-unique --also=this -Wall a.cu");
  EXPECT_EQ(llvm::join(Result.Kept, " "), "-D X");
  EXPECT_EQ(llvm::join(Result.Unknown, " "),
            "--bogus -fno-gnu-unique --also=this");
}

// On our command line nvcc's flags and Clang's may be mixed, and a file among
// them is a mistake.
TEST(CompilerFlags, Mixed) {
  const CompilerFlags Result =
      flags("-Xptxas -v -DX --expt-relaxed-constexpr -Werror -DY -Wall "
            "-fbracket-depth=9 -Xcompiler -fPIC other.cu",
            Dialect::Either);
  EXPECT_EQ(llvm::join(Result.Kept, " "),
            "-D X -D __CUDACC_RELAXED_CONSTEXPR__ -D Y -Wall "
            "-fbracket-depth=9");
  EXPECT_EQ(llvm::join(Result.Unknown, " "), "other.cu");
}

TEST(CompilerFlags, OfClang) {
  const CompilerFlags Result =
      flags("-x cuda --offload-arch=sm_70 --cuda-gpu-arch=sm_86 "
            "--no-offload-arch=sm_70 --cuda-path=/opt/cuda -I inc -Wextra "
            "--cuda-device-only -MD -MF a.d -c a.cu -o a.o -fPIC",
            Dialect::Clang);
  EXPECT_EQ(llvm::join(Result.Kept, " "), "-I inc -Wextra -fPIC");
  EXPECT_EQ(llvm::join(Result.Unknown, " "), "");
  EXPECT_EQ(llvm::join(Result.Archs, " "), "sm_86");
  EXPECT_EQ(Result.CudaPath, "/opt/cuda");
}

TEST(CompilerFlags, ResponseFiles) {
  llvm::SmallString<128> Folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("response", Folder));
  const auto Write = [&](const char *Name, const char *Text) {
    std::error_code Code;
    llvm::raw_fd_ostream OS((Folder + "/" + Name).str(), Code);
    OS << Text;
  };
  Write("outer.rsp", "-DA \"-DB=b c\"\n--options-file inner.rsp\n-DD");
  Write("inner.rsp", "-I\"with blank\"\n-arch=sm_90");
  Write("loop.rsp", "@loop.rsp -DE");
  const CompilerFlags Result = readCompilerFlags(
      words("-DX --options-file outer.rsp -DY @loop.rsp -optf=absent.rsp"),
      Dialect::Nvcc, Folder);
  EXPECT_EQ(llvm::join(Result.Kept, "|").substr(0, 62),
            "-D|X|-D|A|-D|B=b c|-I|with blank|-D|D|-D|Y|-D|E|-D|E|-D|E|-D|E");
  EXPECT_EQ(llvm::join(Result.Archs, " "), "sm_90");
  EXPECT_EQ(Result.Unknown, std::vector<std::string>());
  EXPECT_EQ(
      Result.Unreadable,
      (std::vector<std::string>{
          (Folder + "/loop.rsp: response files that name each other").str(),
          (Folder + "/absent.rsp: No such file or directory").str()}));
  EXPECT_FALSE(llvm::sys::fs::remove_directories(Folder));
}

TEST(CompilerFlags, ResponseFilesHaveLimits) {
  llvm::SmallString<128> Folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("response", Folder));
  const auto Write = [&](const char *Name, StringRef Text) {
    std::error_code Code;
    llvm::raw_fd_ostream OS((Folder + "/" + Name).str(), Code);
    OS << Text;
  };
  const auto Unreadable = [&](StringRef Command) {
    const CompilerFlags Result =
        readCompilerFlags(words(Command), Dialect::Nvcc, Folder);
    EXPECT_EQ(Result.TooMany, "") << Command.str();
    std::string Text = llvm::join(Result.Unreadable, "|");
    for (size_t At; (At = Text.find(Folder.c_str())) != std::string::npos;)
      Text.erase(At, Folder.size() + 1);
    return Text;
  };
  // Each would be read three times as often as the one that names it.
  Write("loop.rsp", "@loop.rsp @loop.rsp @loop.rsp -DE");
  EXPECT_EQ(Unreadable("@loop.rsp @absent.rsp"),
            "loop.rsp: response files that name each other|"
            "absent.rsp: No such file or directory");
  std::string Flags;
  for (unsigned I = 0; I < 10000; ++I)
    Flags += "-DX ";
  Write("half.rsp", Flags);
  EXPECT_EQ(Unreadable("@half.rsp @half.rsp"), "");
  Write("one.rsp", "-DX");
  EXPECT_EQ(Unreadable("@half.rsp @half.rsp @one.rsp @absent.rsp"),
            "one.rsp: more than 20000 flags in response files");
  EXPECT_FALSE(llvm::sys::fs::remove_directories(Folder));
}

TEST(CompilerFlags, MoreThanClangCanTake) {
  std::string List = "-DX";
  for (unsigned I = 1; I < 20000; ++I)
    List += ",X";
  EXPECT_EQ(flags(List).Kept.size(), 40000u);
  EXPECT_EQ(flags(List).TooMany, "");
  List += ",X";
  EXPECT_EQ(flags(List).Kept, std::vector<std::string>());
  EXPECT_EQ(flags(List).TooMany, "more than 20000 flags");
}

TEST(NvccFlags, Lists) {
  using List = std::vector<std::string>;
  EXPECT_EQ(splitNvccList("a,b"), (List{"a", "b"}));
  EXPECT_EQ(splitNvccList("a\\,b,c"), (List{"a,b", "c"}));
  EXPECT_EQ(splitNvccList("\"a,b\",c"), (List{"\"a,b\"", "c"}));
  EXPECT_EQ(splitNvccList("\\\"a,b\\\""), (List{"\"a", "b\""}));
  EXPECT_EQ(splitNvccList("a\\b"), (List{"ab"}));
  EXPECT_EQ(splitNvccList(",a,,"), (List{"a"}));
  EXPECT_EQ(splitNvccList(""), List());
}
