//===- BulkStores.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies from shared to global memory: they read their source until a wait
// of their own kind. PTX ISA, "cp.async.bulk.commit_group" and
// "cp.async.bulk.wait_group": groups of bulk copies and of cp.async are kept
// apart, and neither instruction sees the other's.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/CopyOps.h"
#include "lib/interp/Interpreter.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

std::optional<int64_t> CopyOps::mostBytes(State &S, const CopyRequest &R) {
  if (!R.Src.I)
    return std::nullopt;
  const auto At = V.commonIn(R.Src.I, S.Active);
  int64_t Most = At && R.Src.Obj->Size > 0 ? R.Src.Obj->Size - *At : INT64_MAX;
  if (R.Size.isInt())
    Most = std::min(Most, S.Condition.bounds(V, R.Size.I).Hi);
  return Most == INT64_MAX ? std::nullopt : std::optional(Most);
}

bool CopyOps::isSourceKnown(State &S, const CopyRequest &R) {
  if (R.Src.isPtr() && R.Src.Obj->isShared() &&
      R.Src.Obj->K != Object::Kind::Choice)
    return true;
  Run.gap(S, R.Loc, "source of the bulk copy is not known");
  return false;
}

llvm::SmallVector<EventId, 2> CopyOps::readsOfSource(State &S,
                                                     const CopyRequest &R) {
  llvm::SmallVector<EventId, 2> Reads;
  auto Read = [&](Value From, int64_t Size) {
    Event E{Event::Kind::BulkStore, R.Site, Run.userLoc(S, R.Loc)};
    E.Bytes = Store.footprint(S, From, Size);
    E.May = S.May;
    E.OfPhase = R.Mbarrier.has_value();
    Reads.push_back(Events.intern(std::move(E)));
  };
  const bool IsKnown = R.Size.isInt() && R.Size.I->isConstant();
  Read(R.Src, IsKnown ? R.Size.I->constant() : BulkUnit);
  if (IsKnown || R.Tensor)
    return Reads;
  const std::optional<int64_t> Most = mostBytes(S, R);
  // Callers of a function know the size that they give it.
  if (!Most && S.Frames[0].Fn->decl()->hasAttr<CUDAGlobalAttr>())
    noteOpenSize(S, R);
  // Whatever it reads lies among these: a store there is a gap.
  if (Most.value_or(0) >= 2 * BulkUnit) {
    Value Rest = R.Src;
    const Int *Unit = somewhere(V, R.Site, *Most, *Most / BulkUnit - 1);
    Rest.I =
        V.add(Rest.I, V.mul(V.add(Unit, V.constant(1)), V.constant(BulkUnit)));
    Read(Rest, BulkUnit);
  }
  return Reads;
}

void CopyOps::checkSource(State &S, const CopyRequest &R, EventId Read) {
  Event Begin = Events[Read];
  Begin.K = Event::Kind::Read;
  const EventId Id = Events.intern(std::move(Begin));
  if (!Accesses.meetsCopyInFlight(S, Id, R.Src, R.Loc))
    Detect.Sources.check(S, Read);
}

void CopyOps::bulkStore(State &S, const CopyRequest &Request) {
  CopyRequest R = Request;
  CopySites.insert(R.Site);
  R.Src = Run.simplify(S, R.Src);
  noteShared(S, R.Src);
  R.Size = Run.simplify(S, R.Size);
  if (R.Size.I) // as those have it, more may be decided
    R.Size = Run.simplify(S, Value::integer(asIn(V, R.Size.I, S.Active)));
  if (!isDecided(S, R.Size.I))
    return;
  if (R.Tensor)
    sizeTile(S, R);
  if (!isSourceKnown(S, R))
    return S.Copies.unknownBulkCopy();
  if (R.Tensor)
    placeSource(S, R);
  if (!checkBulkSize(S, R, Request.Size))
    return;
  if (!checkAlignment(S, R, R.Tensor ? TensorAlignment : BulkUnit,
                      /*IsSource=*/true))
    return;
  if (R.Tensor)
    checkMapSpace(S, R);
  else if (!checkAlignment(S, R, BulkUnit, /*IsSource=*/false))
    return;
  if (leavesObject(S, R, R.Src))
    return;
  Interp.Known.FoundProxies = true;
  const auto Reads = readsOfSource(S, R);
  for (const EventId Read : Reads)
    S.Copies.startRead(&BlockCopies::ThreadClass::Bulk, L, Events, Read,
                       S.Active);
  const EventId Id = Reads.front();
  checkSource(S, R, Id);
  TraceNode N{TraceStep::Kind::CopyIssued, Events[Id].Loc, Id, S.Active};
  N.Name = Run.nameOf(R.Src.Obj);
  Run.trace(S, N);
  Printer.printState(S, "bulk copy", Events[Id].Loc);
}

static bool isBulk(BlockCopies::ReadQueue Of) {
  return Of == &BlockCopies::ThreadClass::Bulk;
}

void CopyOps::commitReads(State &S, BlockCopies::ReadQueue Of, const void *Site,
                          SourceLocation At) {
  Event E{Event::Kind::Commit, Site, Run.userLoc(S, At)};
  E.Mask = S.Active;
  EventId Id = Events.intern(std::move(E));
  TraceNode N{isBulk(Of) ? TraceStep::Kind::BulkCommitted
                         : TraceStep::Kind::MatricesCommitted,
              Events[Id].Loc, Id, S.Active};
  N.Flag = S.Copies.mayRead(Of, L, S.Active);
  S.Copies.commitReads(Of, L, Events, Id, S.Active);
  Run.trace(S, N);
  Printer.printState(S, isBulk(Of) ? "bulk commit" : "wgmma commit",
                     Events[Id].Loc);
}

void CopyOps::waitForReads(State &S, BlockCopies::ReadQueue Of,
                           const void *Site, SourceLocation At, Value Count) {
  if (!Count.isInt() || !Count.I->isConstant()) {
    Run.gap(S, At, "number of groups to wait for is not a known constant");
    S.Copies.waitForReads(Of, Footprints, Events, 0, 0, S.Active);
    return;
  }
  Event E{Event::Kind::Wait, Site, Run.userLoc(S, At)};
  E.Mask = S.Active;
  E.N = Count.I->constant();
  EventId Id = Events.intern(std::move(E));
  TraceNode N{isBulk(Of) ? TraceStep::Kind::BulkWaited
                         : TraceStep::Kind::MatricesWaited,
              Events[Id].Loc, Id, S.Active};
  N.N = std::max<int64_t>(0, Events[Id].N);
  N.Flag = S.Copies.mayRead(Of, L, S.Active);
  S.Copies.waitForReads(Of, Footprints, Events, N.N, Id, S.Active);
  Run.trace(S, N);
  Printer.printState(S, isBulk(Of) ? "bulk wait" : "wgmma wait",
                     Events[Id].Loc);
}
