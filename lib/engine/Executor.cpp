//===- Executor.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/engine/Executor.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace cpasync;

Executor::Executor(Interpreter &Interp, Budget &Cost)
    : InterpPart(Interp), Branching(Interp, *this), Looping(Interp, *this),
      Others(Interp, *this), Cost(Cost), Canonical(Interp, *this) {
  assert(Shape == Interp.Known.Shape);
}

llvm::StringRef Executor::whyNotRun(const FunctionDecl *F) {
  return P.isTooDeep(F) ? "nested too deeply" : "no control-flow graph";
}

bool Executor::run(const FunctionDecl *Root, KernelReport &R,
                   std::vector<Finding> &Out) {
  Run.Report = &R;
  Findings.To = &Out;
  if (!P.function(Root).cfg()) {
    Run.gap(Root->getLocation(), whyNotRun(Root).str());
    return true;
  }
  State S = initialState(Root);
  if (enter(S, &S.frame().Fn->cfg()->getEntry()) == Step::Continue) {
    makeObjects(S);
    Reads.setCheckpoint(S);
    Work.push_back(std::move(S));
  }
  runPaths();
  if (isRefuted())
    return false;
  if (!Run.CutShort)
    Interp.Known.Tiles.end();
  if (!Run.CutShort && Interp.Known.showedMore())
    return false;
  if (!Run.CutShort && !CameToEnd && Branching.StopLoc.isValid()) {
    sayStopped();
    if (isRefuted())
      return false;
  }
  Detect.Order.answerOpenQuestions();
  R.Copies = Copies.CopySites.size();
  if (Ptx.DescriptorLoc.isValid() && !Copies.CopySites.empty())
    Run.gap(Ptx.DescriptorLoc,
            "shared operands of wgmma and tcgen05 are not followed");
  Detect.report(Interp.Known.Tiles, !Run.CutShort && R.Gaps.empty());
  return true;
}

// It may be the block that the kernel does not want, or a number.
void Executor::sayStopped() {
  if (Shape.Open && Interp.Known.Numbers.empty())
    Run.Clues.contradict(Branching.StopLoc, "the kernel stops");
  if (!isRefuted())
    Run.gap(Branching.StopLoc,
            "the kernel stops here in every run that was followed");
}

/// The statement that the path comes to next.
static SourceLocation whereNow(const State &S) {
  const Frame &F = S.frame();
  if (F.Element < F.Block->size())
    if (const auto St = (*F.Block)[F.Element].getAs<CFGStmt>())
      return St->getStmt()->getBeginLoc();
  if (const Stmt *Branch = F.Block->getTerminatorStmt())
    return Branch->getBeginLoc();
  return F.Fn->decl()->getLocation();
}

namespace {
/// For whoever wants to know where the process ends, if it does.
class PathTrace : public llvm::PrettyStackTraceEntry {
public:
  PathTrace(const State &S, const SourceManager &SM) : S(S), SM(SM) {}
  void print(llvm::raw_ostream &OS) const override {
    if (S.Frames.empty())
      return;
    whereNow(S).print(OS, SM);
    OS << ": on a path that came here\n";
  }

private:
  const State &S;
  const SourceManager &SM;
};
} // namespace

/// Of the time, if others may choose numbers that are open.
static constexpr unsigned PartOfOpen = 8;
/// Where threads give up waiting, what they do about it comes soon.
static constexpr unsigned MaxAsideSteps = 4000;

