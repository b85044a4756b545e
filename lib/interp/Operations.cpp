//===- Operations.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Executor.h"
#include "lib/interp/CopyRequest.h"
#include "lib/report/PathNotes.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace clang;
using namespace cpasync;

// What pointers that come from outside the kernel are taken to be aligned to:
// cudaMalloc gives 256, and no copy needs more than 16.
static constexpr int64_t AssumedAlignment = 16;
// __pipeline_wait_prior(n) is a switch over 0..8; anything above acts as 8.
static constexpr int64_t PipelineWaitClamp = 8;

// PTX ISA, "cp.async": cp-size is 4, 8 or 16, and 16 for .cg; src-size is not
// above cp-size. __pipeline_memcpy_async: zfill is not above size.
bool Executor::checkSizes(State &S, const CopyRequest &R, int64_t Size) {
  Finding F;
  F.Kind = FindingKind::BadOperand;
  F.CopyLoc = Run.userLoc(S, R.Loc);
  F.OperandLoc = F.CopyLoc;
  F.Value = Size;
  F.Copied = Size;
  F.OnEveryPath = true;
  if (R.Dst.isPtr())
    F.Object = Run.nameOf(R.Dst.Obj).str();
  if (!R.Malformed.empty()) {
    F.Rule = OperandRule::Malformed;
    F.Text = R.Malformed.str();
    Findings.add(S, std::move(F));
    return false;
  }
  auto Bad = [&](OperandRule Rule, int64_t Value, int64_t Limit,
                 const Expr *Operand) {
    F.Rule = Rule;
    F.Value = Value;
    F.Limit = Limit;
    F.OperandLoc = Witnesses.operandLoc(S, Operand, F.CopyLoc);
    Findings.add(S, F);
  };
  if (Size != 4 && Size != 8 && Size != 16) {
    Bad(OperandRule::CopySize, Size, 16, R.SizeExpr);
    return false;
  }
  const CharSourceRange &Modifier = R.CacheModifier;
  if (R.CacheGlobal && Size != 16) {
    if (Modifier.isValid())
      F.Repairs.push_back(
          {Repair::Kind::UseCacheAll, Modifier.getBegin(), Modifier, "ca"});
    Bad(OperandRule::CacheGlobalSize, Size, 16, R.SizeExpr);
    return true;
  }
  if (R.CacheGlobal && Modifier.isValid())
    P.rightModifiers().insert(Modifier.getBegin());
  if (!R.HasSrcSize || !R.SrcSize.isInt())
    return true;
  // In some thread that issues the copy, whatever the unknown parts are.
  Interval B = S.Condition.bounds(V, R.SrcSize.I);
  if (!R.SrcSize.I->isKnown()) {
    if (B.Lo > Size)
      Bad(R.Pipeline ? OperandRule::ZeroFill : OperandRule::SrcSize, B.Lo, Size,
          R.SrcSizeExpr);
    return true;
  }
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    if (!(*S.Active)[T])
      continue;
    int64_t Value = (*R.SrcSize.I->base())[T];
    if (Value >= 0 && Value <= Size)
      continue;
    if (!R.SrcSize.I->isConstant())
      F.Thread = T;
    Bad(R.Pipeline  ? OperandRule::ZeroFill
        : Value < 0 ? OperandRule::SrcSizeNegative
                    : OperandRule::SrcSize,
        Value, Size, R.SrcSizeExpr);
    break;
  }
  return true;
}

