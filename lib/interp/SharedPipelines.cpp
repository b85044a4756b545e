//===- SharedPipelines.cpp ------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuda::pipeline of several threads: two mbarriers for each stage.
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Interpreter.h"
#include "lib/interp/MbarrierOps.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using namespace cpasync;

// What the analysis keeps in a pipeline object: the stages this thread has
// committed and released, modulo twice the number of stages, that number, and
// the address of the shared state.
static constexpr int64_t HeadAt = 0, TailAt = 2, StagesAt = 4, StateAt = 8;
static constexpr int64_t CountSize = 2, StagesSize = 4, StateSize = 8;

static unsigned producedPart(int64_t Stage) { return 2 * Stage; }
static unsigned consumedPart(int64_t Stage) { return 2 * Stage + 1; }

void MbarrierOps::makePipeline(State &S, const CallExpr *E) {
  const SourceLocation At = E->getBeginLoc();
  const Object *O = Run.local(S, E, "", P.sizeOf(E->getType()));
  S.Mem.erase(O);
  const Value Pipe = Value::pointer(O, V.constant(0));
  Frames.setTemp(S, E, Pipe);
  const auto *Shared =
      E->getNumArgs() > 1 && E->getArg(1)->getType()->isPointerType()
          ? dyn_cast_if_present<ClassTemplateSpecializationDecl>(
                E->getArg(1)->getType()->getPointeeType()->getAsCXXRecordDecl())
          : nullptr;
  const Value Place =
      Shared ? Run.simplify(S, Eval.eval(S, E->getArg(1))) : Value::unknown();
  if (!Place.isPtr() || Shared->getTemplateArgs().size() != 2 ||
      Shared->getTemplateArgs()[1].getKind() != TemplateArgument::Integral)
    return; // what is called on it says so
  const int64_t Stages = int64Of(Shared->getTemplateArgs()[1].getAsIntegral());

  // A role, or how many of the threads are producers.
  const bool Partitioned = E->getNumArgs() > 2;
  Value Given;
  if (Partitioned) {
    Given = Scoped.argument(S, E->getArg(2));
    if (E->getArg(2)->isGLValue())
      Given = Store.load(S, Given, E->getArg(2)->getType(), E->getArg(2));
    Given = Run.simplify(S, Given);
    if (!Given.isInt() || !Given.I->isKnown())
      return;
  }
  const bool ByRole =
      Partitioned &&
      E->getArg(2)->getType().getNonReferenceType()->isEnumeralType();
  auto BeginStages = [&](int64_t Offset, const PerThread *All) {
    const int64_t Threads = L.count(All);
    int64_t Producers = Threads;
    if (ByRole) // pipeline_role::producer is 0
      Producers = L.count(
          L.both(All, L.apply(LaneOp::Eq, Given.I->base(), L.uniform(0))));
    else if (Partitioned)
      Producers = (*Given.I->base())[L.first(All)];
    auto Begin = [&](unsigned Part, int64_t Expects) {
      const MbarrierIndex Index = phaseBarrier(S, Place.Obj, Offset, Part);
      PhaseBarrier New{Place.Obj, Offset, Part, Expects};
      New.Came = L.none();
      New.GivesBack = Part == consumedPart(Part / 2);
      S.Copies.phase(Index) = New;
    };
    for (int64_t Stage = 0; Stage < Stages; ++Stage) {
      Begin(producedPart(Stage), Producers);
      Begin(consumedPart(Stage), Partitioned ? Threads - Producers : Threads);
    }
  };
  if (Stages <= 0 ||
      !V.forEachValue(Run.Blocks.placeOf(Place).I, S.Active, BeginStages))
    return;
  auto Keep = [&](int64_t Offset, int64_t Size, Value Val) {
    Store.storeBytes(S, Math.offsetBy(Pipe, V.constant(Offset)), Size, Val, E);
  };
  Keep(HeadAt, CountSize, Value::integer(V.constant(0)));
  Keep(TailAt, CountSize, Value::integer(V.constant(0)));
  Keep(StagesAt, StagesSize, Value::integer(V.constant(Stages)));
  Keep(StateAt, StateSize, Place);
  // The group meets; only of the whole block is it known who that is.
  if (PerThreadContext::isEmpty(L.except(Run.livingThreads(S), S.Active)))
    Barriers.barrier(S, At, Value::integer(V.constant(0)), Value::unknown());
}

bool MbarrierOps::callOfPipeline(State &S, const CallExpr *E, ApiKind K) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
  if (!Call)
    return false;
  const SourceLocation At = E->getBeginLoc(), Loc = Run.userLoc(S, At);
  const Value Pipe = Scoped.argument(S, Call->getImplicitObjectArgument());
  if (!Pipe.isPtr() || Pipe.Obj->K != Object::Kind::Local)
    return false;
  const bool Produces = K == ApiKind::StageAcquire || K == ApiKind::StageCommit;
  const Value CountPlace =
      Math.offsetBy(Pipe, V.constant(Produces ? HeadAt : TailAt));
  const Value Count = Store.load(S, CountPlace, Ctx.UnsignedShortTy, E),
              Stages = Store.load(S, Math.offsetBy(Pipe, V.constant(StagesAt)),
                                  Ctx.UnsignedIntTy, E),
              Place = Store.load(S, Math.offsetBy(Pipe, V.constant(StateAt)),
                                 Ctx.VoidPtrTy, E);
  if (!Count.isInt() || !Count.I->isKnown() || !Stages.isInt() ||
      !Stages.I->isConstant() || !Place.isPtr() || !Place.I ||
      !Place.I->isKnown())
    return false;
  const int64_t N = Stages.I->constant();
  const EventId Commit =
      K == ApiKind::StageCommit ? Copies.commit(S, E, At) : 0;
  std::vector<int64_t> Next(Shape.threads());
  for (unsigned T = 0; T < Shape.threads(); ++T)
    Next[T] = ((*Count.I->base())[T] + 1) % (2 * N);

  V.forEachValue(
      Run.Blocks.placeOf(Place).I, S.Active,
      [&](int64_t Offset, const PerThread *Group) {
        V.forEachValue(
            Count.I, Group, [&](int64_t Batch, const PerThread *Here) {
              const int64_t Stage = Batch % N;
              const bool Parity = Batch / N & 1;
              const MbarrierIndex Produced =
                  phaseBarrier(S, Place.Obj, Offset, producedPart(Stage));
              const MbarrierIndex Consumed =
                  phaseBarrier(S, Place.Obj, Offset, consumedPart(Stage));
              switch (K) {
              case ApiKind::StageAcquire: // free at first
                waitForPhase(S, Consumed, {Here, E, Loc, /*Consumes=*/false},
                             !Parity);
                break;
              case ApiKind::StageCommit:
                S.Copies.phase(Produced).bind({Here, Commit});
                arrive(S, Produced, Here, L.count(Here));
                break;
              case ApiKind::StageWait:
                waitForPhase(S, Produced, {Here, E, Loc, /*Consumes=*/true},
                             Parity);
                break;
              default:
                arrive(S, Consumed, Here, L.count(Here));
                break;
              }
            });
      });
  if (K == ApiKind::StageCommit || K == ApiKind::StageRelease)
    Store.storeBytes(S, CountPlace, CountSize,
                     Value::integer(V.known(L.perThread(Next))), E);
  if (!E->getType()->isVoidType()) // it has been tried for long
    Frames.setTemp(S, E, Value::integer(V.constant(1)));
  return true;
}
