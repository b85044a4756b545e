//===- MbarrierCalls.cpp --------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of cuda::barrier.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Interpreter.h"
#include "lib/interp/MbarrierOps.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace cpasync;

bool MbarrierOps::forEachBarrier(
    State &S, Value Place,
    llvm::function_ref<void(MbarrierIndex, const PerThread *)> Do) {
  Place = Run.simplify(S, Place);
  if (!Place.isPtr() || Place.Obj->K == Object::Kind::Choice)
    return false;
  return V.forEachValue(Run.Blocks.placeOf(Place).I, S.Active,
                        [&](int64_t At, const PerThread *Here) {
                          Do(phaseBarrier(S, Place.Obj, At), Here);
                        });
}

bool MbarrierOps::copyTo(State &S, Value Place, bool InBulk) {
  return forEachBarrier(S, Place,
                        [&](MbarrierIndex Index, const PerThread *Here) {
                          S.Copies.phase(Index).copies(L, Here, InBulk);
                        });
}

// The phase cannot be complete before they are, if those that it still waits
// for arrive behind them. Who has arrived in it may be too late.
void MbarrierOps::bindCopies(State &S, MbarrierIndex Index,
                             const PerThread *Threads, const void *Site,
                             SourceLocation Loc) {
  PhaseBarrier &B = S.Copies.phase(Index);
  if (!B.Copying)
    return;
  const PerThread *Bound = L.both(B.Copying, Threads);
  if (B.Joined)
    Bound = L.except(Bound, L.apply(LaneOp::Eq, B.Joined, L.uniform(B.Parity)));
  if (PerThreadContext::isEmpty(Bound))
    return;
  // Nobody closes a group: it is told of where the last of them was issued.
  for (const BlockCopies::ThreadClass &C : S.Copies.classes())
    if (!C.Queue.open().empty() &&
        !PerThreadContext::isEmpty(L.both(C.Mask, Bound)))
      Loc = Events[C.Queue.open().back()].Loc;
  const EventId Id = closing(S, Site, Loc, Index, Bound);
  S.Copies.commit(L, Events, Id, Bound, B.CopyInBulk);
  B.bind({Bound, Id, B.CopyInBulk});
  B.Copying = L.except(B.Copying, Bound);
  if (PerThreadContext::isEmpty(B.Copying)) {
    B.Copying = nullptr;
    B.CopyInBulk = false;
  }
}

void MbarrierOps::bindCopies(State &S, const void *Site, SourceLocation Loc) {
  for (size_t I = 0; I < S.Copies.phases().size(); ++I)
    bindCopies(S, MbarrierIndex(I), S.Active, Site, Loc);
}

bool MbarrierOps::commitTo(State &S, const CallExpr *E, Value Place) {
  const SourceLocation Loc = Run.userLoc(S, E->getBeginLoc());
  return forEachBarrier(S, Place, [&](MbarrierIndex B, const PerThread *Here) {
    const EventId Id = closing(S, E, Loc, B, Here);
    S.Copies.commit(L, Events, Id, Here);
    Run.trace(S, {TraceStep::Kind::Committed, Loc, Id, Here});
    S.Copies.phase(B).bind({Here, Id});
  });
}

void MbarrierOps::callOfBarrier(State &S, const CallExpr *E, ApiKind K) {
  const SourceLocation At = E->getBeginLoc(), Loc = Run.userLoc(S, At);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(E);
  const unsigned Operand = Member ? 0 : 1; // behind the barrier
  auto Unknown = [&](llvm::StringRef What) {
    Run.gap(At, What.str());
    Run.guessOrder(S);
    Barriers.unknownOrder(S);
    Frames.unknownCall(S, {}, E);
  };
  const Expr *Which = Member ? Member->getImplicitObjectArgument()
                      : K == ApiKind::PhaseCommit ? E->getArg(1)
                                                  : E->getArg(0);
  const Value Place = Run.simplify(S, Scoped.argument(S, Which));

  // What is given: a count, a parity, or a token that holds one.
  PhaseRequest R{K, E, At, V.constant(1)};
  auto Given = [&](unsigned Index) {
    const Expr *A = E->getArg(Index);
    Value N = Scoped.argument(S, A);
    if (A->isGLValue() || A->getType()->isRecordType())
      N = Store.load(
          S, N,
          A->getType()->isRecordType() ? Ctx.UnsignedLongTy : A->getType(), A);
    N = Run.simplify(S, N);
    return N.isInt() ? N.I : nullptr;
  };
  R.Announces =
      K == ApiKind::PhaseExpect ||
      (K == ApiKind::PhaseArrive && !Member && E->getNumArgs() > Operand + 1);
  if (R.Announces)
    R.Bytes = Given(E->getNumArgs() - 1);
  if (E->getNumArgs() > Operand && K != ApiKind::PhaseCommit &&
      K != ApiKind::PhaseExpect) {
    R.Given = Given(Operand);
    if (!R.Given || !R.Given->isKnown()) {
      Unknown("what the barrier is given is not known");
      return;
    }
  }
  if (E->getType()->isBooleanType())
    R.Try = E;
  const WaitOutcome Outcome = outcomeOf(S, R, Place);
  if (Outcome == WaitOutcome::Undecided)
    return;
  if (Outcome == WaitOutcome::GaveUp)
    return Frames.setTemp(S, E, Value::integer(V.constant(0)));
  if (K == ApiKind::PhaseSync)
    Run.trace(S, {TraceStep::Kind::Barrier, Loc, 0, S.Active});
  if (K == ApiKind::PhaseCommit) {
    if (!commitTo(S, E, Place))
      Unknown("which barrier this is is not known");
    Printer.printState(S, "commit", Loc);
    return;
  }
  std::vector<int64_t> Token(Shape.threads(), 0);
  if (!operate(S, R, Place, Token)) {
    Unknown("which barrier this is is not known");
    return;
  }
  QualType T = E->getType();
  if (T->isRecordType()) {
    const Object *O = Run.local(S, E, "", P.sizeOf(T));
    S.Mem.erase(O);
    const Value Result = Value::pointer(O, V.constant(0));
    Store.storeBytes(S, Result, P.sizeOf(Ctx.UnsignedLongTy),
                     Value::integer(V.known(L.perThread(Token))), E);
    Frames.setTemp(S, E, Result);
  } else if (!T->isVoidType()) {
    // It has been tried for long.
    const Int *Result = R.Try ? V.constant(1) : V.known(L.perThread(Token));
    Frames.setTemp(S, E, Value::integer(Result));
  }
}