void Executor::runPaths() {
  auto IsDone = [&] { return isRefuted() || Reads.isDone(); };
  TimeForOpen.emplace(Cost.part(PartOfOpen));
  for (; !Work.empty(); Interp.Met.close(Work.size(), &Cost)) {
    State Path = std::move(Work.back());
    Work.pop_back();
    const PathTrace Trace(Path, Ctx.getSourceManager());
    const KernelRun::AsideGuard Aside(Run, Path.GaveUpOn.isPtr());
    Run.Effects.note();
    Barriers.BarrierIsDone = false;
    Asked.takeEnd();
    if (P.watched())
      P.watchBesides(Path.OnlyUses ? Program::Matters::Nothing
                                   : Program::Matters::Effects);
    const unsigned Begin = Run.Steps;
    while (step(Path) == Step::Continue && !Asked.takeEnd()) {
      if (Run.Options.Verify)
        if (const llvm::StringRef What = Path.broken(L); !What.empty())
          llvm::report_fatal_error(llvm::Twine("broken state: ") + What);
      if (IsDone())
        return;
      const std::string Exceeded = exceeded(Path);
      // Those that are left tell what is exceeded.
      if (Path.GaveUpOn.isPtr() &&
          (!Exceeded.empty() || Run.Steps - Begin > MaxAsideSteps))
        break;
      if (!Exceeded.empty()) {
        // More steps are not what it takes.
        if (Branching.Forks > Run.Options.PathBudget)
          Looping.noteUnsettled(Path);
        Run.CutShort = true;
        Run.gap(Path, whereNow(Path), Exceeded + " exceeded");
        Work.clear();
        break;
      }
    }
  }
}

Step Executor::step(State &S) {
  if (std::exchange(Barriers.BarrierIsDone, false) &&
      Reads.passCheckpoint(S) == Step::PathEnds)
    return Step::PathEnds;
  Frame &F = S.frame();
  if (F.Element == F.Block->size())
    return Branching.branch(S);
  CFGElement E = (*F.Block)[F.Element];
  // Only a copy asks for a decision, before it does anything; what an asm
  // statement did before the copy has to be undone.
  std::optional<State> Before;
  if (auto St = E.getAs<CFGStmt>())
    if (const auto *A = dyn_cast<GCCAsmStmt>(St->getStmt());
        A && P.recognizer().inlineAsm(A).Operations > 1)
      Before = S;
  ++F.Element;
  execute(S, E);
  if (Asked.takeEnd()) {
    if (const SourceLocation Stop = Asked.takeStop(); Stop.isValid())
      Branching.StopLoc = Stop;
    return Step::PathEnds;
  }
  const bool HasPassed = std::exchange(Interp.Phases.HasPassed, false);
  if (S.StoppedAt)
    return S.GaveUpOn.isPtr() ? Step::PathEnds : Others.runOthers(S);
  if (!Asked.isUndecided()) {
    if (HasPassed)
      Others.letOthersCatchUp(S);
    return Step::Continue;
  }
  if (Before)
    S = std::move(*Before);
  else
    --S.frame().Element;
  const auto Open = Asked.takeUndecided();
  const PathRequest::Try Tried = Asked.takeTry();
  if (!Open) {
    Others.giveUp(S, Tried);
    return Step::Continue;
  }
  return Branching.forkOn(S, *Open,
                          E.castAs<CFGStmt>().getStmt()->getBeginLoc());
}

// Nothing is known of a new object, or of one that ends. Threads elsewhere in
// the call have one of their own, of this round of a loop or of another, under
// the same name.
static void forget(State &S, const Object *O) {
  if (!S.hasOthersIn(S.frame()))
    S.Mem.erase(O);
}

