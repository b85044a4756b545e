//===- Feasibility.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/solve/Feasibility.h"
#include "lib/solve/Solver.h"
#include "lib/source/Layouts.h"
#include "lib/state/Symbols.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// Numbers that are told, and questions that making them small takes.
static constexpr size_t MaxNumbers = 6;
static constexpr unsigned MaxChecks = 60;
/// All parameters have one of them where a solver cannot say whether some do:
/// products of what is known it multiplies.
static constexpr int64_t Sizes[] = {1, 4, 16, 64, 256, 1024};
/// Longer expressions are no names.
static constexpr size_t MaxName = 32;

Terms Feasibility::give(Steps Decisions, llvm::ArrayRef<int> Witnesses,
                        GivenRange Given) {
  Solver->reset();
  Checks = 0;
  Terms To(*Solver, Ctx, Shared.Origins, Given);
  for (const PastDecision *D : Decisions)
    To.take(*D, Shared.V.lanes(), Witnesses);
  return To;
}

std::vector<SourceLocation>
Feasibility::contradiction(unsigned Decided, llvm::ArrayRef<int> Witnesses) {
  const auto All = Shared.History.upTo(Decided);
  llvm::SmallVector<const PastDecision *, 32> Needed(
      Steps(All).take_back(MaxDecisions));
  // From the newest on: what came first reads as the reason.
  for (size_t I = Needed.size(); I-- > 0;) {
    if (!Needed[I]->Condition)
      continue;
    auto Fewer = Needed;
    Fewer.erase(Fewer.begin() + I);
    give(Fewer, Witnesses);
    if (check(*Solver) == std::optional(false))
      Needed = std::move(Fewer);
  }
  std::vector<SourceLocation> Places;
  for (const PastDecision *D : Needed)
    if (D->Condition && !llvm::is_contained(Places, D->Loc))
      Places.push_back(D->Loc);
  return Places;
}

bool Feasibility::takesUnusual(unsigned Decided,
                               llvm::ArrayRef<int> Witnesses) {
  begin(Decided, Witnesses, {/*IsAny=*/true, 0, std::nullopt});
  return check(*Solver) == std::optional(true);
}

Terms Feasibility::begin(unsigned Decided, llvm::ArrayRef<int> Witnesses,
                         GivenRange Given) {
  const auto All = Shared.History.upTo(Decided);
  return give(Steps(All).take_back(MaxDecisions), Witnesses, Given);
}

Feasibility::Answer Feasibility::solve(unsigned Decided,
                                       llvm::ArrayRef<int> Witnesses,
                                       int64_t Least) {
  Answer R;
  if (!Solver)
    return R;
  if (!Decided) {
    R.K = Answer::Kind::Possible; // nothing stands in its way
    return R;
  }
  auto Answered = [&](Effort Most) {
    Terms Of = begin(Decided, Witnesses, {false, Least, std::nullopt});
    const std::optional<bool> Known = check(*Solver, Most);
    if (Known == std::optional(true))
      R = {Answer::Kind::Possible, numbers(Of, std::nullopt)};
    else if (Known)
      R.K = Answer::Kind::Impossible;
    return Known.has_value();
  };
  if (Answered(Effort::Little))
    return R;
  for (const int64_t Size : Sizes) {
    if (Size < Least)
      continue;
    Terms Sized = begin(Decided, Witnesses, {false, Least, Size});
    if (check(*Solver) == std::optional(true))
      return {Answer::Kind::Possible, numbers(Sized, Size)};
  }
  Answered(Effort::All);
  return R;
}

std::optional<int64_t> Feasibility::between(Terms &Of,
                                            const llvm::SMTExprRef &X,
                                            int64_t Lo, int64_t Hi) {
  if (++Checks > MaxChecks)
    return std::nullopt;
  std::optional<int64_t> Found;
  Solver->push();
  Solver->addConstraint(Of.isBetween(X, Lo, Hi));
  llvm::APSInt Value(64, /*isUnsigned=*/false);
  // What a model leaves out may be anything.
  if (check(*Solver) == std::optional(true))
    Found = Solver->getInterpretation(X, Value)
                ? llvm::APSInt(Value, /*isUnsigned=*/false).getSExtValue()
                : Lo;
  Solver->pop();
  return Found;
}

// Or the next below 0. What may be anything up to there is asked for in steps
// that grow: small numbers are frequent.
std::optional<int64_t> Feasibility::least(Terms &Of,
                                          const llvm::SMTExprRef &X) {
  std::optional<int64_t> Known = between(Of, X, 0, INT32_MAX);
  const int64_t Sign = Known ? 1 : -1;
  if (!Known)
    Known = between(Of, X, INT32_MIN, -1);
  if (!Known)
    return std::nullopt;
  for (int64_t Lo = 0, Most = Sign * *Known, Step = 1; Lo < Most;) {
    const int64_t Hi = std::min(Lo + Step, Most) - 1;
    if (const std::optional<int64_t> Less =
            between(Of, X, std::min(Sign * Lo, Sign * Hi),
                    std::max(Sign * Lo, Sign * Hi))) {
      Known = Less;
      Most = Sign * *Less;
      Step = 1;
    } else {
      Lo = Hi + 1;
      Step *= 4;
    }
  }
  return Known;
}

