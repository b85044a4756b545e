//===- GroupQueue.cpp - One thread's cp.async groups ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/GroupQueue.h"
#include "llvm/ADT/STLExtras.h"

namespace cpasync {

uint32_t effectiveWaitCount(int64_t N) {
  return N < 0 || N > MaxWaitGroupCount ? MaxWaitGroupCount
                                        : static_cast<uint32_t>(N);
}

static bool isCounted(const Group &G) { return !G.Alone; }

void GroupQueue::copy(EventId Copy) { Open.push_back(Copy); }

void GroupQueue::keepOpen(llvm::function_ref<bool(EventId)> IsTheirs) {
  llvm::erase_if(Open, [&](EventId C) { return !IsTheirs(C); });
  if (Open.empty())
    OpenWait = 0;
}

void GroupQueue::commit(EventId Commit, bool Alone) {
  Group New;
  New.Alone = Alone;
  New.Commit = Commit;
  New.EarlyWait = OpenWait;
  New.Copies.assign(Open.begin(), Open.end());
  Groups.push_back(std::move(New));
  Open.clear();
  OpenWait = 0;
}

llvm::SmallVector<EventId, 8> GroupQueue::waitGroup(uint32_t N, EventId Wait) {
  llvm::SmallVector<EventId, 8> Done;
  size_t Counted = llvm::count_if(Groups, isCounted);
  llvm::SmallVector<Group, 8> Left;
  for (Group &G : Groups) {
    if (isCounted(G) && Counted-- > N) {
      Done.append(G.Copies.begin(), G.Copies.end());
      continue;
    }
    if (isCounted(G))
      G.LastWait = Wait;
    Left.push_back(std::move(G));
  }
  Groups = std::move(Left);
  if (!Open.empty())
    OpenWait = Wait;
  return Done;
}

bool GroupQueue::isWaitable() const {
  return !Open.empty() || llvm::any_of(Groups, isCounted);
}

void GroupQueue::forgetAlone() {
  llvm::erase_if(Groups, [](const Group &G) { return G.Alone; });
}

void GroupQueue::forgetOldestEmpty() {
  Groups.erase(Groups.begin(), llvm::find_if(Groups, [](const Group &G) {
                 return G.Alone || !G.Copies.empty();
               }));
}

llvm::SmallVector<EventId, 8> GroupQueue::waitAll() {
  llvm::SmallVector<EventId, 8> Done;
  for (const Group &G : Groups)
    if (!G.Alone)
      Done.append(G.Copies.begin(), G.Copies.end());
  Done.append(Open.begin(), Open.end());
  llvm::erase_if(Groups, isCounted);
  Open.clear();
  OpenWait = 0;
  return Done;
}

void GroupQueue::load(llvm::ArrayRef<EventId> Copies, EventId Close) {
  const auto Open = llvm::find_if(
      Groups, [&](const Group &G) { return G.Alone && G.Commit == Close; });
  if (Open != Groups.end()) {
    for (const EventId Copy : Copies)
      if (!llvm::is_contained(Open->Copies, Copy))
        Open->Copies.push_back(Copy);
    return;
  }
  Group New;
  New.Commit = Close;
  New.Alone = true;
  New.Copies.append(Copies.begin(), Copies.end());
  Groups.push_back(std::move(New));
}

void GroupQueue::part(EventId Close) {
  Group New;
  New.Commit = Close;
  New.Alone = true;
  for (Group &G : Groups)
    if (!G.Alone) {
      New.Copies.append(G.Copies.begin(), G.Copies.end());
      G.Copies.clear();
    }
  New.Copies.append(Open.begin(), Open.end());
  Open.clear();
  OpenWait = 0;
  Groups.push_back(std::move(New));
}

llvm::SmallVector<EventId, 4> GroupQueue::complete(EventId Close) {
  auto Alone = llvm::find_if(
      Groups, [&](const Group &G) { return G.Alone && G.Commit == Close; });
  if (Alone == Groups.end())
    return {};
  auto Done = std::move(Alone->Copies);
  Groups.erase(Alone);
  return Done;
}

size_t GroupQueue::countedBehind(size_t Index) const {
  return llvm::count_if(groups().drop_front(Index + 1), isCounted);
}

void GroupQueue::update(llvm::function_ref<bool(EventId &)> Keep) {
  const auto Drop = [&](EventId &Id) { return !Keep(Id); };
  llvm::erase_if(Open, Drop);
  if (Open.empty())
    OpenWait = 0;
  for (Group &G : Groups)
    llvm::erase_if(G.Copies, Drop);
}

void GroupQueue::addTo(Fingerprint &F) const {
  auto AddId = [&](EventId Id) { F.add(Id); };
  F.addList(Open, AddId);
  F.add(OpenWait);
  F.addList(Groups, [&](const Group &G) {
    F.add(G.Commit);
    F.add(uint64_t(G.LastWait) << 32 | G.EarlyWait);
    F.add(G.Alone);
    F.addList(G.Copies, AddId);
  });
}

} // namespace cpasync
