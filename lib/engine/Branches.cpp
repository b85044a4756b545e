//===- Branches.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Branches.h"
#include "lib/engine/Executor.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

void Branches::fork(State &S) {
  Run.Effects.note();
  ++Forks;
  for (LoopVisit &Loop : S.Loops)
    Loop.Forked = true;
  for (Context &C : S.Stopped)
    for (LoopVisit &Loop : C.Loops)
      Loop.Forked = true;
}

void Branches::traceDecision(State &S, const CFGBlock *B, TraceNode N) {
  N.Branch = B;
  N.Join = S.frame().Fn->join(B);
  // Deciding again, in the next iteration, replaces what was decided.
  if (S.Within && S.Within->Branch == B && S.Within->depth() == S.depth())
    closeDecision(S);
  Run.trace(S, N);
  S.Within = S.Trace;
}

void Branches::closeDecision(State &S) {
  const TraceNode *D = std::exchange(S.Within, S.Within->Within);
  if (D == S.CopiedWithin)
    S.CopiedWithin = S.Within;
  // Others may be within it still; and who has left decides for nobody else.
  else if (D->isDecision() && !D->May && !D->OnlyIn &&
           (D->Effects & EffectCopy) && S.Stopped.empty() &&
           llvm::none_of(S.Splits, [](const Split &Sp) { return Sp.Other; }))
    S.ChoseNotToCopy = std::max(S.ChoseNotToCopy, D->Place);
}

TraceNode::LoopRole Branches::loopRole(const State &S, const CFGBlock *B,
                                       const CFGBlock *Next) {
  using Role = TraceNode::LoopRole;
  const Stmt *T = B->getTerminatorStmt();
  if (S.Loops.empty() || S.Loops.back().Depth != S.depth())
    return Role::None;
  const CFGBlock *Head = S.Loops.back().Head;
  bool IsCondition =
      isa_and_present<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(T) ||
      (B == Head && isa_and_present<BinaryOperator>(T));
  if (!IsCondition)
    return Role::None;
  return S.frame().Fn->loop(Head)->test(Next->getBlockID()) ? Role::Stays
                                                            : Role::Leaves;
}

void Branches::traceLeaving(State &S, const CFGBlock *B) {
  if (S.Splits.empty() || S.Splits.back().Depth != S.depth() ||
      S.Splits.back().MayCondition)
    return;
  const Stmt *Leaves = B->getTerminatorStmt();
  LeftKind What = LeftLoop;
  const TraceNode *InLoop = nullptr;
  if (isa_and_present<ContinueStmt>(Leaves)) {
    What = LeftIteration;
  } else if (isa_and_present<BreakStmt>(Leaves)) {
    // Of a loop, not of a switch: what came before was in an iteration.
    if (S.Trace)
      InLoop =
          S.Trace->K == TraceStep::Kind::Iteration ? S.Trace : S.Trace->InLoop;
    if (!InLoop || (!S.Loops.empty() && S.Loops.back().Newest == InLoop))
      return;
  } else {
    // The ends of lifetimes come after it.
    Leaves = nullptr;
    for (const CFGElement &E : *B)
      if (auto St = E.getAs<CFGStmt>())
        Leaves = St->getStmt();
    if (!isa_and_present<ReturnStmt>(Leaves))
      return;
    What = S.depth() == 0 && S.frame().Fn->decl()->hasAttr<CUDAGlobalAttr>()
               ? LeftKernel
               : LeftFunction;
  }
  TraceNode N{TraceStep::Kind::Left, Run.userLoc(S, Leaves->getBeginLoc()), 0,
              S.Active, What};
  N.InLoop = InLoop;
  Run.trace(S, N);
}

