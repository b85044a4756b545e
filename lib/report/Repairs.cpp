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
#include "llvm/ADT/StringExtras.h"

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

namespace {
/// A parameter of the template that a function is an instance of, and what is
/// taken off it.
struct TemplateOperand {
  unsigned Index;
  int64_t Minus;
};
} // namespace

static std::optional<TemplateOperand> templateOperand(const WrittenOperand &W) {
  const Expr *E = plain(W.E);
  int64_t Minus = 0;
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    const auto *Right = dyn_cast<IntegerLiteral>(plain(B->getRHS()));
    if (B->getOpcode() != BO_Sub || !Right)
      return std::nullopt;
    Minus = Right->getValue().getLimitedValue(INT32_MAX);
    E = plain(B->getLHS());
  }
  const auto *Parm = dyn_cast<SubstNonTypeTemplateParmExpr>(E);
  if (!Parm || Parm->getPackIndex() || !W.In->getPrimaryTemplate() ||
      Parm->getParameter()->getDepth() != 0 || W.In->getParent()->isRecord())
    return std::nullopt;
  return TemplateOperand{Parm->getIndex(), Minus};
}

// With \p Less off, it is no count in some instance.
static bool mayBeNegative(const WrittenOperand &W, const TemplateOperand &Of,
                          int64_t Less) {
  FunctionTemplateDecl *Template = W.In->getPrimaryTemplate();
  return llvm::any_of(Template->specializations(), [&](FunctionDecl *Instance) {
    const TemplateArgumentList *Args =
        Instance->getTemplateSpecializationArgs();
    if (!Args || Of.Index >= Args->size() ||
        Args->get(Of.Index).getKind() != TemplateArgument::Integral)
      return true;
    return int64Of(Args->get(Of.Index).getAsIntegral()) - Of.Minus < Less;
  });
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
  // In an instantiation, only a literal surely stands for one number in all; a
  // parameter may stay where it is.
  if (isInstantiated(W.In)
          ? !isa<IntegerLiteral>(plain(W.E)) && !templateOperand(W)
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

static bool isNumber(llvm::StringRef Text) {
  return !Text.empty() &&
         Text.find_first_not_of("0123456789") == llvm::StringRef::npos;
}

// It has a name in it.
static bool isSymbolic(llvm::StringRef Text) {
  return !Text.empty() && !llvm::isDigit(Text.front()) &&
         llvm::any_of(Text, [](char C) { return llvm::isAlpha(C); });
}

std::string Repairs::countText(const WrittenOperand &W, int64_t N,
                               int64_t Less) {
  const SourceManager &SM = Ctx.getSourceManager();
  const auto TextOf = [&](SourceRange Range) {
    const CharSourceRange InFile = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(Range), SM, Ctx.getLangOpts());
    return Lexer::getSourceText(InFile, SM, Ctx.getLangOpts());
  };
  const llvm::StringRef All = TextOf(W.Range);
  const auto Of = templateOperand(W);
  if (Of && mayBeNegative(W, *Of, Less))
    return {};
  if (const auto *B = dyn_cast<BinaryOperator>(plain(W.E));
      B && B->isAdditiveOp()) {
    const llvm::StringRef Left = TextOf(B->getLHS()->getSourceRange()),
                          Right = TextOf(B->getRHS()->getSourceRange());
    int64_t Off = 0;
    if (isSymbolic(Left) && isNumber(Right) && !Right.getAsInteger(10, Off)) {
      Off = Less + (B->getOpcode() == BO_Sub ? Off : -Off);
      return Off == 0  ? Left.str()
             : Off < 0 ? (Left + " + " + llvm::Twine(-Off)).str()
                       : (Left + " - " + llvm::Twine(Off)).str();
    }
  }
  if (!isSymbolic(All))
    return std::to_string(N);
  const auto *B = dyn_cast<BinaryOperator>(plain(W.E));
  const bool IsTight = B ? B->isAdditiveOp() || B->isMultiplicativeOp()
                         : !isa<AbstractConditionalOperator>(plain(W.E));
  return ((IsTight ? All.str() : "(" + All.str() + ")") + " - " +
          llvm::Twine(Less))
      .str();
}

// A count that suits every round of the wait's loop is right, one that only
// some need keeps copies from overlapping.
static Repair::Slowness slowness(const FlightPath &Path,
                                 const TraceNode *Loop) {
  using Slowness = Repair::Slowness;
  const TraceNode *Wait = newestWait(Path);
  if (!Wait || !Wait->InLoop)
    return Slowness::None;
  const SourceLocation Around = Wait->InLoop->Loc;
  if (!Loop || (Loop->Loc != Around && !isInLoop(Loop, Around)))
    return Slowness::ByLoopEnd;
  const bool GoesRound = llvm::any_of(Path.Steps, [](const TraceNode *N) {
    return N->K == TraceStep::Kind::BranchTaken && !N->Flag && !N->May &&
           N->Role == TraceNode::LoopRole::None &&
           (N->Effects & (EffectCopy | EffectGroup));
  });
  if (GoesRound)
    return Slowness::ByCommits;
  return Path.Issue && isInLoop(Path.Issue, Around) ? Slowness::None
                                                    : Slowness::ByStart;
}

// The newest group that is read decides; what another wait or other threads
// would have to complete is not repaired by this one.
std::optional<int64_t>
Repairs::neededLimit(const Finding &F, EventId Wait, const Footprint *Read,
                     const BlockCopies::ThreadClass &Class, int GroupIndex,
                     const State &S) {
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
        return std::nullopt;
      Limit = std::min(Limit, F.Limit - (Index - GroupIndex));
    }
    if (AnyClash(C.Queue.open()))
      return std::nullopt;
  }
  return Limit < 0 ? std::nullopt : std::optional(Limit);
}

void Repairs::offerRepair(Finding &F, const FlightPath &Path,
                          const Footprint *Read,
                          const BlockCopies::ThreadClass &Class, int GroupIndex,
                          const State &S) {
  if (F.Cause != InFlightCause::WaitTooWeak)
    return;
  const auto Limit = neededLimit(F, Path.Wait, Read, Class, GroupIndex, S);
  const auto I = WaitOperands.find(Path.Wait);
  if (I == WaitOperands.end() || !Limit)
    return;
  const CharSourceRange Range = editableRange(I->second);
  if (Range.isInvalid())
    return;
  Repair R{Repair::Kind::WaitForAll, Range.getBegin(), Range, "", *Limit};
  R.Slow = slowness(Path, Run.loopAround(S));
  // Outside of a rhythm, nothing hangs on how much is in flight otherwise.
  const TraceNode *Wait = newestWait(Path);
  const bool IsForAll = *Limit == 0 && (R.Slow != Repair::Slowness::None ||
                                        !Wait || !Wait->InLoop);
  R.Code = IsForAll ? "0" : countText(I->second, *Limit, F.Value - *Limit);
  if (!R.Code.empty())
    F.Repairs.push_back(std::move(R));
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
