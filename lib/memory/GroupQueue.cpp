//===- GroupQueue.cpp - One thread's cp.async groups ----------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/GroupQueue.h"

namespace cpasync {

uint32_t effectiveWaitCount(int64_t N) {
  return N < 0 || N > MaxWaitGroupCount ? MaxWaitGroupCount
                                        : static_cast<uint32_t>(N);
}

void GroupQueue::copy(EventId Copy) { Open.push_back(Copy); }

void GroupQueue::keepOpen(llvm::function_ref<bool(EventId)> IsTheirs) {
  llvm::erase_if(Open, [&](EventId C) { return !IsTheirs(C); });
  if (Open.empty())
    OpenWait = 0;
}

void GroupQueue::commit(EventId Commit) {
  Group New;
  New.Commit = Commit;
  New.EarlyWait = OpenWait;
  New.Copies.assign(Open.begin(), Open.end());
  Groups.push_back(std::move(New));
  Open.clear();
  OpenWait = 0;
}

llvm::SmallVector<EventId, 8> GroupQueue::waitGroup(uint32_t N, EventId Wait) {
  llvm::SmallVector<EventId, 8> Done;
  size_t Completed = Groups.size() > N ? Groups.size() - N : 0;
  for (const Group &G : groups().take_front(Completed))
    Done.append(G.Copies.begin(), G.Copies.end());
  Groups.erase(Groups.begin(), Groups.begin() + Completed);
  for (Group &Left : Groups)
    Left.LastWait = Wait;
  if (!Open.empty())
    OpenWait = Wait;
  return Done;
}

llvm::SmallVector<EventId, 8> GroupQueue::waitAll() {
  llvm::SmallVector<EventId, 8> Done;
  for (const Group &G : Groups)
    Done.append(G.Copies.begin(), G.Copies.end());
  Done.append(Open.begin(), Open.end());
  *this = GroupQueue();
  return Done;
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
    F.addList(G.Copies, AddId);
  });
}

} // namespace cpasync
