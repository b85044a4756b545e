//===- UnusedReadsTest.cpp - Reads whose value nobody needs ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/state/UnusedReads.h"
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace cpasync;

/// A read of what is in flight, into V; then comes \p Then.
static std::string afterRead(const std::string &Then) {
  return found("COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\n"
               "float V = Tile[4 * T];\n" +
               Then + "\nWAIT(0);");
}

static constexpr char InFlight[] =
    "ReadInFlight(NeverWaited) copy:1 commit:2 read:3";

TEST(UnusedReads, AreNoFindings) {
  EXPECT_EQ(afterRead(""), "");
  EXPECT_EQ(afterRead("(void)V;"), "");
  EXPECT_EQ(afterRead("V = 1; USE(V);"), "");
  EXPECT_EQ(afterRead("float W = V;"), "");
  EXPECT_EQ(afterRead("float W = V; W = 2; USE(W);"), "");
}

TEST(UnusedReads, AnyUseMakesThemOne) {
  for (const char *Use :
       {"USE(V);", "float W = V; USE(W);", "if (V > 0) USE(1.f);",
        "looksAt(&V);", "unknown(&V);", "USE(V * 0);",
        "float W = V + 1; USE(W);", "auto F = [&] { USE(V); }; F();",
        "auto F = [=] { USE(V); }; F();", "asm volatile(\"\" :: \"f\"(V));",
        "struct { float X; } S = {V}; USE(S.X);",
        "float A[2] = {1, V}; USE(A[1]);", "float *P = &V; USE(*P);",
        "float &R = V; USE(R);", "V += 1; USE(V);", "USE(T < 32 ? V : 0);"})
    EXPECT_EQ(afterRead(Use), InFlight) << Use;
}

TEST(UnusedReads, AreFollowedByTheirBytes) {
  EXPECT_EQ(afterRead("float A[2] = {1, V}; USE(A[0]);"), "");
  EXPECT_EQ(afterRead("struct { float X, Y; } S = {V, 1}; USE(S.Y);"), "");
}

TEST(UnusedReads, AreWhatAnObjectIsAssigned) {
  const std::string Two = "struct Held { float X, Y; } A = {V, 1}, B = {2, 3};"
                          "struct Around { Held In; } C = {{4, 5}};"
                          "auto put = [](Held &To, const Held &From)"
                          " { To = From; }; ";
  for (const char *Use :
       {"B = A; USE(B.X);", "B = static_cast<Held &&>(A); USE(B.X);",
        "C.In = A; USE(C.In.X);", "put(B, A); USE(B.X);",
        "Held D = A; USE(D.X);", "C.In = A; Around D; D = C; USE(D.In.X);",
        "(B = A).Y = 1; USE(B.X);", "Held *P = &B; *P = A; USE(B.X);"})
    EXPECT_EQ(afterRead(Two + Use), InFlight) << Use;
  for (const char *Other :
       {"B = A; USE(B.Y);", "B = A; B.X = 1; USE(B.X);", "A = B; USE(A.X);",
        "put(A, B); USE(A.X);", "C.In = A; C = {{1, 2}}; USE(C.In.X);",
        "B = A; A.X = 1; USE(A.X);"})
    EXPECT_EQ(afterRead(Two + Other), "") << Other;
}

TEST(UnusedReads, AreUsedByWhoeverIsGivenAWayToThem) {
  const std::string Ring =
      "struct Node { Node *Next; float X; } A, B, C; int N2 = 3;"
      "A.Next = &B; B.Next = &A; C.Next = nullptr; B.X = V; C.X = 1;";
  for (const char *Given :
       {"looksAt(&A);", "looksAt(&B);", "Node *P = &A; looksAt(&P);",
        "Node *P = &A, **Q = &P; unknown(&Q);", "C.Next = &A; looksAt(&C);"})
    EXPECT_EQ(afterRead(Ring + Given), InFlight) << Given;
  for (const char *Other : {"looksAt(&C);", "B.X = 1; looksAt(&A);",
                            "A.Next = &C; looksAt(&A);", "looksAt(&N2);"})
    EXPECT_EQ(afterRead(Ring + Other), "") << Other;
}

