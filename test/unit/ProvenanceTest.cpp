//===- ProvenanceTest.cpp - Which facts an answer hangs on ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/values/Provenance.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

using End = FactTable::End;
using Question = FactTable::Question;
using Turn = FactTable::Turn;
using Facts = std::vector<FactId>;

class ProvenanceTest : public testing::Test {
protected:
  bool isUsed(FactId F) const { return T.isUsed(F, 0, UINT64_MAX); }
  static Facts taken(const Question &Q, End Ends) {
    const auto On = Q.take(Ends);
    return Facts(On.begin(), On.end());
  }

  FactTable T;
  const FactId A = T.add({}), B = T.add({}), C = T.add({});
};

TEST_F(ProvenanceTest, AreUsedInWindowsThatHoldTheMoment) {
  T.use(A, 20);
  T.use(A, 10);
  T.use(A, 10);
  EXPECT_TRUE(T.isUsed(A, 5, 15));
  EXPECT_TRUE(T.isUsed(A, 10, 10));
  EXPECT_TRUE(T.isUsed(A, 11, 20));
  EXPECT_FALSE(T.isUsed(A, 5, 9));
  EXPECT_FALSE(T.isUsed(A, 11, 19));
  EXPECT_FALSE(T.isUsed(A, 21, UINT64_MAX));
  EXPECT_FALSE(isUsed(B));
}

TEST_F(ProvenanceTest, AreUsedNowUnlessAMomentIsGiven) {
  T.use(A);
  const uint64_t Now = T.nextMoment();
  T.use(B);
  EXPECT_TRUE(T.isUsed(A, Now - 1, Now - 1));
  EXPECT_FALSE(T.isUsed(A, Now, Now));
  EXPECT_TRUE(T.isUsed(B, Now, Now));
  EXPECT_FALSE(T.isUsed(B, 0, Now - 1));
}

TEST_F(ProvenanceTest, WhatTheyFollowFromIsUsedToo) {
  const FactId AB = T.add({A, 0, B, A}), Last = T.add({AB}), Other = T.add({A});
  T.use(Last, 7);
  for (FactId F : {Last, AB, A, B})
    EXPECT_TRUE(T.isUsed(F, 7, 7)) << F;
  EXPECT_FALSE(isUsed(C));
  EXPECT_FALSE(isUsed(Other));
  // What is used already is used again at another moment.
  T.use(AB, 3);
  EXPECT_TRUE(T.isUsed(B, 3, 3));
  EXPECT_FALSE(T.isUsed(Last, 3, 3));
}

TEST_F(ProvenanceTest, MayBeUsedUntilThatIsForgotten) {
  const FactId Last = T.add({A, B});
  T.mayUse(Last, 4);
  T.mayUse(Last, 6);
  T.use(B, 4);
  for (FactId F : {Last, A, B}) {
    EXPECT_TRUE(T.mayBeUsed(F, 4, 4)) << F;
    EXPECT_TRUE(T.mayBeUsed(F, 6, 6)) << F;
    EXPECT_FALSE(T.mayBeUsed(F, 5, 5)) << F;
    EXPECT_EQ(isUsed(F), F == B) << F;
  }
  T.forgetMayUse(Last, 4);
  EXPECT_FALSE(T.mayBeUsed(Last, 4, 4));
  EXPECT_FALSE(T.mayBeUsed(A, 4, 4));
  EXPECT_TRUE(T.mayBeUsed(B, 4, 4)) << "it is used";
  EXPECT_TRUE(T.mayBeUsed(A, 6, 6));
}

TEST_F(ProvenanceTest, AnAnswerUsesWhatWasMentioned) {
  {
    Question Q(&T);
    T.mention(A);
    EXPECT_FALSE(isUsed(A));
    Q.answer();
  }
  EXPECT_TRUE(isUsed(A));
  EXPECT_FALSE(isUsed(B));
}

TEST_F(ProvenanceTest, WithoutAnAnswerNothingIsUsed) {
  T.mention(A); // no question
  {
    Question Q(&T);
    T.mention(B);
  }
  Question Next(&T);
  T.mention(0);
  T.mention(C);
  EXPECT_EQ(taken(Next, End::Any), Facts{C});
  Next.answer();
  EXPECT_FALSE(isUsed(A));
  EXPECT_FALSE(isUsed(B));
  EXPECT_TRUE(isUsed(C));
}

