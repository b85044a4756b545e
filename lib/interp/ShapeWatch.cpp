//===- ShapeWatch.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/ShapeWatch.h"
#include "lib/interp/Interpreter.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace cpasync;

// What is noted of a call has to be noted again: it is not remembered.
void ShapeWatch::note(bool IsNew) {
  if (IsNew)
    Run.Effects.note();
}

int64_t ShapeWatch::Staircase::threadsBelow(int64_t Value) const {
  return Value <= First ? 0
                        : int64_t(llvm::divideCeil(uint64_t(Value - First),
                                                   uint64_t(Each))) *
                              Threads;
}

std::optional<ShapeWatch::Staircase>
ShapeWatch::staircaseOf(const Int *I) const {
  if (!I || !I->isKnown() || I->isConstant())
    return std::nullopt;
  const PerThread &Of = *I->base();
  Staircase R{Of[0], 0, 1};
  while (R.Threads < Shape.threads() && Of[R.Threads] == R.First)
    ++R.Threads;
  if (R.Threads == Shape.threads() || Of[R.Threads] < R.First)
    return std::nullopt;
  // A number near the ends of 64 bits is no index.
  const __int128 Each = __int128(Of[R.Threads]) - R.First;
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if (Of[T] != R.First + T / R.Threads * Each)
      return std::nullopt;
  R.Each = int64_t(Each);
  return R;
}

std::optional<unsigned> ShapeWatch::axisOf(const Int *I) {
  static constexpr llvm::StringLiteral Names[] = {"tid.x", "tid.y", "tid.z"};
  if (Shape.Y * Shape.Z > 1)
    for (unsigned Axis = 0; Axis < 3; ++Axis)
      if (Registers.read(Names[Axis]).I == I)
        return Axis;
  return std::nullopt;
}

bool ShapeWatch::isRegister(const Expr *E, llvm::StringRef Name) const {
  E = E->IgnoreParenImpCasts();
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return Pseudo->getResultExpr() && isRegister(Pseudo->getResultExpr(), Name);
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() && isRegister(Opaque->getSourceExpr(), Name);
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && P.recognizer().specialRegister(F) == Name;
}

// A place that the number of a thread or a group moves on is none.
bool ShapeWatch::isMovedOn(const Expr *E) {
  const auto *Sum = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  return Sum && Sum->isAdditiveOp() && Shape.Y == 1 &&
         Eval.evalConstant(Sum->getLHS()).isUnknown() &&
         Eval.evalConstant(Sum->getRHS()).isUnknown();
}

// threadIdx.x < 96, warp == 3, blockDim.x != 64.
void ShapeWatch::compare(const BinaryOperator *E, BinaryOperatorKind Op,
                         Value A, Value B) {
  const Expr *Left = E->getLHS(), *Right = E->getRHS();
  if (A.I->isConstant() && !B.I->isConstant()) {
    std::swap(A, B);
    std::swap(Left, Right);
    Op = BinaryOperator::isEqualityOp(Op)
             ? Op
             : BinaryOperator::reverseComparisonOp(Op);
  }
  const Value Number = Eval.evalConstant(Right);
  if (!Number.isInt())
    return;
  const int64_t N = Number.I->constant();
  if (A.I->isConstant()) {
    static constexpr llvm::StringLiteral Sizes[] = {"ntid.x", "ntid.y",
                                                    "ntid.z"};
    for (unsigned Axis = 0; Axis < 3; ++Axis)
      if (BinaryOperator::isEqualityOp(Op) && isRegister(Left, Sizes[Axis])) {
        note(Run.Clues.addAlong(Axis, N));
        if (Axis == 0)
          note(Run.Clues.addTotal(ShapeClues::Stride, N));
        // It may be asked for behind what this block does not pass.
        Run.Clues.AsksY |=
            (Axis == 1 && N > 1) || (Axis == 0 && N > 0 && N < A.I->constant());
        Run.Clues.AsksZ |= Axis == 2 && N > 1;
        if (A.I->constant() != N)
          Run.Clues.contradict(E->getExprLoc(),
                               "the kernel is for another block");
      }
    return;
  }
  const bool IsAxis = axisOf(A.I).has_value();
  const auto Steps = staircaseOf(A.I);
  if (!IsAxis && !Steps)
    return;
  // The first value for which the answer is another one.
  const int64_t Next = Op == BO_LT || Op == BO_GE ? N : N + 1;
  if (IsAxis)
    note(Run.Clues.addAlong(*axisOf(A.I), Next));
  else
    note(Run.Clues.addTotal(ShapeClues::Compared, Steps->threadsBelow(Next)));
  // A helper may be given any number, and a row may be one of a later round.
  const VarDecl *Var = variableBehind(Left->IgnoreParenImpCasts());
  if (isMovedOn(Left) || Left->HasSideEffects(P.context()) ||
      (Var && (isa<ParmVarDecl>(Var) || !P.changes().never(Var))))
    return;
  // Who is asked for exists.
  const int64_t Last = A.I->base()->max();
  const bool IsMissing = (Op == BO_EQ && N > Last) ||
                         (Op == BO_GE && N > Last) ||
                         (Op == BO_GT && N >= Last);
  if (IsMissing && N > 0)
    Run.Clues.contradict(E->getExprLoc(),
                         "no thread is the one that is asked for",
                         /*MayBeDefect=*/true);
}

