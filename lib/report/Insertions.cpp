//===- Insertions.cpp - Commits and waits that are missing ----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three edits complete more copies than before and change nothing else, so that
// they cannot break what was right: a commit right before a wait for all
// groups, or where a branch goes round one, and a wait for all copies right
// before a barrier or before a thread reads its own data. They are offered
// where they repair the path at hand; FindingList keeps what all paths have in
// common.
//
//===----------------------------------------------------------------------===//

#include "lib/report/Repairs.h"
#include "lib/source/Spellings.h"
#include "clang/AST/ASTContext.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

//===----------------------------------------------------------------------===//
// Where it goes
//===----------------------------------------------------------------------===//

// The statement between braces that \p Target is or is an operand of; null if
// it is the whole body, or the condition, of a branch or loop.
static const Stmt *statementAround(const ParentMap &Parents,
                                   const Stmt *Target) {
  const Stmt *Found = nullptr, *Within = nullptr;
  for (const Stmt *S = Target; const Stmt *Parent = Parents.getParent(S);
       S = Parent)
    if (isa<Expr, DeclStmt, AsmStmt, ReturnStmt>(S)) {
      Found = S;
      Within = Parent;
    }
  return isa_and_present<CompoundStmt>(Within) ? Found : nullptr;
}

ParentMap &Repairs::parentsIn(const FunctionDecl *F) {
  std::unique_ptr<ParentMap> &Parents = ParentsIn[F];
  if (!Parents)
    Parents = std::make_unique<ParentMap>(F->getBody());
  return *Parents;
}

bool Repairs::insertBefore(Repair &R, const UserPlace &Where,
                           llvm::ArrayRef<SourceLocation> Issued,
                           unsigned Wanted, llvm::StringRef Otherwise) {
  const SourceManager &SM = Ctx.getSourceManager();
  if (!Where.St || !Where.In || !Where.In->hasBody())
    return false;
  const Stmt *St = statementAround(parentsIn(Where.In), Where.St);
  if (!St)
    return false;
  const CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(St->getSourceRange()), SM,
      Ctx.getLangOpts());
  if (Range.isInvalid() || SM.isInSystemHeader(Range.getBegin()))
    return false;
  const SourceLocation At = Range.getBegin();
  // A copy in the same statement would come after what is inserted.
  if (llvm::any_of(Issued, [&](SourceLocation Copy) {
        return SM.isPointWithin(SM.getFileLoc(Copy), At, Range.getEnd());
      }))
    return false;
  std::string Text = P.spellings().nearest(Wanted, At, Where.In).str();
  if (Text.empty())
    Text = Otherwise.str();
  // On a line of its own if the statement has one.
  const llvm::StringRef File = SM.getBufferData(SM.getFileID(At));
  const llvm::StringRef Head = File.take_front(SM.getFileOffset(At));
  const llvm::StringRef Indent = Head.drop_front(Head.rfind('\n') + 1);
  const bool OwnLine = Indent.find_first_not_of(" \t") == Indent.npos;
  R.Loc = At;
  R.Range = CharSourceRange::getCharRange(At, At);
  R.Code = Text + (OwnLine ? ";\n" + Indent.str() : std::string("; "));
  return true;
}

//===----------------------------------------------------------------------===//
// Whether it repairs
//===----------------------------------------------------------------------===//

// Every byte that a thread reads and a copy writes was copied by that thread.
bool Repairs::readsOwnData(const Footprint *Read, const Footprint *Copy) {
  if (!Read->Offset || !Copy->Offset ||
      Read->Offset->terms() != Copy->Offset->terms())
    return false;
  for (const Int::Term &T : Read->Offset->terms())
    if (!T.A->isUniform() || !T.Coefficient->isUniform())
      return false;
  const PerThread &R = *Read->Offset->base(), &C = *Copy->Offset->base();
  for (unsigned T = 0; T < Shape.threads(); ++T)
    for (unsigned U = 0; U < Shape.threads(); ++U)
      if (T != U && (*Read->Mask)[T] && (*Copy->Mask)[U] &&
          R[T] < C[U] + Copy->Size && C[U] < R[T] + Read->Size)
        return false;
  return true;
}

// The copies that clash with the read; none if that is not known of all.
std::optional<std::vector<Repairs::Clash>>
Repairs::clashesWith(const State &S, const Footprint *Read,
                     bool &AllCommitted) {
  std::vector<Clash> Clashes;
  bool AllKnown = true;
  auto Collect = [&](EventId Copy, const PerThread *Mask, bool Committed) {
    const Footprint *Bytes = Footprints.restrict(Events[Copy].Bytes, Mask);
    if (Bytes->Obj != Read->Obj || PerThreadContext::isEmpty(Bytes->Mask))
      return;
    const Overlap::Kind K = Footprints.overlap(Read, Bytes).K;
    AllKnown &= K != Overlap::Kind::Unknown;
    if (K != Overlap::Kind::Clash)
      return;
    AllCommitted &= Committed;
    Clashes.push_back({Copy, Bytes});
  };
  for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
    for (const Group &G : C.Queue.groups())
      for (EventId Copy : G.Copies)
        Collect(Copy, C.Mask, true);
    for (EventId Copy : C.Queue.open())
      Collect(Copy, C.Mask, false);
  }
  if (!AllKnown)
    return std::nullopt;
  return Clashes;
}

