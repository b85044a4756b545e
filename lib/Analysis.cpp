//===- Analysis.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Analysis.h"
#include "lib/engine/MadeUpRuns.h"
#include "lib/engine/RootOutcome.h"
#include "lib/launch/LaunchTable.h"
#include "lib/report/CallSites.h"
#include "lib/report/Doubts.h"
#include "lib/source/DeviceArch.h"
#include "lib/source/DeviceFunctions.h"
#include "lib/source/ParseErrors.h"
#include "lib/state/FindingList.h"
#include "lib/state/KeptStates.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyDeclStackTrace.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace clang;
using namespace cpasync;

namespace {
void collectCallees(Program &P, const Stmt *S,
                    llvm::DenseSet<const FunctionDecl *> &To) {
  if (!S || !(P.effects(S) & ~(EffectsOfAccesses | EffectStop)))
    return;
  const FunctionDecl *F = nullptr;
  if (const auto *C = dyn_cast<CallExpr>(S))
    F = C->getDirectCallee();
  else if (const auto *C = dyn_cast<CXXConstructExpr>(S))
    F = C->getConstructor();
  auto Collect = [&](const FunctionDecl *Callee) {
    const FunctionDecl *Body = nullptr;
    if (Callee->hasBody(Body) && To.insert(Body).second && !P.isTooDeep(Body))
      collectCallees(P, Body->getBody(), To);
  };
  if (F) {
    Collect(F);
    llvm::for_each(P.virtualCalls().overridersOf(F), Collect);
  }
  for (const Stmt *Child : S->children())
    collectCallees(P, Child, To);
}

std::string nameOf(const FunctionDecl *F) {
  std::string Name;
  llvm::raw_string_ostream Out(Name);
  F->getNameForDiagnostic(Out, F->getASTContext().getPrintingPolicy(),
                          /*Qualified=*/true);
  return Name;
}
} // namespace

static void sortByPlace(AnalysisResult &Result, const SourceManager &SM) {
  auto Before = [&](SourceLocation A, SourceLocation B) {
    return A.isValid() && B.isValid() ? SM.isBeforeInTranslationUnit(A, B)
                                      : A.isValid() < B.isValid();
  };
  auto Place = [](const Finding &F) {
    for (SourceLocation L : {F.At.Copy, F.At.Wait, F.At.Read, F.At.Operand})
      if (L.isValid())
        return L;
    return SourceLocation();
  };
  // llvm::sort shuffles equal elements in checked builds: insertion keeps them.
  auto SortByPlace = [&](auto &Items, auto PlaceOf) {
    for (size_t I = 1; I < Items.size(); ++I)
      for (size_t J = I;
           J > 0 && Before(PlaceOf(Items[J]), PlaceOf(Items[J - 1])); --J)
        std::swap(Items[J], Items[J - 1]);
  };
  SortByPlace(Result.Kernels, [](const KernelReport &R) { return R.Loc; });
  SortByPlace(Result.Findings, Place);
}

namespace {
/// Names \p F, which is analysed meanwhile, if the process ends.
class Analysing {
public:
  explicit Analysing(const FunctionDecl *F)
      : Trace(F->getASTContext(), const_cast<FunctionDecl *>(F),
              F->getLocation(), "analysing") {}

private:
  const PrettyDeclStackTraceEntry Trace;
};
} // namespace

// Functions that copy, commit or wait for somebody outside the file. Only those
// written in user code that none of these or of the kernels has \p Reached; a
// thin wrapper says nothing by itself.
static std::vector<const FunctionDecl *>
otherRoots(Program &P, llvm::ArrayRef<const FunctionDecl *> Functions,
           llvm::DenseSet<const FunctionDecl *> &Reached) {
  ASTContext &Ctx = P.context();
  auto IsRoot = [&](const FunctionDecl *F) {
    return !Reached.contains(F) &&
           !Ctx.getSourceManager().isInSystemHeader(F->getLocation()) &&
           (P.effects(F) & EffectCopy);
  };
  for (const FunctionDecl *F : Functions) {
    const Analysing Trace(F);
    if (!IsRoot(F) || P.isTooDeep(F))
      continue;
    llvm::DenseSet<const FunctionDecl *> Callees;
    collectCallees(P, F->getBody(), Callees);
    Reached.insert(Callees.begin(), Callees.end());
  }
  std::vector<const FunctionDecl *> Roots;
  llvm::copy_if(Functions, std::back_inserter(Roots), IsRoot);
  return Roots;
}