// threadIdx.y * 16 + threadIdx.x, from some number on; and threadIdx.z * 64.
std::optional<ShapeWatch::Pitches> ShapeWatch::pitchesOf(const Int *I) {
  if (Shape.Y == 1 || !I->isKnown())
    return std::nullopt;
  const auto Reaches = [&](unsigned Thread) {
    return (*I->base())[Thread] - (*I->base())[0];
  };
  const Pitches Of = {Reaches(Shape.X),
                      Shape.Z > 1 ? Reaches(Shape.X * Shape.Y) : 0};
  const Int *Begin = V.sub(I, Registers.read("tid.x").I);
  Begin = V.sub(Begin, V.mul(Registers.read("tid.y").I, V.constant(Of.Row)));
  Begin = V.sub(Begin, V.mul(Registers.read("tid.z").I, V.constant(Of.Plane)));
  return Of.Row > 1 && Begin->isConstant() ? std::optional(Of) : std::nullopt;
}

void ShapeWatch::binary(const BinaryOperator *E, Value A, Value B) {
  if (!Shape.Open || !A.isInt() || !B.isInt() || !A.I->isKnown() ||
      !B.I->isKnown())
    return;
  if (E->isComparisonOp())
    compare(E, E->getOpcode(), A, B);
  else if (E->getOpcode() == BO_Add)
    if (const Int *I = V.add(A.I, B.I); const auto Of = pitchesOf(I))
      if ((*I->base())[0] == 0) {
        note(Run.Clues.addAlong(0, Of->Row));
        // As wide as this block: that may be by blockDim.x.
        if (Of->Row != Shape.X)
          note(Run.Clues.addWidth(Of->Row));
        if (Of->Plane > Of->Row && Of->Plane % Of->Row == 0 &&
            Of->Plane != Shape.X * Shape.Y)
          note(Run.Clues.addPlane(Of->Plane));
      }
}

void ShapeWatch::advance(Value Var, const Expr *Step) {
  if (!Shape.Open || !Var.isInt())
    return;
  const auto Steps = staircaseOf(Var.I);
  const bool IsInRows = !Steps && pitchesOf(Var.I);
  const Value By =
      Steps || IsInRows ? Eval.evalConstant(Step) : Value::unknown();
  // What is near the ends of 64 bits counts no threads.
  if (!By.isInt() || By.I->constant() <= 0 || By.I->constant() > INT32_MAX)
    return;
  if (IsInRows)
    note(Run.Clues.addTotal(ShapeClues::Stride, By.I->constant()));
  if (!Steps || Steps->First < INT32_MIN || By.I->constant() % Steps->Each != 0)
    return;
  // Those that have come to 0: threads below, with another role, do not count.
  const int64_t Below = std::min<int64_t>(Steps->First, 0);
  if (Below % Steps->Each == 0)
    note(Run.Clues.addTotal(ShapeClues::Stride, (By.I->constant() - Below) /
                                                    Steps->Each *
                                                    Steps->Threads));
}

