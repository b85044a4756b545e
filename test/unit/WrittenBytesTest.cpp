//===- WrittenBytesTest.cpp - Sets of bytes and their union ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random footprints, compared with a set that holds every byte by itself.
//
//===----------------------------------------------------------------------===//

#include "lib/memory/WrittenBytes.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace cpasync;

namespace {

class WrittenBytesTest : public testing::Test {
protected:
  static constexpr unsigned Threads = 64;

  WrittenBytesTest() : V(Threads), L(V.lanes()), Footprints(V), W(Footprints) {
    for (int64_t I = 0; I < 2; ++I) {
      Object Key{Object::Kind::Shared};
      Key.Number = I;
      Objects.push_back(V.object(Key));
    }
  }

  unsigned below(unsigned N) {
    return std::uniform_int_distribution<unsigned>(0, N - 1)(Random);
  }

  const Footprint *footprint() {
    std::vector<int64_t> Lane(Threads), Mask(Threads);
    const unsigned Stride = 4 * (1 + below(6)), Used = 1 + below(8);
    for (unsigned T = 0; T < Threads; ++T) {
      Lane[T] = int64_t(T) * Stride;
      Mask[T] = T < Used;
    }
    const Int *Offset = V.add(V.known(L.perThread(Lane)),
                              V.constant(4 * int64_t(below(500)) - 400));
    return Footprints.get(Objects[below(2)], Offset, 4 << below(3),
                          L.perThread(Mask));
  }

  using Bytes = std::set<std::pair<const Object *, int64_t>>;
  Bytes bytesOf(const Footprint *F) {
    Bytes R;
    for (unsigned T = 0; T < Threads; ++T)
      for (int64_t I = 0; (*F->Mask)[T] && I < F->Size; ++I)
        R.insert({F->Obj, (*F->Offset->base())[T] + I});
    return R;
  }

  ValueContext V;
  PerThreadContext &L;
  FootprintTable Footprints;
  WrittenBytesTable W;
  std::vector<const Object *> Objects;
  std::mt19937 Random{20261122};
};

TEST_F(WrittenBytesTest, TheLastThreadMayWriteTheFirstBytes) {
  std::vector<int64_t> Down(Threads);
  for (unsigned T = 0; T < Threads; ++T)
    Down[T] = 8 * int64_t(Threads - T);
  const auto Of = [&](unsigned Size) {
    return Footprints.get(Objects[0], V.known(L.perThread(Down)), Size,
                          L.all());
  };
  EXPECT_EQ(W.with(W.none(), Of(8))->known().size(), 1u);
  EXPECT_EQ(W.with(W.none(), Of(4))->known().size(), size_t(Threads));
}

TEST_F(WrittenBytesTest, HoldsTheBytesThatWereWritten) {
  unsigned Touched = 0, Apart = 0;
  for (unsigned Run = 0; Run < 200; ++Run) {
    const WrittenBytes *Now = W.none();
    Bytes All;
    for (unsigned I = 0; I < 8; ++I) {
      const Footprint *F = footprint(), *Read = footprint();
      Now = W.with(Now, F);
      const Bytes New = bytesOf(F), Asked = bytesOf(Read);
      All.insert(New.begin(), New.end());
      const bool Touches =
          llvm::any_of(Asked, [&](const auto &B) { return All.count(B) != 0; });
      ASSERT_EQ(W.mayTouch(Now, Read), Touches);
      ++(Touches ? Touched : Apart);
    }
    Bytes Held;
    for (const ByteRange &R : Now->known())
      for (int64_t I = R.Lo; I < R.Hi; ++I)
        Held.insert({R.Obj, I});
    ASSERT_EQ(Held, All);
  }
  EXPECT_GT(Touched, 100u);
  EXPECT_GT(Apart, 100u);
}

TEST_F(WrittenBytesTest, EqualSetsAreOne) {
  for (unsigned Run = 0; Run < 200; ++Run) {
    const Footprint *A = footprint(), *B = footprint(), *C = footprint();
    const WrittenBytes *AB = W.with(W.with(W.none(), A), B);
    EXPECT_EQ(AB, W.with(W.with(W.none(), B), A));
    EXPECT_EQ(AB, W.with(AB, A));
    EXPECT_EQ(W.with(AB, C),
              W.unite(W.with(W.none(), C), W.unite(AB, W.none())));
  }
}

TEST_F(WrittenBytesTest, MayBeAnywhereWhereThePlaceIsNotKnown) {
  const Int *Unknown = V.symbol(&Threads, 0, Uniformity::Block);
  const Footprint *Known = footprint(),
                  *Somewhere = Footprints.get(Known->Obj, Unknown, 4, L.all()),
                  *Other = Footprints.get(Objects[Known->Obj == Objects[0]],
                                          Unknown, 4, L.all());
  const WrittenBytes *Now = W.with(W.none(), Somewhere);
  EXPECT_TRUE(W.mayTouch(Now, Known));
  EXPECT_FALSE(W.mayTouch(Now, Other));
  EXPECT_TRUE(W.mayTouch(W.with(W.none(), Known), Somewhere));
  const WrittenBytes *Later = W.forget(Now, Unknown->terms()[0].A);
  ASSERT_EQ(Later->elsewhere().size(), 1u);
  EXPECT_EQ(Later->elsewhere()[0]->Offset, nullptr);
  EXPECT_TRUE(W.mayTouch(Later, Known));
}

// Thousands of ranges become few that cover them.
TEST_F(WrittenBytesTest, ManyRangesAreMadeFewer) {
  const WrittenBytes *Now = W.none();
  std::vector<const Footprint *> Added;
  for (int64_t I = 0; I < 2000; ++I) {
    Added.push_back(Footprints.get(Objects[0], V.constant(I * 48), 4, L.all()));
    Now = W.with(Now, Added.back());
  }
  EXPECT_LE(Now->known().size(), 256u);
  for (const Footprint *F : Added)
    EXPECT_TRUE(W.mayTouch(Now, F));
  // No more than it takes: they end at 96000.
  EXPECT_FALSE(W.mayTouch(
      Now, Footprints.get(Objects[0], V.constant(1 << 17), 4, L.all())));
}

} // namespace
