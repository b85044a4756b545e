//===- PathNotes.cpp - What a finding tells of its path -------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/PathNotes.h"
#include "lib/source/Expressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;
using Kind = TraceStep::Kind;

bool cpasync::isUnconditional(const TraceNode *N) {
  N = N ? N->Decided : nullptr;
  while (N && N->May)
    N = N->Prev ? N->Prev->Decided : nullptr;
  return !N;
}

// None for a loop that goes on: the iteration says as much.
static std::optional<ToldStep> tellDecision(const TraceNode *N) {
  using Role = TraceNode::LoopRole;
  if (N->Role == Role::Stays)
    return std::nullopt;
  if (N->OnlyIn)
    return ToldStep{
        {N->K, N->Loc, threadRanges(N->OnlyIn, {unsigned(N->N)}), 0, N->Flag},
        N->InLoop};
  if (N->Role == Role::None || !N->InLoop)
    return ToldStep{{N->K, N->Loc, "", 0, N->Flag}, N->InLoop};
  // A do-loop decides at the end of an iteration, others before one.
  const TraceNode *Last = N->InLoop;
  const bool AtEnd = isa<DoStmt>(N->Branch->getTerminatorStmt());
  const int64_t Iterations = Last->N < 0 ? -1 : Last->N + AtEnd;
  return ToldStep{{Kind::LoopEntered, Last->Loc, "", Iterations, !Iterations},
                  Last->InLoop};
}

// Of the decisions made at one place only the first, or only the last.
static Decisions onePerPlace(llvm::ArrayRef<const TraceNode *> All,
                             bool First) {
  Decisions R;
  for (const TraceNode *N : All) {
    auto *Old = llvm::find_if(R, [&](const TraceNode *Other) {
      return Other->Loc == N->Loc && Other->OnlyIn == N->OnlyIn;
    });
    if (Old == R.end()) {
      R.push_back(N);
    } else if (!First) {
      R.erase(Old);
      R.push_back(N);
    }
  }
  return R;
}

Decisions cpasync::decisionsFor(const TraceNode *Copy,
                                llvm::ArrayRef<const TraceNode *> SinceCopy,
                                const TraceNode *Cutoff, bool First,
                                unsigned Effects) {
  auto Counts = [&](const TraceNode *N) {
    return N->isDecision() && (N->Effects & Effects) && tellDecision(N);
  };
  Decisions Found;
  for (const TraceNode *N = Copy; N; N = N->Within)
    if (Counts(N))
      Found.insert(Found.begin(), N);
  bool IsLate = false; // all but who left since
  for (const TraceNode *N : SinceCopy) {
    IsLate |= N == Cutoff;
    if (Counts(N) && (!IsLate || N->OnlyIn))
      Found.push_back(N);
  }
  return onePerPlace(Found, First);
}

const TraceNode *cpasync::newestCopyTo(const TraceNode *End,
                                       const EventTable &Events,
                                       const Object *To) {
  const TraceNode *N = End ? End->Copied : nullptr;
  while (N && Events[N->Event].Bytes->Obj != To)
    N = N->Prev ? N->Prev->Copied : nullptr;
  return N;
}

Decisions cpasync::decisionsAround(llvm::ArrayRef<const TraceNode *> Steps) {
  Decisions Found;
  for (const TraceNode *Step : Steps)
    for (const TraceNode *N = Step; N; N = N->Within)
      if (N->isDecision() && tellDecision(N) && !llvm::is_contained(Found, N))
        Found.push_back(N);
  return Found;
}

Decisions cpasync::newestDecisions(const TraceNode *End, unsigned Max) {
  using Role = TraceNode::LoopRole;
  Decisions Found;
  // The end of a loop counts where nothing else was decided.
  for (Role Wanted : {Role::None, Role::Leaves})
    for (const TraceNode *N = End; N && Found.size() < Max; N = N->Prev)
      if (N->isDecision() && !N->May && N->Role == Wanted &&
          (Wanted == Role::None || Found.empty()) &&
          llvm::none_of(Found,
                        [&](const TraceNode *O) { return O->Loc == N->Loc; }))
        Found.push_back(N);
  return Found;
}

void cpasync::addDecision(std::vector<ToldStep> &Steps, const TraceNode *N) {
  if (std::optional<ToldStep> Step = tellDecision(N)) {
    Step->At = N;
    Steps.push_back(std::move(*Step));
  }
}

