//===- ShapeCandidates.cpp ------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/ShapeCandidates.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

namespace {
/// Numbers of threads that kernels are written for, the usual ones first.
constexpr int64_t UsualTotals[] = {128, 256, 64,  32,   512,
                                   96,  192, 384, 1024, 160};
constexpr BlockShape UsualPlanes[] = {
    {32, 4}, {16, 16}, {32, 8},  {16, 8}, {8, 8},  {64, 2}, {32, 32}, {64, 4},
    {8, 16}, {32, 2},  {128, 2}, {8, 32}, {32, 6}, {4, 32}, {32, 16}, {16, 4}};
constexpr int64_t UsualWidths[] = {32, 64, 16, 8, 128, 96, 48, 24};
constexpr int64_t UsualHeights[] = {4, 8, 2, 16};
constexpr BlockShape UsualBoxes[] = {{8, 8, 4},  {8, 8, 2}, {32, 2, 2},
                                     {8, 8, 8},  {4, 4, 4}, {16, 4, 4},
                                     {16, 8, 2}, {32, 4, 2}};

/// Shapes in the order of their likelihood.
class CandidateList {
public:
  explicit CandidateList(BlockShape First) : First(First) {}

  void add(int64_t X, int64_t Y = 1, int64_t Z = 1, bool IsStated = false) {
    if (X < 1 || Y < 1 || Z < 1 || X > BlockShape::MaxThreads ||
        Y > BlockShape::MaxThreads || Z > 64)
      return;
    const BlockShape Shape{unsigned(X), unsigned(Y), unsigned(Z), true, true};
    if (X * Y * Z < 8 || X * Y * Z > BlockShape::MaxThreads ||
        llvm::any_of(Found, [&](const ShapeCandidate &Old) {
          return Old.Shape.liesAs(Shape);
        }))
      return;
    Found.push_back({Shape, IsStated, IsUsual});
  }
  /// From here on, nothing in the kernel speaks for them.
  void onlyUsual() { IsUsual = true; }
  std::vector<ShapeCandidate> take() {
    if (First.Assumed)
      return std::move(Found);
    // A sort that keeps the order.
    std::vector<ShapeCandidate> Sorted;
    for (const bool HasAsMany : {true, false})
      llvm::copy_if(
          Found, std::back_inserter(Sorted),
          [&](const ShapeCandidate &C) { return hasAsMany(C) == HasAsMany; });
    return Sorted;
  }

private:
  bool hasAsMany(const ShapeCandidate &C) const {
    return C.Shape.threads() == First.threads();
  }
  const BlockShape First;
  bool IsUsual = false;
  std::vector<ShapeCandidate> Found;
};

/// What is filled in several rounds, or padded; first, what is told.
std::vector<int64_t> totalsOf(const ShapeClues &Clues, BlockShape First) {
  std::vector<int64_t> Found;
  if (!First.Assumed)
    Found.push_back(First.threads());
  auto Add = [&](int64_t N) {
    if (!llvm::is_contained(Found, N))
      Found.push_back(N);
  };
  for (ShapeClues::Telling From :
       {ShapeClues::Stride, ShapeClues::Extent, ShapeClues::Compared})
    for (int64_t N : Clues.Totals[From]) {
      Add(N);
      if (N % 32 && N > 32)
        Add(N / 32 * 32);
    }
  for (int64_t N : Clues.Totals[ShapeClues::Chunks])
    for (int64_t Rounds : {1, 2, 4, 3, 8, 6, 16})
      if (N % Rounds == 0 && N / Rounds % 32 == 0)
        Add(N / Rounds);
  return Found;
}

/// An extent, and what it is without the usual padding.
std::vector<int64_t> lengthsOf(const ShapeClues::Numbers &Along) {
  std::vector<int64_t> Found;
  auto Add = [&](int64_t N) {
    if (N > 1 && !llvm::is_contained(Found, N))
      Found.push_back(N);
  };
  for (int64_t N : Along) {
    if (N % 4 == 0)
      Add(N);
    for (int64_t Padding : {1, 2, 4, 8})
      if ((N - Padding) % 8 == 0)
        Add(N - Padding);
    Add(N);
  }
  return Found;
}
} // namespace