Step Branches::branch(State &S) {
  const CFGBlock *B = S.frame().Block;
  traceLeaving(S, B);
  const Stmt *T = B->getTerminatorStmt();
  llvm::SmallVector<const CFGBlock *, 2> Next;
  for (const CFGBlock *N : B->succs())
    Next.push_back(N);
  if (Next.empty())
    return Step::PathEnds; // no return
  bool IsSwitch = isa_and_present<SwitchStmt>(T);
  if (!IsSwitch && Next.size() > 2) {
    Run.gap(T ? T->getBeginLoc() : SourceLocation(),
            "computed goto is not analysed");
    return Step::PathEnds;
  }
  if (B->getTerminator().isTemporaryDtorsBranch())
    return branchOnMade(S, B);
  if (!IsSwitch && (Next.size() == 1 || !Next[0] || !Next[1])) {
    const CFGBlock *N = Next[0] ? Next[0] : Next.size() > 1 ? Next[1] : nullptr;
    return N ? Paths.enter(S, N) : Step::PathEnds;
  }
  bool InExpression =
      isa_and_present<AbstractConditionalOperator, BinaryOperator>(T);
  const Region &R = S.frame().Fn->region(B);
  if (!R.Relevant) {
    if (!InExpression)
      S.frame().Temps.clear();
    return Paths.enter(S, S.frame().Fn->join(B));
  }
  if (IsSwitch)
    return switchOn(S, B);
  const auto *E = dyn_cast_if_present<Expr>(B->getTerminatorCondition());
  if (!E) {
    Run.gap(T ? T->getBeginLoc() : SourceLocation(),
            "branch without a condition is not analysed");
    return Step::PathEnds;
  }
  const Value Written = Eval.eval(S, decidedBy(B, E));
  const Int *C = Eval.condition(S, Run.simplify(S, Written), E);
  if (const auto First = wholeOrRest(S, E, C, R.Blocks.test(B->getBlockID())))
    return forkOn(S, *First, E->getBeginLoc());
  Comparisons.note(S, C);
  if (!InExpression)
    S.frame().Temps.clear();
  return branchOn(S, B, {C, Written.isInt() ? Written.I : C}, Next[0], Next[1],
                  E->getBeginLoc());
}

// Loops that one of these leaves.
static void noteOpenEnds(State &S, const CFGBlock *OnTrue,
                         const CFGBlock *OnFalse) {
  for (LoopVisit &Loop : S.Loops) {
    if (Loop.Depth != S.depth() || Loop.OpenEnd)
      continue;
    const auto *In = S.frame().Fn->loop(Loop.Head);
    if (!In->test(OnTrue->getBlockID()) || !In->test(OnFalse->getBlockID())) {
      Loop.OpenEnd = true;
      Loop.Counted = Loop.Visits;
    }
  }
}

Step Branches::branchOn(State &S, const CFGBlock *B, Question On,
                        const CFGBlock *OnTrue, const CFGBlock *OnFalse,
                        SourceLocation Loc) {
  // What a role asks of the numbers of the block, others may have decided.
  const Int *C = asIn(V, On.Condition, S.Active);
  Truth Known = S.Condition.decide(V, C);
  const PerThread *True = L.both(S.Active, Known.True);
  const PerThread *False = L.both(S.Active, Known.False);
  const PerThread *Open = L.except(S.Active, L.either(True, False));
  const FunctionInfo *Fn = S.frame().Fn;
  if (const bool Holds = Fn->stopsKernel(OnFalse);
      Holds != Fn->stopsKernel(OnTrue))
    return goOn(S, Holds ? OnTrue : OnFalse, Holds, On, Known, Loc);
  if (PerThreadContext::isEmpty(Open)) {
    if (PerThreadContext::isEmpty(False))
      return Paths.enter(S, OnTrue);
    if (PerThreadContext::isEmpty(True))
      return Paths.enter(S, OnFalse);
    return splitThreads(S, B, True, False, OnTrue, OnFalse);
  }
  noteOpenEnds(S, OnTrue, OnFalse);
  C = asIn(V, C, Open); // nor have those a say who know the answer
  Run.Shared.Origins.simplified(V, On.Written, C, [&](const Int *I) {
    return asIn(V, Run.simplify(S, Value::integer(I)).I, Open);
  });
  const Region &R = Fn->region(B);
  bool Leaves = Fn->join(B) == &Fn->cfg()->getExit() && R.Effects != 0;
  bool IsLoop = R.Blocks.test(B->getBlockID());
  unsigned Ordering = EffectGroup | EffectBarrier | EffectUnknown;
  bool Divergent = !isUniformIn(C, Open);
  if (!IsLoop && !Leaves && !(R.Effects & Ordering) &&
      (Divergent || !(R.Effects & EffectCopy)))
    return runBothSides(S, B, C, L.either(True, Open), L.either(False, Open),
                        OnTrue, OnFalse, Run.userLoc(S, Loc));

  // Threads whose condition is not known all go one way, then all the other;
  // or some do this and some that, where that may matter.
  const Int *Work = workFor(S, B, C, OnTrue, OnFalse);
  const bool MayLeave = !Work;
  if (MayLeave)
    fork(S);
  if (MayLeave && Divergent)
    part(S, B, C, Open, OnTrue, OnFalse, Loc);
  using Spread = TraceNode::Spread;
  auto Over = Divergent ? Spread::Divergent : Spread::Alike;
  if (Divergent && !IsLoop && !Leaves &&
      forkOnOne(S, B, C, True, False, OnTrue, OnFalse, Run.userLoc(S, Loc)))
    Over = Spread::BesideOne;
  auto Go = [&](State &Path, bool Holds) {
    TraceNode N{TraceStep::Kind::BranchTaken, Run.userLoc(Path, Loc)};
    if (!Path.Condition.assume(V, C, Holds, Open) ||
        (Work && !takeWork(Path, Work, Open, N.Loc)) ||
        !Run.decided(Path, On.Written, Holds, Open, N.Loc))
      return Step::PathEnds;
    N.Flag = Holds;
    N.Over = Over;
    N.Condition = C;
    N.Effects = R.Effects;
    N.Mask = Open;
    N.Role = loopRole(Path, B, Holds ? OnTrue : OnFalse);
    traceDecision(Path, B, N);
    const PerThread *T = Holds ? L.either(True, Open) : True;
    const PerThread *F = Holds ? False : L.either(False, Open);
    if (PerThreadContext::isEmpty(F))
      return Paths.enter(Path, OnTrue);
    if (PerThreadContext::isEmpty(T))
      return Paths.enter(Path, OnFalse);
    return splitThreads(Path, B, T, F, OnTrue, OnFalse);
  };
  if (!MayLeave)
    return Go(S, true);
  const bool First = endsSooner(S, B, OnTrue, OnFalse);
  State Other = S;
  if (Go(Other, !First) == Step::Continue)
    Paths.Work.push_back(std::move(Other));
  return Go(S, First);
}