/// What makes a kernel worth a look.
static constexpr unsigned EffectsOfKernels =
    EffectCopy | EffectGroup | EffectUnknown | EffectOtherBlocks;

namespace {
/// What is analysed by itself.
struct Root {
  const FunctionDecl *F;
  /// \p F is the first instance of this one; null: of none.
  const UninstantiatedTemplate *Of = nullptr;
};

/// Of the roots, by their numbers: one, and the first instance of its template,
/// which may be the same.
struct Sibling {
  size_t Number, First;
};

/// The analysis of one translation unit.
class FileAnalysis {
public:
  FileAnalysis(ASTContext &Ctx, const DeviceCode &Code,
               const AnalysisOptions &Options, AnalysisResult &Result)
      : Ctx(Ctx), Code(Code), Options(Options), SM(Ctx.getSourceManager()),
        All(Ctx), Errors(SM, Options.ErrorLocs), Result(Result) {}

  void run() {
    Result.KernelCount = Code.Declared.Kernels.size();
    followPointers();
    runKernelsAndTemplates();
    runOthers();
    for (const FunctionDecl *F : Code.Declared.Failed)
      addUnseen(F, Errors.firstIn(F), "kernel does not compile");
    if (Options.TellsLaunches)
      Result.Launches = launches().index();
    blameCalls(Result.Findings, Ctx);
    // One text for several sizes: the modifier is right for the others.
    for (Finding &F : Result.Findings)
      llvm::erase_if(F.Repairs, [&](const Repair &Fix) {
        return Fix.K == Repair::Kind::UseCacheAll &&
               All.P.rightModifiers().contains(Fix.Range.getBegin());
      });
  }

private:
  void followPointers();
  void runKernelsAndTemplates();
  void runOthers();
  /// Those to run.
  std::vector<Root> kernels();
  bool mayDoSomething(const UninstantiatedTemplate &Of);
  /// What \p Roots are found to do, in any process each.
  std::vector<RootOutcome> outcomes(llvm::ArrayRef<Root> Roots);
  /// The same of those in \p These. \p Told: of the first instance of each
  /// template, what some instances are found to do.
  void analyseEach(llvm::ArrayRef<Root> Roots, llvm::ArrayRef<Sibling> These,
                   llvm::ArrayRef<std::vector<Finding>> Told,
                   std::vector<RootOutcome> &Found);
  /// \p Told: what other instances of its template do.
  RootOutcome analyse(const Root &R, llvm::ArrayRef<Finding> Told);
  /// Hands on what \p R is found to do.
  void finish(const Root &R, RootOutcome Found);
  KernelReport reportOf(const FunctionDecl *F) const;
  KernelReport reportOf(const Root &R) const;
  void addUnseen(const FunctionDecl *F, SourceLocation Loc, std::string Why);
  void reach(const FunctionDecl *F) {
    if (!All.P.isTooDeep(F))
      collectCallees(All.P, F->getBody(), Reached);
  }
  /// Found when it is first asked for: many files have nothing to launch.
  const LaunchTable &launches() {
    if (!Known)
      Known.emplace(Ctx, Options);
    return *Known;
  }

  ASTContext &Ctx;
  const DeviceCode &Code;
  const AnalysisOptions &Options;
  const SourceManager &SM;
  AnalysedProgram All;
  std::optional<LaunchTable> Known;
  ParseErrors Errors;
  llvm::DenseSet<const FunctionDecl *> Reached;
  AnalysisResult &Result;
};
} // namespace

