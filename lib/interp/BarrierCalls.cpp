//===- BarrierCalls.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/ApiCall.h"
#include "clang/Analysis/Analyses/ExprMutationAnalyzer.h"

using namespace clang;
using namespace cpasync;

// A local that may have another value in the next iteration. Known are those
// that do not, or are being asked.
static bool mentionsVariable(const Stmt *S, const FunctionDecl *Kernel,
                             llvm::SmallPtrSetImpl<const VarDecl *> &Known) {
  if (const auto *Ref = dyn_cast_if_present<DeclRefExpr>(S)) {
    const auto *D = dyn_cast<VarDecl>(Ref->getDecl());
    if (!D || !D->isLocalVarDeclOrParm())
      return false;
    if (llvm::is_contained(Kernel->parameters(), D))
      return ExprMutationAnalyzer(*Kernel->getBody(), Kernel->getASTContext())
          .isMutated(D);
    return !D->getType().isConstQualified() ||
           (Known.insert(D).second &&
            mentionsVariable(D->getInit(), Kernel, Known));
  }
  return S && llvm::any_of(S->children(), [&](const Stmt *Child) {
           return mentionsVariable(Child, Kernel, Known);
         });
}

bool apis::blockBarrier(const ApiCall &C) {
  const auto &[I, S, E, F, K] = C;
  const SourceLocation Loc = E->getBeginLoc();
  // What it finds out about all threads, it finds out before they go on. Of
  // a comparison with a counter, the next iteration would be another. Where a
  // cluster is run, each block finds out for itself, which is not followed.
  Value Found;
  const bool Asks = E->getNumArgs() == 1 && !I.Run.Shape.RunsCluster;
  if (Asks && I.Run.livingThreads(S) != S.Active) {
    // One thread may say it for all.
    const llvm::StringRef Name = F->getName();
    const bool All = Name == "__syncthreads_and";
    const Int *Each = I.Math.truth(I.Run.simplify(S, C.arg(0)));
    const Truth Known = Each ? S.Condition.decide(I.Run.V, Each)
                             : Truth{I.Run.L.none(), I.Run.L.none()};
    if (Name != "__syncthreads_count" &&
        !PerThreadContext::isEmpty(
            I.Run.L.both(S.Active, All ? Known.False : Known.True)))
      Found = Value::integer(I.Run.V.constant(!All));
  } else if (Asks) {
    unsigned Known = 0;
    const Int *Each = [&] {
      const ComparisonLog::Pause Pause(I.Detect.Comparisons);
      const Int *Condition =
          I.Eval.condition(S, I.Run.simplify(S, C.arg(0)), E->getArg(0));
      Known = Pause.differences();
      return Condition;
    }();
    const bool Counts = F->getName() == "__syncthreads_count";
    llvm::SmallPtrSet<const VarDecl *, 8> Fixed;
    const bool MayChange =
        Known && mentionsVariable(E->getArg(0), S.Frames[0].Fn->decl(), Fixed);
    if (!MayChange && Counts && !Each->isKnown() && Each->isUniform())
      Found = Value::integer(
          I.Run.V.mul(I.Run.V.isZero(I.Run.V.isZero(Each)),
                      I.Run.V.constant(I.Run.L.count(S.Active))));
    else if (!MayChange && !(Counts && !Each->isKnown()))
      Found =
          I.Warps.vote(S,
                       F->getName() == "__syncthreads_and" ? WarpOps::Vote::All
                                                           : WarpOps::Vote::Any,
                       Each, Value::unknown(), I.Run.Shape.threads(), E);
    if (Counts && Each->isKnown() && Found.isInt()) {
      int64_t Holds = 0;
      for (unsigned T = 0; T < I.Run.Shape.threads(); ++T)
        Holds += (*S.Active)[T] && (*Each->base())[T] != 0;
      Found = Value::integer(I.Run.V.constant(Holds));
    }
  }
  I.Barriers.barrier(S, Loc, Value::integer(I.Run.V.constant(0)),
                     Value::unknown());
  if (!E->getType()->isVoidType())
    I.Frames.setTemp(S, E,
                     Found.isUnknown()
                         ? I.Names.freshSymbol(S, E,
                                               I.Run.Shape.RunsCluster
                                                   ? Uniformity::Warp
                                                   : Uniformity::Block)
                         : Found);
  return true;
}

bool apis::namedBarrier(const ApiCall &C) {
  C.I.Barriers.barrier(C.S, C.loc(), C.arg(0),
                       C.E->getNumArgs() > 1 ? C.arg(1) : Value::unknown());
  return true;
}

bool apis::warpBarrier(const ApiCall &C) {
  C.I.Barriers.warpBarrier(C.S);
  return true;
}

bool apis::tileBarrier(const ApiCall &C) {
  C.I.Barriers.tileBarrier(C.S, C.E);
  return true;
}

bool apis::operateBarrier(const ApiCall &C) {
  C.I.Phases.callOfBarrier(C.S, C.E, C.Kind);
  return true;
}

bool apis::makePipeline(const ApiCall &C) {
  C.I.Phases.makePipeline(C.S, C.E);
  return true;
}

bool apis::operatePipeline(const ApiCall &C) {
  return C.I.Phases.callOfPipeline(C.S, C.E, C.Kind) || unmodelled(C);
}

bool apis::operateWarp(const ApiCall &C) {
  return C.I.Warps.warpOperation(C.S, C.E, C.Kind, C.Callee->getName());
}
