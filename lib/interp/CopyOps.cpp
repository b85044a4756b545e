//===- CopyOps.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/CopyOps.h"
#include "lib/inference/GridConstants.h"
#include "lib/interp/CopyRequest.h"
#include "lib/interp/Interpreter.h"
#include "lib/report/PathNotes.h"
#include "lib/source/RootObject.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace cpasync;

// __pipeline_wait_prior(n) is a switch over 0..8; anything above acts as 8.
static constexpr int64_t PipelineWaitClamp = 8;

// PTX ISA, "cp.async": cp-size is 4, 8 or 16, and 16 for .cg; src-size is not
// above cp-size. __pipeline_memcpy_async: zfill is not above size.
bool CopyOps::checkSizes(State &S, const CopyRequest &R, int64_t Size) {
  Finding F;
  F.Kind = FindingKind::BadOperand;
  F.At.Copy = Run.userLoc(S, R.Loc);
  F.At.Operand = F.At.Copy;
  F.Value = Size;
  F.Copied = Size;
  F.OnEveryPath = true;
  if (R.Dst.isPtr())
    F.Object = Run.nameOf(R.Dst.Obj).str();
  if (!R.Malformed.empty()) {
    F.Rule = OperandRule::Malformed;
    F.Text = R.Malformed.str();
    F.IsLiteral = true;
    Findings.add(S, std::move(F));
    return false;
  }
  auto Bad = [&](OperandRule Rule, int64_t Value, int64_t Limit,
                 const Expr *Operand) {
    F.Rule = Rule;
    F.Value = Value;
    F.Limit = Limit;
    // IgnoreParenImpCasts() would look through template parameters.
    F.IsLiteral =
        !Operand ||
        isa<IntegerLiteral>(
            Operand->IgnoreParens()->IgnoreImpCasts()->IgnoreParens());
    F.At.Operand = Detect.Witnesses.operandLoc(S, Operand, F.At.Copy);
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
bool CopyOps::checkSpace(State &S, const CopyRequest &R, bool IsSource) {
  const Value P = IsSource ? R.Src : R.Dst;
  llvm::StringRef Space = P.isPtr() ? spaceOf(*P.Obj) : "";
  if (Space.empty() || Space == (IsSource ? "global" : "shared"))
    return true;
  Finding F;
  F.Kind = FindingKind::WrongSpace;
  F.At.Copy = Run.userLoc(S, R.Loc);
  F.Object = Run.nameOf(P.Obj).str();
  F.IsSource = IsSource;
  F.Text = Space;
  F.OnEveryPath = isUnconditional(S.Trace) && S.May.empty();
  Detect.Witnesses.tellWayToCopy(F, S);
  Detect.Witnesses.tellCalls(F, S);
  Findings.add(S, std::move(F));
  return false;
}

// A parameter that is not __grid_constant__ is copied to where it has an
// address, as one of a function is. PTX ISA, "cp.async.bulk.tensor": tensorMap
// is a generic address into .param, .const or .global.
void CopyOps::checkMapSpace(State &S, const CopyRequest &R) {
  const Value Map = Run.simplify(S, R.Map);
  const llvm::StringRef Space = Map.isPtr() ? spaceOf(*Map.Obj) : "";
  if (Space.empty() || Space == "global")
    return;
  const auto Parameters = S.Frames[0].Fn->decl()->parameters();
  const auto At = llvm::find(Parameters, Map.Obj->Origin);
  const bool IsParameter = At != Parameters.end();
  if (IsParameter && isGridConstant(*At))
    return;
  Finding F;
  F.Kind = FindingKind::MapSpace;
  F.At.Copy = Run.userLoc(S, R.Loc);
  if (IsParameter)
    F.At.Operand = (*At)->getLocation();
  F.Object = Run.nameOf(Map.Obj).str();
  F.Text = Space;
  F.OnEveryPath = isUnconditional(S.Trace) && S.May.empty();
  Detect.Witnesses.tellWayToCopy(F, S);
  Detect.Witnesses.tellCalls(F, S);
  Findings.add(S, std::move(F));
}

void CopyOps::noteShared(const State &S, Value X) {
  const FunctionDecl *Root = S.Frames[0].Fn->decl();
  if (Root->hasAttr<CUDAGlobalAttr>())
    return;
  auto Note = [&](const void *Origin) {
    const bool IsGiven = isGivenToRoot(Root, Origin);
    if (IsGiven && Interp.Known.Shared.insert(Origin).second)
      Interp.Known.FoundShared = true;
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

void CopyOps::issue(State &S, const CopyRequest &R, SourceLocation Loc,
                    int64_t Size, bool Aligned) {
  Event E{Event::Kind::Copy, R.Site, Loc};
  const int64_t All = R.Bytes ? R.Bytes : Size;
  E.Bytes = Store.footprint(S, R.Dst, All);
  E.May = S.May;
  E.Shared = R.Shared;
  E.OfPhase = R.Mbarrier.has_value();
  E.Reduces = R.Reduces;
  EventId Id = Events.intern(E);
  Registers.Uses.access(S, Events[Id].Bytes, Loc);
  Registers.Uses.copy(R.Dst.Obj, Size);
  // What of the source is copied, if that is not all.
  const PerThread *Part = R.HasSrcSize ? nullptr : L.uniform(All);
  if (R.HasSrcSize && R.SrcSize.isInt() && R.SrcSize.I->isKnown()) {
    const PerThread *Given = R.SrcSize.I->base();
    Part = R.Pipeline ? L.apply(LaneOp::Sub, L.uniform(Size), Given) : Given;
  }
  if (Detect.Order.checkOverwrite(S, Id, R.Src, Part)) {
    E.Overran = true;
    Id = Events.intern(std::move(E));
  }
  S.Copies.notes().dropMixed(Footprints, Events[Id].Bytes);
  if (!R.Mbarrier)
    S.Copies.copy(L, Run.Written, Events, Id);
  else if (!Phases.issueLoad(S, R, Id)) {
    Run.gap(S, R.Loc, "which mbarrier this is is not known");
    S.Copies.copy(L, Run.Written, Events, Id);
    Barriers.unknownOrder(S);
  }
  if (!Aligned) // it faults: who else touches the bytes is a consequence
    S.Copies.notes().blame(Id);
  TraceNode N{TraceStep::Kind::CopyIssued, Loc, Id, S.Active};
  N.Name = Run.nameOf(R.Dst.Obj);
  N.Source = R.Src;
  if (R.Src.I)
    Names.SourceSymbols |= R.Src.I->symbols();
  N.Part = Part;
  Run.trace(S, N);
  if (!R.Shared && !R.Bytes)
    Detect.Omitted.noteCopy(S, Id);
  if (!R.Shared && !R.Reduces) // a group copies each part once
    Detect.Mixed.noteMixedCopy(S, Id, R.Src, Part);
  Detect.Order.checkReadsBefore(S, Id);
  Printer.printState(S, "copy", Loc);
}

bool CopyOps::prepare(State &S, CopyRequest &R) {
  CopySites.insert(R.Site);
  R.Dst = Run.simplify(S, R.Dst);
  noteShared(S, R.Dst);
  R.Src = Run.simplify(S, R.Src);
  R.Size = Run.simplify(S, R.Size);
  if (R.Size.I) // as those have it, more may be decided
    R.Size = Run.simplify(S, Value::integer(asIn(V, R.Size.I, S.Active)));
  R.SrcSize = Run.simplify(S, R.SrcSize);
  if (R.Src.isPtr() && R.Src.Obj->K == Object::Kind::Choice)
    R.Src = Value::unknown();
  return isDecided(S, R.Dst.I) && isDecided(S, R.Size.I);
}

void CopyOps::copy(State &S, const CopyRequest &Request) {
  CopyRequest R = Request;
  if (!prepare(S, R))
    return;
  if (R.Dst.isPtr() && R.Dst.Obj->K == Object::Kind::Choice) {
    CopyRequest Chosen = Request;
    if (!Pointers.forEachChosen(S, R.Dst, [&](Value To) {
          Chosen.Dst = To;
          copy(S, Chosen);
        })) {
      Run.gap(S, R.Loc, "which array the copy goes to is not known");
      S.Copies.history().storeAnywhere(Run.Written);
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
    S.Copies.history().storeAnywhere(Run.Written);
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
  if (isExcluded(S, R.Dst, Placed.Dst, Size)) {
    Asked.endPath();
    return;
  }
  if (Accesses.stopsBeyond(S, Loc, R.Dst))
    return;
  bool Aligned = checkAlignment(S, Placed, Size, /*IsSource=*/false);
  assumeAligned(S, R.Dst, Size);
  if (!ReadsNothing)
    Aligned &= checkAlignment(S, Placed, Size, /*IsSource=*/true);
  issue(S, R, Loc, Size, Aligned);
}

EventId CopyOps::commit(State &S, const void *Site, SourceLocation At) {
  Phases.bindCopies(S, Site, At);
  SourceLocation Loc = Run.userLoc(S, At);
  Event E{Event::Kind::Commit, Site, Loc};
  E.Mask = S.Active;
  EventId Id = Events.intern(std::move(E));
  S.Copies.commit(L, Events, Id, S.Active);
  Run.trace(S, {TraceStep::Kind::Committed, Loc, Id, S.Active});
  Printer.printState(S, "commit", Loc);
  return Id;
}

void CopyOps::wait(State &S, const void *Site, SourceLocation At, Value N,
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
    F.At.Wait = Loc;
    F.At.Operand = Detect.Witnesses.operandLoc(S, NExpr, Loc);
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
  Detect.Fixes.noteOperand(S, Id, NExpr);
  Detect.Entangled.checkEntanglement(S, Id, Count);
  S.Copies.wait(Footprints, Events, Count, Id, S.Active);
  Run.trace(S, {TraceStep::Kind::Waited, Loc, Id, S.Active, int64_t(Count)});
  Printer.printState(S, "wait", Loc);
}

void CopyOps::waitAll(State &S, const void *Site, SourceLocation At) {
  SourceLocation Loc = Run.userLoc(S, At);
  Event E{Event::Kind::WaitAll, Site, Loc};
  E.Mask = S.Active;
  EventId Id = Events.intern(std::move(E));
  S.Copies.waitAll(Footprints, Events, Id, S.Active);
  Run.trace(S, {TraceStep::Kind::WaitedAll, Loc, Id, S.Active});
  Printer.printState(S, "wait", Loc);
}

//===----------------------------------------------------------------------===//
// --print-state
//===----------------------------------------------------------------------===//