void Executor::execute(State &S, const CFGElement &E) {
  if (auto St = E.getAs<CFGStmt>()) {
    const FunctionInfo *Fn = S.frame().Fn;
    if (Fn->shouldRun(St->getStmt(), S.frame().Block))
      executeStmt(S, St->getStmt());
  } else if (auto Init = E.getAs<CFGInitializer>()) {
    const CXXCtorInitializer *I = Init->getInitializer();
    Value This = S.frame().This;
    if (!This.isPtr()) {
      Eval.useWithin(S, I->getInit());
      return;
    }
    QualType T;
    Value To = This;
    if (I->isAnyMemberInitializer()) {
      const FieldDecl *Field = I->getAnyMember();
      T = Field->getType();
      To = Store.memberOf(S, This, Field);
    } else {
      // A delegating constructor makes the whole object.
      const auto *C = cast<CXXConstructorDecl>(S.frame().Fn->decl());
      T = Ctx.getCanonicalTagType(C->getParent());
      if (I->isBaseInitializer() && I->isBaseVirtual())
        return;
      if (I->isBaseInitializer()) {
        T = QualType(I->getBaseClass(), 0);
        To = Store.baseOf(S, This, T, C->getParent());
      }
    }
    if (const auto *E = dyn_cast<CXXInheritedCtorInitExpr>(I->getInit()))
      Frames.inheritConstructor(S, E, To);
    else if (!P.isHollow(T))
      Store.initialise(S, To, I->getInit(), T);
    if (I->isBaseInitializer())
      Life.setClass(S); // the base has set its own
  } else if (auto Dtor = E.getAs<CFGAutomaticObjDtor>()) {
    const VarDecl *D = Dtor->getVarDecl();
    if (D->hasLocalStorage())
      Life.destroy(S, Eval.variable(S, D, nullptr), typeOfObject(D),
                   Dtor->getTriggerStmt()->getEndLoc());
  } else if (auto Dtor = E.getAs<CFGTemporaryDtor>()) {
    const CXXBindTemporaryExpr *B = Dtor->getBindTemporaryExpr();
    Life.destroy(S, Life.temporary(S, B), B->getType(), B->getEndLoc());
  } else if (auto Dtor = E.getAs<CFGMemberDtor>()) {
    const FieldDecl *Field = Dtor->getFieldDecl();
    Life.destroy(S, Store.memberOf(S, S.frame().This, Field), Field->getType(),
                 S.frame().Fn->decl()->getEndLoc());
  } else if (auto Dtor = E.getAs<CFGBaseDtor>()) {
    const QualType T = Dtor->getBaseSpecifier()->getType();
    const auto *Of = cast<CXXMethodDecl>(S.frame().Fn->decl())->getParent();
    if (Dtor->getBaseSpecifier()->isVirtual())
      return;
    Life.destroy(S, Store.baseOf(S, S.frame().This, T, Of), T,
                 S.frame().Fn->decl()->getEndLoc());
  } else if (auto End = E.getAs<CFGLifetimeEnds>()) {
    // Threads that went another way may still be in its scope.
    const bool Apart = llvm::any_of(
        S.Splits, [&](const Split &X) { return X.Depth == S.depth(); });
    if (const VarDecl *D = End->getVarDecl(); D->hasLocalStorage() && !Apart)
      forget(S, Run.local(S, D, Run.nameOf(D), P.sizeOf(D->getType())));
  }
}

// What is returned is evaluated when it is, as any value that is stored.
static bool isReturnedNext(const State &S, const Expr *E) {
  const Frame &F = S.frame();
  if (F.Element >= F.Block->size())
    return false;
  const auto Next = (*F.Block)[F.Element].getAs<CFGStmt>();
  const auto *R = Next ? dyn_cast<ReturnStmt>(Next->getStmt()) : nullptr;
  return R && R->getRetValue() == E;
}

void Executor::executeStmt(State &S, const Stmt *St) {
  const unsigned Depth = S.depth();
  if (const auto *D = dyn_cast<DeclStmt>(St)) {
    for (const Decl *X : D->decls()) {
      const auto *Var = dyn_cast<VarDecl>(X);
      if (!Var || !Var->hasLocalStorage() || !Var->hasInit())
        continue;
      const Object *O =
          Run.local(S, Var, Run.nameOf(Var), P.sizeOf(Var->getType()));
      forget(S, O);
      Value To = Value::pointer(O, V.constant(0));
      if (Var->getType()->isReferenceType())
        Store.storeBytes(S, To, 8, Eval.address(S, Var->getInit()), St);
      else
        Store.initialise(S, To, Var->getInit(), Var->getType());
    }
  } else if (const auto *R = dyn_cast<ReturnStmt>(St)) {
    if (const Expr *E = R->getRetValue(); E && !E->getType()->isVoidType()) {
      const FunctionDecl *F = S.frame().Fn->decl();
      QualType T = F->getReturnType();
      const Object *O = Run.local(S, F, "", P.sizeOf(T));
      Value To = Value::pointer(O, V.constant(0));
      if (T->isReferenceType())
        Store.storeBytes(S, To, 8, Eval.address(S, E), St);
      else
        Store.initialise(S, To, E, T);
    }
  } else if (const auto *A = dyn_cast<GCCAsmStmt>(St)) {
    Ptx.executeAsm(S, A);
  } else if (const auto *C = dyn_cast<CallExpr>(St)) {
    if (!Frames.runDefaultArguments(S, C))
      Frames.call(S, C);
  } else if (const auto *C = dyn_cast<CXXConstructExpr>(St)) {
    if (!Frames.runDefaultArguments(S, C))
      Frames.construct(S, C);
  } else if (const auto *E = dyn_cast<Expr>(St); E && !isReturnedNext(S, E)) {
    Frames.setTemp(S, E, Eval.evalElement(S, E));
  }
  // A call that pushed a frame leaves its value when it returns.
  if (!Asked.isUndecided() && S.depth() == Depth)
    dropTemps(S, St);
}