TEST_F(ProvenanceTest, AnAnswerAboutAnEndUsesThatEnd) {
  const FactId D = T.add({}), E = T.add({}), F = T.add({});
  {
    Question Q(&T);
    T.mention(A, End::Low);
    T.mention(B, End::High);
    T.mention(C, End::Any);
    EXPECT_EQ(taken(Q, End::High), (Facts{B, C}));
    EXPECT_EQ(taken(Q, End::Any), (Facts{A, B, C}));
    Q.answer(End::Low);
  }
  EXPECT_TRUE(isUsed(A));
  EXPECT_FALSE(isUsed(B));
  EXPECT_TRUE(isUsed(C));
  Question Q(&T);
  T.mention(D, End::Low);
  T.mention(E, End::High);
  T.mention(F, End::Any);
  Q.answer(End::High);
  EXPECT_FALSE(isUsed(D));
  EXPECT_TRUE(isUsed(E));
  EXPECT_TRUE(isUsed(F));
}

TEST_F(ProvenanceTest, DismissForgetsWhatWasMentionedInTheQuestion) {
  Question Outer(&T);
  T.mention(A);
  {
    Question Inner(&T);
    T.mention(B);
    Inner.dismiss();
    T.mention(C);
    EXPECT_EQ(taken(Inner, End::Any), Facts{C});
  }
  EXPECT_EQ(taken(Outer, End::Any), (Facts{A, C}));
  Outer.dismiss();
  Outer.answer();
  for (FactId F : {A, B, C})
    EXPECT_FALSE(isUsed(F)) << F;
}

// What a part hangs on, both ends of the whole may hang on.
TEST_F(ProvenanceTest, AnswersToPartsAreUsedWithTheWhole) {
  for (const bool IsAnswered : {false, true}) {
    Question Outer(&T);
    T.mention(C, End::High);
    {
      Question Inner(&T);
      T.mention(A, End::Low);
      T.mention(B, End::High);
      Inner.answer(End::Low);
    }
    EXPECT_EQ(taken(Outer, End::Low), Facts{A});
    EXPECT_EQ(taken(Outer, End::High), (Facts{C, A}));
    EXPECT_FALSE(isUsed(A));
    if (IsAnswered)
      Outer.answer(End::High);
  }
  EXPECT_TRUE(isUsed(A));
  EXPECT_FALSE(isUsed(B));
  EXPECT_TRUE(isUsed(C));
}

TEST_F(ProvenanceTest, TurnsSwapEnds) {
  Question Q(&T);
  {
    const Turn Over(&T, -1);
    T.mention(A, End::Low);
    T.mention(B, End::High);
    T.mention(C, End::Any);
  }
  EXPECT_EQ(taken(Q, End::Low), (Facts{B, C}));
  EXPECT_EQ(taken(Q, End::High), (Facts{A, C}));
  Q.dismiss();
  T.mention(A, End::Low); // the turn is over
  EXPECT_EQ(taken(Q, End::Low), Facts{A});
  EXPECT_EQ(taken(Q, End::High), Facts{});
}

TEST_F(ProvenanceTest, TurnsNest) {
  Question Q(&T);
  const Turn Over(&T, -1);
  {
    const Turn Back(&T, -1);
    T.mention(A, End::Low);
  }
  {
    const Turn Same(&T, 1);
    T.mention(B, End::Low);
  }
  {
    const Turn Neither(&T, 0), StillNeither(&T, -1);
    T.mention(C, End::Low);
  }
  EXPECT_EQ(taken(Q, End::Low), (Facts{A, C}));
  EXPECT_EQ(taken(Q, End::High), (Facts{B, C}));
}

TEST_F(ProvenanceTest, AQuestionWithinATurnHasItsOwnEnds) {
  Question Outer(&T);
  const Turn Over(&T, -1);
  {
    Question Inner(&T);
    T.mention(A, End::Low);
    EXPECT_EQ(taken(Inner, End::Low), Facts{A});
    EXPECT_EQ(taken(Inner, End::High), Facts{});
    Inner.dismiss();
  }
  T.mention(B, End::Low);
  EXPECT_EQ(taken(Outer, End::High), Facts{B});
  EXPECT_EQ(taken(Outer, End::Low), Facts{});
}

TEST_F(ProvenanceTest, ATurnForgetsWhatWasMentionedInIt) {
  Question Q(&T);
  T.mention(A);
  Turn Over(&T, -1);
  T.mention(B);
  Over.dismiss();
  T.mention(C, End::Low);
  EXPECT_EQ(taken(Q, End::High), (Facts{A, C}));
}

TEST_F(ProvenanceTest, NobodyNeedsATable) {
  Question Q(nullptr);
  Turn Over(nullptr, -1);
  T.mention(A);
  Over.dismiss();
  Q.answer();
  Q.dismiss();
  EXPECT_EQ(taken(Q, End::Any), Facts{});
  EXPECT_FALSE(isUsed(A));
}

} // namespace