// PTX ISA, "Addresses as Operands": both addresses are multiples of cp-size.
bool Executor::checkAlignment(State &S, const CopyRequest &R, int64_t Size,
                              bool IsSource) {
  Value P = IsSource ? R.Src : R.Dst;
  if (!P.isPtr() || !P.I)
    return true;
  // Terms that are multiples of Size do not matter; a uniform unknown shifts
  // all threads alike; anything else hides the address.
  bool Shifted =
      P.Obj->K == Object::Kind::Opaque || Known.Shared.contains(P.Obj->Origin);
  for (const Int::Term &T : P.I->terms()) {
    if (L.apply(LaneOp::Rem, T.Coefficient, L.uniform(Size))->isUniform(0))
      continue;
    if (!T.A->isUniform() || !T.Coefficient->isUniform())
      return true;
    Shifted = true;
  }
  // An object placed by the program itself may sit at any multiple of its own
  // alignment; only a larger one is promised nothing.
  if (P.Obj->K == Object::Kind::Device && int64_t(P.Obj->Alignment) < Size)
    Shifted = true;
  int First = -1;
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    if (!(*S.Active)[T])
      continue;
    int64_t Residue = (*P.I->base())[T] & (Size - 1);
    if (First < 0)
      First = T;
    int64_t FirstResidue = (*P.I->base())[First] & (Size - 1);
    bool Wrong = Shifted ? Residue != FirstResidue : Residue != 0;
    if (!Wrong)
      continue;
    Finding F;
    F.Kind = FindingKind::Misaligned;
    F.CopyLoc = Run.userLoc(S, R.Loc);
    F.Object = Run.nameOf(P.Obj).str();
    F.IsSource = IsSource;
    F.Value = Residue;
    F.Limit = Size;
    F.Copied = Size;
    F.Thread = T;
    F.Byte = P.I->isKnown() ? (*P.I->base())[T] : -1;
    F.OnEveryPath = isUnconditional(S.Trace) && S.May.empty();
    Witnesses.tellWayToCopy(F, S);
    if (P.Obj->K == Object::Kind::Global && !Shifted)
      F.Trace.push_back({TraceStep::Kind::AssumedAligned, F.CopyLoc,
                         Run.nameOf(P.Obj).str(), AssumedAlignment});
    Findings.add(S, std::move(F));
    return false;
  }
  return true;
}

// A copy to a place that hangs on a number of the caller's would fault, were it
// not a multiple of what it has to be.
void Executor::assumeAligned(State &S, Value To, int64_t Size) {
  const Int::Term *Open = nullptr;
  if (!To.I || !To.Obj->isShared() || S.Active != L.all() || !S.May.empty())
    return;
  for (const Int::Term &T : To.I->terms()) {
    if (L.apply(LaneOp::Rem, T.Coefficient, L.uniform(Size))->isUniform(0))
      continue;
    if (Open || T.A->Kind != Atom::Op::Symbol || !T.A->Stable ||
        !T.Coefficient->isUniform())
      return;
    Open = &T;
  }
  if (!Open ||
      !L.apply(LaneOp::Rem, To.I->base(), L.uniform(Size))->isUniform(0))
    return;
  const int64_t Of = Size / std::gcd(Open->Coefficient->min(), Size);
  const Int *IsMultiple =
      V.isZero(V.apply(Atom::Op::Rem, Open->A->Alone, V.constant(Of)));
  const Truth Known = S.Condition.decide(V, IsMultiple);
  if (PerThreadContext::isEmpty(L.either(Known.True, Known.False)))
    S.Condition.assume(V, IsMultiple, true, L.all());
}

static llvm::StringRef spaceOf(const Object &O) {
  switch (O.K) {
  case Object::Kind::Shared:
  case Object::Kind::Dynamic:
    return "shared";
  case Object::Kind::Local:
  case Object::Kind::Param:
    return "local";
  case Object::Kind::Global:
  case Object::Kind::Device: // __constant__ too: it is copied as it should be
    return "global";
  case Object::Kind::Function:
  case Object::Kind::Class:
  case Object::Kind::Opaque:
  case Object::Kind::Choice:
    return "";
  }
  llvm_unreachable("all kinds are named");
}

