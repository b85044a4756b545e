//===- TidyModule.cpp - The checks as a clang-tidy module -----------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file that includes clang-tidy's headers. One analysis per
// translation unit serves all checks; each check prints the findings it owns.
// Built into the plugin, for stock clang-tidy, and into cpasync-tidy.
//
//===----------------------------------------------------------------------===//

#include "checks/Advice.h"
#include "checks/Check.h"
#include "checks/ErrorRecorder.h"
#include "checks/FrontEnd.h"
#include "checks/FunctionIndex.h"
#include "checks/Messages.h"
#include "checks/Record.h"
#include "checks/SemaAccess.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "lib/Analysis.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>

using namespace clang;
using namespace clang::tidy;

namespace cpasync {
namespace {

/// A plugin for another major loads, lists its checks, and finds nothing. Stops
/// the program instead. Uses nothing of LLVM but one function that every major
/// has, and runs before the module registers itself.
struct VersionGuard {
  VersionGuard() {
    const std::string Host = clang::getClangFullVersion();
    const char *Number = std::strstr(Host.c_str(), "version ");
    if (Number && std::strtol(Number + 8, nullptr, 10) == CLANG_VERSION_MAJOR)
      return;
    std::fprintf(stderr,
                 "cpasync-tidy: error: this plugin is built for clang-tidy %d "
                 "and was loaded by %s\n",
                 CLANG_VERSION_MAJOR, Host.c_str());
    std::_Exit(2);
  }
};
const VersionGuard CheckVersion;

/// In the file that is asked for: templates that it includes are for those who
/// instantiate them.
bool isAskedFor(const FunctionDecl *F, const SourceManager &SM) {
  const SourceLocation Loc = SM.getExpansionLoc(F->getLocation());
  const std::string &File = frontEnd().Templates.File;
  if (File.empty())
    return SM.isInMainFile(Loc);
  const auto Asked = SM.getFileManager().getOptionalFileRef(File);
  return Asked &&
         SM.getFileEntryForID(SM.getFileID(Loc)) == &Asked->getFileEntry();
}

bool mayMakeInstances(const FunctionDecl *F, const SourceManager &SM) {
  const auto &Lines = frontEnd().Templates.Lines;
  return isAskedFor(F, SM) &&
         (!Lines || Lines->count(SM.getExpansionLineNumber(F->getLocation())));
}

/// The results of the current translation unit, one per set of options.
class SharedAnalysis {
public:
  const AnalysisResult &get(ASTContext &Ctx, AnalysisOptions Options) {
    const auto Key =
        std::tuple(Options.AssumedBlock, Options.ToldBlocks, Options.StepBudget,
                   Options.PathBudget, Options.Cost.Seconds,
                   Options.Cost.Megabytes, Options.LanesApart);
    const AnalysisResult *InStep = nullptr;
    if (Options.LanesApart) {
      AnalysisOptions Default = Options;
      Default.LanesApart = false;
      InStep = &get(Ctx, Default);
      Options.PrintState = nullptr; // printed
    }
    auto [It, New] = Results.try_emplace(Key);
    if (New) {
      Options.ErrorLocs = Errors.places();
      Options.LaunchesElsewhere = frontEnd().LaunchesElsewhere;
      Options.TellsLaunches = frontEnd().TellsLaunches;
      Options.TellsStates = frontEnd().TellsStates;
      Options.Divide = frontEnd().Divide;
      Options.MakesInstances = currentSema();
      const SourceManager &SM = Ctx.getSourceManager();
      Options.IsAskedFor = [&](const FunctionDecl *F) {
        return isAskedFor(F, SM);
      };
      Options.MayMake = [&](const FunctionDecl *F) {
        return mayMakeInstances(F, SM);
      };
      if (!Code)
        Code.emplace(Ctx, Options);
      It->second = analyze(Ctx, *Code, Options);
      if (InStep)
        keepOfLanes(It->second, *InStep);
      if (Results.size() == 1)
        report(SM, It->second);
      else if (InStep)
        reportGaps(SM, It->second);
    }
    return It->second;
  }
  /// True for the first caller in a translation unit.
  bool takeWarning() { return !std::exchange(Warned, true); }
  const FunctionIndex &functions(const ASTContext &Ctx) {
    if (!Functions)
      Functions.emplace(Ctx);
    return *Functions;
  }
  /// Before anything is parsed; every check calls it.
  void prepare(Preprocessor &PP) {
    Errors.listen(PP.getDiagnostics());
    if (std::exchange(Prepared, &PP) != &PP && frontEnd().Prepare)
      frontEnd().Prepare(PP);
  }
  /// Each check, before the translation unit and behind it.
  void enter() { ++Users; }
  void leave() {
    if (--Users > 0)
      return;
    Errors.stop();
    Prepared = nullptr;
    Results.clear();
    Code.reset();
    Functions.reset();
    Warned = false;
  }

private:
  static void report(const SourceManager &SM, const AnalysisResult &Result);
  static void reportGaps(const SourceManager &SM, const AnalysisResult &Result);

