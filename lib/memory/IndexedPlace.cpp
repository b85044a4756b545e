//===- IndexedPlace.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/IndexedPlace.h"
#include "lib/support/PerThread.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

int64_t IndexedPlace::inRooms() const {
  int64_t Room = 0;
  for (int64_t Begin : llvm::reverse(llvm::ArrayRef(Left).take_back(MaxRooms)))
    Room = (Room + Begin + 1) << RoomBits;
  return Byte + Room;
}

bool IndexedPlace::areOneStep(const PerThread &Between, unsigned Threads) {
  constexpr int64_t Mask = (int64_t(1) << RoomBits) - 1;
  for (unsigned T = 1; T < Threads; ++T)
    if ((Between[T] & Mask) != (Between[0] & Mask))
      return false;
  return true;
}
