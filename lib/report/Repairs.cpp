//===- Repairs.cpp - Edits that repair what was found ---------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An edit is offered where one change of the text repairs every path that was
// reported: the count of a wait that stands in the file as a constant, the
// cache modifier of copies that all have a size it does not take. Anything less
// plain gets no edit at all.
//
//===----------------------------------------------------------------------===//

#include "lib/report/Repairs.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// IgnoreParenCasts would also look through a template parameter.
static const Expr *plain(const Expr *E) {
  for (;;) {
    if (const auto *P = dyn_cast<ParenExpr>(E))
      E = P->getSubExpr();
    else if (const auto *C = dyn_cast<CastExpr>(E))
      E = C->getSubExpr();
    else if (const auto *C = dyn_cast<ConstantExpr>(E))
      E = C->getSubExpr();
    else
      return E;
  }
}

// The same text stands for several functions.
static bool isInstantiated(const FunctionDecl *F) {
  for (const DeclContext *D = F; D; D = D->getParent()) {
    if (const auto *X = dyn_cast<FunctionDecl>(D))
      if (X->isTemplateInstantiation())
        return true;
    if (isa<ClassTemplateSpecializationDecl>(D))
      return true;
  }
  return false;
}

// What the caller passed for \p E, a parameter or template parameter of
// \p Callee and nothing more; no operand if that is not written at the call.
static WrittenOperand passedBy(const Expr *Caller, const Expr *E,
                               const FunctionDecl *Callee) {
  const auto *Call = dyn_cast_if_present<CallExpr>(Caller);
  if (!Call)
    return {};
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    unsigned Index = cast<ParmVarDecl>(D->getDecl())->getFunctionScopeIndex();
    if (D->getDecl()->getDeclContext() != Callee ||
        isa<CXXMethodDecl>(Callee) || Index >= Call->getNumArgs())
      return {};
    const Expr *Passed = Call->getArg(Index);
    return {Passed, Passed->getSourceRange()};
  }
  const auto *Parm = cast<SubstNonTypeTemplateParmExpr>(E);
  const auto *Name =
      dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenCasts());
  // Of the function itself: members of class templates have outer parameters.
  if (!Name || Name->getDecl()->getDeclContext()->isRecord() ||
      Parm->getPackIndex() || Parm->getIndex() >= Name->getNumTemplateArgs())
    return {};
  const TemplateArgumentLoc &A = Name->getTemplateArgs()[Parm->getIndex()];
  if (A.getArgument().getKind() != TemplateArgument::Expression)
    return {};
  return {A.getArgument().getAsExpr(), A.getSourceRange()};
}

// How often a parameter or template parameter is used.
static unsigned countUses(const Stmt *S, const Expr *Parm) {
  if (!S)
    return 0;
  const auto *N = dyn_cast<SubstNonTypeTemplateParmExpr>(S);
  const auto *D = dyn_cast<DeclRefExpr>(S);
  if (const auto *P = dyn_cast<SubstNonTypeTemplateParmExpr>(Parm); P && N)
    return N->getIndex() == P->getIndex();
  if (const auto *P = dyn_cast<DeclRefExpr>(Parm); P && D)
    return D->getDecl() == P->getDecl();
  unsigned Uses = 0;
  for (const Stmt *Child : S->children())
    Uses += countUses(Child, Parm);
  return Uses;
}

WrittenOperand Repairs::writtenOperand(const State &S, const Expr *Operand) {
  WrittenOperand W;
  if (Operand)
    W = {Operand, Operand->getSourceRange()};
  for (size_t I = S.Frames.size(); W.E && I-- > 0;) {
    const FunctionDecl *F = S.Frames[I].Fn->decl();
    const Expr *E = plain(W.E);
    const auto *D = dyn_cast<DeclRefExpr>(E);
    bool IsParm = isa<SubstNonTypeTemplateParmExpr>(E) ||
                  (D && isa<ParmVarDecl>(D->getDecl()));
    if (!IsParm) {
      W.In = F;
      break;
    }
    // Only a wrapper that does nothing else with the parameter.
    if (I == 0 || !P.isThinWrapper(F) || countUses(F->getBody(), E) != 1)
      return {};
    W = passedBy(S.Frames[I].Call, E, F);
  }
  return W;
}