std::optional<unsigned>
ShapeWatch::firstBeyond(const PerThread &Of, int64_t Last,
                        llvm::function_ref<int64_t(unsigned)> At) const {
  for (unsigned T = 0; T < Shape.threads(); ++T)
    if (Of[T] && (At(T) < 0 || At(T) > Last))
      return T;
  return std::nullopt;
}

void ShapeWatch::subscript(State &S, const ArraySubscriptExpr *E, Value Base,
                           Value Index) {
  if (!Shape.Open || !Index.isInt() || !Base.isPtr() || !Base.Obj->isShared())
    return;
  const Expr *Of = E->getBase()->IgnoreParenImpCasts();
  const auto *Array = Ctx.getAsConstantArrayType(Of->getType());
  if (!Array || !Index.I->isKnown())
    return;
  const int64_t Extent = int64_t(Array->getLimitedSize());
  if (const auto Axis = axisOf(Index.I))
    note(Run.Clues.addAlong(*Axis, Extent));
  else if (const auto Steps = staircaseOf(Index.I))
    note(Run.Clues.addTotal(ShapeClues::Extent, Steps->threadsBelow(Extent)));
  // Of the whole array, threads may have an address that they do not use.
  if (!isa<ArraySubscriptExpr>(Of) || !S.May.empty())
    return;
  if (const auto T = firstBeyond(*S.Active, Extent - 1, [&](unsigned Thread) {
        return (*Index.I->base())[Thread];
      }))
    Run.Clues.contradict(Run.userLoc(S, E->getExprLoc()),
                         "thread " + std::to_string(*T) +
                             " leaves its row of '" +
                             Run.nameOf(Base.Obj).str() + "'",
                         /*MayBeDefect=*/*T == 0); // every block has it
}

void ShapeWatch::access(const State &S, const Footprint *F,
                        SourceLocation Loc) {
  if (!Shape.Open || F->Obj->K != Object::Kind::Shared || F->Obj->Size <= 0 ||
      !F->Offset || !F->Offset->isKnown() || !S.May.empty())
    return;
  if (const auto T =
          firstBeyond(*F->Mask, F->Obj->Size - F->Size, [&](unsigned Thread) {
            return Run.Blocks.byteOf((*F->Offset->base())[Thread]);
          }))
    Run.Clues.contradict(Loc,
                         "thread " + std::to_string(*T) + " accesses '" +
                             Run.nameOf(F->Obj).str() + "' beyond its end",
                         /*MayBeDefect=*/*T == 0);
}

void ShapeWatch::read(const State &S, const Footprint *F, SourceLocation Loc) {
  access(S, F, Loc);
  if (Shape.Open && F->Obj->isShared() && S.May.empty() && !S.ChoseNotToCopy &&
      S.Copies.history().leavesOut(Run.Written, F))
    Run.Clues.contradict(Loc,
                         "bytes of '" + Run.nameOf(F->Obj).str() +
                             "' are read that nothing has written",
                         /*MayBeDefect=*/true);
}

void ShapeWatch::copy(const Object *To, int64_t Size) {
  if (Shape.Open && To && To->Size > 0)
    note(Run.Clues.addTotal(ShapeClues::Chunks, To->Size / Size));
}

void ShapeWatch::asks(unsigned Axis, SourceLocation Loc) {
  if (!Shape.Open)
    return;
  bool &Asks = Axis == 1 ? Run.Clues.AsksY : Run.Clues.AsksZ;
  note(!Asks);
  Asks = true;
  if ((Axis == 1 ? Shape.Y : Shape.Z) == 1)
    Run.Clues.contradict(Loc, "threads are told apart along another axis");
}