void Executor::dropTemps(State &S, const Stmt *Done) {
  if (const FunctionInfo *Fn = S.frame().Fn;
      Fn->endsExpression(Done) && !Fn->feedsBranch(Done))
    S.frame().Temps.clear();
}

Step Executor::enter(State &S, const CFGBlock *B) {
  while (!S.Loops.empty() && S.Loops.back().Depth >= S.depth()) {
    const LoopVisit &Top = S.Loops.back();
    if (Top.Depth == S.depth() &&
        S.frame().Fn->loop(Top.Head)->test(B->getBlockID()))
      break;
    S.Loops.pop_back();
    S.Copies.unordered().joinReads(V, Footprints, Events, [&](EventId Read) {
      return S.Mem.unused().contains(Read);
    });
  }
  bool Meet = false; // this path and others
  while (S.Within &&
         (S.Within->depth() > S.depth() ||
          (S.Within->depth() == S.depth() && S.Within->Join == B))) {
    Meet = true;
    Branches::closeDecision(S);
  }
  const CFGBlock *Next = Branching.joinAt(S, B);
  if (!Next)
    return Step::Continue; // others run
  if (Next != B)
    return enter(S, Next);
  S.frame().Block = B;
  S.frame().Element = 0;
  // What other calls do may have been remembered.
  constexpr unsigned Ordering = EffectCopy | EffectGroup | EffectBarrier;
  if (P.effects(S.frame().Fn->decl()) & Ordering)
    Reached.insert(B);
  // A call that begins has no way to end its caller's path.
  const bool MayEnd = B != &S.frame().Fn->cfg()->getEntry();
  if (S.OnlyUses && MayEnd && Reads.hasNothingToConfirm(S))
    return Step::PathEnds;
  const bool IsHead = S.frame().Fn->loop(B) != nullptr;
  if (IsHead) {
    Canonical.forgetDeadLocals(S);
    Canonical.forgetOtherThreads(S);
    Canonical.putInChosen(S);
    S.Copies.forgetOldestEmpty(L);
    if (Looping.visitLoopHead(S, B) == Step::PathEnds)
      return Step::PathEnds;
    Meet |= S.Loops.back().Forked;
  } else {
    Meet |= S.depth() == 0 && B->pred_size() > 1;
  }
  if (B == &S.frame().Fn->cfg()->getExit()) {
    S.MayMeet |= Meet;
    return returnFromCall(S);
  }
  // In a call that only computes the next path would not come by: it is known
  // by then.
  if (MayEnd && (P.effects(S.frame().Fn->decl()) &
                 ~(EffectMemory | EffectReferred | EffectStop)))
    Meet |= std::exchange(S.MayMeet, false);
  if (Meet && Branching.Forks > 0) {
    Run.Effects.note(); // what is forgotten hangs on the path
    if (!IsHead)
      Canonical.forgetDeadLocals(S);
    Canonical.forgetDeadConditions(S);
    if (alreadySeen(S, IsHead ? S.Loops.back().History.back()->Here
                              : Reads.newSpot()))
      return Step::PathEnds;
  }
  return IsHead && Others.othersShouldStart(S) ? Others.runOthers(S)
                                               : Step::Continue;
}