// PTX ISA, "cp.async": from .global to .shared.
bool Executor::checkSpace(State &S, const CopyRequest &R, bool IsSource) {
  const Value P = IsSource ? R.Src : R.Dst;
  llvm::StringRef Space = P.isPtr() ? spaceOf(*P.Obj) : "";
  if (Space.empty() || Space == (IsSource ? "global" : "shared"))
    return true;
  Finding F;
  F.Kind = FindingKind::WrongSpace;
  F.CopyLoc = Run.userLoc(S, R.Loc);
  F.Object = Run.nameOf(P.Obj).str();
  F.IsSource = IsSource;
  F.Text = Space;
  F.OnEveryPath = isUnconditional(S.Trace) && S.May.empty();
  Witnesses.tellWayToCopy(F, S);
  Witnesses.tellCalls(F, S);
  Findings.add(S, std::move(F));
  return false;
}

void Executor::noteShared(const State &S, Value X) {
  const FunctionDecl *Root = S.Frames[0].Fn->decl();
  if (Root->hasAttr<CUDAGlobalAttr>())
    return;
  auto Note = [&](const void *Origin) {
    const bool IsGiven = llvm::is_contained(Root->parameters(), Origin);
    if (IsGiven && Known.Shared.insert(Origin).second)
      Known.FoundShared = true;
    return IsGiven;
  };
  if (X.isPtr() && X.Obj->K == Object::Kind::Opaque)
    Note(X.Obj->Origin);
  if (X.isInt())
    for (const Int::Term &T : X.I->terms())
      if (T.A->Kind == Atom::Op::Symbol && T.Coefficient->isUniform(1) &&
          Note(T.A->Origin))
        break;
}

// What a path finds out of a number that the kernel was given, as by the end of
// a loop, is not what such numbers are: one address in their terms.
static Value withGivenNumbers(Value Known, Value InTermsOf) {
  auto IsGiven = [](const Int::Term &T) {
    return T.A->Kind == Atom::Op::Symbol && T.A->Stable;
  };
  const bool HasGiven = InTermsOf.I && Known.I != InTermsOf.I &&
                        llvm::any_of(InTermsOf.I->terms(), IsGiven);
  return HasGiven ? InTermsOf : Known;
}