KernelReport FileAnalysis::reportOf(const FunctionDecl *F) const {
  KernelReport Report;
  Report.Name = nameOf(F);
  Report.Loc = SM.getExpansionLoc(F->getLocation());
  Report.IsKernel = F->hasAttr<CUDAGlobalAttr>();
  return Report;
}

KernelReport FileAnalysis::reportOf(const Root &R) const {
  KernelReport Report = reportOf(R.F);
  if (R.Of)
    Report.Name = nameOf(R.Of->Pattern); // findings name their arguments
  return Report;
}

void FileAnalysis::addUnseen(const FunctionDecl *F, SourceLocation Loc,
                             std::string Why) {
  KernelReport Report = reportOf(F);
  Report.Gaps.push_back({SM.getExpansionLoc(Loc), std::move(Why)});
  Result.KernelCount += Report.IsKernel;
  Result.Kernels.push_back(std::move(Report));
}

void FileAnalysis::analyseEach(llvm::ArrayRef<Root> Roots,
                               llvm::ArrayRef<Sibling> These,
                               llvm::ArrayRef<std::vector<Finding>> Told,
                               std::vector<RootOutcome> &Found) {
  const auto Work = [&](size_t I) {
    return pack(analyse(Roots[These[I].Number], Told[These[I].First]));
  };
  const auto Take = [&](size_t I, llvm::StringRef Text) {
    std::optional<RootOutcome> Outcome = unpack(Text);
    if (!Outcome)
      llvm::report_fatal_error("what a process found cannot be read");
    All.P.rightModifiers().insert_range(Outcome->RightModifiers);
    Found[These[I].Number] = std::move(*Outcome);
  };
  if (Options.Divide)
    Options.Divide(These.size(), Work, Take);
  else
    for (size_t I = 0; I < These.size(); ++I)
      Take(I, Work(I));
}

std::vector<RootOutcome> FileAnalysis::outcomes(llvm::ArrayRef<Root> Roots) {
  std::vector<RootOutcome> Found;
  for (const Root &R : Roots) {
    Found.push_back({reportOf(R), {}, {}, {}, {}});
    Found.back().Report.Gaps = {
        {Found.back().Report.Loc, "the process that analysed it ended"}};
  }
  if (Roots.empty())
    return Found;
  {
    const Analysing Trace(Roots.front().F);
    launches(); // once for all
  }
  // One instance of each template first, then some of the others: what the rest
  // do as these do is not proved again.
  std::vector<Sibling> First, Others;
  llvm::DenseMap<const FunctionDecl *, size_t> FirstOf;
  for (const auto &[I, R] : llvm::enumerate(Roots)) {
    const FunctionDecl *Pattern = R.F->getTemplateInstantiationPattern();
    const size_t Of =
        R.Of || !Pattern ? I : FirstOf.try_emplace(Pattern, I).first->second;
    (Of == I ? First : Others).push_back({I, Of});
  }
  std::vector<Sibling> Sample, Rest;
  const size_t Apart = std::max<size_t>(std::sqrt(Others.size()), 1);
  for (const auto &[I, X] : llvm::enumerate(Others))
    (I % Apart == Apart / 2 ? Sample : Rest).push_back(X);
  std::vector<std::vector<Finding>> Told(Roots.size());
  for (const auto *Some : {&First, &Sample, &Rest}) {
    analyseEach(Roots, *Some, Told, Found);
    for (const Sibling &X : *Some)
      llvm::copy_if(Found[X.Number].Findings, std::back_inserter(Told[X.First]),
                    FindingList::isShown);
  }
  return Found;
}