Step Branches::goOn(State &S, const CFGBlock *To, bool Holds, Question On,
                    const Truth &Known, SourceLocation Loc) {
  // Nothing is known of who takes this side of another branch.
  if (!S.May.empty())
    return Paths.enter(S, To);
  const PerThread *Stay = L.both(S.Active, Holds ? Known.True : Known.False),
                  *Stop = L.both(S.Active, Holds ? Known.False : Known.True),
                  *Open = L.except(S.Active, L.either(Stay, Stop));
  if (!PerThreadContext::isEmpty(Stop)) {
    StopLoc = Loc;
    return Step::PathEnds;
  }
  if (!PerThreadContext::isEmpty(Open)) {
    Run.Effects.note();
    const Int *C = asIn(V, On.Condition, S.Active);
    if (!S.Condition.assume(V, C, Holds, Open) ||
        !Run.decided(S, On.Written, Holds, Open, Run.userLoc(S, Loc)))
      return Step::PathEnds;
  }
  return Paths.enter(S, To);
}

// The way to run first: who has done less meets more that is not done yet, so
// that the other ends where it comes to the same state. It is the shorter
// witness, too.
bool Branches::endsSooner(const State &S, const CFGBlock *B,
                          const CFGBlock *OnTrue, const CFGBlock *OnFalse) {
  if (!S.Loops.empty() && S.Loops.back().Depth == S.depth()) {
    const auto *Loop = S.frame().Fn->loop(S.Loops.back().Head);
    const bool TrueStays = Loop->test(OnTrue->getBlockID()),
               FalseStays = Loop->test(OnFalse->getBlockID());
    if (TrueStays != FalseStays)
      return Interp.Known.Unsettled.empty() ? FalseStays : TrueStays;
  }
  return OnTrue == S.frame().Fn->join(B);
}

/// Asks for nothing but numbers that locals hold, or the hardware.
static bool isPlain(Program &P, const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Object = dyn_cast<PseudoObjectExpr>(E))
    return Object->getResultExpr() && isPlain(P, Object->getResultExpr());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return Call->getDirectCallee() &&
           !P.recognizer().specialRegister(Call->getDirectCallee()).empty();
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() != CK_LValueToRValue)
      return isPlain(P, Cast->getSubExpr());
    const VarDecl *X = namedVariable(Cast->getSubExpr()->IgnoreParens());
    return X && X->hasLocalStorage() && !X->getType()->isReferenceType();
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->isArithmeticOp() && isPlain(P, Op->getSubExpr());
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return !Op->isAssignmentOp() && isPlain(P, Op->getLHS()) &&
           isPlain(P, Op->getRHS());
  return isa<IntegerLiteral, CXXBoolLiteralExpr>(E);
}