void Executor::copy(State &S, const CopyRequest &Request) {
  CopyRequest R = Request;
  CopySites.insert(R.Site);
  R.Dst = simplify(S, R.Dst);
  noteShared(S, R.Dst);
  R.Src = simplify(S, R.Src);
  R.Size = simplify(S, R.Size);
  R.SrcSize = simplify(S, R.SrcSize);
  if (R.Src.isPtr() && R.Src.Obj->K == Object::Kind::Choice)
    R.Src = Value::unknown();
  // Where and how much is copied depends on something not decided yet.
  for (const Int *Operand : {R.Dst.I, R.Size.I})
    if (const Int *C = S.Condition.undecidedSelection(V, Operand)) {
      DecideFirst = C;
      return;
    }
  if (R.Dst.isPtr() && R.Dst.Obj->K == Object::Kind::Choice) {
    CopyRequest Chosen = Request;
    if (!forEachChosen(S, R.Dst, [&](Value To) {
          Chosen.Dst = To;
          copy(S, Chosen);
        })) {
      Run.gap(S, R.Loc, "which array the copy goes to is not known");
      S.Copies.unknownStore();
    }
    return;
  }
  SourceLocation Loc = Run.userLoc(S, R.Loc);
  if (!R.Size.isInt() || !R.Size.I->isConstant()) {
    if (R.Malformed.empty())
      Run.gap(S, R.Loc, "cp-size is not known");
    else
      checkSizes(S, R, 0);
    return;
  }
  int64_t Size = R.Size.I->constant();
  if (!checkSizes(S, R, Size))
    return;
  if (!R.Dst.isPtr()) {
    Run.gap(S, R.Loc, "destination of the copy is not understood");
    S.Copies.unknownStore();
    return;
  }
  // The source is not touched when nothing of it is copied.
  bool ReadsNothing = R.HasSrcSize && R.SrcSize.isInt() &&
                      R.SrcSize.I->isConstant(R.Pipeline ? Size : 0);
  if (!checkSpace(S, R, /*IsSource=*/false) ||
      (!ReadsNothing && !checkSpace(S, R, /*IsSource=*/true)))
    return; // it faults
  CopyRequest Placed = R;
  Placed.Dst = withGivenNumbers(R.Dst, Request.Dst);
  Placed.Src = withGivenNumbers(R.Src, Request.Src);
  bool Aligned = checkAlignment(S, Placed, Size, /*IsSource=*/false);
  assumeAligned(S, R.Dst, Size);
  if (!ReadsNothing)
    Aligned &= checkAlignment(S, Placed, Size, /*IsSource=*/true);

  Event E{Event::Kind::Copy, R.Site, Loc};
  const int64_t All = R.Bytes ? R.Bytes : Size;
  E.Bytes = footprint(S, R.Dst, All);
  E.May = S.May;
  E.Shared = R.Shared;
  EventId Id = Events.intern(E);
  // What of the source is copied, if that is not all.
  const PerThread *Part = R.HasSrcSize ? nullptr : L.uniform(All);
  if (R.HasSrcSize && R.SrcSize.isInt() && R.SrcSize.I->isKnown()) {
    const PerThread *Given = R.SrcSize.I->base();
    Part = R.Pipeline ? L.apply(LaneOp::Sub, L.uniform(Size), Given) : Given;
  }
  if (Order.checkOverwrite(S, Id, R.Src, Part)) {
    E.Overran = true;
    Id = Events.intern(std::move(E));
  }
  S.Copies.dropMixed(Footprints, Events[Id].Bytes);
  S.Copies.copy(L, Run.Written, Events, Id);
  if (!Aligned) // it faults: who else touches the bytes is a consequence
    S.Copies.blame(Id);
  TraceNode N{TraceStep::Kind::CopyIssued, Loc, Id, S.Active};
  N.Name = Run.nameOf(R.Dst.Obj);
  N.Source = R.Src;
  if (R.Src.I)
    SourceSymbols |= R.Src.I->symbols();
  N.Part = Part;
  Run.trace(S, N);
  if (!R.Shared) // a group copies each part once
    Mixed.noteMixedCopy(S, Id, R.Src, Part);
  const Footprint *Bytes = Events[Id].Bytes;
  for (const BlockCopies::BlindRead &B : S.Copies.blindReads()) {
    const Event &Read = Events[B.Read];
    if (PerThreadContext::isEmpty(L.both(Read.Bytes->Mask, Bytes->Mask)))
      continue; // other threads: their order is not known here
    const Overlap &Clash = Footprints.overlap(Read.Bytes, Bytes);
    if (Clash.K == Overlap::Kind::Clash)
      Witnesses.reportReadBeforeCopy(S, B.Read, Id, Clash);
  }
  printState(S, "copy", Loc);
}

EventId Executor::commit(State &S, const void *Site, SourceLocation At) {
  SourceLocation Loc = Run.userLoc(S, At);
  Event E{Event::Kind::Commit, Site, Loc};
  E.Mask = S.Active;
  EventId Id = Events.intern(std::move(E));
  S.Copies.commit(L, Events, Id, S.Active);
  Run.trace(S, {TraceStep::Kind::Committed, Loc, Id, S.Active});
  printState(S, "commit", Loc);
  return Id;
}