  std::map<std::tuple<std::array<unsigned, 3>, LaunchIndex, unsigned, unsigned,
                      unsigned, unsigned, bool>,
           AnalysisResult>
      Results;
  std::optional<DeviceCode> Code;
  std::optional<FunctionIndex> Functions;
  ErrorRecorder Errors;
  const Preprocessor *Prepared = nullptr;
  bool Warned = false;
  unsigned Users = 0;
};

/// The beginning of what is at \p Loc, as a point.
Place pointAt(SourceLocation Loc, const SourceManager &SM) {
  Place Where;
  if (const PresumedLoc At = SM.getPresumedLoc(SM.getFileLoc(Loc));
      At.isValid()) {
    Where.File = At.getFilename();
    Where.Line = At.getLine();
    Where.Column = At.getColumn();
  }
  return Where;
}

void SharedAnalysis::report(const SourceManager &SM,
                            const AnalysisResult &Result) {
  PassReport &Report = frontEnd().Report;
  Report.Sources = sourceFiles(SM);
  Report.Analysed |= Result.IsDevicePass;
  Report.Kernels = Result.KernelCount;
  Report.Launches = Result.Launches;
  Report.Unlaunched = Result.Unlaunched;
  for (const KernelReport &Kernel : Result.Kernels) {
    Report.Functions += !Kernel.IsKernel;
    Report.MadeUp += Kernel.MadeUp;
    if (!Kernel.AssumedBlock.empty())
      ++Report.AssumedBlocks[Kernel.AssumedBlock];
    if (Kernel.Copies && !Kernel.AssumedSizes.empty())
      ++Report.AssumedSizes[Kernel.AssumedSizes];
  }
  reportGaps(SM, Result);
  for (const OperationState &State : Result.States)
    Report.States.push_back({pointAt(State.Loc, SM), State.Text});
}

void SharedAnalysis::reportGaps(const SourceManager &SM,
                                const AnalysisResult &Result) {
  PassReport &Report = frontEnd().Report;
  for (const KernelReport &Kernel : Result.Kernels) {
    Report.NotFullyAnalysed += !Kernel.Gaps.empty();
    for (const auto &[To, From] : {std::pair(&Report.Gaps, &Kernel.Gaps),
                                   {&Report.Refuted, &Kernel.Refuted}})
      for (const AnalysisGap &Gap : *From) {
        const SourceLocation Loc = Gap.Loc.isValid() ? Gap.Loc : Kernel.Loc;
        To->push_back({Kernel.Name, pointAt(Loc, SM), Gap.Reason});
      }
  }
}

/// One check of Checks.def.
class AnalysisCheck : public ClangTidyCheck {
public:
  AnalysisCheck(StringRef Name, ClangTidyContext *Context,
                const CheckInfo &Info, std::shared_ptr<SharedAnalysis> Shared)
      : ClangTidyCheck(Name, Context), Info(Info), Shared(std::move(Shared)) {
    AnalysisOptions Defaults;
    const BlockOption Blocks = blocks("AssumedThreads");
    Analysis.AssumedBlock = Blocks.Any;
    Analysis.ToldBlocks = Blocks.ByKernel;
    Analysis.StepBudget = number("StepBudget", Defaults.StepBudget, 1, ~0u);
    Analysis.PathBudget = number("PathBudget", Defaults.PathBudget, 1, ~0u);
    Analysis.Cost.Seconds = number("TimeBudget", Defaults.Cost.Seconds, 0, ~0u);
    Analysis.Cost.Megabytes =
        number("MemoryBudget", Defaults.Cost.Megabytes, 0, ~0u);
    Analysis.LanesApart = Info.Group == CheckGroup::Lanes;
    Analysis.PrintState = frontEnd().PrintState;
    for (const CheckOption &Option : checkOptions())
      if (Option.Check == Info.Name)
        (Options.get(Option.Name, false) ? On : Off).push_back(&Option);
  }