const PerThread *Branches::leaving(const State &S,
                                   const DivergentExits::Exit &To) {
  const PerThread *R = S.Active;
  for (const auto &[E, Holds] : To.If) {
    if (!isPlain(Run.P, E))
      continue;
    State Ahead = S;
    const Value Of = Eval.eval(Ahead, E);
    if (!Of.isInt())
      continue;
    const Truth Known = S.Condition.decide(V, Eval.condition(Ahead, Of, E));
    R = L.except(R, Holds ? Known.False : Known.True);
  }
  return R;
}

void Branches::part(const State &S, const CFGBlock *B, const Int *C,
                    const PerThread *Open, const CFGBlock *OnTrue,
                    const CFGBlock *OnFalse, SourceLocation Loc) {
  if (S.Parted)
    return;
  const auto *Condition = dyn_cast_if_present<Expr>(B->getLastCondition());
  if (!Condition)
    return;
  const auto To = Interp.Leaving.exitOf(S, Condition, OnTrue, OnFalse);
  if (!To)
    return;
  std::vector<DivergentExits::Way> Ways =
      Interp.Leaving.waysToPart(S, C, Open, *To, leaving(S, *To));
  // What is pushed last runs first: of two witnesses as long it is the clearer.
  for (DivergentExits::Way &W : llvm::reverse(Ways)) {
    State Apart = S;
    Apart.Condition = std::move(W.Path);
    Apart.Parted = true;
    TraceNode N{TraceStep::Kind::BranchTaken, Run.userLoc(S, Loc)};
    Run.decided(Apart, C, true, W.True, N.Loc);
    Run.decided(Apart, C, false, W.False, N.Loc);
    N.Flag = true;
    N.OnlyIn = W.True;
    N.Condition = C;
    N.N = Shape.threads();
    N.Effects = S.frame().Fn->region(B).Effects;
    traceDecision(Apart, B, N);
    if (splitThreads(Apart, B, W.True, W.False, OnTrue, OnFalse) ==
        Step::Continue)
      Paths.Work.push_back(std::move(Apart));
  }
}

Step Branches::splitThreads(State &S, const CFGBlock *B, const PerThread *True,
                            const PerThread *False, const CFGBlock *OnTrue,
                            const CFGBlock *OnFalse) {
  const CFGBlock *Join = S.frame().Fn->join(B);
  if (OnTrue == Join) { // those threads wait there
    std::swap(True, False);
    std::swap(OnTrue, OnFalse);
  }
  setAside(S, B, False, OnFalse);
  return Paths.enter(S, OnTrue);
}

Step Branches::runBothSides(State &S, const CFGBlock *B, const Int *C,
                            const PerThread *True, const PerThread *False,
                            const CFGBlock *OnTrue, const CFGBlock *OnFalse,
                            SourceLocation Loc) {
  Split New;
  New.Depth = S.depth();
  New.Join = S.frame().Fn->join(B);
  New.JoinMask = S.Active;
  New.Other = OnFalse;
  New.OtherMask = False;
  New.Role = S.Role;
  New.MayCondition = C;
  New.Branch = B;
  New.Loc = Loc;
  ConditionLocs.try_emplace(C, Loc);
  New.Start =
      std::make_shared<const Split::Sides>(Split::Sides{S.Mem, S.Copies});
  traceSide(S, New, true);
  S.Splits.push_back(std::move(New));
  S.May.push_back({C, true});
  Names.hold(C);
  S.Active = True;
  return Paths.enter(S, OnTrue);
}

void Branches::traceSide(State &S, const Split &Both, bool Holds) {
  TraceNode N{TraceStep::Kind::BranchTaken, Both.Loc};
  N.Flag = Holds;
  N.May = true;
  traceDecision(S, Both.Branch, N);
}

