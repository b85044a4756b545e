//===- Analysis.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Analysis.h"
#include "lib/engine/ShapeSearch.h"
#include "lib/launch/LaunchTable.h"
#include "lib/source/ParseErrors.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyDeclStackTrace.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

namespace {
/// Everything on the device that has a body and no template parameters left.
class FunctionFinder : public RecursiveASTVisitor<FunctionFinder> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitLambdaBody() const { return false; }

  bool VisitFunctionDecl(FunctionDecl *F) {
    bool Kernel = F->hasAttr<CUDAGlobalAttr>();
    if (Kernel && failedTemplate(F))
      Failed.push_back(F);
    if (!F->isThisDeclarationADefinition() || !F->hasBody())
      return true;
    if (F->isDependentContext()) {
      if (Kernel)
        Patterns.push_back(F);
      return true;
    }
    if (Kernel)
      Kernels.push_back(F);
    else if (F->hasAttr<CUDADeviceAttr>())
      Functions.push_back(F);
    return true;
  }
  /// The body of anything at all is skipped: only declarations matter here.
  bool TraverseStmt(Stmt *) { return true; }

  std::vector<FunctionDecl *> Kernels, Functions, Patterns, Failed;
};

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

/// Finds copies, commits and waits in a template that nothing instantiates:
/// calls stand for every overload that the template knows.
class PatternSearch {
public:
  explicit PatternSearch(Program &P) : P(P) {}

  bool mentionsCopies(const Stmt *S) {
    if (!S)
      return false;
    if (P.effects(S) & (EffectCopy | EffectGroup))
      return true;
    const auto IsFound = [&](const NamedDecl *D) {
      return mentionsCopies(D->getUnderlyingDecl());
    };
    if (const auto *Name = dyn_cast<OverloadExpr>(S))
      if (llvm::any_of(Name->decls(), IsFound))
        return true;
    if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(S))
      if (const auto *C = templateOf(M->getBaseType());
          C && llvm::any_of(C->lookup(M->getMember()), IsFound))
        return true;
    if (const auto *M = dyn_cast<DependentScopeDeclRefExpr>(S))
      if (const auto *C = templateOf(M->getQualifier());
          C && llvm::any_of(C->lookup(M->getDeclName()), IsFound))
        return true;
    return llvm::any_of(S->children(), [&](const Stmt *Child) {
      return mentionsCopies(Child);
    });
  }

private:
  /// The class behind "Loader<T>", as it is written.
  static const CXXRecordDecl *templateOf(QualType T) {
    if (T->isPointerType())
      T = T->getPointeeType();
    const auto *Named = T->getAs<TemplateSpecializationType>();
    const auto *Class = Named
                            ? dyn_cast_if_present<ClassTemplateDecl>(
                                  Named->getTemplateName().getAsTemplateDecl())
                            : nullptr;
    return Class ? Class->getTemplatedDecl() : nullptr;
  }
  static const CXXRecordDecl *templateOf(NestedNameSpecifier Qualifier) {
    return Qualifier.getKind() == NestedNameSpecifier::Kind::Type
               ? templateOf(QualType(Qualifier.getAsType(), 0))
               : nullptr;
  }

  bool mentionsCopies(const NamedDecl *D) {
    const FunctionDecl *F = D->getAsFunction();
    const FunctionDecl *Body = nullptr;
    if (!F || !F->hasBody(Body))
      return false;
    const auto [It, New] = Known.try_emplace(Body, false);
    return New ? Known[Body] =
                     P.isTooDeep(Body) || mentionsCopies(Body->getBody())
               : It->second;
  }

  Program &P;
  llvm::DenseMap<const FunctionDecl *, bool> Known; ///< false while searching
};

