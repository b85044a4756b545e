//===- CopyAlignment.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/CopyOps.h"
#include "lib/interp/CopyRequest.h"
#include "lib/interp/Interpreter.h"
#include "lib/report/PathNotes.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;
using namespace cpasync;

// What pointers that come from outside the kernel are taken to be aligned to:
// cudaMalloc gives 256, and no copy needs more than 16.
static constexpr int64_t AssumedAlignment = 16;

/// The path came here by a decision, not of a loop, that hangs on \p A or on
/// something that nobody knows.
static bool maySelect(const State &S, const Atom *A) {
  for (const TraceNode *N = S.Within; N; N = N->Within) {
    const bool IsKnown =
        N->Condition &&
        llvm::all_of(N->Condition->terms(), [](const Int::Term &T) {
          return !T.A->isName() || T.A->Stable;
        });
    if (N->Role == TraceNode::LoopRole::None &&
        (!IsKnown || dependsOn(N->Condition, A)))
      return true;
  }
  return false;
}

/// \p Term of an address hangs on where the block lies in the grid, and is not
/// a multiple of \p Size for all blocks that may come here.
bool CopyOps::isOffInSomeBlock(const State &S, const Int::Term &Term,
                               int64_t Size) const {
  const Atom *A = Term.A;
  auto MayBe = [&](int64_t Index) {
    const Int *Is = V.isZero(V.sub(A->Alone, V.constant(Index)));
    return PerThreadContext::isEmpty(S.Condition.decide(V, Is).False);
  };
  return A->Origin == Symbols::Grid + Symbols::BlockIndex &&
         Term.Coefficient->isUniform() && Term.Coefficient->min() % Size != 0 &&
         MayBe(0) && MayBe(1) && !maySelect(S, A);
}

// PTX ISA, "Addresses as Operands": both addresses are multiples of cp-size.
bool CopyOps::checkAlignment(State &S, const CopyRequest &R, int64_t Size,
                             bool IsSource) {
  Value P = IsSource ? R.Src : R.Dst;
  if (!P.isPtr() || !P.I)
    return true;
  // Terms that are multiples of Size do not matter; a uniform unknown shifts
  // all threads alike; anything else hides the address.
  bool Shifted = P.Obj->K == Object::Kind::Opaque ||
                 Interp.Known.Shared.contains(P.Obj->Origin);
  llvm::SmallVector<const Int::Term *, 2> Shifts;
  for (const Int::Term &T : P.I->terms()) {
    if (L.apply(LaneOp::Rem, T.Coefficient, L.uniform(Size))->isUniform(0))
      continue;
    if (!T.A->isUniform() || !T.Coefficient->isUniform())
      return true;
    Shifted = true;
    Shifts.push_back(&T);
  }
  const auto OfBlock = llvm::find_if(Shifts, [&](const Int::Term *T) {
    return isOffInSomeBlock(S, *T, Size) &&
           llvm::none_of(Shifts, [&](const Int::Term *Other) {
             return Other != T && dependsOn(Other->A->Alone, T->A);
           });
  });
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
    if (!Wrong && OfBlock == Shifts.end())
      continue;
    Finding F;
    F.Kind = FindingKind::Misaligned;
    F.At.Copy = Run.userLoc(S, R.Loc);
    F.Object = Run.nameOf(P.Obj).str();
    F.IsSource = IsSource;
    F.Value = Residue;
    if (!Wrong) {
      F.Value = (Residue + (*OfBlock)->Coefficient->min()) & (Size - 1);
      F.Text = std::string("blockIdx.") + char((*OfBlock)->A->Number);
    }
    F.Limit = Size;
    F.Copied = Size;
    F.Thread = T;
    F.Byte = P.I->isKnown() ? (*P.I->base())[T] : -1;
    F.OnEveryPath = isUnconditional(S.Trace) && S.May.empty();
    Detect.Witnesses.tellWayToCopy(F, S);
    if (P.Obj->K == Object::Kind::Global && !Shifted)
      F.Trace.push_back({TraceStep::Kind::AssumedAligned, F.At.Copy,
                         Run.nameOf(P.Obj).str(), AssumedAlignment});
    Findings.add(S, std::move(F));
    return false;
  }
  return true;
}

// A copy to a place that hangs on a number of the caller's would fault, were it
// not a multiple of what it has to be.
void CopyOps::assumeAligned(State &S, Value To, int64_t Size) {
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

// Nor does a path lead there on which that number is known, and is none.
bool CopyOps::isExcluded(const State &S, Value To, Value Given,
                         int64_t Size) const {
  if (!To.I || To.I == Given.I || !To.I->isKnown() || !To.Obj->isShared() ||
      !S.May.empty())
    return false;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if ((*S.Active)[T] && (*To.I->base())[T] % Size != 0)
      return true;
  return false;
}
