//===- MovingOn.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where no counter makes every round of a loop another, numbers that a round
// moves on by what the kernel was given, a tile by the number of blocks, go by
// names (Havoc.cpp): all that move by the same keep their distances, and what
// was decided about one is decided about its name.
//
// A number that only some threads move on, as who copies does where it is with
// the tile to come, keeps its distance in these; in the others it is what it
// was.
//
//===----------------------------------------------------------------------===//

#include "lib/state/MemoizedCalls.h"
#include "lib/state/Symbols.h"
#include "lib/values/Bounds.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// What a cell held before; null if it was not there, or held something else.
static const Int *heldBefore(const Memory &Mem, const Object *O,
                             const Cell &Now) {
  const Contents *Then = Mem.find(O);
  if (!Then)
    return nullptr;
  const Cell *Old = llvm::find_if(*Then, [&](const Cell &X) {
    return X.Offset == Now.Offset && X.Size == Now.Size;
  });
  return Old != Then->end() && Old->V.K == Now.V.K && Old->V.Obj == Now.V.Obj
             ? Old->V.I
             : nullptr;
}

// As it is in the threads \p In, and 0 in all others.
static const Int *onlyIn(ValueContext &V, const Int *I, const PerThread *In) {
  return In == V.lanes().all() ? I : V.mul(I, V.known(In));
}

static const PerThread *whereNotZero(PerThreadContext &L, const PerThread *X) {
  return L.apply(LaneOp::Ne, X, L.uniform(0));
}

// The threads in which it is not 0, whatever its symbols are.
static const PerThread *whereNotZero(PerThreadContext &L, const Int *I) {
  const PerThread *R = whereNotZero(L, I->base());
  for (const Int::Term &T : I->terms())
    R = L.either(R, whereNotZero(L, T.Coefficient));
  return R;
}

// Rows that warps share out: each begins with its own.
static bool isUniformButForBase(ValueContext &V, const Int *I) {
  return V.sub(I, V.known(I->base()))->isUniform();
}

llvm::SmallVector<Symbols::MovedCell, 4>
Symbols::movedByGiven(const State &S, const LoopVisit &Loop,
                      bool BesideCounters) {
  llvm::SmallVector<MovedCell, 4> Moved;
  const auto &H = Loop.History;
  for (const auto &[O, Bytes] : S.Mem.entries()) {
    if (H.back()->Mem.find(O) == Bytes)
      continue;
    for (const Cell &C : *Bytes) {
      const Int *Old = heldBefore(H.back()->Mem, O, C);
      // Where global data lies matters for its alignment only.
      if (!Old || !C.V.I || (C.V.isPtr() && !C.V.Obj->isShared()))
        continue;
      const Int *By = asIn(V, inFull(V.sub(C.V.I, Old)), S.Active);
      if (By->isConstant(0))
        continue;
      // Beside a counter every round is another, whatever this is called; what
      // goes to and fro is no counter.
      if (By->isKnown() && !BesideCounters) {
        const Int *Older =
            H.size() > 1 ? heldBefore(H[H.size() - 2]->Mem, O, C) : nullptr;
        if (!Older || V.sub(Old, Older) == By)
          return {};
      } else if (const PerThread *In = whereNotZero(L, By);
                 isStable(By) && isUniformIn(By, In) &&
                 (isUniformIn(C.V.I, In) || (Unsettled.contains(Loop.Head) &&
                                             isUniformButForBase(V, C.V.I)))) {
        Moved.push_back({{O, C.Offset}, C.V.I, By, In == L.all()});
      }
    }
  }
  return Moved;
}

const Int *Symbols::heldAt(const Memory &Mem, CellRef At) {
  const Contents *Bytes = Mem.find(At.first);
  if (!Bytes)
    return nullptr;
  const Cell *Held = llvm::find_if(
      *Bytes, [&](const Cell &C) { return C.Offset == At.second; });
  return Held == Bytes->end() ? nullptr : Held->V.I;
}