bool Executor::alreadySeen(State &S, Spot Here) {
  Reads.forgetLost(S);
  const bool InLists = S.hangsOnTables();
  const bool ButUnordered =
      Canonical.isInUnsettled(S) || (Interp.Known.ShortTiles && InLists);
  const Fingerprint::Digest Where =
      S.digest([&](auto &E) { return Canonical.essence(S, E, InLists); },
               /*WithUnordered=*/!ButUnordered);
  const std::optional<Spot> Before =
      Interp.Met.before(Where, S, Work.size(), Here, ButUnordered);
  if (Before)
    Reads.noteEnd(S, *Before);
  else
    Reads.notePassed(S, Here);
  return Before.has_value();
}

Step Executor::returnFromCall(State &S) {
  if (S.Frames.size() == 1) {
    Interp.Phases.bindCopies(S, S.frame().Fn->decl(),
                             S.frame().Fn->decl()->getEndLoc());
    Printer.printState(S, "exit", S.frame().Fn->decl()->getEndLoc());
    if (!S.frame().Fn->decl()->hasAttr<CUDAGlobalAttr>())
      Reads.useResult(S); // by its caller
    Detect.Witnesses.reportUncommitted(S);
    if (S.Stopped.empty()) {
      CameToEnd = true;
      Detect.Absent.checkEnd(S);
      return Step::PathEnds;
    }
    const CFGBlock *Next = Others.resume(S);
    return Next ? enter(S, Next) : Step::Continue;
  }
  Frame Done = std::move(S.Frames.back());
  S.Frames.pop_back();
  const FunctionDecl *F = Done.Fn->decl();
  Object Key{Object::Kind::Local};
  Key.Origin = F;
  Key.Call = Done.Number;
  const Contents *Returned = S.Mem.find(V.object(Key));
  if (Done.Call && isa<CXXConstructExpr>(Done.Call)) {
    Frames.setTemp(S, Done.Call, Done.This);
  } else if (Done.Call) {
    Memo.rememberCall(S, Done, Returned);
    Frames.finishCall(S, Done.Call, F, Returned);
    Reads.moveUnused(S, V.object(Key), Done.Call);
  }
  if (Done.Call)
    dropTemps(S, Done.Call);
  // Threads that left a loop may be back before the others.
  const bool InUse = llvm::any_of(S.Stopped, [&](const Context &C) {
    return llvm::any_of(
        C.Frames, [&](const Frame &F) { return F.Number == Done.Number; });
  });
  if (!InUse)
    S.Mem.pop(Done.Number);
  return Step::Continue;
}

bool Executor::confirm(const FunctionDecl *Root,
                       llvm::ArrayRef<Finding> ToConfirm, KernelReport &Report,
                       std::vector<Finding> &Found) {
  const std::vector<Checkpoints::Checkpoint> Starts = Reads.starts();
  if (Starts.empty())
    return false;
  Reads.watchDoubted(Root, ToConfirm);
  Run.Report = &Report;
  Findings.To = &Found;
  Interp.Known = Interp.Known.forLastRun();
  Interp.Met.forgetAll();
  Findings.Tellings.clear();
  Run.Steps = 0;
  Branching.Forks = 1; // other paths may come by
  // What calls gave without what is run now.
  MemoizedCalls Others = std::exchange(Run.Shared.Calls, MemoizedCalls());
  Memo.reset();
  for (const Checkpoints::Checkpoint &Start : Starts) {
    State Path = *Start;
    Reads.interrupt(Path);
    Path.Copies.history().meet(Run.Written, WriteHistory::SinceMeeting::None);
    if (alreadySeen(Path, Reads.newSpot()))
      continue;
    Work.push_back(std::move(Path));
    runPaths();
  }
  Run.Shared.Calls = std::move(Others);
  Memo.reset();
  return !Reads.missedValue() ||
         Findings.Unconfirmed.size() == ToConfirm.size();
}