RootOutcome FileAnalysis::analyse(const Root &R, llvm::ArrayRef<Finding> Told) {
  const Analysing Trace(R.F);
  All.Told = Told.vec();
  const KernelReport Empty = reportOf(R);
  Budget Cost(Options.Cost);
  RootOutcome Found;
  KeptStates States;
  AnalysisOptions Own = Options;
  if (Options.TellsStates)
    Own.States = &States;
  if (R.Of) {
    MadeUpRuns Runs = runForInstances(All, Own, launches(), Cost, *R.Of, Empty);
    for (const auto &[I, X] : llvm::enumerate(R.Of->Instances))
      if (llvm::is_contained(Runs.Meant, X.F))
        Found.Meant.push_back(I);
    Found.Report = std::move(Runs.Together.Report);
    Found.Findings = std::move(Runs.Together.Findings);
  } else {
    const KernelLaunches Told = launches().launchesOf(R.F);
    RunResult Run = runForItsShapes(All, Own, Told, Cost, R.F, Empty);
    Found.Report = std::move(Run.Report);
    Found.Findings = std::move(Run.Findings);
    if (Found.Report.Copies && launches().mayBeLaunchedOtherwise(R.F))
      Found.Report.AssumedBlock = Told.Blocks.front().Shape.text();
  }
  llvm::append_range(Found.RightModifiers, All.P.rightModifiers());
  Found.States = States.take();
  return Found;
}

void FileAnalysis::finish(const Root &R, RootOutcome Found) {
  const Analysing Trace(R.F);
  if (Options.TellsLaunches && !R.Of && Found.Report.IsKernel &&
      !launches().isLaunched(R.F))
    if (std::string Name = linkName(R.F); !Name.empty())
      Result.Unlaunched.push_back(std::move(Name));
  llvm::append_range(Result.States, Found.States);
  KernelReport &Report = Found.Report;
  // By itself it is what its text says: what it is given, and what it does with
  // that, counts where it is called.
  if (All.P.isThinWrapper(R.F))
    llvm::erase_if(Report.Gaps, [](const AnalysisGap &G) {
      return !llvm::StringRef(G.Reason).starts_with(InvalidPtx);
    });
  if (SourceLocation Loc = Errors.firstIn(R.F); Loc.isValid())
    doubt(Loc, Report, Found.Findings);
  dropUncertain(Found.Findings, Report);
  for (Finding &X : Found.Findings) {
    X.Kernel = {Report.Name, Report.Loc, {}, X.Kernel.IsTold};
    if (R.F->isTemplateInstantiation() && !Report.MadeUp)
      X.Trace.insert(X.Trace.begin(),
                     {TraceStep::Kind::InstanceOf, Report.Loc, Report.Name});
    FindingList::merge(Result.Findings, std::move(X));
  }
  Result.Kernels.push_back(std::move(Found.Report));
  // What only others call is looked at by itself.
  for (unsigned I : Found.Meant)
    reach(R.Of->Instances[I].F);
}

void FileAnalysis::followPointers() {
  std::vector<const FunctionDecl *> Roots;
  llvm::append_range(Roots, Code.Declared.Kernels);
  llvm::append_range(Roots, Code.Declared.Functions);
  for (const UninstantiatedTemplate &Of : Code.Templates)
    for (const MadeUpInstance &X : Of.Instances)
      Roots.push_back(X.F);
  All.P.globals().follow(Roots);
  All.P.compared().follow(Roots);
}

std::vector<Root> FileAnalysis::kernels() {
  std::vector<Root> Roots;
  for (const FunctionDecl *F : Code.Declared.Kernels) {
    const Analysing Trace(F);
    if (!(All.P.effects(F) & EffectsOfKernels))
      continue;
    reach(F);
    Roots.push_back({F});
  }
  return Roots;
}

/// With the arguments that were tried; else it does not copy, or only waits, or
/// commits, for others.
bool FileAnalysis::mayDoSomething(const UninstantiatedTemplate &Of) {
  const FunctionDecl *First = Of.Instances.front().F;
  const Analysing Trace(First);
  const unsigned Any =
      First->hasAttr<CUDAGlobalAttr>() ? EffectsOfKernels : EffectCopy;
  return llvm::any_of(Of.Instances, [&](const MadeUpInstance &X) {
    return (All.P.effects(X.F) & Any) != 0;
  });
}