/// Statements may be missing between the places of these.
bool dependsOnOrder(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::ReadInFlight:
  case FindingKind::ReadBeforeCopy:
  case FindingKind::UnsynchronizedRead:
  case FindingKind::Overwrite:
  case FindingKind::UncommittedAtEnd:
  case FindingKind::OverWait:
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

// Kernels that could not be looked at.
static void addUnseen(AnalysisResult &Result, Program &P,
                      const FunctionFinder &Finder, ParseErrors &Errors) {
  const SourceManager &SM = P.context().getSourceManager();
  const auto AddUnseen = [&](const FunctionDecl *F, SourceLocation Loc,
                             StringRef Why) {
    KernelReport Report;
    Report.Name = nameOf(F);
    Report.Loc = SM.getExpansionLoc(F->getLocation());
    Report.Gaps.push_back({SM.getExpansionLoc(Loc), Why.str()});
    ++Result.KernelCount;
    Result.Kernels.push_back(std::move(Report));
  };
  for (const FunctionDecl *F : Finder.Failed)
    AddUnseen(F, Errors.firstIn(F), "kernel does not compile");
  // Kernel templates nobody instantiates in this file.
  PatternSearch Search(P);
  for (const FunctionDecl *F : Finder.Patterns) {
    const FunctionTemplateDecl *T = F->getDescribedFunctionTemplate();
    if (!T || !T->specializations().empty() ||
        SM.isInSystemHeader(F->getLocation()) ||
        !(P.isTooDeep(F) || Search.mentionsCopies(F->getBody())))
      continue;
    AddUnseen(F, F->getLocation(), NeverInstantiated);
  }
}

AnalysisResult cpasync::analyze(ASTContext &Ctx,
                                const AnalysisOptions &Options) {
  AnalysisResult Result;
  Result.IsDevicePass = Ctx.getLangOpts().CUDAIsDevice;
  Result.DeviceArch = deviceArch(Ctx);
  if (!Result.IsDevicePass)
    return Result;

  FunctionFinder Finder;
  Finder.TraverseAST(Ctx);
  Result.KernelCount = Finder.Kernels.size();
  AnalysedProgram All(Ctx);
  Program &P = All.P;
  const SourceManager &SM = Ctx.getSourceManager();
  std::unique_ptr<LaunchTable> Launches;
  ParseErrors Errors(SM, Options.ErrorLocs);

  auto Analyse = [&](const FunctionDecl *F, bool IsKernel) {
    KernelReport Report;
    Report.Name = nameOf(F);
    Report.Loc = SM.getExpansionLoc(F->getLocation());
    Report.IsKernel = IsKernel;
    if (!Launches)
      Launches = std::make_unique<LaunchTable>(Ctx, Options.LaunchesElsewhere);
    if (Options.TellsLaunches && IsKernel && !Launches->isLaunched(F))
      if (std::string Name = linkName(F); !Name.empty())
        Result.Unlaunched.push_back(std::move(Name));
    Budget Cost(Options.Cost);
    const std::vector<LaunchedBlock> Blocks = Launches->blocksOf(F);
    RunResult Run = runForItsShapes(All, Options, Blocks, Cost, F, Report);
    Report = std::move(Run.Report);
    if (Launches->mayBeLaunchedOtherwise(F))
      Report.AssumedBlock = Blocks.front().Shape.text();
    std::vector<Finding> Findings = std::move(Run.Findings);
    if (SourceLocation Loc = Errors.firstIn(F); Loc.isValid())
      doubt(Loc, Report, Findings);
    for (Finding &X : Findings) {
      X.Kernel = Report.Name;
      X.KernelLoc = Report.Loc;
      FindingList::merge(Result.Findings, std::move(X));
    }
    Result.Kernels.push_back(std::move(Report));
  };

  llvm::DenseSet<const FunctionDecl *> Reached;
  constexpr unsigned Wanted = EffectCopy | EffectGroup | EffectUnknown;
  for (const FunctionDecl *F : Finder.Kernels) {
    const PrettyDeclStackTraceEntry Trace(Ctx, const_cast<FunctionDecl *>(F),
                                          F->getLocation(), "analysing");
    if (!(P.effects(F) & Wanted))
      continue;
    if (!P.isTooDeep(F))
      collectCallees(P, F->getBody(), Reached);
    Analyse(F, /*IsKernel=*/true);
  }
  for (const FunctionDecl *F : otherRoots(P, Finder.Functions, Reached)) {
    const PrettyDeclStackTraceEntry Trace(Ctx, const_cast<FunctionDecl *>(F),
                                          F->getLocation(), "analysing");
    Analyse(F, /*IsKernel=*/false);
  }
  addUnseen(Result, P, Finder, Errors);
  if (Options.TellsLaunches) {
    if (!Launches)
      Launches = std::make_unique<LaunchTable>(Ctx);
    Result.Launches = Launches->index();
  }

  // One text for several sizes: the modifier is right for the others.
  for (Finding &F : Result.Findings)
    llvm::erase_if(F.Repairs, [&](const Repair &Fix) {
      return Fix.K == Repair::Kind::UseCacheAll &&
             P.rightModifiers().contains(Fix.Range.getBegin());
    });

  sortByPlace(Result, SM);
  return Result;
}
