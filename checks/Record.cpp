//===- Record.cpp - Findings without pointers into Clang ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/Record.h"
#include "checks/FunctionIndex.h"
#include "checks/Messages.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

SourceLocation cpasync::userLocation(SourceLocation Loc, const Finding &F,
                                     const SourceManager &SM) {
  if (Loc.isInvalid())
    return Loc;
  Loc = SM.getFileLoc(Loc);
  if (!SM.isInSystemHeader(Loc))
    return Loc;
  bool Found = false;
  for (const TraceStep &Step : F.Trace) {
    if (Step.Loc.isInvalid())
      continue;
    const SourceLocation StepLoc = SM.getFileLoc(Step.Loc);
    Found |= StepLoc == Loc;
    if (Found && Step.K == TraceStep::Kind::CalledFrom &&
        !SM.isInSystemHeader(StepLoc))
      return StepLoc;
  }
  return Loc;
}

/// The token at \p Loc.
static Place placeOf(SourceLocation Loc, const ASTContext &Ctx) {
  const SourceManager &SM = Ctx.getSourceManager();
  Place P;
  if (Loc.isInvalid())
    return P;
  P.File = SM.getFilename(Loc).str();
  P.Offset = SM.getFileOffset(Loc);
  P.Length = Lexer::MeasureTokenLength(Loc, SM, Ctx.getLangOpts());
  P.Line = SM.getSpellingLineNumber(Loc);
  P.Column = SM.getSpellingColumnNumber(Loc);
  const SourceLocation End = Loc.getLocWithOffset(P.Length);
  P.EndLine = SM.getSpellingLineNumber(End);
  P.EndColumn = SM.getSpellingColumnNumber(End);
  return P;
}

static ReportedPipeline recordPipeline(const Finding &F,
                                       const ASTContext &Ctx) {
  ReportedPipeline Result;
  auto Where = [&](SourceLocation Loc) {
    return placeOf(userLocation(Loc, F, Ctx.getSourceManager()), Ctx);
  };
  if (F.Path.Around.Owner >= 0)
    Result.Owner = threadName(F, F.Path.Around.Owner);
  Result.IsInFlight = F.Path.Around.IsInFlight;
  Result.IsAlone = F.Path.Around.IsAlone;
  Result.Before = F.Path.Around.Before;
  for (const Pipeline::Round &R : F.Path.Around.Rounds)
    Result.Rounds.push_back({Where(R.Loc), R.Variable, R.Value, R.N, R.Outer});
  for (const Pipeline::Step &S : F.Path.Around.Steps) {
    ReportedPipeline::Step Step;
    Step.Kind = stepKindName(S.K).str();
    Step.Where = Where(S.Loc);
    Step.At = S.Place;
    Step.LastAt = S.LastPlace;
    Step.Count = S.Count;
    Step.Round = S.Round;
    Step.Threads = S.Threads;
    Step.IsOwn = S.IsOwn;
    Step.Slot = S.Slot;
    Step.Begin = S.Begin;
    Step.End = S.End;
    Step.N = S.N;
    Step.Group = S.Group;
    Step.InFlight = S.InFlight;
    Step.Completes = S.Completes;
    Step.Clashes = S.Clashes;
    Result.Steps.push_back(std::move(Step));
  }
  return Result;
}

ReportedFinding cpasync::recordFinding(const Finding &F, SourceLocation Loc,
                                       const ASTContext &Ctx,
                                       const FunctionIndex &Functions) {
  ReportedFinding Result;
  Result.Where = placeOf(Loc, Ctx);
  Result.Object = F.Object;
  if (Loc.isValid())
    if (const FunctionIndex::Entry *Around = Functions.around(Loc)) {
      Result.Function = Around->Name;
      Result.FunctionLine = Around->Line;
      Result.FunctionEndLine = Around->EndLine;
    }
  for (const Note &N : completeTrace(F)) {
    const SourceLocation StepLoc =
        userLocation(N.Loc, F, Ctx.getSourceManager());
    if (StepLoc.isInvalid())
      continue;
    PathStep Step;
    Step.Where = placeOf(StepLoc, Ctx);
    Step.Message = N.Text;
    Step.Kind = N.Step ? stepKindName(N.Step->K).str() : "witness";
    Step.Depth = N.Depth;
    Step.At = N.Place;
    if (N.Step && N.Step->Value)
      Step.Values[N.Step->Name] = *N.Step->Value;
    if (N.Step)
      for (const NamedNumber &Given : N.Step->Numbers)
        Step.Values[Given.Name] = Given.Value;
    if (N.Step && N.Step->K == TraceStep::Kind::WithNumbers && !N.Step->Flag)
      Step.Kind += "-unconfirmed";
    if (const FunctionIndex::Entry *Around = Functions.around(StepLoc)) {
      Step.FunctionLine = Around->Line;
      Step.FunctionEndLine = Around->EndLine;
    }
    // A step is inside the calls that are named after it.
    if (N.Step && N.Step->K == TraceStep::Kind::CalledFrom)
      for (size_t I = Result.Path.size(); I-- > 0;) {
        ++Result.Path[I].Depth;
        if (Result.Path[I].Kind != Step.Kind)
          break;
      }
    Result.Path.push_back(std::move(Step));
  }
  Result.Around = recordPipeline(F, Ctx);
  return Result;
}

std::vector<std::string> cpasync::sourceFiles(const SourceManager &SM) {
  std::vector<std::string> Files;
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() ||
        SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    if (OptionalFileEntryRef File = Entry.getFile().getContentCache().OrigEntry)
      Files.push_back(File->getName().str());
  }
  llvm::sort(Files);
  Files.erase(llvm::unique(Files), Files.end());
  return Files;
}