void FileAnalysis::runKernelsAndTemplates() {
  std::vector<Root> Roots = kernels();
  const size_t Kernels = Roots.size();
  for (const UninstantiatedTemplate &Of : Code.Templates)
    if (!Of.Instances.empty() && mayDoSomething(Of))
      Roots.push_back({Of.Instances.front().F, &Of});
  std::vector<RootOutcome> Found = outcomes(Roots);
  size_t Next = 0;
  for (; Next < Kernels; ++Next)
    finish(Roots[Next], std::move(Found[Next]));
  for (const UninstantiatedTemplate &Of : Code.Templates) {
    const FunctionDecl *Pattern = Of.Pattern;
    if (Next < Roots.size() && Roots[Next].Of == &Of) {
      Result.KernelCount += Found[Next].Report.IsKernel;
      finish(Roots[Next], std::move(Found[Next]));
      ++Next;
    } else if (Of.Instances.empty()) {
      addUnseen(Pattern, Pattern->getLocation(),
                NeverInstantiated.str() + (Of.Why.empty() ? "" : ": ") +
                    Of.Why);
    } else if (Of.Copies) {
      addUnseen(Pattern, Pattern->getLocation(),
                NeverInstantiated.str() +
                    ": it does not copy with the arguments that were tried");
    }
  }
}

void FileAnalysis::runOthers() {
  std::vector<Root> Roots;
  for (const FunctionDecl *F :
       otherRoots(All.P, Code.Declared.Functions, Reached))
    Roots.push_back({F});
  std::vector<RootOutcome> Found = outcomes(Roots);
  for (auto [R, X] : llvm::zip_equal(Roots, Found))
    finish(R, std::move(X));
}

AnalysisResult cpasync::analyze(ASTContext &Ctx,
                                const AnalysisOptions &Options) {
  return analyze(Ctx, DeviceCode(Ctx, Options), Options);
}

AnalysisResult cpasync::analyze(ASTContext &Ctx, const DeviceCode &Code,
                                const AnalysisOptions &Options) {
  AnalysisResult Result;
  Result.IsDevicePass = Ctx.getLangOpts().CUDAIsDevice;
  Result.DeviceArch = deviceArch(Ctx);
  if (!Result.IsDevicePass)
    return Result;

  FileAnalysis(Ctx, Code, Options, Result).run();

  sortByPlace(Result, Ctx.getSourceManager());
  return Result;
}

void cpasync::keepOfLanes(AnalysisResult &Apart, const AnalysisResult &InStep) {
  // Of two accesses that clash anyhow other witnesses may be told.
  const auto AreAlike = [](const Finding &A, const Finding &B) {
    return FindingList::areSame(A, B) ||
           (A.Kind == B.Kind && A.At.Read == B.At.Read &&
            A.At.Write == B.At.Write && A.At.Copy == B.At.Copy);
  };
  llvm::erase_if(Apart.Findings, [&](const Finding &X) {
    return llvm::any_of(InStep.Findings,
                        [&](const Finding &Y) { return AreAlike(X, Y); });
  });
  for (Finding &X : Apart.Findings)
    X.Path.OfLanes = true;
  llvm::erase_if(Apart.Kernels, [&](KernelReport &X) {
    const auto Y = llvm::find_if(InStep.Kernels, [&](const KernelReport &Of) {
      return X.Loc == Of.Loc && X.Name == Of.Name;
    });
    if (Y == InStep.Kernels.end())
      return false;
    llvm::erase_if(X.Refuted, [&](const AnalysisGap &Gap) {
      return llvm::is_contained(Y->Refuted, Gap);
    });
    return !Y->Gaps.empty();
  });
}