  bool isLanguageVersionSupported(const LangOptions &Opts) const override {
    return Opts.CUDA;
  }

  void storeOptions(ClangTidyOptions::OptionMap &Opts) override {
    Options.store(Opts, "AssumedThreads", AssumedText);
    Options.store(Opts, "StepBudget", Analysis.StepBudget);
    Options.store(Opts, "PathBudget", Analysis.PathBudget);
    Options.store(Opts, "TimeBudget", Analysis.Cost.Seconds);
    Options.store(Opts, "MemoryBudget", Analysis.Cost.Megabytes);
    for (const CheckOption *Option : On)
      Options.store(Opts, Option->Name, true);
    for (const CheckOption *Option : Off)
      Options.store(Opts, Option->Name, false);
  }

  // After a fatal error (a missing header) Clang instantiates no template any
  // more, and waits disappear while commits stay.
  void registerPPCallbacks(const SourceManager &, Preprocessor *PP,
                           Preprocessor *) override {
    PP->getDiagnostics().setFatalsAsError(true);
    PP->getDiagnostics().setErrorLimit(0);
    Shared->prepare(*PP);
  }

  void registerMatchers(ast_matchers::MatchFinder *Finder) override {
    Finder->addMatcher(ast_matchers::translationUnitDecl(), this);
    Shared->enter();
  }

  // Instances of templates that are made here are not for the checks of others,
  // which have seen everything at the end only. Then the order of our own
  // checks is not known, which the tool wants.
  void check(const ast_matchers::MatchFinder::MatchResult &Result) override {
    if (frontEnd().IsAlone)
      tell(*Result.Context);
    else
      Untold = Result.Context;
  }

  void onEndOfTranslationUnit() override {
    if (ASTContext *Ctx = std::exchange(Untold, nullptr))
      tell(*Ctx);
    Shared->leave();
    Offered.clear();
  }

private:
  void tell(ASTContext &Ctx);
  unsigned number(StringRef Option, unsigned Default, unsigned Min,
                  unsigned Max);
  BlockOption blocks(StringRef Option);
  void emit(SourceLocation Loc, llvm::ArrayRef<const Finding *> Findings,
            const ASTContext &Ctx);
  void emitNote(const Note &N, const Finding &F, const SourceManager &SM);

  /// No finding before offers it.
  bool isNew(const Repair &Fix) {
    std::pair Change(Fix.Range.getBegin(), Fix.Code);
    if (llvm::is_contained(Offered, Change))
      return false;
    Offered.push_back(std::move(Change));
    return true;
  }
  bool isOff(const Finding &F) const {
    return llvm::any_of(
        Off, [&](const CheckOption *O) { return O->Kind == F.Kind; });
  }

