//===- CopyNotesTest.cpp - What is kept of copies besides the queues ------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/CopyNotes.h"
#include "lib/support/Fingerprint.h"
#include "gtest/gtest.h"

using namespace cpasync;

namespace {

class CopyNotesTest : public testing::Test {
protected:
  CopyNotesTest() : V(64), Footprints(V) {
    Tile = V.object(Object{Object::Kind::Shared});
  }
  const Footprint *at(int64_t Begin) {
    return Footprints.get(Tile, V.constant(Begin), 16, V.lanes().all());
  }
  static Fingerprint::Digest digestOf(const CopyNotes &N) {
    Fingerprint F;
    N.addTo(F);
    return F.digest();
  }
  template <typename Fn> static CopyNotes with(Fn Add) {
    CopyNotes N;
    Add(N);
    return N;
  }

  ValueContext V;
  FootprintTable Footprints;
  const Object *Tile;
};

TEST_F(CopyNotesTest, HaveOneFingerprintIfTheyAreEqual) {
  const CopyNotes All[] = {
      {},
      with([](CopyNotes &N) { N.blame(1); }),
      with([](CopyNotes &N) { N.blame(2); }),
      with([&](CopyNotes &N) { N.addMixed({1, at(0)}); }),
      with([&](CopyNotes &N) { N.addMixed({2, at(0)}); }),
      with([&](CopyNotes &N) { N.addMixed({1, at(16)}); }),
      with([&](CopyNotes &N) { N.addUnfenced({1, at(0)}); }),
      with([&](CopyNotes &N) { N.addUnfenced({2, at(0)}); }),
      with([&](CopyNotes &N) { N.addUnfenced({1, at(16)}); }),
      with([](CopyNotes &N) { N.fenceInits(true); }),
  };
  for (const CopyNotes &A : All)
    for (const CopyNotes &B : All) {
      EXPECT_EQ(A == B, &A == &B) << &A - All << ", " << &B - All;
      EXPECT_EQ(digestOf(A) == digestOf(B), &A == &B)
          << &A - All << ", " << &B - All;
    }
}

TEST_F(CopyNotesTest, AreMadeOnce) {
  const CopyNotes Once = with([&](CopyNotes &N) {
    N.blame(1);
    N.addMixed({1, at(0)});
    N.addUnfenced({2, at(0)});
  });
  CopyNotes Twice = Once;
  Twice.blame(1);
  Twice.addMixed({1, at(0)});
  Twice.addUnfenced({2, at(0)});
  EXPECT_TRUE(Once == Twice);
  EXPECT_TRUE(Twice.isBlamed(1));
  EXPECT_FALSE(Twice.isBlamed(2));
  Twice.blame(2);
  EXPECT_FALSE(Once == Twice);
  EXPECT_TRUE(Once.isSameButBlamed(Twice));
  Twice.fenceInits(true);
  EXPECT_FALSE(Once.isSameButBlamed(Twice));
}

TEST_F(CopyNotesTest, WhatIsWrittenAgainIsNotMixed) {
  CopyNotes N;
  N.addMixed({1, at(0)});
  N.addMixed({2, at(32)});
  N.dropMixed(Footprints, at(8));
  ASSERT_EQ(N.mixed().size(), 1u);
  EXPECT_EQ(N.mixed()[0].Copy, 2u);
  N.dropMixed(Footprints, at(48));
  EXPECT_EQ(N.mixed().size(), 1u);
  N.dropMixed(Footprints, at(32));
  EXPECT_TRUE(N.mixed().empty());
}

TEST_F(CopyNotesTest, PlacesThatAreForgotten) {
  CopyNotes N;
  N.addMixed({1, at(0)});
  N.addMixed({2, at(32)});
  N.addUnfenced({3, at(0)});
  N.addUnfenced({4, at(32)});
  N.forget([&](const Footprint *F) { return F == at(0); },
           [](EventId &Store) { Store += 10; },
           [&](const Footprint *) { return at(512); });
  ASSERT_EQ(N.mixed().size(), 1u);
  EXPECT_EQ(N.mixed()[0].Copy, 2u);
  ASSERT_EQ(N.unfenced().size(), 2u);
  EXPECT_EQ(N.unfenced()[0], (CopyNotes::Unfenced{13, at(512)}));
  EXPECT_EQ(N.unfenced()[1], (CopyNotes::Unfenced{4, at(32)}));
}

} // namespace
