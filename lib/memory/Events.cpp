//===- Events.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/Events.h"
#include "llvm/ADT/Hashing.h"

using namespace cpasync;

EventId EventTable::intern(Event E) {
  size_t Hash =
      llvm::hash_combine(static_cast<int>(E.K), E.Site, E.Loc.getRawEncoding(),
                         E.Bytes, E.Mask, E.N, E.May.size(), E.Shared);
  auto [I, End] = Index.equal_range(Hash);
  for (; I != End; ++I)
    if (Events[I->second] == E)
      return I->second;
  if (E.K == Event::Kind::Copy)
    Copied.insert(E.Bytes->Obj);
  Events.push_back(std::move(E));
  EventId Id = Events.size() - 1;
  Index.emplace(Hash, Id);
  return Id;
}