  const CheckInfo &Info;
  std::vector<const CheckOption *> On, Off;
  std::string AssumedText;
  std::vector<std::pair<SourceLocation, std::string>> Offered;
  std::shared_ptr<SharedAnalysis> Shared;
  AnalysisOptions Analysis;
  ASTContext *Untold = nullptr;
};

unsigned AnalysisCheck::number(StringRef Option, unsigned Default, unsigned Min,
                               unsigned Max) {
  const StringRef Text = Options.getLocalOrGlobal(Option, "");
  unsigned Value = 0;
  if (Text.empty())
    return Default;
  if (!Text.getAsInteger(10, Value) && Value >= Min && Value <= Max)
    return Value;
  configurationDiag("value '%0' of option '%1' is not a number from %2 to %3")
      << Text << Option << Min << Max;
  return Default;
}

BlockOption AnalysisCheck::blocks(StringRef Option) {
  AssumedText = Options.getLocalOrGlobal(Option, "").str();
  if (AssumedText.empty())
    return {};
  if (auto Blocks = parseBlocks(AssumedText))
    return *std::move(Blocks);
  configurationDiag("value '%0' of option '%1' is not %2")
      << AssumedText << Option << BlockOptionSyntax;
  return {};
}

/// Where the warning of \p F stands, and what it says.
Primary primaryOf(const CheckInfo &Info, const Finding &F) {
  Primary Warning = Info.Describe(F);
  if (F.At.Call.isValid())
    Warning.Loc = F.At.Call;
  return Warning;
}

bool isInSameLine(SourceLocation A, SourceLocation B, const SourceManager &SM) {
  return A.isValid() && B.isValid() &&
         SM.getFileID(SM.getFileLoc(A)) == SM.getFileID(SM.getFileLoc(B)) &&
         SM.getExpansionLineNumber(A) == SM.getExpansionLineNumber(B);
}

/// One edit may repair both.
bool isAlike(const Finding &A, const Finding &B) {
  const auto Tie = [](const Finding &F) {
    return std::tie(F.Kind, F.Cause, F.Rule, F.Overwritten, F.ByStore,
                    F.At.Wait, F.At.Commit, F.At.Call, F.OnEveryPath);
  };
  const bool IsOfAccess = A.Kind == FindingKind::ReadInFlight ||
                          A.Kind == FindingKind::UnsynchronizedRead ||
                          A.Kind == FindingKind::Overwrite;
  return IsOfAccess && Tie(A) == Tie(B);
}

void AnalysisCheck::tell(ASTContext &Ctx) {
  if (!Ctx.getLangOpts().CUDAIsDevice) {
    if (Shared->takeWarning())
      configurationDiag("cpasync checks see nothing on the host side of a CUDA "
                        "file: add '--extra-arg=--cuda-device-only' and "
                        "'--extra-arg=--offload-arch=sm_80'");
    return;
  }
  const AnalysisResult &Found = Shared->get(Ctx, Analysis);
  frontEnd().Report.Checks.push_back(("cpasync-" + Info.Name).str());
  if (Found.DeviceArch != 0 && Found.DeviceArch < 800 && Shared->takeWarning())
    configurationDiag("cpasync checks do not see code for sm_80 and above when "
                      "sm_%0 is compiled: add "
                      "'--extra-arg=--no-offload-arch=all' and "
                      "'--extra-arg=--offload-arch=sm_80'")
        << Found.DeviceArch / 10;
  const SourceManager &SM = Ctx.getSourceManager();
  // A count that the hardware misreads comes before what follows from it; a
  // read before any copy is another fact than one before the copy completed.
  const auto Leads = [](const Finding *F) {
    return F->Kind == FindingKind::WaitCountRange;
  };
  llvm::MapVector<std::pair<SourceLocation, int>, std::vector<const Finding *>>
      ByPlace;
  // Of what goes wrong in one line for one reason, the first place tells all.
  const auto PlaceOf = [&](const Finding &F) {
    const SourceLocation Loc = userLocation(primaryOf(Info, F).Loc, F, SM);
    for (const auto &[Place, Findings] : ByPlace)
      if (isInSameLine(Place.first, Loc, SM) && isAlike(*Findings.front(), F))
        return Place.first;
    return Loc;
  };
  for (const Finding &F : Found.Findings)
    if (Info.Owns(F) && !isOff(F))
      ByPlace[{PlaceOf(F), F.Kind == FindingKind::ReadBeforeCopy}].push_back(
          &F);
  for (auto &[Place, Findings] : ByPlace) {
    if (auto Lead = llvm::find_if(Findings, Leads); Lead != Findings.end())
      std::rotate(Findings.begin(), Lead, std::next(Lead));
    emit(Place.first, Findings, Ctx);
  }
}

/// The best of the edits that every finding offers; none if there is none.
std::optional<Note> commonRepair(llvm::ArrayRef<const Finding *> Findings) {
  const auto Offers = [](const Finding &F, const Repair &Fix) {
    return llvm::any_of(F.Repairs, [&](const Repair &Other) {
      return Other.Range.getBegin() == Fix.Range.getBegin() &&
             Other.Range.getEnd() == Fix.Range.getEnd() &&
             Other.Code == Fix.Code;
    });
  };
  // A count out of range is repaired with what follows from it.
  if (Findings.front()->Kind == FindingKind::WaitCountRange &&
      Findings.size() > 1)
    Findings = Findings.drop_front();
  std::vector<Note> Notes = repairNotes(*Findings.front());
  llvm::erase_if(Notes, [&](const Note &N) {
    return !llvm::all_of(Findings,
                         [&](const Finding *F) { return Offers(*F, *N.Fix); });
  });
  return Notes.empty() ? std::nullopt : std::optional(Notes.front());
}

/// One warning for all that goes wrong at one place: a wait that is too weak is
/// so for every tile it should have covered. The first finding of a kind tells
/// its story, the others add their witness.
void AnalysisCheck::emit(SourceLocation Loc,
                         llvm::ArrayRef<const Finding *> Findings,
                         const ASTContext &Ctx) {
  const SourceManager &SM = Ctx.getSourceManager();
  const Finding &First = *Findings.front();
  const Primary Warning = primaryOf(Info, First);
  ReportedFinding Emitted =
      recordFinding(First, Loc, Ctx, Shared->functions(Ctx));
  Emitted.Check = ("cpasync-" + Info.Name).str();
  Emitted.Message = Warning.Text;
  for (const Finding *F : Findings) {
    std::vector<std::string> Wrong = F->Kernel.Others;
    Wrong.insert(Wrong.begin(), F->Kernel.Name);
    for (std::string &Kernel : Wrong)
      if (!llvm::is_contained(Emitted.Kernels, Kernel))
        Emitted.Kernels.push_back(std::move(Kernel));
  }
  // One edit that repairs several findings is offered with the first:
  // clang-tidy applies none of two fixes that overlap.
  const std::optional<Note> Edit = commonRepair(Findings);
  const bool IsOffered = Edit && isNew(*Edit->Fix);
  if (!IsOffered)
    Emitted.Advice = textWithLine(adviceNote(First), SM);
  Emitted.IsSlowFix = IsOffered && Edit->Fix->Slow != Repair::Slowness::None;
  frontEnd().Report.Emitted.push_back(std::move(Emitted));
  // "%0" keeps a '%' in a user's name out of the format string.
  diag(Loc, "%0") << Warning.Text;
  for (const Note &N : traceNotes(First, Warning.Loc))
    emitNote(N, First, SM);
  for (const Note &N : alsoReadNotes(First))
    emitNote(N, First, SM);
  std::vector<std::string> Told = {First.Object};
  const Finding *Story = &First;
  for (const Finding *F : Findings.drop_front()) {
    if (Story->Kind != F->Kind) {
      // What follows from the warning has a story of its own.
      Story = F;
      Told = {F->Object};
      for (const Note &N : traceNotes(*F, SourceLocation()))
        emitNote(N, *F, SM);
      continue;
    }
    if (llvm::is_contained(Told, F->Object))
      continue;
    Told.push_back(F->Object);
    emitNote(witnessNote(*F), *F, SM);
  }
  emitNote(IsOffered ? *Edit
           : Edit    ? sharedRepairNote(*Edit)
                     : adviceNote(First),
           First, SM);
}

void AnalysisCheck::emitNote(const Note &N, const Finding &F,
                             const SourceManager &SM) {
  const SourceLocation Loc = userLocation(N.Loc, F, SM);
  if (Loc.isInvalid())
    return;
  DiagnosticBuilder Diag = diag(Loc, "%0", DiagnosticIDs::Note)
                           << textWithLine(N, SM);
  if (!N.Fix || N.Fix->Range.getBegin().isMacroID())
    return;
  Diag << FixItHint::CreateReplacement(N.Fix->Range, N.Fix->Code);
}

class CpasyncModule : public ClangTidyModule {
public:
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
    watchSema();
    auto Shared = std::make_shared<SharedAnalysis>();
    for (const CheckInfo &Info : allChecks())
      Factories.registerCheckFactory(
          ("cpasync-" + Info.Name).str(),
          [&Info, Shared](StringRef Name, ClangTidyContext *Context) {
            return std::make_unique<AnalysisCheck>(Name, Context, Info, Shared);
          });
  }
};

const ClangTidyModuleRegistry::Add<CpasyncModule>
    RegisterModule("cpasync-module", "Misuse of asynchronous copies in CUDA.");

} // namespace
} // namespace cpasync