std::string cpasync::threadRanges(const PerThread *Mask,
                                  const BlockShape &Shape) {
  constexpr unsigned MaxRanges = 4;
  const unsigned OfBlock = Shape.threadsOfBlock();
  std::string R;
  unsigned Ranges = 0;
  for (unsigned T = 0; T < Shape.threads(); ++T) {
    if (!(*Mask)[T])
      continue;
    unsigned End = T;
    while ((End + 1) % OfBlock && (*Mask)[End + 1])
      ++End;
    if (!R.empty())
      R += ", ";
    if (++Ranges > MaxRanges)
      return R + "...";
    R += std::to_string(T % OfBlock);
    if (End > T)
      R += "-" + std::to_string(End % OfBlock);
    if (Shape.RunsCluster)
      R += " of block " + std::to_string(T / OfBlock);
    T = End;
  }
  return R;
}

// In execution order; what has no place on the path comes last.
static void sortByPlace(std::vector<ToldStep> &Steps, const TraceNode *End) {
  llvm::SmallDenseMap<const TraceNode *, unsigned, 16> Age;
  unsigned Oldest = UINT_MAX;
  for (const ToldStep &S : Steps)
    if (S.At) {
      Age.try_emplace(S.At, 0);
      Oldest = std::min(Oldest, S.At->Place);
    }
  for (const TraceNode *N = End; N && N->Place >= Oldest; N = N->Prev)
    if (auto Told = Age.find(N); Told != Age.end())
      Told->second = End->Place - N->Place + 1;
  for (size_t I = 1; I < Steps.size(); ++I)
    for (size_t J = I;
         J > 0 && Age.lookup(Steps[J - 1].At) < Age.lookup(Steps[J].At); --J)
      std::swap(Steps[J - 1], Steps[J]);
}

// Calls that the reader of \p Loc, which is in one of them or its caller, is
// inside of: a thin wrapper is one operation to him.
static const CallChain *callsAround(SourceLocation Loc,
                                    const CallChain *Calls) {
  for (; Calls; Calls = Calls->Caller) {
    const SourceManager &SM = Calls->Fn->getASTContext().getSourceManager();
    const FunctionDecl *Body = Calls->Fn;
    Body->hasBody(Body);
    if (SM.isPointWithin(Loc, SM.getExpansionLoc(Body->getBeginLoc()),
                         SM.getExpansionLoc(Body->getEndLoc())))
      break;
  }
  return Calls;
}

/// \p Call: null: none.
static bool isInside(const CallChain *Calls, const CallChain *Call) {
  while (Calls && Calls != Call)
    Calls = Calls->Caller;
  return Calls == Call;
}

static std::string nameOf(const CallChain *C) {
  const auto *Method = dyn_cast<CXXMethodDecl>(C->Fn);
  if (!Method || !Method->getParent()->isLambda())
    return C->Fn->getNameAsString();
  const auto *Call = dyn_cast_if_present<CXXOperatorCallExpr>(C->Call);
  const VarDecl *Lambda =
      Call ? namedVariable(Call->getArg(0)->IgnoreParenImpCasts()) : nullptr;
  return Lambda ? Lambda->getNameAsString() : std::string();
}

namespace {
/// What a step is in: a call, or an iteration.
struct Surrounding {
  const CallChain *Call = nullptr;
  const TraceNode *Iteration = nullptr;
  bool operator==(const Surrounding &) const = default;
};

/// What is around the steps that were told so far, as a reader has it in mind.
class Surroundings {
public:
  Surroundings(Finding &F, unsigned Effects) : F(F), Effects(Effects) {}
  /// Tells \p Next, which is inside \p Calls, and what it is in, where that is
  /// new.
  void tell(ToldStep Next, const CallChain *Calls);

private:
  using List = std::vector<Surrounding>;
  List around(const ToldStep &Step, const CallChain *Calls) const;
  void tellIteration(const TraceNode *N);
  void tellCall(const CallChain *C);
  void add(TraceStep Step) {
    Step.Depth = Depth;
    F.Trace.push_back(std::move(Step));
  }

  Finding &F;
  const unsigned Effects; ///< of loops that are told
  List Open;              ///< outermost first
  unsigned Depth = 0;
};
} // namespace