// What both sides of a condition left in memory; numbers that are better given
// a name are added to Heavy. A place in shared memory keeps its condition: who
// copies there decides it. What one side has decided may be open in the other's
// memory still.
static Memory
unite(ValueContext &V, const PathCondition &Decided, const Int *C,
      const Memory &A, const Memory &B,
      llvm::SmallVectorImpl<std::pair<const Object *, int64_t>> &Heavy) {
  auto PutIn = [&](Value X) {
    if (X.I && !X.I->isKnown())
      X.I = Decided.simplify(V, X.I, V.lanes().all());
    return X;
  };
  Memory R = A;
  for (const auto &[O, Old] : A.entries()) {
    const Contents *Other = B.find(O);
    // Written on one side only: who reads it comes from there.
    if (!Other || Other == Old)
      continue;
    llvm::SmallVector<Cell, 8> Merged;
    for (const Cell &X : *Old)
      for (const Cell &Y : *Other)
        if (X.Offset == Y.Offset && X.Size == Y.Size) {
          Cell M = X;
          if (X.V != Y.V)
            M.V = V.select(C, PutIn(X.V), PutIn(Y.V));
          const bool IsSlot =
              M.V.isPtr() && M.V.Obj->isShared() && C->isUniform();
          if (M.V != X.V && M.V.I && M.V.I->weight() > Int::MaxWeight &&
              !IsSlot)
            Heavy.push_back({O, X.Offset});
          Merged.push_back(M);
        }
    R.set(O, V.contents(Merged));
  }
  for (const auto &[O, Bytes] : B.entries())
    if (!A.find(O))
      R.set(O, Bytes);
  R.unused() = B.unused();
  return R;
}

const CFGBlock *Branches::joinAt(State &S, const CFGBlock *B) {
  while (!S.Splits.empty() && S.Splits.back().Depth == S.depth() &&
         S.Splits.back().Join == B) {
    Split &Top = S.Splits.back();
    if (Top.MayCondition && !Top.First) {
      Top.First =
          std::make_shared<const Split::Sides>(Split::Sides{S.Mem, S.Copies});
      S.Mem = Top.Start->Mem;
      S.Copies = Top.Start->Copies;
      S.Copies.history().meet(
          Run.Written, Top.First->Copies.history().sinceMeeting().Meeting);
      S.May.back().second = false;
      S.Active = Top.OtherMask;
      if (Top.Other == B)
        continue;
      traceSide(S, Top, false);
      return Top.Other;
    }
    if (Top.MayCondition) {
      llvm::SmallVector<Symbols::CellRef, 4> Heavy;
      Reads.uniteUnused(S, Top);
      S.Mem =
          unite(V, S.Condition, Top.MayCondition, Top.First->Mem, S.Mem, Heavy);
      S.Copies.unite(V.lanes(), Run.Written, Events, Top.First->Copies);
      Names.rename(S, Heavy);
      S.May.pop_back();
    } else if (Top.Other) {
      const CFGBlock *Other = Top.Other;
      S.Active = Top.OtherMask;
      Top.Other = nullptr;
      return Other;
    } else if (Schedule::othersAreComing(S, Top)) {
      B = Paths.Others.resume(S);
      if (!B)
        return nullptr;
      continue;
    }
    S.Role = Top.Role;
    S.Active = Top.JoinMask;
    S.Splits.pop_back();
  }
  return B;
}

Step Branches::branchOnMade(State &S, const CFGBlock *B) {
  const auto *E = cast<Expr>(B->getTerminatorStmt());
  const Expr *Maker = withoutCasts(E);
  const PerThread *By = L.none();
  llvm::erase_if(S.frame().Made, [&](const auto &M) {
    if (M.first == Maker)
      By = M.second;
    return M.first == Maker;
  });
  const CFGBlock *Destroy = *B->succ_begin(), *Pass = *(B->succ_begin() + 1);
  if (!S.frame().Fn->region(B).Relevant)
    return Paths.enter(S, S.frame().Fn->join(B));
  if (!Pass || (By && PerThreadContext::isEmpty(L.except(S.Active, By))))
    return Destroy ? Paths.enter(S, Destroy) : Step::PathEnds;
  if (!Destroy || (By && PerThreadContext::isEmpty(L.both(S.Active, By))))
    return Paths.enter(S, Pass);
  Run.gap(E->getBeginLoc(),
          "temporary that only some threads make is not followed");
  Run.CutShort = true;
  return Step::PathEnds;
}
