//===- TensorTiles.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much a tensor copy moves: the box of its tensor map. The instruction does
// not say it. PTX ISA, "cp.async.bulk.tensor", "Tensor Copies".
//
//===----------------------------------------------------------------------===//

#include "lib/interp/CopyOps.h"
#include "lib/interp/Interpreter.h"
#include "lib/interp/MbarrierOps.h"

using namespace clang;
using namespace cpasync;

void CopyOps::sizeTile(State &S, CopyRequest &R) {
  const SourceLocation Loc = Run.userLoc(S, R.Loc);
  const Value Map = Run.simplify(S, R.Map);
  // Maps of one array, if it is not known which, have boxes of one size.
  if (Map.isPtr() && Map.Obj->K != Object::Kind::Choice)
    R.Tile = {Map.Obj->Origin,
              Map.I && Map.I->isConstant() ? Map.I->constant() : -1};
  else
    R.Tile = {R.Site, int64_t(Loc.getRawEncoding()), /*IsPlace=*/true};
  const auto Size = Interp.Known.Tiles.sizeOf(R.Tile);
  if (!Size)
    return;
  R.Size = Value::integer(V.constant(Size->Bytes));
  using By = TileSizes::Size::By;
  switch (Size->Told) {
  case By::Announcement:
  case By::Map:
    Run.CopySizes.OfTiles[Loc] = {TraceStep::Kind::TileSize, Size->From, "",
                                  Size->Bytes, Size->Told == By::Map};
    break;
  case By::Share:
    Run.CopySizes.OfTiles[Loc] = {TraceStep::Kind::TilesTogether, Size->From,
                                  "", Size->Together};
    break;
  case By::Room:
    Run.CopySizes.OfTiles[Loc] = {TraceStep::Kind::TileRoom, Loc, "",
                                  Size->Bytes};
    break;
  case By::Slot:
    break;
  }
}

void CopyOps::placeTile(const State &S, const CopyRequest &R) {
  TileSizes &Tiles = Interp.Known.Tiles;
  if (!R.Dst.I || !R.Dst.I->isKnown())
    Tiles.place(R.Tile, R.Dst.Obj, std::nullopt);
  else
    for (unsigned T = 0; T < Shape.threads(); ++T)
      if ((*S.Active)[T])
        Tiles.place(R.Tile, R.Dst.Obj, (*R.Dst.I->base())[T]);
}

void CopyOps::placeSource(const State &S, const CopyRequest &R) {
  TileSizes &Tiles = Interp.Known.Tiles;
  if (!R.Src.I || !R.Src.I->isKnown())
    return Tiles.placeSource(R.Tile, R.Src.Obj, std::nullopt);
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if ((*S.Active)[T])
      Tiles.placeSource(R.Tile, R.Src.Obj, (*R.Src.I->base())[T]);
}

void MbarrierOps::tellTiles(const State &S, const PhaseBarrier &B) {
  if (B.Tiles.empty() || B.IsBelieved)
    return;
  const Int *Left = Run.simplify(S, Value::integer(B.Bytes)).I;
  if (Left->isConstant())
    Interp.Known.Tiles.complete(B.Tiles, Left->constant(), B.At.Announcement);
}