// One run shows several things, mostly. The solver is told to have those
// numbers again if it can.
bool Feasibility::hasNewest(Terms &Of, llvm::ArrayRef<NamedTerm> Named) {
  llvm::SMTExprRef Again = Solver->mkBoolean(true);
  unsigned Known = 0;
  for (const NamedTerm &N : Named)
    if (const GivenNumber *Old = newest(N.Symbol)) {
      Again =
          Solver->mkAnd(Again, Solver->mkEqual(N.Is, Of.constant(Old->Value)));
      ++Known;
    }
  if (Known < 2) // one is found as fast
    return false;
  Solver->push();
  Solver->addConstraint(Again);
  if (check(*Solver, Effort::Little) == std::optional(true))
    return true;
  Solver->pop();
  return false;
}

const GivenNumber *Feasibility::newest(const Atom *Symbol) const {
  const auto Found = llvm::find_if(
      Newest, [&](const GivenNumber &N) { return N.Symbol == Symbol; });
  return Found == Newest.end() ? nullptr : &*Found;
}

std::vector<GivenNumber>
Feasibility::numbers(Terms &Of, std::optional<int64_t> Parameters) {
  llvm::SmallVector<NamedTerm, MaxNumbers> Named;
  for (const auto &[Meaning, X] : Of.uniform()) {
    const auto &[Symbol, Renewals] = Meaning;
    // Of several that it has been, the name does not say which.
    if (Of.isOnlyLoaded(Symbol) || Renewals > 0 || Of.renewals(Symbol) > 0 ||
        Of.isOneOfSeveral(Symbol) || Named.size() == MaxNumbers)
      continue;
    if (std::string Name = nameOfNumber(Ctx, Shared.Origins, Symbol);
        !Name.empty())
      Named.push_back({Symbol, X, std::move(Name)});
  }
  const bool HasNewest = !Parameters && hasNewest(Of, Named);
  std::vector<GivenNumber> Numbers;
  for (NamedTerm &N : Named) {
    const GivenNumber *Old = HasNewest ? newest(N.Symbol) : nullptr;
    const std::optional<int64_t> Value =
        Old ? std::optional(Old->Value)
        : Parameters && Shared.Origins.isParameter(N.Symbol) ? Parameters
                                                             : least(Of, N.Is);
    if (!Value)
      continue;
    Solver->addConstraint(Solver->mkEqual(N.Is, Of.constant(*Value)));
    Numbers.push_back({N.Symbol, *Value, std::move(N.Name)});
  }
  if (!Parameters)
    Newest = Numbers;
  return Numbers;
}

// A parameter, or what is in it: members whole, the outermost left out where
// there are too many.
static std::string pathInParameter(ASTContext &Ctx, const SymbolOrigin &From,
                                   int64_t At) {
  Layouts Known(Ctx);
  QualType T = From.Holder->getType();
  const int64_t Size = Known.sizeOf(From.Type);
  std::string Path = Known.pathTo(T, At, /*Size=*/0);
  const StringRef Name = KernelRun::nameOf(From.Holder);
  if (Name.empty() || At != 0 || Known.sizeOf(T) != Size)
    return "";
  constexpr StringRef LeftOut = "..";
  bool IsCut = false;
  const auto Length = [&] {
    return Name.size() + Path.size() + (IsCut ? LeftOut.size() : 0);
  };
  while (Length() > MaxName) {
    const size_t Next = Path.find('.', 1);
    if (Next == std::string::npos)
      return "";
    Path.erase(0, Next);
    IsCut = true;
  }
  return Name.str() + (IsCut ? LeftOut.str() : "") + Path;
}

std::string cpasync::nameOfNumber(ASTContext &Ctx, const TermOrigins &Origins,
                                  const Atom *Symbol) {
  if (Symbols::isInGrid(Symbol)) {
    const auto What = static_cast<const char *>(Symbol->Origin) - Symbols::Grid;
    const std::string Axis(1, static_cast<char>(Symbol->Number));
    return What == Symbols::BlockIndex   ? "blockIdx." + Axis
           : What == Symbols::BlockCount ? "gridDim." + Axis
                                         : "";
  }
  const SymbolOrigin *From = Origins.of(Symbol);
  if (!From)
    return "";
  if (From->Decl)
    return KernelRun::nameOf(From->Decl).str();
  if (From->Holder)
    if (std::string Path = pathInParameter(Ctx, *From, Symbol->Number);
        !Path.empty())
      return Path;
  const Expr *E = From->E->IgnoreParenImpCasts();
  // First seen in an assertion.
  if (isa<MemberExpr>(E) && E->getBeginLoc().isMacroID()) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    E->printPretty(OS, nullptr, Ctx.getPrintingPolicy());
    return Text.size() <= MaxName ? Text : "";
  }
  const auto *Operation = dyn_cast<BinaryOperator>(E);
  if (isa<CallExpr, ConditionalOperator>(E) || E->getBeginLoc().isMacroID() ||
      (Operation && Operation->isAssignmentOp()))
    return "";
  const StringRef Text =
      Lexer::getSourceText(CharSourceRange::getTokenRange(E->getSourceRange()),
                           Ctx.getSourceManager(), Ctx.getLangOpts());
  return Text.size() <= MaxName && !Text.contains('\n') ? Text.str() : "";
}
