//===- SpellingsTest.cpp - How a file writes commits and waits ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Spellings.h"
#include "lib/source/FunctionInfo.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cpasync;
using clang::SourceLocation;

namespace {

constexpr char Prelude[] = R"(
#define __device__ __attribute__((device))
typedef unsigned long size_t;
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t);
#define COMMIT() asm volatile("cp.async.commit_group;")
#define BARE COMMIT()
#define WAIT(N) asm volatile("cp.async.wait_group %0;" ::"n"(N))
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N));
}
__device__ void commit() { asm volatile("cp.async.commit_group;"); }
__device__ void commitToo() { commit(); }
__device__ void waitAll() { asm volatile("cp.async.wait_all;"); }
)";

/// Of \p Code, whose lines are counted from 1; its last function asks.
class Asked {
public:
  explicit Asked(const std::string &Code)
      : First(llvm::StringRef(Prelude).count('\n')),
        Unit(clang::tooling::buildASTFromCodeWithArgs(
            Prelude + Code,
            {"-x", "cuda", "--cuda-device-only", "--no-offload-arch=all",
             "--offload-arch=sm_80", "-nocudainc", "-nocudalib", "-w",
             "-resource-dir", CPASYNC_RESOURCE_DIR},
            "spellings.cu")) {
    EXPECT_FALSE(Unit->getDiagnostics().hasErrorOccurred()) << Code;
    P.emplace(Unit->getASTContext());
    Found.emplace(*P);
    for (clang::Decl *D :
         Unit->getASTContext().getTranslationUnitDecl()->decls())
      collect(D);
  }
  std::string nearest(unsigned Wanted, unsigned Line) const {
    return Found->nearest(Wanted, at(Line), In).str();
  }
  std::string within(unsigned Wanted, unsigned From, unsigned To) const {
    return Found->within(Wanted, {at(From), at(To)}).str();
  }

private:
  void collect(clang::Decl *D) {
    if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D))
      In = F;
    if (const auto *Inner = llvm::dyn_cast<clang::NamespaceDecl>(D))
      for (clang::Decl *Each : Inner->decls())
        collect(Each);
  }
  SourceLocation at(unsigned Line) const {
    const clang::SourceManager &SM = Unit->getSourceManager();
    return SM.translateLineCol(SM.getMainFileID(), First + Line, 1);
  }

  unsigned First;
  std::unique_ptr<clang::ASTUnit> Unit;
  std::optional<Program> P;
  std::optional<Spellings> Found;
  const clang::FunctionDecl *In = nullptr;
};

/// "commit: ...; zero: ...; all: ..." for what \p Statement, in a function of
/// its own, is.
std::string meaning(const std::string &Statement,
                    const std::string &Before = "") {
  const Asked Of(Before + "\n__device__ void f(int N) {\n" + Statement +
                 ";\n}\n");
  std::string Text;
  for (const auto &[Name, Means] : {std::pair("commit: ", Spellings::Commits),
                                    {"zero: ", Spellings::WaitsZero},
                                    {"all: ", Spellings::WaitsAll}}) {
    const std::string Is = Of.within(Means, 2, 4);
    if (!Is.empty())
      Text += (Text.empty() ? "" : "; ") + (Name + Is);
  }
  return Text;
}

} // namespace

TEST(Spellings, OfCommitsAndWaitsForAll) {
  for (const char *Commit :
       {"COMMIT()", "commit()", "commitToo()", "__pipeline_commit()",
        "asm volatile(\"cp.async.commit_group;\")"})
    EXPECT_EQ(meaning(Commit), std::string("commit: ") + Commit);
  for (const char *Wait : {"WAIT(0)", "wait<0>()", "__pipeline_wait_prior(0)",
                           "asm volatile(\"cp.async.wait_group 0;\")"})
    EXPECT_EQ(meaning(Wait), std::string("zero: ") + Wait);
  for (const char *Wait : {"waitAll()", "asm volatile(\"cp.async.wait_all;\")"})
    EXPECT_EQ(meaning(Wait), std::string("all: ") + Wait);
}

