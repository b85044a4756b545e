//===- ShapeCandidatesTest.cpp - Shapes that a kernel may be for ----------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/ShapeCandidates.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

constexpr BlockShape Assumed{128, 1, 1, true, true};

/// As "96! 64 32x4": "!" if the kernel states it;
/// without those that only other kernels are for.
std::string candidates(const ShapeClues &Clues, BlockShape Of = Assumed) {
  std::string Text;
  for (const ShapeCandidate &C : shapeCandidates(Clues, Of))
    if (!C.IsUsual) {
      Text += (Text.empty() ? "" : " ") + std::to_string(C.Shape.X);
      if (C.Shape.Y > 1 || C.Shape.Z > 1)
        Text += "x" + std::to_string(C.Shape.Y);
      if (C.Shape.Z > 1)
        Text += "x" + std::to_string(C.Shape.Z);
      Text += C.IsStated ? "!" : "";
    }
  return Text;
}

ShapeClues inRows(ShapeClues::Numbers X, ShapeClues::Numbers Y = {}) {
  ShapeClues Clues;
  Clues.AsksY = true;
  Clues.Along[0] = std::move(X);
  Clues.Along[1] = std::move(Y);
  return Clues;
}

TEST(ShapeCandidates, WhatALoopGoesOnByIsStated) {
  ShapeClues Clues;
  Clues.addTotal(ShapeClues::Extent, 64);
  Clues.addTotal(ShapeClues::Stride, 96);
  EXPECT_EQ(candidates(Clues), "96! 64");
}

TEST(ShapeCandidates, AsWideAsTheRowsThatThreadsCount) {
  ShapeClues Clues;
  Clues.AsksY = true;
  Clues.addAlong(0, 64);
  Clues.addWidth(48);
  const BlockShape Told{192, 1, 1, false, true};
  EXPECT_EQ(candidates(Clues, Told), "48x4! 64x3");
  Clues.addTotal(ShapeClues::Stride, 192);
  EXPECT_EQ(candidates(Clues, Told), "48x4! 64x3!");
  // Nobody knows how many.
  EXPECT_EQ(candidates(Clues), "64x3!");
  // One row, or no whole number of rows.
  EXPECT_EQ(candidates(Clues, {48, 1, 1, false, true}), "64x3!");
  EXPECT_EQ(candidates(Clues, {100, 1, 1, false, true}), "64x3!");
}

TEST(ShapeCandidates, PlanesOfRowsThatThreadsCount) {
  ShapeClues Clues;
  Clues.AsksY = Clues.AsksZ = true;
  Clues.addAlong(0, 8);
  Clues.addPlane(32);
  const BlockShape Told{128, 1, 1, false, true};
  EXPECT_EQ(candidates(Clues, Told), "8x4x4!");
  // Nobody knows how many planes.
  EXPECT_EQ(candidates(Clues), "");
  // One plane, or no whole number of them.
  EXPECT_EQ(candidates(Clues, {32, 1, 1, false, true}), "");
  EXPECT_EQ(candidates(Clues, {100, 1, 1, false, true}), "");
  ShapeClues Other;
  Other.addPlane(64);
  Clues.unite(Other);
  EXPECT_EQ(candidates(Clues, {256, 1, 1, false, true}), "8x4x8! 8x8x4!");
}

TEST(ShapeCandidates, TotalsAndWholeWarpsOfThem) {
  ShapeClues Clues;
  Clues.addTotal(ShapeClues::Extent, 100);
  Clues.addTotal(ShapeClues::Compared, 32);
  Clues.addTotal(ShapeClues::Compared, 33);
  EXPECT_EQ(candidates(Clues), "100 96 32 33");
}

TEST(ShapeCandidates, ChunksAreCopiedInRounds) {
  ShapeClues Clues;
  Clues.addTotal(ShapeClues::Chunks, 192);
  EXPECT_EQ(candidates(Clues), "192 96 64 32");
}

TEST(ShapeCandidates, NoneIsTooSmallOrTooLarge) {
  ShapeClues Clues;
  for (int64_t N : {7, 8, 1024, 1025})
    Clues.addTotal(ShapeClues::Extent, N);
  EXPECT_EQ(candidates(Clues), "8 1024");
  Clues = inRows({}, {1024, 1025});
  Clues.addTotal(ShapeClues::Extent, 1024);
  EXPECT_EQ(candidates(Clues), "1x1024");
}

TEST(ShapeCandidates, RowsThatDivideATotal) {
  ShapeClues Clues = inRows({32, 21});
  Clues.addTotal(ShapeClues::Extent, 64);
  EXPECT_EQ(candidates(Clues), "32x2");
  Clues = inRows({}, {8, 21});
  Clues.addTotal(ShapeClues::Extent, 64);
  EXPECT_EQ(candidates(Clues), "8x8");
}

TEST(ShapeCandidates, SeveralRowsThatALoopGoesOnByAreStated) {
  ShapeClues Clues = inRows({21}, {4});
  Clues.addTotal(ShapeClues::Stride, 21); // a single row is no plane
  EXPECT_EQ(candidates(Clues), "21x4 21");
  Clues.addTotal(ShapeClues::Stride, 42);
  EXPECT_EQ(candidates(Clues), "21x2! 21x4 21 8x4");
}

TEST(ShapeCandidates, RowsWithoutTheirPadding) {
  EXPECT_EQ(candidates(inRows({33}, {8})), "32x8 33x8");
}

TEST(ShapeCandidates, LayersAndBoxes) {
  ShapeClues Clues;
  Clues.AsksZ = true;
  Clues.addAlong(2, 4);
  Clues.addTotal(ShapeClues::Extent, 32);
  Clues.addTotal(ShapeClues::Extent, 33);
  EXPECT_EQ(candidates(Clues), "8x1x4");
  EXPECT_EQ(candidates(Clues, {64, 1, 1, false, true}), "16x1x4 8x1x4");
  Clues = inRows({8}, {4});
  Clues.AsksZ = true;
  Clues.addTotal(ShapeClues::Extent, 64);
  Clues.addTotal(ShapeClues::Extent, 40);
  EXPECT_EQ(candidates(Clues), "8x4x2 8x4");
}

TEST(ShapeCandidates, AsManyAsIsKnownComeFirst) {
  ShapeClues Clues = inRows({32}, {4, 2});
  EXPECT_EQ(candidates(Clues), "32x4 32x2 24x4 24x2");
  EXPECT_EQ(candidates(Clues, {64, 1, 1, false, true}),
            "32x2 16x4 32x4 24x4 24x2");
}

TEST(ShapeCandidates, AsManyAsIsKnownInUsualRows) {
  ShapeClues Clues;
  Clues.AsksY = true;
  const auto All = shapeCandidates(Clues, {160, 1, 1, false, true});
  ASSERT_FALSE(All.empty());
  EXPECT_EQ(All.front().Shape.text(), "32x5 threads");
  EXPECT_TRUE(All.front().IsUsual);
}

TEST(ShapeCandidates, UsualOnesComeLast) {
  const auto All = shapeCandidates(ShapeClues(), Assumed);
  ASSERT_FALSE(All.empty());
  EXPECT_EQ(All[0].Shape.X, 128u);
  for (const ShapeCandidate &C : All)
    EXPECT_TRUE(C.IsUsual && !C.IsStated);
}

} // namespace
