//===- DetectionTest.cpp - Detectors on states made by hand ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/detect/Detection.h"
#include "lib/state/MemoizedCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace clang;
using namespace cpasync;

namespace {

/// A block of two warps in a function that does nothing; what it did is put in
/// its state.
class DetectionTest : public testing::Test {
protected:
  static constexpr unsigned Threads = 64;

  DetectionTest()
      : Unit(tooling::buildASTFromCode("void f() {}", "input.cc")),
        P(Unit->getASTContext()), Shared(BlockShape{Threads, 1, 1}),
        Run(P, Options, Shared), Found(Run), S(Run.L, Run.Written) {
    Found.Findings.To = &Findings;
    Run.Report = &Report;
    S.Condition = PathCondition(&Run.Facts);
    S.Frames.emplace_back();
    const auto F = ast_matchers::match(
        ast_matchers::functionDecl(ast_matchers::hasName("f")).bind("it"),
        Unit->getASTContext());
    S.Frames[0].Fn = &P.function(F.front().getNodeAs<FunctionDecl>("it"));
    Object Key{Object::Kind::Shared};
    Tile = Run.V.object(Key);
  }

  /// 16 bytes of each thread, each \p Apart from those of the thread before.
  const Footprint *bytes(int64_t First, int64_t Apart) {
    std::vector<int64_t> At(Threads);
    for (unsigned T = 0; T < Threads; ++T)
      At[T] = First + T * Apart;
    return Run.Footprints.get(Tile, Run.V.known(Run.L.perThread(At)), 16,
                              Run.L.all());
  }
  EventId event(Event::Kind K, const Footprint *Bytes = nullptr) {
    Event E{K, &Sites[Number], SourceLocation::getFromRawEncoding(++Number)};
    E.Bytes = Bytes;
    E.Mask = Run.L.all();
    return Run.Events.intern(std::move(E));
  }
  void trace(TraceStep::Kind K, EventId E) {
    Run.trace(S, {K, Run.Events[E].Loc, E, Run.L.all()});
  }

  EventId copy(const Footprint *To) {
    const EventId E = event(Event::Kind::Copy, To);
    S.Copies.copy(Run.L, Run.Written, Run.Events, E);
    trace(TraceStep::Kind::CopyIssued, E);
    return E;
  }
  void commit() { commit(Run.L.all()); }
  void commit(const PerThread *Who) {
    const EventId E = event(Event::Kind::Commit);
    S.Copies.commit(Run.L, Run.Events, E, Who);
    Run.trace(S, {TraceStep::Kind::Committed, Run.Events[E].Loc, E, Who});
  }
  const PerThread *evenThreads() {
    std::vector<int64_t> Mask(Threads);
    for (unsigned T = 0; T < Threads; T += 2)
      Mask[T] = 1;
    return Run.L.perThread(Mask);
  }
  /// Of 16 bytes, all to one place, from addresses that lie that far \p Apart.
  void copyToOnePlace(int64_t Apart) {
    std::vector<int64_t> At(Threads);
    for (unsigned T = 0; T < Threads; ++T)
      At[T] = T * Apart;
    Object Key{Object::Kind::Global};
    const Value From =
        Value::pointer(Run.V.object(Key), Run.V.known(Run.L.perThread(At)));
    const EventId E = event(Event::Kind::Copy, bytes(0, 0));
    S.Copies.copy(Run.L, Run.Written, Run.Events, E);
    TraceNode N{TraceStep::Kind::CopyIssued, Run.Events[E].Loc, E, Run.L.all()};
    N.Source = From;
    N.Part = Run.L.uniform(16);
    Run.trace(S, N);
    Found.Mixed.noteMixedCopy(S, E, From, N.Part);
  }
  void waitAll() {
    const EventId E = event(Event::Kind::WaitAll);
    S.Copies.waitAll(Run.Footprints, Run.Events, E, Run.L.all());
    trace(TraceStep::Kind::WaitedAll, E);
  }
  void store(const Footprint *To) {
    Found.Order.checkOverwrite(S, event(Event::Kind::Store, To), Value(),
                               nullptr);
  }
  void read(const Footprint *From) {
    Found.Order.checkOrderOfRead(S, event(Event::Kind::Read, From));
  }

