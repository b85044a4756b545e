//===- Analysis.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Analysis.h"
#include "lib/engine/MadeUpRuns.h"
#include "lib/launch/LaunchTable.h"
#include "lib/source/DeviceFunctions.h"
#include "lib/source/ParseErrors.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyDeclStackTrace.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

namespace {
void collectCallees(Program &P, const Stmt *S,
                    llvm::DenseSet<const FunctionDecl *> &To) {
  if (!S || !(P.effects(S) & ~EffectsOfAccesses))
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

unsigned deviceArch(const ASTContext &Ctx) {
  llvm::StringRef Cpu = Ctx.getTargetInfo().getTargetOpts().CPU;
  if (!Cpu.consume_front("sm_"))
    return 0;
  unsigned Number = 0;
  Cpu.consumeInteger(10, Number);
  return Number * 10;
}

std::string nameOf(const FunctionDecl *F) {
  std::string Name;
  llvm::raw_string_ostream Out(Name);
  F->getNameForDiagnostic(Out, F->getASTContext().getPrintingPolicy(),
                          /*Qualified=*/true);
  return Name;
}

/// Statements may be missing between the places of these.
bool dependsOnOrder(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::ReadInFlight:
  case FindingKind::ReadBeforeCopy:
  case FindingKind::UnwrittenRead:
  case FindingKind::UnsynchronizedRead:
  case FindingKind::Overwrite:
  case FindingKind::UncommittedAtEnd:
  case FindingKind::OverWait:
  case FindingKind::StuckPhase:
  case FindingKind::ExtraArrivals:
  case FindingKind::MissingFence:
  case FindingKind::UnorderedSource:
    return true;
  case FindingKind::BadOperand:
  case FindingKind::WaitCountRange:
  case FindingKind::Misaligned:
  case FindingKind::WrongSpace:
    return false;
  }
  llvm_unreachable("all kinds are listed");
}

/// Something in the kernel or in what it calls does not compile at \p Loc: says
/// so in its report and in \p Findings.
void doubt(SourceLocation Loc, KernelReport &Report,
           llvm::MutableArrayRef<Finding> Findings) {
  Report.Gaps.push_back({Loc, CodePassedOver.str()});
  for (Finding &F : Findings) {
    if (!dependsOnOrder(F))
      continue;
    F.OnEveryPath = false;
    F.Trace.insert(F.Trace.begin(), {TraceStep::Kind::AssumedHarmless, Loc});
  }
}

/// What hangs on what was not analysed.
void dropUncertain(std::vector<Finding> &Findings, const KernelReport &Report) {
  // Bytes that nobody wrote: it may write them, and so was a copy that is wrong
  // otherwise, as one that goes to another place.
  const std::vector<Finding> All = Findings;
  llvm::erase_if(Findings, [&](const Finding &X) {
    return X.Kind == FindingKind::UnwrittenRead &&
           (!Report.Gaps.empty() || llvm::any_of(All, [&](const Finding &Y) {
             return Y.Kind != X.Kind && Y.Object == X.Object;
           }));
  });
  // Roles wait for each other: where one does something that is not known, what
  // the others are seen to do says little.
  const bool IsGuess = Report.OrderIsGuessed ||
                       llvm::any_of(Report.Gaps, [](const AnalysisGap &G) {
                         return G.Reason == CodePassedOver;
                       });
  if (IsGuess)
    llvm::erase_if(Findings, [&](const Finding &X) {
      const bool IsOfBulk = X.Kind == FindingKind::StuckPhase ||
                            X.Kind == FindingKind::ExtraArrivals ||
                            X.Kind == FindingKind::MissingFence ||
                            X.Kind == FindingKind::UnorderedSource;
      return IsOfBulk || (Report.LoadsInBulk && dependsOnOrder(X));
    });
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
    const PrettyDeclStackTraceEntry Trace(Ctx, const_cast<FunctionDecl *>(F),
                                          F->getLocation(), "analysing");
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
    EffectCopy | EffectGroup | EffectUnknown;

namespace {
/// The analysis of one translation unit.
class FileAnalysis {
public:
  FileAnalysis(ASTContext &Ctx, const DeviceCode &Code,
               const AnalysisOptions &Options, AnalysisResult &Result)
      : Ctx(Ctx), Code(Code), Options(Options), SM(Ctx.getSourceManager()),
        All(Ctx), Errors(SM, Options.ErrorLocs), Result(Result) {}

  void run() {
    Result.KernelCount = Code.Declared.Kernels.size();
    runKernels();
    for (const UninstantiatedTemplate &Of : Code.Templates)
      look(Of);
    for (const FunctionDecl *F :
         otherRoots(All.P, Code.Declared.Functions, Reached)) {
      const PrettyDeclStackTraceEntry Trace(Ctx, const_cast<FunctionDecl *>(F),
                                            F->getLocation(), "analysing");
      analyse(F, /*IsKernel=*/false);
    }
    for (const FunctionDecl *F : Code.Declared.Failed)
      addUnseen(F, Errors.firstIn(F), "kernel does not compile");
    if (Options.TellsLaunches)
      Result.Launches = launches().index();
    // One text for several sizes: the modifier is right for the others.
    for (Finding &F : Result.Findings)
      llvm::erase_if(F.Repairs, [&](const Repair &Fix) {
        return Fix.K == Repair::Kind::UseCacheAll &&
               All.P.rightModifiers().contains(Fix.Range.getBegin());
      });
  }

private:
  void runKernels();
  void look(const UninstantiatedTemplate &Of);
  void analyse(const FunctionDecl *F, bool IsKernel);
  /// Also hands on what \p Run has found.
  void finish(RunResult Run, const FunctionDecl *F);
  KernelReport reportOf(const FunctionDecl *F) const;
  void addUnseen(const FunctionDecl *F, SourceLocation Loc, std::string Why);
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

void FileAnalysis::addUnseen(const FunctionDecl *F, SourceLocation Loc,
                             std::string Why) {
  KernelReport Report = reportOf(F);
  Report.Gaps.push_back({SM.getExpansionLoc(Loc), std::move(Why)});
  Result.KernelCount += Report.IsKernel;
  Result.Kernels.push_back(std::move(Report));
}

void FileAnalysis::finish(RunResult Run, const FunctionDecl *F) {
  KernelReport Report = std::move(Run.Report);
  std::vector<Finding> Findings = std::move(Run.Findings);
  // By itself it is what its text says: what it is given, and what it does with
  // that, counts where it is called.
  if (All.P.isThinWrapper(F))
    llvm::erase_if(Report.Gaps, [](const AnalysisGap &G) {
      return !llvm::StringRef(G.Reason).starts_with(InvalidPtx);
    });
  if (SourceLocation Loc = Errors.firstIn(F); Loc.isValid())
    doubt(Loc, Report, Findings);
  dropUncertain(Findings, Report);
  for (Finding &X : Findings) {
    X.Kernel = {Report.Name, Report.Loc, {}};
    if (F->isTemplateInstantiation() && !Report.MadeUp)
      X.Trace.insert(X.Trace.begin(),
                     {TraceStep::Kind::InstanceOf, Report.Loc, Report.Name});
    FindingList::merge(Result.Findings, std::move(X));
  }
  Result.Kernels.push_back(std::move(Report));
}

void FileAnalysis::analyse(const FunctionDecl *F, bool IsKernel) {
  const KernelReport Report = reportOf(F);
  if (Options.TellsLaunches && IsKernel && !launches().isLaunched(F))
    if (std::string Name = linkName(F); !Name.empty())
      Result.Unlaunched.push_back(std::move(Name));
  Budget Cost(Options.Cost);
  const std::vector<LaunchedBlock> Blocks = launches().blocksOf(F);
  RunResult Run = runForItsShapes(All, Options, Blocks, Cost, F, Report);
  if (launches().mayBeLaunchedOtherwise(F))
    Run.Report.AssumedBlock = Blocks.front().Shape.text();
  finish(std::move(Run), F);
}

void FileAnalysis::runKernels() {
  for (const FunctionDecl *F : Code.Declared.Kernels) {
    const PrettyDeclStackTraceEntry Trace(Ctx, const_cast<FunctionDecl *>(F),
                                          F->getLocation(), "analysing");
    if (!(All.P.effects(F) & EffectsOfKernels))
      continue;
    if (!All.P.isTooDeep(F))
      collectCallees(All.P, F->getBody(), Reached);
    analyse(F, /*IsKernel=*/true);
  }
}

void FileAnalysis::look(const UninstantiatedTemplate &Of) {
  const FunctionDecl *Pattern = Of.Pattern;
  if (Of.Instances.empty()) {
    addUnseen(Pattern, Pattern->getLocation(),
              NeverInstantiated.str() + (Of.Why.empty() ? "" : ": ") + Of.Why);
    return;
  }
  const FunctionDecl *First = Of.Instances.front().F;
  const PrettyDeclStackTraceEntry Trace(Ctx, const_cast<FunctionDecl *>(First),
                                        First->getLocation(), "analysing");
  KernelReport Report = reportOf(First);
  Report.Name = nameOf(Pattern); // findings name the arguments they are of
  // With these arguments it does not copy, or only waits, or commits, for
  // others.
  if (llvm::none_of(Of.Instances, [&](const MadeUpInstance &X) {
        return All.P.effects(X.F) &
               (Report.IsKernel ? EffectsOfKernels : EffectCopy);
      })) {
    if (Of.Copies)
      addUnseen(Pattern, Pattern->getLocation(),
                NeverInstantiated.str() +
                    ": it does not copy with the arguments that were tried");
    return;
  }
  Budget Cost(Options.Cost);
  Result.KernelCount += Report.IsKernel;
  MadeUpRuns Runs = runForInstances(All, Options, launches(), Cost, Of, Report);
  // What only others call is looked at by itself.
  for (const FunctionDecl *F : Runs.Meant)
    if (!All.P.isTooDeep(F))
      collectCallees(All.P, F->getBody(), Reached);
  finish(std::move(Runs.Together), First);
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
