//===- LayoutsTest.cpp - What has a size, and what has none ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Layouts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace clang;
using namespace clang::ast_matchers;
using namespace cpasync;

namespace {

class LayoutsTest : public testing::Test {
protected:
  /// Code may be wrong.
  void parse(llvm::StringRef Code) {
    IgnoringDiagConsumer Ignored;
    Unit = tooling::buildASTFromCodeWithArgs(
        Code, {"-ferror-limit=0", "-std=c++20"}, "input.cc", "tool",
        std::make_shared<PCHContainerOperations>(),
        tooling::getClangStripDependencyFileAdjuster(), {}, &Ignored);
    ASSERT_TRUE(Unit);
    Asked.emplace(Unit->getASTContext());
  }
  const CXXRecordDecl *record(llvm::StringRef Name) {
    const auto Found =
        match(cxxRecordDecl(hasName(Name)).bind("it"), Unit->getASTContext());
    return Found.empty() ? nullptr
                         : Found.front().getNodeAs<CXXRecordDecl>("it");
  }
  QualType type(llvm::StringRef Name) {
    return Unit->getASTContext().getCanonicalTagType(record(Name));
  }
  const VarDecl *variable(llvm::StringRef Name) {
    const auto Found =
        match(varDecl(hasName(Name)).bind("it"), Unit->getASTContext());
    return Found.empty() ? nullptr : Found.front().getNodeAs<VarDecl>("it");
  }
  const FieldDecl *firstField(llvm::StringRef Name) {
    return *record(Name)->field_begin();
  }