void Executor::wait(State &S, const void *Site, SourceLocation At, Value N,
                    const Expr *NExpr, bool Pipeline) {
  SourceLocation Loc = Run.userLoc(S, At);
  if (!N.isInt() || !N.I->isConstant()) {
    Run.gap(S, At, "number of groups to wait for is not a known constant");
    S.Copies.waitAll(Footprints, Events, 0, S.Active);
    return;
  }
  int64_t Written = N.I->constant();
  uint32_t Count = effectiveWaitCount(Written);
  if (Pipeline)
    Count = std::clamp<int64_t>(Written, 0, PipelineWaitClamp);
  int64_t Limit = Pipeline ? PipelineWaitClamp : int64_t(MaxWaitGroupCount);
  if (Written < 0 || Written > Limit) {
    Finding F;
    F.Kind = FindingKind::WaitCountRange;
    F.WaitLoc = Loc;
    F.OperandLoc = Witnesses.operandLoc(S, NExpr, Loc);
    F.Value = Written;
    F.Limit = Limit;
    F.Text = Pipeline ? "__pipeline_wait_prior" : "cp.async.wait_group";
    F.OnEveryPath = true;
    Findings.add(S, std::move(F));
  }
  Event E{Event::Kind::Wait, Site, Loc};
  E.Mask = S.Active;
  E.N = Written;
  EventId Id = Events.intern(std::move(E));
  Fixes.noteOperand(S, Id, NExpr);
  Entangled.checkEntanglement(S, Id, Count);
  S.Copies.wait(Footprints, Events, Count, Id, S.Active);
  Run.trace(S, {TraceStep::Kind::Waited, Loc, Id, S.Active, int64_t(Count)});
  printState(S, "wait", Loc);
}

void Executor::waitAll(State &S, const void *Site, SourceLocation At) {
  SourceLocation Loc = Run.userLoc(S, At);
  Event E{Event::Kind::WaitAll, Site, Loc};
  E.Mask = S.Active;
  EventId Id = Events.intern(std::move(E));
  S.Copies.waitAll(Footprints, Events, Id, S.Active);
  Run.trace(S, {TraceStep::Kind::WaitedAll, Loc, Id, S.Active});
  printState(S, "wait", Loc);
}

void Executor::sharedRead(State &S, const void *Op, SourceLocation At, Value P,
                          int64_t Size, LoadedParts *To) {
  if (Reads.isWatching())
    ++Run.Impure;
  if (!P.isPtr() || Size <= 0)
    return;
  if (!forEachChosen(S, P, [&](Value From) {
        sharedRead(S, Run.siteOf(S, Op, At), From, Size, To);
      }))
    Run.gap(S, At, "which array is read is not known");
}