TEST(UnusedReads, ACallThatIsNotFollowedUsesItsObject) {
  const char *Before = "struct Deep { float Of; __device__ int go(int N) const"
                       " { return N > 0 ? go(N - 1) + 1 : 0; } };";
  auto Findings = [&](const std::string &Calls) {
    return analyzeBody("COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\n"
                       "Deep D = {Tile[4 * T]};\nint X = " +
                           Calls + ";\nUSE(X);\nWAIT(0);",
                       Before)
        .Findings;
  };
  EXPECT_EQ(Findings("D.go(2)"), std::vector<std::string>());
  EXPECT_EQ(Findings("D.go(20)"), std::vector<std::string>{InFlight});
  // Nor do others follow it, who look for no use.
  EXPECT_EQ(Findings("(int)Tile[512 + D.go(20) % 2]"),
            std::vector<std::string>{InFlight});
}

TEST(UnusedReads, AStoreBySomeThreadsLeavesTheOthers) {
  EXPECT_EQ(afterRead("if (T < 32) V = 1; USE(V);"), InFlight);
  EXPECT_EQ(afterRead("if (T < 32) V = 1; else V = 2; USE(V);"), "");
}

TEST(UnusedReads, OfALoopAheadAreUsedInTheNextRound) {
  const std::string Ahead = "float V = 0;\nfor (int K = 0; K < 4; ++K) {\n"
                            "COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\n";
  EXPECT_EQ(found(Ahead + "V = Tile[4 * T];\nWAIT(0);\n}"), "");
  EXPECT_EQ(
      found(Ahead + "USE(V);\nV = Tile[4 * T];\nWAIT(0);\n}").substr(0, 12),
      "ReadInFlight");
}

TEST(UnusedReads, AreUsedByALoadThatMayBeOfThem) {
  EXPECT_EQ(afterRead("float A[4] = {}; A[1] = V; USE(A[N]);"), InFlight);
  EXPECT_EQ(afterRead("float A[4] = {}; A[1] = V; USE(A[N % 2 * 0]);"), "");
}

TEST(UnusedReads, AreGoneWhereSomethingElseIsStored) {
  PerThreadContext L(64);
  const Object Local{Object::Kind::Local};
  std::vector<int64_t> Low(64);
  std::fill_n(Low.begin(), 32, 1);
  auto After = [&](int64_t Begin, int64_t End, const PerThread *Who) {
    UnusedReads Held;
    Held.place(&Local, 8, {/*Read=*/1, 0, 16, L.all()});
    Held.overwrite(L, &Local, Begin, End, Who);
    std::vector<std::pair<int64_t, int64_t>> Left;
    Held.forEach(
        &Local, [&](int64_t From, int64_t To) { Left.emplace_back(From, To); });
    return Left;
  };
  using Bytes = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(After(8, 24, L.all()), Bytes());
  EXPECT_EQ(After(0, 32, L.all()), Bytes());
  EXPECT_EQ(After(8, 16, L.all()), (Bytes{{16, 24}}));
  EXPECT_EQ(After(12, 16, L.all()), (Bytes{{8, 12}, {16, 24}}));
  EXPECT_EQ(After(8, 24, L.perThread(Low)), (Bytes{{8, 24}}));
  EXPECT_EQ(After(20, 30, L.perThread(Low)), (Bytes{{8, 20}, {20, 24}}));
  EXPECT_EQ(After(24, 32, L.all()), (Bytes{{8, 24}}));
}

TEST(UnusedReads, GoByAnotherNameOnceTheirPlaceIsForgotten) {
  PerThreadContext L(64);
  const Object Local{Object::Kind::Local};
  UnusedReads Held;
  for (const EventId Read : {1, 2}) {
    Held.begin(Read, /*Before=*/false);
    Held.place(&Local, 0,
               {Read, 8 * int64_t(Read), 8 * int64_t(Read) + 4, L.all()});
  }
  Held.forgetBytes(1, [](EventId Id) { return Id + 10; });
  EXPECT_EQ(Held.at(L, &Local, 8, 12, L.all())[0].Read, 11u);
  EXPECT_EQ(Held.at(L, &Local, 16, 20, L.all())[0].Read, 2u);
  EXPECT_FALSE(Held.contains(1));
  EXPECT_TRUE(Held.contains(11));
  EXPECT_TRUE(Held.contains(2));
}

