//===- GroupQueueTest.cpp - Commit groups against a slow model ------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/GroupQueue.h"
#include "GroupModel.h"
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace cpasync;
using groupmodel::GroupEvent;
using groupmodel::History;

namespace {

TEST(EffectiveWaitCount, ActsAsTheHardwareEncodesIt) {
  const std::pair<int64_t, uint32_t> Cases[] = {
      {0, 0},         {1, 1},   {62, 62},           {63, 63},
      {64, 63},       {65, 63}, {1000, 63},         {-1, 63},
      {-2, 63},       {8, 8},   {4294967295LL, 63}, {INT64_MIN, 63},
      {INT64_MAX, 63}};
  for (auto [Written, Effective] : Cases)
    EXPECT_EQ(effectiveWaitCount(Written), Effective) << Written;
}

template <typename Range> std::string ids(const Range &Ids) {
  std::string S;
  for (EventId Id : Ids)
    S += (S.empty() ? "" : " ") + std::to_string(Id);
  return S;
}

/// "open 5 6 w7 | 2: 1 early=0 last=4": open copies with their last wait, then
/// each group with its commit, copies, and waits. Waits that are 0 are left
/// out.
std::string str(const GroupQueue &Q) {
  std::string S = "open " + ids(Q.open());
  if (Q.openLastWait())
    S += " w" + std::to_string(Q.openLastWait());
  for (const Group &G : Q.groups()) {
    S += " | " + std::to_string(G.Commit) + ": " + ids(G.Copies);
    if (G.EarlyWait)
      S += " early=" + std::to_string(G.EarlyWait);
    if (G.LastWait)
      S += " last=" + std::to_string(G.LastWait);
  }
  return S;
}

/// The same text from the model.
std::string str(const History &H) {
  std::vector<EventId> Open;
  size_t FirstOpen = H.Events.size();
  std::string Groups;
  for (size_t I = 0; I < H.Events.size(); ++I) {
    if (H.Events[I].What == GroupEvent::Copy && H.isOpen(I)) {
      FirstOpen = std::min(FirstOpen, I);
      Open.push_back(H.Events[I].Id);
    }
    if (H.Events[I].What != GroupEvent::Commit || !H.isInFlight(I))
      continue;
    std::vector<EventId> Copies;
    std::vector<size_t> Members = H.copiesOf(I);
    for (size_t Copy : Members)
      Copies.push_back(H.Events[Copy].Id);
    Groups += " | " + std::to_string(H.Events[I].Id) + ": " + ids(Copies);
    if (!Members.empty())
      if (unsigned Early = H.newestWait(Members.front(), I))
        Groups += " early=" + std::to_string(Early);
    if (unsigned Last = H.newestWait(I, H.Events.size()))
      Groups += " last=" + std::to_string(Last);
  }
  std::string S = "open " + ids(Open);
  if (unsigned Wait = H.newestWait(FirstOpen, H.Events.size()))
    S += " w" + std::to_string(Wait);
  return S + Groups;
}

/// Runs \p E on the queue; what it completed.
llvm::SmallVector<EventId, 8> run(GroupQueue &Q, const GroupEvent &E) {
  switch (E.What) {
  case GroupEvent::Copy:
    Q.copy(E.Id);
    return {};
  case GroupEvent::Commit:
    Q.commit(E.Id);
    return {};
  case GroupEvent::WaitGroup:
    return Q.waitGroup(E.N, E.Id);
  case GroupEvent::WaitAll:
    return Q.waitAll();
  }
  return {};
}

/// "c C W1 A": the events get the numbers 1, 2, ...
std::vector<GroupEvent> eventsOf(const std::string &Text) {
  std::vector<GroupEvent> Events;
  std::istringstream In(Text);
  for (std::string Word; In >> Word;) {
    GroupEvent E;
    E.Id = Events.size() + 1;
    E.What = Word[0] == 'c'   ? GroupEvent::Copy
             : Word[0] == 'C' ? GroupEvent::Commit
             : Word[0] == 'W' ? GroupEvent::WaitGroup
                              : GroupEvent::WaitAll;
    if (E.What == GroupEvent::WaitGroup)
      E.N = std::stoul(Word.substr(1));
    Events.push_back(E);
  }
  return Events;
}

struct QueueCase {
  const char *Events;    ///< numbered from 1
  const char *Completed; ///< by the last event
  const char *State;     ///< afterwards
};

const QueueCase QueueCases[] = {
    {"", "", "open "},
    {"c", "", "open 1"},
    {"c c", "", "open 1 2"},
    {"c C", "", "open  | 2: 1"},
    {"C", "", "open  | 1: "},
    {"c C W0", "1", "open "},
    // An uncommitted copy is not covered by wait_group, but by wait_all.
    {"c W0", "", "open 1 w2"},
    {"c A", "1", "open "},
    {"c C c A", "1 3", "open "},
    // The wait came too early for the copy: it is not the open copies' wait.
    {"W0 c", "", "open 2"},
    {"c W0 C", "", "open  | 3: 1 early=2"},
    {"c W0 c W1 C", "", "open  | 5: 1 3 early=4"},
    {"c W0 C W1", "", "open  | 3: 1 early=2 last=4"},
    {"c W0 C c", "", "open 4 | 3: 1 early=2"},
    {"c W0 A c", "", "open 4"},
    // N groups stay, the oldest go first.
    {"c C c C W1", "1", "open  | 4: 3 last=5"},
    {"c C c C W2", "", "open  | 2: 1 last=5 | 4: 3 last=5"},
    {"c C c C c C W1", "1 3", "open  | 6: 5 last=7"},
    {"c C c C W63 W2", "", "open  | 2: 1 last=6 | 4: 3 last=6"},
    {"c c C c C W1", "1 2", "open  | 5: 4 last=6"},
    // Empty groups count.
    {"c C C W1", "1", "open  | 3:  last=4"},
    {"c C C C W2", "1", "open  | 3:  last=5 | 4:  last=5"},
    {"c C W1 C W1", "1", "open  | 4:  last=5"},
    // An early wait of an empty group cannot exist.
    {"W0 C", "", "open  | 2: "},
    {"c C W1", "", "open  | 2: 1 last=3"},
    {"c C W1 c W0", "1", "open 4 w5"},
    {"A A", "", "open "},
};

TEST(GroupQueue, HandWrittenCases) {
  for (const QueueCase &Case : QueueCases) {
    SCOPED_TRACE(Case.Events);
    GroupQueue Q;
    History H;
    std::string Completed;
    for (const GroupEvent &E : eventsOf(Case.Events)) {
      Completed = ids(run(Q, E));
      H.Events.push_back(E);
    }
    EXPECT_EQ(Completed, Case.Completed);
    EXPECT_EQ(str(Q), Case.State);
    // The model is tested by the same table.
    EXPECT_EQ(str(H), Case.State);
  }
}

TEST(GroupQueue, EqualHistoriesAreEqualStates) {
  GroupQueue A, B;
  A.copy(1);
  A.commit(2);
  EXPECT_FALSE(A == B);
  B.copy(1);
  B.commit(2);
  EXPECT_TRUE(A == B);
  A.waitGroup(1, 3);
  EXPECT_FALSE(A == B) << "the last wait is part of the state";
  A.waitAll();
  EXPECT_TRUE(A == GroupQueue());
}

TEST(GroupQueue, HoldsMoreGroupsThanTheHardwareCounts) {
  GroupQueue Q;
  for (EventId I = 1; I <= 200; I += 2) {
    Q.copy(I);
    Q.commit(I + 1);
  }
  EXPECT_EQ(Q.waitGroup(effectiveWaitCount(-1), 1000).size(), 100u - 63u);
  EXPECT_EQ(Q.groups().size(), 63u);
  EXPECT_EQ(Q.groups().front().Copies[0], 2 * (100 - 63) + 1u);
}

GroupEvent randomEvent(std::mt19937 &Random, unsigned Id) {
  GroupEvent E;
  E.Id = Id;
  unsigned Dice = Random() % 16;
  E.What = Dice < 6    ? GroupEvent::Copy
           : Dice < 11 ? GroupEvent::Commit
           : Dice < 15 ? GroupEvent::WaitGroup
                       : GroupEvent::WaitAll;
  if (E.What == GroupEvent::WaitGroup)
    E.N = Random() % 16 == 0 ? MaxWaitGroupCount : Random() % 5;
  return E;
}

TEST(GroupQueue, AgreesWithTheModelOnRandomSequences) {
  constexpr unsigned Sequences = 100'000;
  std::mt19937 Random(20240229);
  for (unsigned S = 0; S < Sequences; ++S) {
    GroupQueue Q;
    History H;
    unsigned Length = 1 + Random() % 20;
    for (unsigned I = 1; I <= Length; ++I) {
      History Before = H;
      H.Events.push_back(randomEvent(Random, I));
      std::vector<EventId> Expected;
      for (size_t C = 0; C < Before.Events.size(); ++C)
        if (H.Events[C].What == GroupEvent::Copy && H.isDone(C) &&
            !Before.isDone(C))
          Expected.push_back(H.Events[C].Id);
      std::string Completed = ids(run(Q, H.Events.back()));
      ASSERT_EQ(Completed, ids(Expected)) << H.str();
      ASSERT_EQ(str(Q), str(H)) << H.str();
    }
  }
}

TEST(GroupQueue, ItsDigestTellsWaitsApart) {
  auto DigestOf = [](auto Wait) {
    GroupQueue Q;
    Q.copy(1);
    Q.commit(2);
    Wait(Q);
    Fingerprint F;
    Q.addTo(F);
    return F.digest();
  };
  auto Nothing = [](GroupQueue &) {};
  auto First = [](GroupQueue &Q) { Q.waitGroup(1, 3); };
  auto Second = [](GroupQueue &Q) { Q.waitGroup(1, 4); };
  EXPECT_EQ(DigestOf(First), DigestOf(First));
  EXPECT_NE(DigestOf(Nothing), DigestOf(First));
  EXPECT_NE(DigestOf(First), DigestOf(Second));
}

TEST(GroupQueue, ItsDigestTellsOpenCopiesApart) {
  auto DigestOf = [](EventId Copy) {
    GroupQueue Q;
    if (Copy)
      Q.copy(Copy);
    Fingerprint F;
    Q.addTo(F);
    return F.digest();
  };
  EXPECT_EQ(DigestOf(1), DigestOf(1));
  EXPECT_NE(DigestOf(0), DigestOf(1));
  EXPECT_NE(DigestOf(1), DigestOf(2));
}

TEST(GroupQueue, GroupsAloneAreNotCounted) {
  GroupQueue Q;
  Q.copy(1);
  Q.commit(2);
  Q.load(3, 4);
  Q.copy(5);
  Q.commit(6);
  Q.load(7, 8);
  EXPECT_EQ(Q.countedBehind(0), 1u);
  EXPECT_EQ(ids(Q.waitGroup(1, 9)), "1");
  EXPECT_EQ(str(Q), "open  | 4: 3 | 6: 5 last=9 | 8: 7");
  EXPECT_EQ(ids(Q.waitAll()), "5");
  // Each by itself, whatever came before it.
  EXPECT_EQ(ids(Q.complete(8)), "7");
  EXPECT_EQ(ids(Q.complete(8)), "");
  EXPECT_EQ(str(Q), "open  | 4: 3");
}

TEST(GroupQueue, WhatCompletesTogetherIsOneGroup) {
  GroupQueue Q;
  Q.load(1, 9);
  Q.copy(2);
  Q.commit(8, /*Alone=*/true);
  Q.load({3, 1}, 9);
  EXPECT_EQ(str(Q), "open  | 9: 1 3 | 8: 2");
  EXPECT_FALSE(Q.isWaitable());
  EXPECT_EQ(ids(Q.complete(9)), "1 3");
  EXPECT_EQ(str(Q), "open  | 8: 2");
}

TEST(GroupQueue, NobodyWaitsForGroupsAlone) {
  GroupQueue Q;
  Q.load(1, 2);
  EXPECT_FALSE(Q.isWaitable());
  EXPECT_FALSE(Q.isEmpty());
  Q.copy(3);
  EXPECT_TRUE(Q.isWaitable());
  Q.commit(4);
  EXPECT_TRUE(Q.isWaitable());
  Q.forgetAlone();
  EXPECT_EQ(str(Q), "open  | 4: 3");
  Q.waitAll();
  EXPECT_TRUE(Q.isEmpty());
}

TEST(GroupQueue, WhatArrivesLeavesItsGroups) {
  GroupQueue Q;
  Q.copy(1);
  Q.commit(2);
  Q.copy(3);
  Q.part(4);
  // The group counts although it is empty now.
  EXPECT_EQ(str(Q), "open  | 2:  | 4: 1 3");
  EXPECT_EQ(ids(Q.waitGroup(0, 5)), "");
  EXPECT_EQ(ids(Q.complete(4)), "1 3");
  EXPECT_EQ(str(Q), "open ");
}

TEST(GroupQueue, NoWaitTellsTheOldestEmptyGroups) {
  std::mt19937 Random(11);
  for (int Run = 0; Run < 400; ++Run) {
    GroupQueue All, Fewer;
    EventId Next = 1;
    for (int Step = 0; Step < 40; ++Step) {
      const EventId Event = Next++;
      if (const unsigned What = Random() % 4; What == 0) {
        All.copy(Event);
        Fewer.copy(Event);
      } else if (What < 3) {
        All.commit(Event);
        Fewer.commit(Event);
      } else {
        const uint32_t N = Random() % 4;
        EXPECT_EQ(All.waitGroup(N, Event), Fewer.waitGroup(N, Event));
      }
      if (Random() % 3 == 0)
        Fewer.forgetOldestEmpty();
    }
    EXPECT_EQ(All.waitAll(), Fewer.waitAll());
  }
}

TEST(GroupQueue, EmptyGroupsBehindACopyAreCounted) {
  GroupQueue Q;
  for (EventId Commit : {1, 2})
    Q.commit(Commit);
  Q.copy(3);
  for (EventId Commit : {4, 5})
    Q.commit(Commit);
  Q.forgetOldestEmpty();
  ASSERT_EQ(Q.groups().size(), 2u);
  EXPECT_EQ(Q.groups().front().Commit, 4u);
  EXPECT_TRUE(Q.waitGroup(2, 6).empty());
  EXPECT_EQ(Q.waitGroup(1, 7).size(), 1u);
}

} // namespace
