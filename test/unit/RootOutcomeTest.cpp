//===- RootOutcomeTest.cpp - What crosses between processes ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/RootOutcome.h"
#include <gtest/gtest.h>

using namespace cpasync;
using clang::CharSourceRange;
using clang::SourceLocation;
using clang::SourceRange;

namespace {
template <typename T> constexpr bool IsVector = false;
template <typename T> constexpr bool IsVector<std::vector<T>> = true;
template <typename T> constexpr bool IsOptional = false;
template <typename T> constexpr bool IsOptional<std::optional<T>> = true;

/// Puts another value in each field, one that it does not begin with.
class Filler {
public:
  template <typename T> void fill(T &X) {
    if constexpr (std::is_same_v<T, bool>) {
      X = !X;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      X = static_cast<T>(++Number);
    } else if constexpr (std::is_same_v<T, std::string>) {
      X = "\xff" + std::to_string(++Number) + std::string(1, '\0') + "\n";
    } else if constexpr (std::is_same_v<T, SourceLocation>) {
      // Of a macro.
      X = SourceLocation::getFromRawEncoding((1U << 31) | ++Number);
    } else if constexpr (std::is_same_v<T, CharSourceRange>) {
      SourceRange Range;
      Range.setBegin(SourceLocation::getFromRawEncoding(++Number));
      Range.setEnd(SourceLocation::getFromRawEncoding(++Number));
      X = CharSourceRange(Range, /*ITR=*/Number % 4 < 2);
    } else if constexpr (IsVector<T>) {
      for (unsigned I = 0; I < 3; ++I)
        fill(X.emplace_back());
    } else if constexpr (IsOptional<T>) {
      fill(X.emplace());
    } else {
      std::apply([&](auto &...Each) { (fill(Each), ...); }, fieldsOf(X));
    }
  }

private:
  unsigned Number = 1;
};
} // namespace

template <typename T> static bool areEqual(const T &A, const T &B) {
  if constexpr (std::is_same_v<T, CharSourceRange>) {
    return A.getAsRange() == B.getAsRange() &&
           A.isTokenRange() == B.isTokenRange();
  } else if constexpr (IsVector<T>) {
    bool Equal = A.size() == B.size();
    for (size_t I = 0; Equal && I < A.size(); ++I)
      Equal = areEqual(A[I], B[I]);
    return Equal;
  } else if constexpr (std::is_aggregate_v<T>) {
    const auto OfA = fieldsOf(A), OfB = fieldsOf(B);
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return (areEqual(std::get<I>(OfA), std::get<I>(OfB)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(OfA)>>());
  } else {
    return A == B;
  }
}

static RootOutcome filled() {
  RootOutcome Outcome;
  Filler().fill(Outcome);
  return Outcome;
}

TEST(RootOutcome, EveryFieldComesBack) {
  const RootOutcome Outcome = filled();
  const std::optional<RootOutcome> Back = unpack(pack(Outcome));
  ASSERT_TRUE(Back);
  EXPECT_TRUE(areEqual(*Back, Outcome));
  EXPECT_FALSE(areEqual(*Back, RootOutcome()));
}

// One of each type that is handed over, as people read it.
TEST(RootOutcome, ComesBackAsItWas) {
  RootOutcome Root;
  Root.Report.Name = "gemm<128, 3>";
  Root.Report.Copies = 2;
  Root.Report.Gaps = {
      {SourceLocation::getFromRawEncoding(9), "path budget of 4096 exceeded"}};
  Finding &F = Root.Findings.emplace_back();
  F.Kind = FindingKind::Overwrite;
  F.At.Write = SourceLocation::getFromRawEncoding(7);
  F.Byte = -1;
  F.Limit = int64_t(1) << 40;
  F.Trace = {{TraceStep::Kind::CopyIssued, F.At.Write, "Tile", -3, true},
             {TraceStep::Kind::Iteration, F.At.Write, "I", 2, true, -9, 1}};
  F.Repairs = {{Repair::Kind::UseCacheAll, F.At.Write,
                CharSourceRange::getCharRange(F.At.Write, F.At.Write), ".ca",
                0}};
  Root.Meant = {0, 2};
  Root.RightModifiers = {F.At.Write};

  const std::optional<RootOutcome> Back = unpack(pack(Root));
  ASSERT_TRUE(Back);
  const RootOutcome &Same = *Back;
  EXPECT_EQ(Same.Report.Name, "gemm<128, 3>");
  EXPECT_EQ(Same.Report.Copies, 2u);
  EXPECT_EQ(Same.Report.Gaps, Root.Report.Gaps);
  EXPECT_EQ(Same.Findings.front().Kind, FindingKind::Overwrite);
  EXPECT_EQ(Same.Findings.front().At.Write, F.At.Write);
  EXPECT_EQ(Same.Findings.front().Byte, -1);
  EXPECT_EQ(Same.Findings.front().Limit, int64_t(1) << 40);
  EXPECT_EQ(Same.Findings.front().Trace.front().Name, "Tile");
  EXPECT_EQ(Same.Findings.front().Trace.front().N, -3);
  EXPECT_TRUE(Same.Findings.front().Trace.front().Flag);
  EXPECT_FALSE(Same.Findings.front().Trace.front().Value);
  EXPECT_EQ(Same.Findings.front().Trace.back().Value, -9);
  EXPECT_EQ(Same.Findings.front().Repairs.front().Code, ".ca");
  EXPECT_TRUE(Same.Findings.front().Repairs.front().Range.isCharRange());
  EXPECT_EQ(Same.Meant, Root.Meant);
  EXPECT_EQ(Same.RightModifiers, Root.RightModifiers);
}

// Of a process that died while it wrote, and of one that wrote too much.
TEST(RootOutcome, TakesNothingElse) {
  const std::string Text = pack(filled());
  for (size_t Size = 0; Size < Text.size(); ++Size)
    EXPECT_FALSE(unpack(llvm::StringRef(Text).take_front(Size)));
  EXPECT_FALSE(unpack(Text + '\0'));
}