TEST(Spellings, OthersMeanNeither) {
  for (const char *Other :
       {"WAIT(1)", "wait<1>()", "__pipeline_wait_prior(1)",
        "asm volatile(\"cp.async.wait_group 2;\")",
        // More than one thing, or not always.
        "asm volatile(\"cp.async.commit_group; cp.async.wait_all;\")",
        "asm volatile(\"{ .reg .pred p; @p cp.async.commit_group; }\")",
        "asm volatile(\"bar.sync 0;\")", "f(3)", "N = 3", "BARE",
        // What only this function can name.
        "asm volatile(\"cp.async.wait_group %0;\" :: \"n\"(0))"})
    EXPECT_EQ(meaning(Other), "") << Other;
  const std::string Asm = "asm volatile(\"cp.async.commit_group;\");";
  EXPECT_EQ(meaning("g(N)", "__device__ void g(int N) { " + Asm + " }"), "");
  EXPECT_EQ(meaning("g()", "__device__ int X; __device__ void g()"
                           " { if (X) " +
                               Asm + " }"),
            "");
  EXPECT_EQ(meaning("g()", "__device__ void g() { " + Asm + Asm + " }"), "");
  EXPECT_EQ(meaning("g()", "__device__ void g();"), "");
  EXPECT_EQ(
      meaning("G().g()", "struct G { __device__ void g() { " + Asm + " } };"),
      "");
}

TEST(Spellings, TheNearestOnEitherSide) {
  const Asked Of("__device__ void f() {\n"        // 1
                 "  COMMIT();\n"                  // 2
                 "\n// nearer to those above\n\n" // 3-5
                 "  __pipeline_commit();\n"       // 6
                 "  WAIT(0); waitAll();\n"        // 7
                 "}\n");
  EXPECT_EQ(Of.nearest(Spellings::Commits, 2), "COMMIT()");
  EXPECT_EQ(Of.nearest(Spellings::Commits, 3), "COMMIT()");
  EXPECT_EQ(Of.nearest(Spellings::Commits, 6), "__pipeline_commit()");
  EXPECT_EQ(Of.nearest(Spellings::Commits, 8), "__pipeline_commit()");
  EXPECT_EQ(Of.nearest(Spellings::WaitsZero, 6), "WAIT(0)");
  EXPECT_EQ(Of.nearest(Spellings::WaitsAll, 6), "waitAll()");
  EXPECT_EQ(Of.nearest(Spellings::WaitsZero | Spellings::WaitsAll, 6),
            "WAIT(0)");
  EXPECT_EQ(Of.nearest(Spellings::WaitsZero | Spellings::WaitsAll, 8),
            "waitAll()");
  EXPECT_EQ(Of.nearest(Spellings::MeansNothing, 2), "");
}

TEST(Spellings, TheLastOfThoseInARange) {
  const Asked Of("__device__ void f() {\n" // 1
                 "COMMIT();\n"             // 2
                 "__pipeline_commit();\n"  // 3
                 "waitAll();\n"            // 4
                 "}\n");
  EXPECT_EQ(Of.within(Spellings::Commits, 1, 5), "__pipeline_commit()");
  EXPECT_EQ(Of.within(Spellings::Commits, 3, 4), "__pipeline_commit()");
  EXPECT_EQ(Of.within(Spellings::Commits, 1, 3), "COMMIT()");
  EXPECT_EQ(Of.within(Spellings::Commits, 2, 3), "COMMIT()");
  EXPECT_EQ(Of.within(Spellings::Commits, 4, 5), "");
  EXPECT_EQ(Of.within(Spellings::Commits, 1, 2), "");
  EXPECT_EQ(Of.within(Spellings::Commits | Spellings::WaitsAll, 1, 5),
            "waitAll()");
}

TEST(Spellings, OnlyWhatIsKnownThereIsWritten) {
  const Asked Early("__device__ void later();\n"
                    "__device__ void other() {\n" // 2
                    "  COMMIT();\n"
                    "}\n"
                    "#define MINE() __pipeline_commit()\n" // 5
                    "__device__ void f() {\n"
                    "  MINE();\n"
                    "}\n");
  EXPECT_EQ(Early.nearest(Spellings::Commits, 7), "MINE()");
  EXPECT_EQ(Early.nearest(Spellings::Commits, 5), "COMMIT()");

  const std::string Inner = "namespace a {\n"
                            "__device__ void mine() { commit(); }\n"
                            "__device__ void g() {\n"
                            "  mine();\n" // 4
                            "}\n";
  EXPECT_EQ(Asked(Inner + "__device__ void f() {}\n}\n")
                .nearest(Spellings::Commits, 6),
            "mine()");
  EXPECT_EQ(Asked(Inner + "}\n__device__ void f() {}\n")
                .nearest(Spellings::Commits, 7),
            "commit()");
}
