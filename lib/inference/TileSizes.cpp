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

int64_t TileSizes::roomAt(Place At, const Limits &Of) {
  const auto [Obj, Begin] = At;
  const std::set<int64_t> &All = Of.at(Obj);
  if (const auto Next = All.upper_bound(Begin); Next != All.end())
    return *Next - Begin;
  return std::max<int64_t>(0, Obj->Size - Begin);
}

int64_t TileSizes::roomOf(Tile T, const Limits &Of) const {
  const auto At = Destinations.find(T);
  if (At == Destinations.end() || !At->second.AreKnown)
    return 0;
  int64_t Room = INT64_MAX;
  for (const Place &X : At->second.Begins)
    if (const int64_t Here = roomAt(X, Of))
      Room = std::min(Room, Here);
  return Room == INT64_MAX ? 0 : Room;
}

TileSizes::Limits TileSizes::limitsIn(const Phase &P) const {
  Limits Of;
  for (auto [T, Count] : P.Tiles)
    if (const auto At = Destinations.find(T); At != Destinations.end())
      for (auto [Obj, Begin] : At->second.Begins)
        Of[Obj].insert(Begin);
  return Of;
}

int64_t TileSizes::filledBy(const Places &Sources) const {
  if (!Sources.AreKnown || Sources.Begins.empty())
    return 0;
  const Place First = *Sources.Begins.begin();
  const int64_t Room = roomAt(First, Begins);
  const bool FillsAll = First.second == 0 && Room == First.first->Size;
  if (Sources.Begins.size() == 1)
    return FillsAll ? Room : 0;
  // What lies behind the last may be anything.
  const Place Last = *Sources.Begins.rbegin();
  const bool AreSlots = llvm::all_of(Sources.Begins, [&](const Place &X) {
    const int64_t Here = roomAt(X, Begins);
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
      HaveRooms &= roomOf(T, Begins) != 0;
      Rooms += roomOf(T, Begins) * Count;
    }
  Sizes Of;
  if (HaveRooms && Rooms == Left)
    for (auto [T, Count] : Open)
      Of[T] = {roomOf(T, Begins), P.At};
  else if (Open.size() == 1 && Left % Open[0].second == 0)
    Of[Open[0].first] = {Left / Open[0].second, P.At};
  const bool AreBoxes = llvm::all_of(Of, [&](auto Sized) {
    const int64_t Room = roomOf(Sized.first, Begins),
                  Bytes = Sized.second.Bytes;
    return Bytes > 0 && Bytes % BoxUnit == 0 &&
           (Sized.first.IsPlace ? Bytes == Room : !Room || Bytes <= Room);
  });
  return AreBoxes ? Of : Sizes();
}

TileSizes::Sizes TileSizes::settle(const Phase &P, const Sizes &Found) const {
  const Limits Of = limitsIn(P);
  int64_t Left = P.Announced, Rooms = 0;
  std::vector<std::pair<Tile, int64_t>> Open;
  for (auto [T, Count] : P.Tiles) {
    const auto At = Found.find(T);
    if (At != Found.end()) {
      Left -= At->second.Bytes * Count;
      continue;
    }
    const int64_t Room = roomOf(T, Of);
    if (!Room || T.IsPlace)
      return {};
    Open.push_back({T, Count});
    Rooms += Room * Count;
  }
  Sizes Settled;
  if (Left <= 0 || Left >= Rooms || Left % BoxUnit) {
    for (auto [T, Count] : Open)
      Settled[T] = {roomOf(T, Of), P.At,
                    Left == Rooms ? Size::By::Announcement : Size::By::Room};
    return Settled;
  }
  if (Open.size() < 2)
    return {};
  // What is left over goes to the last: it has to be divided by fewest copies.
  llvm::sort(Open, [](const auto &A, const auto &B) {
    return std::pair(-A.second, A.first) < std::pair(-B.second, B.first);
  });
  int64_t Rest = Left;
  for (auto [T, Count] : llvm::ArrayRef(Open).drop_back()) {
    const int64_t Share = roomOf(T, Of) * (Left / BoxUnit) / Rooms * BoxUnit;
    Settled[T] = {Share, P.At, Size::By::Share, P.Announced};
    Rest -= Share * Count;
  }
  const auto [Last, Count] = Open.back();
  if (Rest % (BoxUnit * Count) || llvm::any_of(Settled, [](const auto &Sized) {
        return Sized.second.Bytes == 0;
      }))
    return {};
  Settled[Last] = {Rest / Count, P.At, Size::By::Share, P.Announced};
  return Settled;
}

std::optional<TileSizes::Tile> TileSizes::sharerAt(const Object *Obj,
                                                   int64_t Byte) const {
  std::optional<Tile> Found;
  int64_t Nearest = INT64_MIN;
  for (const auto &[T, To] : Destinations)
    for (auto [In, Begin] : To.Begins)
      if (In == Obj && Begin <= Byte && Begin > Nearest) {
        Found = T;
        Nearest = Begin;
      }
  const auto Size = Found ? sizeOf(*Found) : std::nullopt;
  return Size && Size->Told == Size::By::Share ? Found : std::nullopt;
}

std::vector<TileSizes::Tile> TileSizes::sharersWith(Tile T) const {
  std::vector<Tile> All;
  for (const auto &[Other, Is] : Known)
    if (Is.Told == Size::By::Share && Is.From == Known.at(T).From)
      All.push_back(Other);
  return All;
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
        const int64_t Room = roomOf(T, Begins);
        if (At->second.Bytes != Room && Of.Bytes != Room)
          Contradicted.insert(T);
        At->second = Of.Bytes == Room ? Of : At->second;
      }
    Changed = false;
    for (auto [T, Of] : New)
      Changed |= !Contradicted.contains(T) && Found.insert({T, Of}).second;
  }
  for (const Phase &P : Phases)
    if (HasEnded && llvm::none_of(P.Tiles, [&](auto Of) {
          return Contradicted.contains(Of.first);
        }))
      Found.merge(settle(P, Found));
  for (const auto &[T, From] : Sources) {
    const int64_t Bytes = filledBy(From);
    if (Bytes <= 0 || Bytes % BoxUnit || Bytes > MaxBytes)
      continue;
    // A run that ended early has not seen all places.
    const auto [At, IsNew] = Found.insert({T, {Bytes, {}, Size::By::Slot}});
    if (!IsNew && At->second.Told == Size::By::Slot)
      At->second.Bytes = std::min(At->second.Bytes, Bytes);
  }
  return Found;
}

TileSizes TileSizes::forNextRun() const {
  TileSizes Next;
  Next.Known = solve();
  return Next;
}