  std::unique_ptr<ASTUnit> Unit;
  std::optional<Layouts> Asked;
};

TEST_F(LayoutsTest, CompleteClassesHaveOne) {
  parse("struct A { char C; alignas(32) int X; };\n"
        "struct B : A { int &R; int Bits : 3; A Many[2]; int Open[]; };\n");
  EXPECT_EQ(Asked->sizeOf(type("A")), 64);
  EXPECT_EQ(Asked->alignmentOf(type("A")), 32);
  EXPECT_TRUE(Asked->isKnown(type("B")));
  EXPECT_EQ(Asked->offsetOf(record("A"), record("B")), 0);
  EXPECT_EQ(Asked->offsetOf(firstField("B")), 64);
}

TEST_F(LayoutsTest, TheWayToAByte) {
  parse("struct Empty {};\n"
        "struct Count { int N; };\n"
        "struct Tile : Empty, Count { short Rows[3]; int Bits : 3; };\n"
        "union Either { int A; Count B; };\n"
        "struct All { char C; Tile Each[2]; Either One; };\n");
  auto To = [&](int64_t Byte, int64_t Size) {
    QualType T = type("All");
    const std::string Path = Asked->pathTo(T, Byte, Size);
    return Path + " +" + std::to_string(Byte) + " of " +
           T.getAsString(Unit->getASTContext().getPrintingPolicy());
  };
  EXPECT_EQ(To(0, 1), ".C +0 of char");
  EXPECT_EQ(To(4, 0), ".Each[0].N +0 of int");
  EXPECT_EQ(To(4, 4), ".Each[0] +0 of Count");
  EXPECT_EQ(To(4 + 12 + 8, 2), ".Each[1].Rows[2] +0 of short");
  EXPECT_EQ(To(4 + 9, 1), ".Each[0].Rows[2] +1 of short");
  EXPECT_EQ(To(4 + 10, 1), ".Each[0] +10 of Tile"); // a bit-field
  EXPECT_EQ(To(28, 0), ".One +0 of Either");
  EXPECT_EQ(To(400, 0), " +400 of All");
}

TEST_F(LayoutsTest, APointerReachesNoMemberBesideItsOwn) {
  parse("struct Sum { float X[4]; };\n"
        "struct Base { int Of; };\n"
        "struct All : Base { int *At; Sum Each[2][2]; Sum Last; int N; };\n");
  auto From = [&](int64_t Byte, QualType Pointee) {
    const auto [Begin, Size] = Asked->reachedFrom(type("All"), Byte, Pointee);
    return std::pair(Begin, Size);
  };
  const ASTContext &Ctx = Unit->getASTContext();
  using Extent = std::pair<int64_t, int64_t>;
  const Extent Whole(0, 104);
  EXPECT_EQ(From(0, type("All")), Whole);
  EXPECT_EQ(From(0, Ctx.VoidTy), Whole);
  EXPECT_EQ(From(16, type("Sum")), Extent(16, 64)); // an array
  EXPECT_EQ(From(48, type("Sum")), Extent(16, 64));
  EXPECT_EQ(From(80, type("Sum")), Extent(80, 16));
  EXPECT_EQ(From(96, Ctx.IntTy), Extent(96, 4));
  EXPECT_EQ(From(0, type("Base")), Extent(0, 4));
  EXPECT_EQ(From(84, Ctx.FloatTy), Extent(80, 16)); // of an array in it
}

TEST_F(LayoutsTest, AByteLiesInAMember) {
  parse("struct In { int A[4]; int B[4]; };\n"
        "struct Out { alignas(64) In Each[2]; char Last; };\n"
        "union Either { int A; int B; };\n");
  auto At = [&](llvm::StringRef Class, int64_t Byte) -> std::string {
    const FieldDecl *F = Asked->memberAt(type(Class), Byte);
    return F ? F->getNameAsString() : "";
  };
  EXPECT_EQ(At("In", 0), "A");
  EXPECT_EQ(At("In", 15), "A");
  EXPECT_EQ(At("In", 16), "B");
  EXPECT_EQ(At("Out", 32 + 16), "B");
  EXPECT_EQ(At("Out", 64), "Last");
  EXPECT_EQ(At("Out", 65), ""); // padding
  EXPECT_EQ(At("Out", 128 + 16), "B");
  EXPECT_EQ(At("Out", -1), "");
  EXPECT_EQ(At("Either", 0), "");
}

// Clang crashes when it is asked for any of these.
TEST_F(LayoutsTest, BrokenClassesHaveNone) {
  parse("struct Later;\n"
        "struct OfLater { Later L; };\n"
        "struct OfUnknown { Unknown U; int X; };\n"
        "struct OfOfLater { OfLater O[2]; };\n"
        "struct FromLater : OfLater {};\n"
        "template <typename T> struct Any { T X; };\n"
        "struct Unsized { int A[Unknown]; };\n"
        "struct WideBits { int A : Unknown; };\n"
        "struct Aligned { alignas(Unknown) int A; };\n"
        "struct Itself { Itself Again; };\n");
  for (const char *Name : {"Later", "OfLater", "OfUnknown", "OfOfLater",
                           "FromLater", "Any", "Unsized", "Itself"}) {
    EXPECT_FALSE(Asked->isKnown(type(Name))) << Name;
    EXPECT_EQ(Asked->sizeOf(type(Name)), 0) << Name;
    EXPECT_EQ(Asked->alignmentOf(type(Name)), 1) << Name;
  }
  EXPECT_EQ(Asked->offsetOf(firstField("Any")), std::nullopt);
  EXPECT_EQ(Asked->offsetOf(record("OfLater"), record("FromLater")),
            std::nullopt);
  EXPECT_FALSE(Asked->isKnown(Unit->getASTContext().OverloadTy));
  // Whatever Clang makes of these, it does not crash.
  for (const char *Name : {"WideBits", "Aligned"})
    EXPECT_EQ(Asked->isKnown(type(Name)), Asked->sizeOf(type(Name)) != 0);
}

TEST_F(LayoutsTest, ConstantsAreOfAModestSize) {
  parse("constexpr int Few[4] = {1, 2, 3};\n"
        "int Wrong = Unknown;\n"
        "extern const int Many[1 << 28];\n"
        "const int Many[1 << 28] = {1};\n"
        "const int Seven = 3 + 4;\n"
        "const __int128 Wide = (__int128)1 << 100;\n");
  const APValue *Few = Asked->initialValue(variable("Few"));
  ASSERT_TRUE(Few && Few->isArray());
  EXPECT_EQ(Few->getArraySize(), 4u);
  EXPECT_EQ(Asked->initialValue(variable("Many")), nullptr);
  EXPECT_EQ(Asked->initialValue(variable("Wrong")), nullptr);
  const auto Seven = Asked->integer(variable("Seven")->getInit());
  ASSERT_TRUE(Seven);
  EXPECT_EQ(Seven->getExtValue(), 7);
  EXPECT_EQ(Asked->integer(variable("Wide")->getInit()), std::nullopt);
  EXPECT_EQ(Asked->integer(nullptr), std::nullopt);
}

} // namespace