// Another expression of the function has the same text: the argument of a macro
// that uses it more than once.
static bool isUsedTwice(const Stmt *S, SourceLocation Loc,
                        const SourceManager &SM) {
  if (!S)
    return false;
  SourceLocation Begin = S->getBeginLoc();
  if (Begin.isMacroID() && Begin != Loc &&
      SM.getSpellingLoc(Begin) == SM.getSpellingLoc(Loc))
    return true;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return isUsedTwice(Child, Loc, SM);
  });
}

CharSourceRange Repairs::editableRange(const WrittenOperand &W) {
  const SourceManager &SM = Ctx.getSourceManager();
  if (!W.E || !W.In || W.Range.isInvalid() || W.E->isValueDependent())
    return {};
  // In an instantiation, only a literal surely stands for one number in all.
  if (isInstantiated(W.In) ? !isa<IntegerLiteral>(plain(W.E))
                           : !W.E->isIntegerConstantExpr(Ctx))
    return {};
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(W.Range), SM, Ctx.getLangOpts());
  if (Range.isInvalid() || SM.isInSystemHeader(Range.getBegin()))
    return {};
  if (SM.isMacroArgExpansion(W.Range.getBegin()) &&
      isUsedTwice(W.In->getBody(), W.Range.getBegin(), SM))
    return {};
  return Range;
}

void Repairs::noteOperand(const State &S, EventId Wait, const Expr *Operand) {
  WrittenOperand W = writtenOperand(S, Operand);
  W.IsText = !Operand;
  auto [I, New] = WaitOperands.try_emplace(Wait, W);
  if (!New && (I->second.E != W.E || I->second.In != W.In))
    I->second = {}; // one wait, several places that chose its count
}

void Repairs::offerRepair(Finding &F, EventId Wait, const Footprint *Read,
                          const BlockCopies::ThreadClass &Class, int GroupIndex,
                          const State &S) {
  if (F.Cause != InFlightCause::WaitTooWeak)
    return;
  // The newest group that is read decides; what another wait or other threads
  // would have to complete is not repaired by this one.
  int64_t Limit = F.Limit;
  auto Clashes = [&](EventId Copy, const PerThread *Mask) {
    const Footprint *Bytes = Events[Copy].Bytes;
    return Bytes->Obj == Read->Obj &&
           Footprints.overlap(Read, Footprints.restrict(Bytes, Mask)).K ==
               Overlap::Kind::Clash;
  };
  for (const BlockCopies::ThreadClass &C : S.Copies.classes()) {
    const PerThread *Mask = L.both(C.Mask, S.Active);
    auto AnyClash = [&](llvm::ArrayRef<EventId> Copies) {
      return llvm::any_of(Copies,
                          [&](EventId Copy) { return Clashes(Copy, Mask); });
    };
    const bool Same = C.Mask == Class.Mask;
    int Index = -1;
    for (const Group &G : C.Queue.groups()) {
      ++Index;
      if ((Same && Index <= GroupIndex) || !AnyClash(G.Copies))
        continue;
      if (!Same || G.LastWait != Wait)
        return;
      Limit = std::min(Limit, F.Limit - (Index - GroupIndex));
    }
    if (AnyClash(C.Queue.open()))
      return;
  }
  auto I = WaitOperands.find(Wait);
  if (I == WaitOperands.end() || Limit < 0)
    return;
  CharSourceRange Range = editableRange(I->second);
  if (Range.isValid())
    F.Repairs.push_back({Repair::Kind::WaitForAll, Range.getBegin(), Range,
                         std::to_string(Limit), Limit});
}

CharSourceRange Repairs::cacheModifier(const GCCAsmStmt *A, size_t Offset) {
  const auto *Text = dyn_cast_if_present<StringLiteral>(A->getAsmStringExpr());
  if (!Text || Text->getCharByteWidth() != 1)
    return {};
  const size_t At = Text->getString().find(".cg", Offset);
  if (At == llvm::StringRef::npos)
    return {};
  const SourceManager &SM = Ctx.getSourceManager();
  const SourceLocation Loc = SM.getSpellingLoc(Text->getLocationOfByte(
      At + 1, SM, Ctx.getLangOpts(), Ctx.getTargetInfo()));
  // Not what `#` or `##` made, and no escape in between.
  if (SM.isInSystemHeader(Loc) || SM.isWrittenInScratchSpace(Loc) ||
      !SM.getBufferData(SM.getFileID(Loc))
           .drop_front(SM.getFileOffset(Loc))
           .starts_with("cg"))
    return {};
  return CharSourceRange::getCharRange(Loc, Loc.getLocWithOffset(2));
}