void Symbols::hold(ValueContext &V, Memory &Mem, CellRef At, const Int *I) {
  const Contents &Old = *Mem.find(At.first);
  llvm::SmallVector<Cell, 8> New(Old.begin(), Old.end());
  for (Cell &C : New)
    if (C.Offset == At.second)
      C.V.I = I;
  Mem.set(At.first, V.contents(New));
}

const PerThread *Symbols::whereDistanceIsKept(const State &S,
                                              const MovedCell &A, CellRef B,
                                              const Int *Distance) {
  const PerThread *Kept = L.none();
  for (const auto &Then : S.Loops.back().History) {
    const Int *X = heldAt(Then->Mem, A.At), *Y = heldAt(Then->Mem, B);
    if (X && Y)
      Kept = L.either(
          Kept,
          L.except(L.all(), whereNotZero(L, V.sub(V.sub(Y, X), Distance))));
  }
  return Kept;
}

// Roles that wait for each other go through rounds of the same numbers: each in
// its own time, and a name for one alone would tell nothing of the others'. Who
// comes last has rounds left that the other has decided (RoleRounds.cpp).
bool Symbols::hasRoles(const State &S) {
  return !S.Copies.phases().empty() &&
         (S.Role != 0 || !S.Stopped.empty() ||
          llvm::any_of(S.Splits,
                       [](const Split &X) { return X.hasSideToRun(); }));
}

void Symbols::moveOn(State &S, llvm::SmallVectorImpl<MovedCell> &Moved) {
  llvm::SmallVector<MovedCell, 4> Left(Moved.begin(), Moved.end());
  Moved.clear();
  for (;;) {
    const auto *First =
        llvm::find_if(Left, [](const MovedCell &M) { return M.InAll; });
    if (First == Left.end())
      return;
    const MovedCell Leader = *First;
    std::vector<CellRef> Together = {Leader.At};
    if (moveOn(S, Leader, Together,
               [&](CellRef At, int64_t Times, const Int *Rest) {
                 return Times == 1 ? whereDistanceIsKept(S, Leader, At, Rest)
                                   : L.none();
               }))
      llvm::copy_if(Left, std::back_inserter(Moved), [&](const MovedCell &M) {
        return llvm::is_contained(Together, M.At);
      });
    llvm::erase_if(Left, [&](const MovedCell &M) {
      return llvm::is_contained(Together, M.At);
    });
  }
}

void Symbols::name(State &S, CellRef At) {
  const Int *Full = heldAt(S.Mem, At);
  if (!Full)
    return;
  std::vector<CellRef> Together = {At};
  moveOn(S, {At, Full, V.constant(0), /*InAll=*/true}, Together,
         [&](CellRef, int64_t Times, const Int *) {
           return Times == 1 ? L.all() : L.none();
         });
  if (const Atom *Name = asAtom(heldAt(S.Mem, At)))
    InFull[Name] = Full;
}

const Int *Symbols::inFull(const Int *I) const {
  for (const Int::Term &T : I->terms())
    if (const Int *Full = InFull.lookup(T.A);
        Full && T.Coefficient->isUniform())
      I = V.add(
          I, V.mul(V.constant(T.Coefficient->min()), V.sub(Full, T.A->Alone)));
  return I;
}

// What a number was that many rounds ago, at least: true in all later ones, and
// another fact in each.
static bool tellsOfOldRounds(ValueContext &V, const Int *Rest, const Int *By) {
  if (Rest->isKnown() || By->isKnown())
    return false;
  const int64_t Of = By->terms()[0].Coefficient->min();
  const auto *Same = llvm::find_if(Rest->terms(), [&](const Int::Term &T) {
    return T.A == By->terms()[0].A && T.Coefficient->isUniform();
  });
  if (Same == Rest->terms().end() || Same->Coefficient->min() % Of != 0)
    return false;
  const int64_t Rounds = Same->Coefficient->min() / Of;
  return std::abs(Rounds) > 1 &&
         V.sub(Rest, V.mul(V.constant(Rounds), By))->isConstant();
}