// What to insert where the file has none to go by: in the words of the
// operation that stands at \p Like.
llvm::StringRef Repairs::spellingOf(bool Commit, bool AllCommitted,
                                    SourceLocation Like) {
  const SourceManager &SM = Ctx.getSourceManager();
  const SourceLocation Shown = SM.getFileLoc(Like);
  const llvm::StringRef Text =
      SM.getBufferData(SM.getFileID(Shown)).drop_front(SM.getFileOffset(Shown));
  const bool IsPipeline = Text.starts_with("__pipeline_");
  return Commit
             ? (IsPipeline
                    ? "__pipeline_commit()"
                    : R"(asm volatile("cp.async.commit_group;" ::: "memory"))")
             : (IsPipeline && AllCommitted
                    ? "__pipeline_wait_prior(0)"
                    : R"(asm volatile("cp.async.wait_all;" ::: "memory"))");
}

// The wait is in a loop that is over: what it leaves in the last round, nobody
// waits for.
static const TraceNode *waitOfLoopLeft(const Finding &F, const FlightPath &Path,
                                       const TraceNode *Loop) {
  const TraceNode *Wait =
      F.Cause == InFlightCause::WaitTooWeak ? newestWait(Path) : nullptr;
  if (!Wait || !Wait->InLoop)
    return nullptr;
  const SourceLocation Around = Wait->InLoop->Loc;
  const bool IsIn = Loop && (Loop->Loc == Around || isInLoop(Loop, Around));
  return IsIn ? nullptr : Wait;
}

// The step that a commit or a wait would go before: the wait, or the last
// barrier; behind the loop of \p Left if that is a wait.
static const TraceNode *stepBehind(const FlightPath &Path, bool Uncommitted,
                                   const TraceNode *Left) {
  for (const TraceNode *N : llvm::reverse(Path.Steps)) {
    if (N == Left)
      break;
    if (Uncommitted ? N->K == TraceStep::Kind::Waited && N->Event == Path.Wait
                    : N->K == TraceStep::Kind::Barrier)
      return Left && isInLoop(N, Left->InLoop->Loc) ? nullptr : N;
  }
  return nullptr;
}

void Repairs::offerInsertion(Finding &F, const State &S, const FlightPath &Path,
                             const Footprint *Read) {
  const bool Uncommitted = F.Cause == InFlightCause::NotCommitted;
  const TraceNode *Left = waitOfLoopLeft(F, Path, Run.loopAround(S));
  if (!Uncommitted && !Left && F.Cause != InFlightCause::NeverWaited)
    return;
  const TraceNode *Before = stepBehind(Path, Uncommitted, Left);
  if (Uncommitted) {
    auto Operand = WaitOperands.find(Path.Wait);
    if (!Before || Before->N != 0 || Operand == WaitOperands.end() ||
        !(Operand->second.IsText || editableRange(Operand->second).isValid()))
      return;
  }

  bool AllCommitted = true;
  const auto Clashes = clashesWith(S, Read, AllCommitted);
  if (!Clashes)
    return;

  if (!Uncommitted && llvm::all_of(*Clashes, [&](const auto &Clash) {
        return readsOwnData(Read, Clash.second);
      })) {
    Before = nullptr;
    Run.notePlace(S, F.At.Read);
  } else {
    // All are issued before that place, by threads that come there; of
    // barriers, only one of the whole block is sure to order all threads.
    if (!Before || (!Uncommitted && !Before->Mask->isUniform(1)))
      return;
    for (const auto &[Copy, Bytes] : *Clashes) {
      for (const TraceNode *N : llvm::reverse(Path.Steps)) {
        if (N == Before)
          break;
        if (N->Event == Copy && N->K == TraceStep::Kind::CopyIssued)
          return;
      }
      if (!PerThreadContext::isEmpty(L.except(Bytes->Mask, Before->Mask)))
        return;
    }
  }
  const SourceLocation At = Before ? Before->Loc : F.At.Read;
  auto Found = Run.Places.find(At);
  if (Found == Run.Places.end())
    return;
  const UserPlace &Where = Found->second;
  // A helper that reads for many callers is no place for a wait.
  const auto *Method = dyn_cast<CXXMethodDecl>(Where.In);
  const bool IsLambda = Method && Method->getParent()->isLambda();
  if (!Before && !IsLambda && !Where.In->hasAttr<CUDAGlobalAttr>())
    return;

  Repair R;
  R.K = Uncommitted ? Repair::Kind::InsertCommit : Repair::Kind::InsertWait;
  const unsigned Wanted = Uncommitted ? Spellings::Commits
                          : AllCommitted
                              ? Spellings::WaitsZero | Spellings::WaitsAll
                              : Spellings::WaitsAll;
  const llvm::StringRef Otherwise =
      spellingOf(Uncommitted, AllCommitted, Uncommitted ? At : F.At.Copy);
  llvm::SmallVector<SourceLocation, 4> Issued;
  for (const auto &[Copy, Bytes] : *Clashes)
    Issued.push_back(Events[Copy].Loc);
  if (insertBefore(R, Where, Issued, Wanted, Otherwise))
    F.Repairs.push_back(std::move(R));
}