// Calls of \p Calls that are not in \p To yet, if those in it are around them.
static void addCalls(std::vector<Surrounding> &To, const CallChain *Calls) {
  llvm::SmallVector<const CallChain *, 8> Chain;
  for (const CallChain *C = Calls; C; C = C->Caller)
    Chain.push_back(C);
  for (const Surrounding &Old : To)
    if (Old.Call && (Chain.empty() || Chain.pop_back_val() != Old.Call))
      return;
  for (const CallChain *C : llvm::reverse(Chain))
    To.push_back({C, nullptr});
}

Surroundings::List Surroundings::around(const ToldStep &Step,
                                        const CallChain *Calls) const {
  const CallChain *Own = callsAround(Step.Step.Loc, Calls);
  llvm::SmallVector<const TraceNode *, 4> Loops;
  for (const TraceNode *N = Step.InLoop; N; N = N->InLoop)
    if ((N->Effects & Effects) &&
        isInside(Own, callsAround(N->Loc, N->Calls))) // no loop of a wrapper
      Loops.push_back(N);
  List Around;
  for (const TraceNode *N : llvm::reverse(Loops)) {
    addCalls(Around, callsAround(N->Loc, N->Calls));
    Around.push_back({nullptr, N});
  }
  addCalls(Around, Own);
  return Around;
}

void Surroundings::tellIteration(const TraceNode *N) {
  TraceStep Step{Kind::Iteration, N->Loc, "", N->N};
  Step.Place = N->Place;
  if (N->Source.I && N->Source.I->isConstant()) {
    Step.Name = N->Name.str();
    Step.Flag = N->Flag;
    Step.Value = N->Source.I->constant();
  }
  add(std::move(Step));
}

void Surroundings::tellCall(const CallChain *C) {
  const SourceManager &SM = C->Fn->getASTContext().getSourceManager();
  const SourceLocation Loc = SM.getExpansionLoc(C->Loc);
  if (!SM.isInSystemHeader(Loc))
    add({Kind::Called, Loc, nameOf(C)});
  ++Depth;
}

void Surroundings::tell(ToldStep Next, const CallChain *Calls) {
  List Around = around(Next, Calls);
  size_t Same = 0;
  while (Same < std::min(Open.size(), Around.size()) &&
         Open[Same] == Around[Same])
    ++Same;
  const auto New = llvm::ArrayRef(Around).drop_front(Same);
  Depth = llvm::count_if(llvm::ArrayRef(Around).take_front(Same),
                         [](const Surrounding &X) { return X.Call; });
  // The next iteration of a loop is not behind it, nor is the end of the kernel
  // news; a step of the loop itself says that it ends.
  const TraceNode *Left = Same < Open.size() ? Open[Same].Iteration : nullptr;
  if (Left && Next.Step.K != Kind::KernelEnd && Next.Step.Loc != Left->Loc &&
      llvm::none_of(New, [](const Surrounding &X) { return X.Iteration; }))
    add({Kind::LoopLeft, Left->Loc});
  for (const Surrounding &X : New)
    X.Call ? tellCall(X.Call) : tellIteration(X.Iteration);
  Open = std::move(Around);
  add(std::move(Next.Step));
}

// Those around the access that \p F is about, which is the last of \p Steps,
// as far as nothing else of what goes wrong is inside of them.
static void nameCalls(Finding &F, llvm::ArrayRef<ToldStep> Steps,
                      const CallChain *Calls) {
  F.Path.Calls.clear();
  for (const CallChain *C = callsAround(Steps.back().Step.Loc, Calls);
       C && C->Call; C = C->Caller) {
    if (llvm::any_of(Steps.drop_back(), [&](const ToldStep &S) {
          return S.At && !S.At->isDecision() && isInside(S.At->Calls, C);
        }))
      return;
    const SourceManager &SM = C->Fn->getASTContext().getSourceManager();
    F.Path.Calls.push_back(SM.getExpansionLoc(C->Call->getBeginLoc()));
  }
}

void cpasync::tell(Finding &F, std::vector<ToldStep> Steps,
                   const TraceNode *End, unsigned LoopEffects,
                   const CallChain *Now) {
  sortByPlace(Steps, End);
  if (!Steps.empty() && !Steps.back().At)
    nameCalls(F, Steps, Now);
  Surroundings Around(F, LoopEffects);
  for (ToldStep &S : Steps) {
    const CallChain *Calls = S.At ? S.At->Calls : Now;
    S.Step.Place = S.At ? S.At->Place : End ? End->Place + 1 : 1;
    Around.tell(std::move(S), Calls);
  }
}