void Executor::sharedRead(State &S, const Site &Where, Value P, int64_t Size,
                          LoadedParts *To) {
  tape().push_back({TapeStep::Kind::Read, Where, S.Active,
                    S.depth() + Run.Replay.Depth, P, Size, To != nullptr, 0,
                    Run.loopAround(S)});
  const unsigned Asked = S.Condition.timesAsked();
  const SourceLocation At = Where.At;
  P = simplify(S, P);
  Event E{Event::Kind::Read, Where.Op, Where.Loc};
  E.Bytes = footprint(S, P, Size);
  E.May = S.May;
  EventId Id = Events.intern(std::move(E));
  const Footprint *Read = Events[Id].Bytes;
  if (To)
    Reads.watch(S, Id, Size, *To);
  // With an unknown address, a claim must hold for every byte of the object.
  bool WholeObject = P.Obj->K == Object::Kind::Shared &&
                     !S.Copies.isFilled(P.Obj) && !S.Copies.wroteAnywhere();

  bool Reported = false;
  auto Check = [&](const BlockCopies::ThreadClass &C, EventId Copy,
                   int GroupIndex) {
    const Event &Issued = Events[Copy];
    if (Issued.Bytes->Obj != P.Obj || (Reported && S.Copies.isBlamed(Copy)) ||
        Exclusive.areExclusive(S, Copy, Id))
      return;
    const Footprint *InFlight = Footprints.restrict(Issued.Bytes, C.Mask);
    Overlap Clash = Exclusive.overlapOnPath(S, Read, InFlight);
    if (Clash.K == Overlap::Kind::Unknown && !(WholeObject && !P.I)) {
      Run.gap(S, At,
              "address of a read of '" + Run.nameOf(P.Obj).str() +
                  "' is not known while copies into it are in flight");
      return;
    }
    if (Clash.K == Overlap::Kind::Unknown) {
      Clash.K = Overlap::Kind::Clash;
      Clash.Thread = L.first(S.Active);
      Clash.Other = L.first(InFlight->Mask);
    }
    if (Clash.K != Overlap::Kind::Clash)
      return;
    if (!Reported)
      Witnesses.reportReadInFlight(S, Copy, Id, Clash, C, GroupIndex);
    Reads.blame(S, Copy, Id);
    Reported = true;
  };
  if (S.Copies.mayBeInFlight(Read))
    for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
      int Index = 0;
      for (const Group &G : C.Queue.groups()) {
        for (EventId Copy : G.Copies)
          Check(C, Copy, Index);
        ++Index;
      }
      for (EventId Copy : C.Queue.open())
        Check(C, Copy, -1);
    }
  if (!Reported && !Mixed.checkMixedCopies(S, Id))
    Order.checkOrderOfRead(S, Id);
  bool Blind = false;
  if (!Reported && P.I && P.Obj->isShared() && S.May.empty()) {
    const bool IsWritten = S.Copies.mayBeWritten(Run.Written, Read);
    Blind = !IsWritten && !S.ChoseNotToCopy;
    if (IsWritten && !S.Copies.wroteAnywhere())
      Met.need(S, Read);
  }
  if (Blind || L.threads() > WarpThreads)
    Run.trace(S, {TraceStep::Kind::Read, Events[Id].Loc, Id, S.Active});
  S.Copies.unordered().add(L, Events, Id, 0, Read);
  if (Blind)
    S.Copies.blindRead(Id);
  S.Condition.forgetAsked(Asked);
}

void Executor::sharedWrite(State &S, const void *Op, SourceLocation At, Value P,
                           int64_t Size) {
  if (Reads.isWatching())
    ++Run.Impure;
  if (!P.isPtr() || Size <= 0)
    return;
  if (!forEachChosen(S, P, [&](Value To) {
        sharedWrite(S, Run.siteOf(S, Op, At), To, Size);
      })) {
    Run.gap(S, At, "which array is written is not known");
    S.Copies.unknownStore();
  }
}

void Executor::sharedWrite(State &S, const Site &Where, Value P, int64_t Size) {
  tape().push_back({TapeStep::Kind::Store, Where, S.Active,
                    S.depth() + Run.Replay.Depth, P, Size, false, 0,
                    Run.loopAround(S)});
  const unsigned Asked = S.Condition.timesAsked();
  P = simplify(S, P);
  Event E{Event::Kind::Store, Where.Op, Where.Loc};
  E.Bytes = footprint(S, P, Size);
  E.May = S.May;
  EventId Id = Events.intern(std::move(E));
  Order.checkOverwrite(S, Id, Value::unknown(), nullptr);
  if (L.threads() > WarpThreads)
    Run.trace(S, {TraceStep::Kind::Stored, Events[Id].Loc, Id, S.Active});
  S.Copies.dropMixed(Footprints, Events[Id].Bytes);
  S.Copies.store(Run.Written, Events[Id].Bytes);
  S.Copies.unordered().add(L, Events, Id, 0, Events[Id].Bytes);
  S.Condition.forgetAsked(Asked);
}

void Executor::sharedAtomic(State &S, const void *Op, SourceLocation At,
                            Value P, int64_t Size) {
  sharedRead(S, Op, At, P, Size);
  if (!P.isPtr() || Size <= 0)
    return;
  if (!forEachChosen(S, P, [&](Value To) {
        atomicStore(S, Run.siteOf(S, Op, At), To, Size);
      }))
    S.Copies.unknownStore();
}