std::optional<Symbols::Share> Symbols::shareOf(const Int *I,
                                               const MovedCell &Leader,
                                               const Int::Term &Pivot) {
  const auto *T = llvm::find_if(
      I->terms(), [&](const Int::Term &X) { return X.A == Pivot.A; });
  if (T == I->terms().end())
    return std::nullopt;
  const PerThread *In = whereNotZero(L, T->Coefficient);
  const int64_t Here = (*T->Coefficient)[L.first(In)],
                Factor = Pivot.Coefficient->min();
  if (L.apply(LaneOp::Mul, In, L.uniform(Here)) != T->Coefficient ||
      Here % Factor != 0)
    return std::nullopt;
  const int64_t Times = Here / Factor;
  const Int *Rest =
      onlyIn(V, V.sub(I, V.mul(V.constant(Times), Leader.Now)), In);
  if (dependsOn(Rest, Pivot.A))
    return std::nullopt;
  return Share{Times, Rest, In};
}

bool Symbols::moveOn(State &S, const MovedCell &Leader,
                     std::vector<CellRef> &Together, GoesAlong IsAlong) {
  // What is known of the number by a symbol in it is known of its name too.
  const auto *Pivot = llvm::find_if(Leader.Now->terms(), [&](const auto &T) {
    return !dependsOn(Leader.By, T.A) && T.Coefficient->isUniform();
  });
  if (Pivot == Leader.Now->terms().end())
    return false;
  llvm::SmallVector<MovedFact, 4> Moving;
  for (const PathCondition::Bound &B : S.Condition.bounds())
    if (const auto Of = shareOf(B.Form, Leader, *Pivot);
        Of && !tellsOfOldRounds(V, Of->Rest, Leader.By))
      Moving.push_back({Of->Times, Of->Rest, B});
  struct Follower {
    CellRef At;
    Share Of;
    const Int *Others; ///< what it is in other threads
  };
  llvm::SmallVector<Follower, 4> Apart;
  for (const auto &[O, Bytes] : S.Mem.entries())
    for (const Cell &C : *Bytes) {
      const CellRef At(O, C.Offset);
      if (At == Leader.At || !C.V.I || !dependsOn(C.V.I, Pivot->A))
        continue;
      auto Of = shareOf(C.V.I, Leader, *Pivot);
      if (!Of)
        continue;
      Of->In = L.both(Of->In, IsAlong(At, Of->Times, Of->Rest));
      if (PerThreadContext::isEmpty(Of->In))
        continue;
      Of->Rest = onlyIn(V, Of->Rest, Of->In);
      Apart.push_back({At, *Of, onlyIn(V, C.V.I, L.except(L.all(), Of->In))});
      Together.push_back(At);
    }

  const auto Renamed = rename(S, Leader.At);
  const auto IsStale = [&](const Int *Rest) {
    return llvm::any_of(Renamed,
                        [&](const Atom *Old) { return dependsOn(Rest, Old); });
  };
  const Int *Now = heldAt(S.Mem, Leader.At);
  for (const auto &[At, Of, Others] : Apart) {
    if (IsStale(Of.Rest) || IsStale(Others))
      continue;
    const Int *Moved = V.mul(V.constant(Of.Times), Now);
    hold(V, S.Mem, At, V.add(V.add(onlyIn(V, Moved, Of.In), Of.Rest), Others));
  }
  llvm::erase_if(Moving, [&](const MovedFact &F) { return IsStale(F.Rest); });
  assumeMoved(S, Now, Moving);
  return true;
}

void Symbols::assumeMoved(State &S, const Int *Now,
                          llvm::SmallVectorImpl<MovedFact> &Moving) {
  // What has fewer terms says more: the others may follow from it.
  llvm::sort(Moving, [](const MovedFact &X, const MovedFact &Y) {
    return std::pair(X.Rest->terms().size(), X.Of.Form->id()) <
           std::pair(Y.Rest->terms().size(), Y.Of.Form->id());
  });
  for (const MovedFact &F : Moving)
    assumeIfOpen(V, S.Condition, V.add(V.mul(V.constant(F.Times), Now), F.Rest),
                 F.Of);
}