  std::unique_ptr<ASTUnit> Unit;
  Program P;
  AnalysisOptions Options;
  SharedValues Shared;
  KernelRun Run;
  Detection Found;
  State S;
  std::vector<Finding> Findings;
  KernelReport Report;
  const Object *Tile = nullptr;
  unsigned Number = 0;
  char Sites[64] = {};
};

TEST_F(DetectionTest, OwnCopyIsReadAfterItsWait) {
  copy(bytes(0, 16));
  commit();
  waitAll();
  read(bytes(0, 16));
  EXPECT_TRUE(Findings.empty());
}

TEST_F(DetectionTest, CopyOfAnotherWarpNeedsABarrier) {
  const EventId Copy = copy(bytes(0, 16));
  commit();
  waitAll();
  read(bytes((Threads - 1) * 16, -16)); // thread T reads what 63 - T copied
  ASSERT_EQ(Findings.size(), 1u);
  EXPECT_EQ(Findings[0].Kind, FindingKind::UnsynchronizedRead);
  EXPECT_EQ(Findings[0].At.Copy, Run.Events[Copy].Loc);
  EXPECT_NE(Findings[0].Thread / 32, Findings[0].Reader / 32);
}

TEST_F(DetectionTest, ItIsShownWithTheGroupsOfItsThread) {
  copy(bytes(4096, 16));
  copy(bytes(8192, 16));
  copy(bytes(0, 16)); // this is what is read too early
  commit();
  copy(bytes(4096, 16));
  commit();
  waitAll();
  read(bytes((Threads - 1) * 16, -16));
  ASSERT_EQ(Findings.size(), 1u);
  std::string Text;
  for (const Pipeline::Step &X : Findings[0].Path.Around.Steps) {
    Text += Text.empty() ? "" : "; ";
    Text += X.K == TraceStep::Kind::CopyIssued  ? "copy"
            : X.K == TraceStep::Kind::Committed ? "commit"
            : X.K == TraceStep::Kind::WaitedAll ? "wait"
                                                : "read";
    Text += X.Count > 1 ? " x" + std::to_string(X.Count) : "";
    Text += X.Group ? " in " + std::to_string(*X.Group) : "";
    Text += X.InFlight ? " of " + std::to_string(*X.InFlight) : "";
    Text += X.Completes ? " for " + std::to_string(*X.Completes) : "";
    Text += X.Clashes ? "!" : "";
  }
  EXPECT_EQ(Text,
            "copy x2 in 0; copy in 0!; commit in 0; copy in 1; commit in 1; "
            "wait of 2 for 2; read!");
  const Pipeline::Step &Early = Findings[0].Path.Around.Steps[1];
  EXPECT_EQ(Early.Begin, 0);
  EXPECT_EQ(Early.End, 16 * int64_t(Threads));
}

TEST_F(DetectionTest, ABarrierOrdersThem) {
  copy(bytes(0, 16));
  commit();
  waitAll();
  S.Copies.unordered().clear(); // all threads have come to one
  read(bytes((Threads - 1) * 16, -16));
  EXPECT_TRUE(Findings.empty());
}

TEST_F(DetectionTest, StoreOverACopyInFlight) {
  copy(bytes(0, 16));
  commit();
  store(bytes(0, 16));
  ASSERT_EQ(Findings.size(), 1u);
  EXPECT_EQ(Findings[0].Kind, FindingKind::Overwrite);
  EXPECT_EQ(Findings[0].Overwritten, OverwriteCause::InFlight);
  EXPECT_TRUE(Findings[0].ByStore);
  EXPECT_EQ(Findings[0].Byte, 0);
}

TEST_F(DetectionTest, StoreBesideACopyInFlight) {
  copy(bytes(0, 16));
  store(bytes(Threads * 16, 16));
  EXPECT_TRUE(Findings.empty());
}

TEST_F(DetectionTest, StoreOverWhatAnotherWarpStillReads) {
  copy(bytes(0, 16));
  commit();
  waitAll();
  S.Copies.unordered().clear();
  const EventId Read = event(Event::Kind::Read, bytes((Threads - 1) * 16, -16));
  trace(TraceStep::Kind::Read, Read);
  S.Copies.unordered().add(Run.L, Run.Events, Read, 0, Run.Events[Read].Bytes);
  store(bytes(0, 16));
  ASSERT_EQ(Findings.size(), 1u);
  EXPECT_EQ(Findings[0].Kind, FindingKind::Overwrite);
  EXPECT_EQ(Findings[0].Overwritten, OverwriteCause::StillRead);
}

TEST_F(DetectionTest, DifferentDataForOnePlaceIsRead) {
  copyToOnePlace(16);
  EXPECT_TRUE(Findings.empty()); // nobody has read it
  EXPECT_FALSE(
      Found.Mixed.checkMixedCopies(S, event(Event::Kind::Read, bytes(16, 16))));
  EXPECT_TRUE(
      Found.Mixed.checkMixedCopies(S, event(Event::Kind::Read, bytes(0, 16))));
  ASSERT_EQ(Findings.size(), 1u);
  EXPECT_NE(Findings[0].Thread, Findings[0].Other);
}

TEST_F(DetectionTest, TheSameDataForOnePlaceIsFine) {
  copyToOnePlace(0);
  EXPECT_FALSE(
      Found.Mixed.checkMixedCopies(S, event(Event::Kind::Read, bytes(0, 16))));
}

TEST_F(DetectionTest, WhatHangsOnContraryConditionsIsExclusive) {
  const int Name = 0;
  const Int *N = Run.V.symbol(&Name, 0, Uniformity::Block);
  auto Where = [&](int64_t End, bool IsBelow) {
    Event E{Event::Kind::Read, nullptr, SourceLocation(), bytes(0, 16)};
    E.May.push_back(
        {Run.V.isNegative(Run.V.sub(N, Run.V.constant(End))), IsBelow});
    return Run.Events.intern(std::move(E));
  };
  const EventId Low = Where(3, true), High = Where(5, false);
  EXPECT_TRUE(Found.Exclusive.areExclusive(S, Low, High));
  EXPECT_TRUE(Found.Exclusive.areExclusive(S, High, Low));
  EXPECT_FALSE(Found.Exclusive.areExclusive(S, Low, Where(5, true)));
  EXPECT_FALSE(Found.Exclusive.areExclusive(S, High, Where(3, false)));
}

TEST_F(DetectionTest, LanesThatCommitApart) {
  const PerThread *Even = evenThreads();
  copy(bytes(0, 16));
  commit(Even);
  commit(Run.L.except(Run.L.all(), Even));
  // Each has one group, the hardware counts two for the warp.
  const EventId Wait = event(Event::Kind::Wait);
  Found.Entangled.checkEntanglement(S, Wait, 0);
  EXPECT_TRUE(Findings.empty()); // a wait for all loses nothing
  Found.Entangled.checkEntanglement(S, Wait, 1);
  ASSERT_EQ(Findings.size(), 1u);
  EXPECT_EQ(Findings[0].Kind, FindingKind::OverWait);
  EXPECT_EQ(Findings[0].Limit, 2);
}

TEST_F(DetectionTest, WhatWasDecidedBetweenCommitsIsTold) {
  const PerThread *Even = evenThreads();
  copy(bytes(0, 16));
  commit(Even);
  const EventId Branch = event(Event::Kind::Commit); // only its place
  TraceNode Decision{TraceStep::Kind::BranchTaken, Run.Events[Branch].Loc, 0,
                     Run.L.all()};
  Decision.Effects = EffectGroup;
  Run.trace(S, Decision);
  commit(Run.L.except(Run.L.all(), Even));
  Found.Entangled.checkEntanglement(S, event(Event::Kind::Wait), 1);
  ASSERT_EQ(Findings.size(), 1u);
  EXPECT_TRUE(llvm::any_of(Findings[0].Trace, [](const TraceStep &Step) {
    return Step.K == TraceStep::Kind::BranchTaken;
  }));
}

// In the rounds of a loop it is decided at one place again and again.
TEST_F(DetectionTest, TheNewestDecisionBetweenCommitsIsTold) {
  const PerThread *Even = evenThreads();
  copy(bytes(0, 16));
  const EventId Branch = event(Event::Kind::Commit); // only its place
  auto Decide = [&](bool Holds) {
    TraceNode Decision{TraceStep::Kind::BranchTaken, Run.Events[Branch].Loc, 0,
                       Run.L.all()};
    Decision.Effects = EffectGroup;
    Decision.Flag = Holds;
    Run.trace(S, Decision);
  };
  commit(Even);
  Decide(false);
  Decide(true);
  commit(Run.L.except(Run.L.all(), Even));
  Found.Entangled.checkEntanglement(S, event(Event::Kind::Wait), 1);
  ASSERT_EQ(Findings.size(), 1u);
  std::vector<bool> Told;
  for (const TraceStep &Step : Findings[0].Trace)
    if (Step.K == TraceStep::Kind::BranchTaken)
      Told.push_back(Step.Flag);
  EXPECT_EQ(Told, std::vector<bool>{true});
}

TEST_F(DetectionTest, LanesThatCommitTogether) {
  copy(bytes(0, 16));
  commit();
  copy(bytes(Threads * 16, 16));
  commit();
  Found.Entangled.checkEntanglement(S, event(Event::Kind::Wait), 1);
  EXPECT_TRUE(Findings.empty());
}

TEST_F(DetectionTest, LanesThatCommitTogetherHaveOneGroupOfIt) {
  const PerThread *Even = evenThreads();
  copy(bytes(0, 16));
  commit(Even);
  commit(); // one group of the warp, of two classes of its lanes
  Found.Entangled.checkEntanglement(S, event(Event::Kind::Wait), 1);
  EXPECT_TRUE(Findings.empty());
}

TEST_F(DetectionTest, LanesWithTheFewestGroupsAreTold) {
  const PerThread *Even = evenThreads(), *Odd = Run.L.except(Run.L.all(), Even);
  copy(bytes(0, 16));
  commit(Even);
  commit(Even);
  commit(Odd);
  Found.Entangled.checkEntanglement(S, event(Event::Kind::Wait), 1);
  ASSERT_EQ(Findings.size(), 1u);
  EXPECT_EQ(Findings[0].NewerGroups, 1);
  EXPECT_EQ(Findings[0].Thread, 1);
}

TEST_F(DetectionTest, LanesThatDoNotWaitAreEntangledWithNobody) {
  const PerThread *Even = evenThreads(), *Odd = Run.L.except(Run.L.all(), Even);
  copy(bytes(0, 16));
  for (const PerThread *Who : {Even, Even, Odd, Odd})
    commit(Who);
  S.Active = Even;
  Found.Entangled.checkEntanglement(S, event(Event::Kind::Wait), 1);
  EXPECT_TRUE(Findings.empty());
  S.Active = Run.L.all();
  Found.Entangled.checkEntanglement(S, event(Event::Kind::Wait), 1);
  EXPECT_EQ(Findings.size(), 1u);
}

TEST_F(DetectionTest, TheSameFactIsToldOnce) {
  copy(bytes(0, 16));
  commit();
  waitAll();
  const Footprint *Others = bytes((Threads - 1) * 16, -16);
  const EventId Read = event(Event::Kind::Read, Others);
  Found.Order.checkOrderOfRead(S, Read);
  Found.Order.checkOrderOfRead(S, Read);
  EXPECT_EQ(Findings.size(), 1u);
  EXPECT_TRUE(Report.Gaps.empty());
}

} // namespace