void Executor::atomicStore(State &S, const Site &Where, Value P, int64_t Size) {
  tape().push_back({TapeStep::Kind::AtomicStore, Where, S.Active,
                    S.depth() + Run.Replay.Depth, P, Size, false, 0,
                    Run.loopAround(S)});
  const unsigned Asked = S.Condition.timesAsked();
  const Footprint *Bytes = footprint(S, simplify(S, P), Size);
  S.Copies.dropMixed(Footprints, Bytes);
  S.Copies.store(Run.Written, Bytes);
  S.Condition.forgetAsked(Asked);
}

//===----------------------------------------------------------------------===//
// --print-state
//===----------------------------------------------------------------------===//

static std::string threads(const PerThreadContext &L, const PerThread *Mask,
                           unsigned Count) {
  std::string R;
  for (unsigned T = 0; T < Count; ++T) {
    if (!(*Mask)[T])
      continue;
    unsigned End = T;
    while (End + 1 < Count && (*Mask)[End + 1])
      ++End;
    if (!R.empty())
      R += ",";
    R += std::to_string(T);
    if (End > T)
      R += "-" + std::to_string(End);
    T = End;
    if (R.size() > 40)
      return R + ",...";
  }
  (void)L;
  return R;
}

std::string Executor::describe(const State &S) {
  std::string R;
  auto List = [&](llvm::ArrayRef<EventId> Copies) {
    // Copies by object, with their number.
    std::vector<std::pair<std::string, unsigned>> Names;
    for (EventId Id : Copies) {
      std::string Name = Run.nameOf(Events[Id].Bytes->Obj).str();
      if (!Names.empty() && Names.back().first == Name)
        ++Names.back().second;
      else
        Names.push_back({Name, 1});
    }
    std::string T;
    for (auto &[Name, N] : Names)
      T += (T.empty() ? "" : " ") + Name +
           (N > 1 ? "*" + std::to_string(N) : "");
    return T;
  };
  for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
    if (!R.empty())
      R += "; ";
    R += "threads " + threads(L, C.Mask, Shape.threads()) + ": groups [";
    bool FirstGroup = true;
    for (const Group &G : C.Queue.groups()) {
      R += (FirstGroup ? "" : ", ") + ("{" + List(G.Copies)) + "}";
      FirstGroup = false;
    }
    R += "] open {" + List(C.Queue.open()) + "}";
    if (!C.Bulk.open().empty() || !C.Bulk.groups().empty())
      R += " bulk groups " + std::to_string(C.Bulk.groups().size()) +
           " open {" + List(C.Bulk.open()) + "}";
  }
  // Accesses that no barrier has ordered before every thread yet.
  auto NotOrdered = [&](llvm::StringRef What, Event::Kind K) {
    llvm::SmallVector<EventId, 8> Ids;
    for (const Access &A : S.Copies.unordered().inOrder())
      if (Events[A.Event].K == K)
        Ids.push_back(A.Event);
    if (!Ids.empty())
      R += "; " + What.str() + " {" + List(Ids) + "}";
  };
  NotOrdered("unordered copies", Event::Kind::Copy);
  NotOrdered("reads", Event::Kind::Read);
  NotOrdered("stores", Event::Kind::Store);
  return R;
}

void Executor::printState(State &S, llvm::StringRef What, SourceLocation Loc) {
  if (!Run.Options.PrintState || Reads.beginsAtCheckpoints())
    return;
  PresumedLoc At = Ctx.getSourceManager().getPresumedLoc(
      Ctx.getSourceManager().getExpansionLoc(Loc));
  std::string Line;
  llvm::raw_string_ostream(Line) << (At.isValid() ? At.getFilename() : "?")
                                 << ":" << (At.isValid() ? At.getLine() : 0)
                                 << ":" << (At.isValid() ? At.getColumn() : 0)
                                 << ": state: " << What << ": " << describe(S);
  Run.Options.PrintState(Line);
}