//===----------------------------------------------------------------------===//
// A commit on the other side of a branch
//===----------------------------------------------------------------------===//

// More groups behind the copy's own make a wait complete more: an empty one
// where a branch goes round a commit is as good as the one that it misses.

const IfStmt *Repairs::committingBranch(const TraceNode *N,
                                        const FunctionDecl *In) {
  if (N->K != TraceStep::Kind::BranchTaken || N->Flag || N->May || N->OnlyIn ||
      N->isDivergent() || N->Role != TraceNode::LoopRole::None || !N->Branch ||
      !(N->Effects & EffectGroup) || !In->hasBody())
    return nullptr;
  // What is false in one part of a conjunction is so in all of it.
  const Stmt *At = N->Branch->getTerminatorStmt();
  ParentMap &Parents = parentsIn(In);
  for (const auto *B = dyn_cast_if_present<BinaryOperator>(At);
       B && B->getOpcode() == BO_LAnd;
       B = dyn_cast_if_present<BinaryOperator>(At))
    At = Parents.getParentIgnoreParenImpCasts(const_cast<Stmt *>(At));
  const auto *Branch = dyn_cast_if_present<IfStmt>(At);
  if (!Branch || Branch->getElse() || Branch->isConsteval() ||
      Branch->isConstexpr())
    return nullptr;
  return Branch;
}

bool Repairs::insertElse(Repair &R, const IfStmt *Branch,
                         const FunctionDecl *In) {
  const SourceManager &SM = Ctx.getSourceManager();
  const Stmt *Then = Branch->getThen();
  const bool IsBlock = isa<CompoundStmt>(Then);
  const SourceLocation Begin = Branch->getBeginLoc();
  SourceLocation End = Then->getEndLoc();
  // An 'else' behind another statement would be that one's.
  if (Begin.isMacroID() || End.isMacroID() || SM.isInSystemHeader(Begin) ||
      (!IsBlock && !isa<Expr, AsmStmt>(Then)))
    return false;
  End = IsBlock ? End.getLocWithOffset(1)
                : Lexer::findLocationAfterToken(
                      Then->getEndLoc(), tok::semi, SM, Ctx.getLangOpts(),
                      /*SkipTrailingWhitespaceAndNewLine=*/false);
  const llvm::StringRef Commit =
      P.spellings().within(Spellings::Commits, {Then->getBeginLoc(), End});
  if (End.isInvalid() || Commit.empty())
    return false;
  const llvm::StringRef Head =
      SM.getBufferData(SM.getFileID(Begin)).take_front(SM.getFileOffset(Begin));
  const llvm::StringRef Line = Head.drop_front(Head.rfind('\n') + 1);
  const std::string Indent =
      "\n" + Line.take_front(Line.find_first_not_of(" \t")).str();
  R.Loc = IsBlock ? Then->getEndLoc() : Then->getBeginLoc();
  R.Range = CharSourceRange::getCharRange(End, End);
  R.Code = IsBlock
               ? " else {" + Indent + "  " + Commit.str() + ";" + Indent + "}"
               : Indent + "else" + Indent + "  " + Commit.str() + ";";
  return true;
}

void Repairs::offerCommit(Finding &F, const State &S, const FlightPath &Path) {
  const TraceNode *Wait = newestWait(Path);
  if (F.Cause != InFlightCause::WaitTooWeak || !Wait)
    return;
  // Of each branch, how often it was gone round between the copy's own commit
  // and the wait.
  llvm::SmallVector<std::pair<const TraceNode *, int64_t>, 4> Rounds;
  bool IsCommitted = false;
  for (const TraceNode *N : Path.Steps) {
    if (N == Wait)
      break;
    IsCommitted |= N->Event == Path.Commit && has(N, F.Thread);
    if (!IsCommitted || N->K != TraceStep::Kind::BranchTaken)
      continue;
    auto *Known = llvm::find_if(
        Rounds, [&](const auto &R) { return R.first->Branch == N->Branch; });
    if (Known != Rounds.end())
      Known->second += !N->Flag;
    else
      Rounds.emplace_back(N, !N->Flag);
  }
  for (const auto &[N, Times] : Rounds) {
    const FunctionDecl *In =
        N->Calls ? N->Calls->Fn : S.Frames.front().Fn->decl();
    const IfStmt *Branch = Times > 0 && F.Limit + Times >= F.Value
                               ? committingBranch(N, In)
                               : nullptr;
    Repair R{Repair::Kind::CommitAlways, {}, {}, ""};
    if (Branch && insertElse(R, Branch, In)) {
      F.Repairs.push_back(std::move(R));
      return;
    }
  }
}
