//===- CallSitesTest.cpp - Which call of a helper is to blame -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/CallSites.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace cpasync;

static constexpr char Helpers[] = "void outside();\n"
                                  "void inner() { outside(); }\n"
                                  "void once() {\n"
                                  "  inner();\n"
                                  "}\n"
                                  "void twice() {\n"
                                  "  inner();\n"
                                  "}\n"
                                  "void first() {\n"
                                  "  once();\n"
                                  "  twice();\n"
                                  "}\n"
                                  "void second() { twice(); }\n";

/// The line of the call that is blamed for a finding inside of calls in these
/// lines, from the inside; 0: none.
static unsigned blamed(const std::vector<unsigned> &Lines,
                       FindingKind Kind = FindingKind::UnsynchronizedRead) {
  const auto Unit = clang::tooling::buildASTFromCode(Helpers, "input.cc");
  const clang::SourceManager &SM = Unit->getSourceManager();
  Finding F;
  F.Kind = Kind;
  for (const unsigned Line : Lines)
    F.Path.Calls.push_back(SM.translateLineCol(SM.getMainFileID(), Line, 3));
  blameCalls(F, Unit->getASTContext());
  return F.At.Call.isValid() ? SM.getSpellingLineNumber(F.At.Call) : 0;
}

TEST(CallSites, TheOutermostThatOthersDoNotShareIsBlamed) {
  EXPECT_EQ(blamed({4, 10}), 4u);  // once() is called once
  EXPECT_EQ(blamed({7, 11}), 11u); // twice() is not
  EXPECT_EQ(blamed({10}), 0u);
}

TEST(CallSites, OnlyForWhatIsMissingBeforeIt) {
  EXPECT_EQ(blamed({7, 11}, FindingKind::WaitCountRange), 0u);
  EXPECT_EQ(blamed({}), 0u);
}