TEST(UnusedReads, AreUsedByAMethodThatNobodySees) {
  const char *Before = "struct Sum { float Of; __device__ void add() const; };";
  const std::string Read = "COPY(Tile + 4 * T, In + 4 * T);\nCOMMIT;\n"
                           "Sum S = {Tile[4 * T]};\n";
  EXPECT_EQ(found(Read + "WAIT(0);", Before), "");
  EXPECT_EQ(found(Read + "S.add();\nWAIT(0);", Before), InFlight);
}

namespace {

/// Two reads, each with a finding about it; nothing is placed yet.
class UnusedReadsTest : public testing::Test {
protected:
  UnusedReadsTest() {
    for (const EventId Read : {One, Two}) {
      Unused.begin(Read, /*Before=*/false);
      Unused.hold(about(Read));
    }
  }
  static UnusedReads::Held about(EventId Read) {
    return {Read, 9, FindingKind::ReadInFlight, nullptr, nullptr};
  }
  void place(EventId Read, const Object *In) {
    Unused.place(In, 0, {Read, 0, 4, V.lanes().all()});
  }
  static std::vector<EventId> blamed(const UnusedReads::Used &Now) {
    return {Now.Blamed.begin(), Now.Blamed.end()};
  }

  static constexpr EventId One = 1, Two = 2;
  ValueContext V{32};
  const Object *const Local = V.object(Object{Object::Kind::Local});
  const Object *const Other = V.object(Object{Object::Kind::Shared});
  UnusedReads Unused;
};

TEST_F(UnusedReadsTest, AFindingIsHeldOnce) {
  Unused.hold(about(One));
  EXPECT_EQ(Unused.use(One).Findings.size(), 1u);
  EXPECT_FALSE(Unused.hasFindings(One));
  EXPECT_TRUE(Unused.hasFindings(Two));
}

TEST_F(UnusedReadsTest, ACopyIsBlamedOnceAndForOneRead) {
  Unused.blame(One, 7);
  Unused.blame(One, 7);
  Unused.blame(One, 8);
  EXPECT_EQ(blamed(Unused.use(Two)), std::vector<EventId>());
  EXPECT_EQ(blamed(Unused.use(One)), (std::vector<EventId>{7, 8}));
}

TEST_F(UnusedReadsTest, PlacesAreThoseOfTheirObject) {
  place(One, Local);
  EXPECT_TRUE(Unused.isHeldBy(Local));
  EXPECT_FALSE(Unused.isHeldBy(Other));
  EXPECT_TRUE(Unused.isLost(Two));
  Unused.erase([&](const Object *O) { return O == Other; });
  EXPECT_FALSE(Unused.isLost(One));
  Unused.erase([&](const Object *O) { return O == Local; });
  EXPECT_TRUE(Unused.isLost(One));
}

TEST_F(UnusedReadsTest, AFindingGoesByTheNewNameOfItsReadAlone) {
  Unused.forgetBytes(One, [](EventId Id) { return Id + 10; });
  EXPECT_FALSE(Unused.hasFindings(One));
  const UnusedReads::Used Renamed = Unused.use(11), Same = Unused.use(Two);
  ASSERT_EQ(Renamed.Findings.size(), 1u);
  EXPECT_EQ(Renamed.Findings[0].Other, 19u);
  ASSERT_EQ(Same.Findings.size(), 1u);
  EXPECT_EQ(Same.Findings[0].Other, 9u);
}

// What the run before loaded is gone, and what was found about it.
TEST_F(UnusedReadsTest, ARunOfAReadMayOverwriteTheOneBefore) {
  for (const EventId Read : {One, Two}) {
    place(Read, Local);
    Unused.begin(Read, /*Before=*/true);
  }
  Unused.erase([](const Object *) { return true; });
  Unused.settle(One);
  EXPECT_FALSE(Unused.hasFindings(One));
  EXPECT_TRUE(Unused.hasFindings(Two));
}

TEST_F(UnusedReadsTest, ARunOfAReadMayLeaveTheOneBefore) {
  place(One, Local);
  Unused.begin(One, /*Before=*/true);
  Unused.settle(One);
  EXPECT_TRUE(Unused.hasFindings(One));
  // Now it is of this run.
  Unused.erase([](const Object *) { return true; });
  Unused.settle(One);
  EXPECT_TRUE(Unused.hasFindings(One));
}

} // namespace
