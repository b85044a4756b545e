//===- LanesTest.cpp - Lanes of a warp, told apart ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snippet.h"
#include "lib/memory/UnorderedAccesses.h"
#include "gtest/gtest.h"
#include <random>

using namespace cpasync;

namespace {

constexpr unsigned Threads = 64;

/// Accesses by some threads, and for each pair of them who comes after whom.
class LanesTest : public testing::Test {
protected:
  LanesTest() : V(Threads), L(V.lanes()), Footprints(V) {
    Tile = V.object(Object{Object::Kind::Shared});
  }

  bool flip() { return Random() & 1; }

  const PerThread *some() {
    std::vector<int64_t> Mask(Threads);
    for (int64_t &T : Mask)
      T = flip();
    return L.perThread(Mask);
  }

  void access() {
    Event E{Event::Kind::Read, nullptr, {}};
    E.N = int64_t(Model.size());
    E.Bytes = Footprints.get(Tile, V.constant(0), 4, some());
    const EventId Id = Events.intern(E);
    Accesses.add(L, Events, Id, 0, E.Bytes);
    Model.emplace_back(Id, Pairs(Threads, std::vector<bool>(Threads)));
  }

  /// All of a random part of the lanes of some warps, in tiles.
  void meet() {
    const unsigned Size = 4 << Random() % 4;
    std::vector<int64_t> Groups(Threads, -1), Here(Threads);
    const uint64_t Chosen = Random();
    for (unsigned T = 0; T < Threads; ++T)
      if (Chosen >> (T / Size) & 1) {
        Groups[T] = T / Size * Size;
        Here[T] = 1;
      }
    Accesses.orderLanes(L, Footprints, L.perThread(Groups), L.perThread(Here),
                        L.all());
    for (auto &[Id, After] : Model)
      for (unsigned First = 0; First < Threads; First += Size)
        if (Here[First])
          for (unsigned Of = 0; Of < Threads; ++Of) {
            const auto Begin = After[Of].begin() + First, End = Begin + Size;
            if (Of / Size * Size == First || std::find(Begin, End, true) != End)
              std::fill(Begin, End, true);
          }
  }

  void expectSame() {
    for (const auto &[Id, After] : Model)
      for (unsigned Of = 0; Of < Threads; ++Of) {
        if (!(*Events[Id].Bytes->Mask)[Of])
          continue;
        for (unsigned T = Of / 32 * 32; T < Of / 32 * 32 + 32; ++T) {
          bool IsAfter = true;
          for (const Access &A : Accesses.inOrder())
            IsAfter &= A.Event != Id || !(*A.Bytes->Mask)[Of] || (*A.Lanes)[T];
          if (T != Of) {
            EXPECT_EQ(IsAfter, After[Of][T]) << Of << " " << T;
          }
        }
      }
  }

  using Pairs = std::vector<std::vector<bool>>; ///< by thread, who comes after
  ValueContext V;
  PerThreadContext &L;
  FootprintTable Footprints;
  EventTable Events;
  const Object *Tile;
  std::mt19937_64 Random{1};
  UnorderedAccesses Accesses = UnorderedAccesses::ofLanes(L.none());
  std::vector<std::pair<EventId, Pairs>> Model;
};

TEST_F(LanesTest, AreOrderedByWhatTheyMeetAt) {
  for (unsigned Round = 0; Round < 40; ++Round) {
    Accesses.clear();
    Model.clear();
    for (unsigned I = 0; I < 8; ++I) {
      if (flip())
        access();
      else
        meet();
    }
    expectSame();
  }
}

TEST_F(LanesTest, WhoIsExpectedComesAfterWhatIsBehindTheBarrier) {
  std::vector<int64_t> Warps(Threads), Low(Threads), High(Threads);
  for (unsigned T = 0; T < Threads; ++T) {
    Warps[T] = T / 32 * 32;
    Low[T] = T % 32 < 16;
    High[T] = !Low[T];
  }
  auto Come = [&](const std::vector<int64_t> &Who) {
    Accesses.orderLanes(L, Footprints, L.perThread(Warps), L.perThread(Who),
                        L.all());
  };
  auto Newest = [&] { return Accesses.inOrder().back().Lanes; };
  access();
  Come(Low);
  EXPECT_EQ(Newest(), L.all());
  access();
  EXPECT_EQ(Newest(), L.perThread(High));
  Come(High);
  access();
  EXPECT_EQ(Newest(), L.none());
}

/// What is found between lanes of a warp.
std::string lanes(const std::string &Body) {
  AnalysisOptions Options;
  Options.TellsLanesApart = true;
  std::string Text;
  for (const std::string &F : analyzeBody(Body, "", Options).Findings)
    if (F.find("between lanes") != F.npos)
      Text += (Text.empty() ? "" : "; ") + F;
  return Text;
}

constexpr char Copied[] = "COPY(&Tile[T * 4], &In[T * 4]); COMMIT; WAIT(0);\n";

TEST(Lanes, HaveToMeetBeforeTheyReadWhatOthersCopied) {
  const std::string Read = "\nUSE(Tile[(T ^ 1) * 4]);";
  EXPECT_EQ(lanes(Copied + Read),
            "UnsynchronizedRead between lanes copy:1 wait:1 read:3");
  EXPECT_EQ(found(Copied + Read), ""); // unless they are told apart
  for (const char *Meet :
       {"__syncwarp();", "__syncwarp(3u << T % 32 / 2 * 2);", "SYNC;",
        "__shfl_sync(~0u, T, 0);", "__any_sync(~0u, T);",
        "asm volatile(\"bar.warp.sync -1;\");",
        "if (N > 0) __syncwarp(); else SYNC;",
        "if (T % 2) __syncwarp(); else __syncwarp();"})
    EXPECT_EQ(lanes(Copied + (Meet + Read)), "") << Meet;
  for (const char *Apart :
       {"__syncwarp(0x55555555u << T % 2);", "if (N > 0) __syncwarp();",
        "__activemask();", "if (T < 32) __syncwarp();"})
    EXPECT_NE(lanes(Copied + (Apart + Read)), "") << Apart;
}

TEST(Lanes, MayReadTheirOwn) {
  EXPECT_EQ(lanes(std::string(Copied) + "USE(Tile[T * 4]);"), "");
}

TEST(Lanes, HaveToMeetBeforeASlotIsFilledAgain) {
  const std::string Consumed =
      std::string(Copied) + "__syncwarp();\nUSE(Tile[(T ^ 1) * 4]);\n";
  EXPECT_EQ(lanes(Consumed + "\nCOPY(&Tile[T * 4], &In[T * 4 + 4]);"),
            "Overwrite(StillRead) between lanes read:3 write:5");
  EXPECT_EQ(lanes(Consumed + "\nTile[T * 4] = 0;"),
            "Overwrite(StillRead) between lanes read:3 write:5");
  EXPECT_EQ(lanes(Consumed + "__syncwarp();\nTile[T * 4] = 0;"), "");
}

} // namespace