static void addLines(CandidateList &To, const ShapeClues &Clues,
                     BlockShape First) {
  for (int64_t N : Clues.Totals[ShapeClues::Stride])
    To.add(N, 1, 1, /*IsStated=*/true);
  for (int64_t N : totalsOf(Clues, First))
    To.add(N);
  To.onlyUsual();
  for (int64_t N : UsualTotals)
    To.add(N);
}

static void addPlanes(CandidateList &To, const ShapeClues &Clues,
                      BlockShape First) {
  const auto Xs = lengthsOf(Clues.Along[0]), Ys = lengthsOf(Clues.Along[1]),
             Totals = totalsOf(Clues, First);
  for (int64_t X : Clues.Widths)
    if (!First.Assumed && First.threads() % X == 0 && First.threads() > X)
      To.add(X, First.threads() / X, 1, /*IsStated=*/true);
  for (int64_t N : Clues.Totals[ShapeClues::Stride])
    for (int64_t X : Xs)
      if (N % X == 0 && N > X)
        To.add(X, N / X, 1, /*IsStated=*/true);
  for (int64_t X : Xs)
    for (int64_t Y : Ys)
      To.add(X, Y);
  for (int64_t X : Xs)
    for (int64_t N : Totals)
      if (N % X == 0)
        To.add(X, N / X);
  for (int64_t Y : Ys)
    for (int64_t N : Totals)
      if (N % Y == 0)
        To.add(N / Y, Y);
  To.onlyUsual();
  if (!First.Assumed)
    for (int64_t X : UsualWidths)
      if (First.threads() % X == 0 && First.threads() > X)
        To.add(X, First.threads() / X);
  for (const BlockShape &B : UsualPlanes)
    To.add(B.X, B.Y);
}

/// Layers of one row each: nothing asks for the row.
static void addLayers(CandidateList &To, const ShapeClues &Clues,
                      BlockShape First) {
  for (int64_t N : totalsOf(Clues, First))
    for (int64_t Z : lengthsOf(Clues.Along[2]))
      if (N % Z == 0)
        To.add(N / Z, 1, Z);
  for (int64_t X : lengthsOf(Clues.Along[0]))
    for (int64_t Z : lengthsOf(Clues.Along[2]))
      To.add(X, 1, Z);
}

static void addBoxes(CandidateList &To, const ShapeClues &Clues,
                     BlockShape First) {
  const auto Xs = lengthsOf(Clues.Along[0]), Ys = lengthsOf(Clues.Along[1]),
             Zs = lengthsOf(Clues.Along[2]);
  // Rows and planes, of as many threads as are told.
  if (!First.Assumed)
    for (const ShapeClues::Numbers *Planes :
         {&Clues.Planes, &Clues.Totals[ShapeClues::Stride]})
      for (int64_t N : *Planes)
        for (int64_t X : Clues.Along[0])
          if (N % X == 0 && First.threads() % N == 0 && First.threads() > N)
            To.add(X, N / X, First.threads() / N, /*IsStated=*/true);
  for (int64_t X : Xs)
    for (int64_t Y : Ys)
      for (int64_t Z : Zs)
        To.add(X, Y, Z);
  for (int64_t N : totalsOf(Clues, First))
    for (int64_t X : Xs)
      for (int64_t Y : Ys)
        if (N % (X * Y) == 0)
          To.add(X, Y, N / (X * Y));
  To.onlyUsual();
  // Of as many threads as are told, rows as wide as they are used.
  if (!First.Assumed)
    for (const llvm::ArrayRef<int64_t> Widths :
         {llvm::ArrayRef<int64_t>(Clues.Widths), llvm::ArrayRef(UsualWidths)})
      for (int64_t X : Widths)
        for (int64_t Y : UsualHeights)
          if (First.threads() % (X * Y) == 0 && First.threads() > X * Y)
            To.add(X, Y, First.threads() / (X * Y));
  for (const BlockShape &B : UsualBoxes)
    To.add(B.X, B.Y, B.Z);
}

std::vector<ShapeCandidate> cpasync::shapeCandidates(const ShapeClues &Clues,
                                                     BlockShape Of) {
  CandidateList Found(Of);
  if (Clues.AsksZ) {
    if (!Clues.AsksY)
      addLayers(Found, Clues, Of);
    addBoxes(Found, Clues, Of);
  } else if (Clues.AsksY)
    addPlanes(Found, Clues, Of);
  else
    addLines(Found, Clues, Of);
  return Found.take();
}
