//===- TileSizes.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/inference/TileSizes.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace cpasync;

// Boxes have whole units of 16 bytes. CUDA Driver API, cuTensorMapEncodeTiled.
static constexpr int64_t BoxUnit = 16;
// As many as a phase can count. PTX ISA, "Contents of the mbarrier object".
static constexpr int64_t MaxBytes = (1 << 20) - 1;

unsigned TileSizes::number(Tile T) {
  const size_t At = llvm::find(Numbered, T) - Numbered.begin();
  if (At == Numbered.size())
    Numbered.push_back(T);
  return At;
}

std::optional<TileSizes::Size> TileSizes::sizeOf(Tile T) const {
  const auto At = Known.find(T);
  return At == Known.end() ? std::nullopt : std::optional(At->second);
}

void TileSizes::place(Tile T, const Object *Obj, std::optional<int64_t> Begin) {
  add(Destinations[T], Obj, Begin);
}

void TileSizes::placeSource(Tile T, const Object *Obj,
                            std::optional<int64_t> Begin) {
  add(Sources[T], Obj, Begin);
}

void TileSizes::add(Places &To, const Object *Obj,
                    std::optional<int64_t> Begin) {
  To.AreKnown &= Begin.has_value();
  if (!Begin)
    return;
  To.Begins.insert({Obj, *Begin});
  limit(Obj, *Begin);
}

void TileSizes::complete(Copies Of, int64_t Announced,
                         clang::SourceLocation Where) {
  Phase P{{}, Announced, Where};
  for (auto [Number, Count] : Of)
    P.Tiles.push_back({Numbered[Number], Count});
  if (Announced > 0 && Announced <= MaxBytes)
    Phases.insert(std::move(P));
}

int64_t TileSizes::roomAt(Place At) const {
  const auto [Obj, Begin] = At;
  const std::set<int64_t> &All = Begins.at(Obj);
  if (const auto Next = All.upper_bound(Begin); Next != All.end())
    return *Next - Begin;
  return std::max<int64_t>(0, Obj->Size - Begin);
}

int64_t TileSizes::roomOf(Tile T) const {
  const auto At = Destinations.find(T);
  if (At == Destinations.end() || !At->second.AreKnown)
    return 0;
  int64_t Room = INT64_MAX;
  for (const Place &X : At->second.Begins)
    if (const int64_t Here = roomAt(X))
      Room = std::min(Room, Here);
  return Room == INT64_MAX ? 0 : Room;
}

int64_t TileSizes::filledBy(const Places &Sources) const {
  if (!Sources.AreKnown || Sources.Begins.empty())
    return 0;
  const Place First = *Sources.Begins.begin();
  const int64_t Room = roomAt(First);
  const bool FillsAll = First.second == 0 && Room == First.first->Size;
  if (Sources.Begins.size() == 1)
    return FillsAll ? Room : 0;
  // What lies behind the last may be anything.
  const Place Last = *Sources.Begins.rbegin();
  const bool AreSlots = llvm::all_of(Sources.Begins, [&](const Place &X) {
    const int64_t Here = roomAt(X);
    return Here == Room || (X == Last && (!Here || Here > Room));
  });
  return AreSlots ? Room : 0;
}

TileSizes::Sizes TileSizes::follow(const Phase &P, const Sizes &Found) const {
  int64_t Left = P.Announced, Rooms = 0;
  bool HaveRooms = true;
  std::vector<std::pair<Tile, int64_t>> Open;
  for (auto [T, Count] : P.Tiles)
    if (const auto At = Found.find(T); At != Found.end()) {
      Left -= At->second.Bytes * Count;
    } else {
      Open.push_back({T, Count});
      HaveRooms &= roomOf(T) != 0;
      Rooms += roomOf(T) * Count;
    }
  Sizes Of;
  if (HaveRooms && Rooms == Left)
    for (auto [T, Count] : Open)
      Of[T] = {roomOf(T), P.At};
  else if (Open.size() == 1 && Left % Open[0].second == 0)
    Of[Open[0].first] = {Left / Open[0].second, P.At};
  const bool AreBoxes = llvm::all_of(Of, [&](auto Sized) {
    const int64_t Room = roomOf(Sized.first), Bytes = Sized.second.Bytes;
    return Bytes > 0 && Bytes % BoxUnit == 0 &&
           (Sized.first.IsPlace ? Bytes == Room : !Room || Bytes <= Room);
  });
  return AreBoxes ? Of : Sizes();
}

TileSizes::Sizes TileSizes::solve() const {
  Sizes Found = Known;
  std::set<Tile> Contradicted;
  for (bool Changed = true; Changed;) {
    Sizes New;
    for (const Phase &P : Phases)
      for (auto [T, Of] : follow(P, Found)) {
        const auto [At, Inserted] = New.insert({T, Of});
        if (Inserted || At->second == Of)
          continue;
        const int64_t Room = roomOf(T);
        if (At->second.Bytes != Room && Of.Bytes != Room)
          Contradicted.insert(T);
        At->second = Of.Bytes == Room ? Of : At->second;
      }
    Changed = false;
    for (auto [T, Of] : New)
      Changed |= !Contradicted.contains(T) && Found.insert({T, Of}).second;
  }
  for (const auto &[T, From] : Sources) {
    const int64_t Bytes = filledBy(From);
    if (Bytes <= 0 || Bytes % BoxUnit || Bytes > MaxBytes)
      continue;
    // A run that ended early has not seen all places.
    const auto [At, IsNew] =
        Found.insert({T, {Bytes, {}, /*IsEncoded=*/false, /*FillsSlot=*/true}});
    if (!IsNew && At->second.FillsSlot)
      At->second.Bytes = std::min(At->second.Bytes, Bytes);
  }
  return Found;
}

TileSizes TileSizes::forNextRun() const {
  TileSizes Next;
  Next.Known = solve();
  return Next;
}
