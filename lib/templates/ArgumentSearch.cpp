//===- ArgumentSearch.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/templates/ArgumentSearch.h"
#include "lib/source/Layouts.h"
#include "lib/templates/NumberConditions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace clang;
using namespace cpasync;

/// Instances that are made for one template.
static constexpr unsigned MaxTries = 96;

namespace {
/// Which of its choices each parameter has.
using Picks = std::vector<unsigned>;

/// From some arguments to others with fewer errors, one parameter at a time:
/// static assertions each speak of a few.
class Search {
public:
  Search(const TemplateLevels &Of, llvm::ArrayRef<ParameterChoices> Choices,
         Instantiator &Tries)
      : Of(Of), Choices(Choices.begin(), Choices.end()), Tries(Tries),
        Conditions(Of) {}

  std::optional<Picks> from(Picks Now) {
    for (bool Moves = true; Moves && !at(Now).isGood();) {
      Moves = false;
      for (unsigned I = 0; I < Now.size(); ++I)
        Moves |= improve(Now, I);
    }
    return at(Now).isGood() ? std::optional(Now) : std::nullopt;
  }
  /// The first choice whose number for \p Distance is another, but for what
  /// static assertions ask.
  Picks start(unsigned Distance) {
    Picks P;
    for (const ParameterChoices &Each : Choices)
      P.push_back(Each.All.empty()
                      ? 0
                      : Distance %
                            std::min<size_t>(Each.Likely, Each.All.size()));
    NumberConditions::Values Known;
    NumberConditions::Candidates Numbers(P.size());
    for (unsigned I = 0; I < P.size(); ++I) {
      Known.push_back(valueOf(I, P[I]));
      // What is likely comes first in its turn, then what is less so; what
      // another instance has, last of what is likely.
      if (!isNumber(I))
        continue;
      llvm::SmallVector<int64_t, 16> Rest;
      for (unsigned J = 0, N = Choices[I].All.size(); J < N; ++J) {
        const int64_t Each = *valueOf(I, J == 0 ? P[I] : J <= P[I] ? J - 1 : J);
        const bool IsFirst = J < Choices[I].Likely && !Had.contains({I, Each});
        (IsFirst ? Numbers[I] : Rest).push_back(Each);
      }
      llvm::append_range(Numbers[I], Rest);
    }
    if (const auto Solved = Conditions.solve(Known, Numbers))
      for (unsigned I = 0; I < P.size(); ++I)
        if (isNumber(I))
          P[I] = placeOf(I, *(*Solved)[I]);
    return P;
  }
  const Instantiator::Result &at(const Picks &P) {
    auto [It, New] = Results.try_emplace(P);
    if (New)
      It->second = Tries.instantiate(Of, argumentsAt(P));
    return It->second;
  }
  void noteHad(const Picks &P) {
    for (unsigned I = 0; I < P.size(); ++I)
      if (isNumber(I))
        Had.emplace(I, *valueOf(I, P[I]));
  }
  TemplateArgumentChoice argumentsAt(const Picks &P) const {
    TemplateArgumentChoice Arguments;
    for (const auto &[Each, I] : llvm::zip(Choices, P))
      Arguments.push_back(Each.All.empty() ? std::nullopt
                                           : std::optional(Each.All[I]));
    return Arguments;
  }

private:
  bool isNumber(unsigned I) const {
    return !Choices[I].All.empty() &&
           llvm::all_of(Choices[I].All, [](const TemplateArgument &A) {
             return A.getKind() == TemplateArgument::Integral &&
                    A.getAsIntegral().tryExtValue();
           });
  }
  std::optional<int64_t> valueOf(unsigned I, unsigned Pick) const {
    if (Choices[I].All.empty())
      return std::nullopt;
    const TemplateArgument &A = Choices[I].All[Pick];
    if (A.getKind() == TemplateArgument::Integral)
      return A.getAsIntegral().tryExtValue();
    if (A.getKind() == TemplateArgument::Type)
      return Layouts(Tries.sema().Context).sizeOf(A.getAsType());
    return std::nullopt;
  }
  unsigned placeOf(unsigned I, int64_t Number) {
    std::vector<TemplateArgument> &All = Choices[I].All;
    for (unsigned J = 0; J < All.size(); ++J)
      if (valueOf(I, J) == Number)
        return J;
    ASTContext &Ctx = Tries.sema().Context;
    const QualType T = All[0].getIntegralType();
    All.emplace_back(Ctx, Ctx.MakeIntValue(Number, T), T);
    return All.size() - 1;
  }
  bool improve(Picks &Now, unsigned I) {
    const unsigned Errors = at(Now).Errors;
    Picks Next = Now;
    for (Next[I] = 0; Errors && Next[I] < Choices[I].All.size(); ++Next[I]) {
      if (Results.size() >= MaxTries && !Results.contains(Next))
        return false;
      if (at(Next).Errors >= Errors)
        continue;
      Now = Next;
      return true;
    }
    return false;
  }

  const TemplateLevels &Of;
  std::vector<ParameterChoices> Choices;
  Instantiator &Tries;
  const NumberConditions Conditions;
  std::map<Picks, Instantiator::Result> Results;
  /// Numbers of parameters in instances that were found.
  std::set<std::pair<unsigned, int64_t>> Had;
};
} // namespace

std::vector<FoundInstance>
cpasync::findInstances(const TemplateLevels &Of,
                       llvm::ArrayRef<ParameterChoices> Choices, unsigned Most,
                       Instantiator &Tries, std::string &Why) {
  Search S(Of, Choices, Tries);
  std::vector<FoundInstance> Found;
  for (unsigned Distance = 0; Distance < Most; ++Distance)
    if (const auto P = S.from(S.start(Distance))) {
      NamedDecl *Instance = S.at(*P).Instance;
      if (llvm::none_of(Found, [&](const FoundInstance &Old) {
            return Old.Instance == Instance;
          }))
        Found.push_back({Instance, S.argumentsAt(*P)});
      S.noteHad(*P);
    }
  if (Found.empty())
    Why =
        "no arguments that were tried compile: " + S.at(S.start(0)).FirstError;
  return Found;
}

std::string cpasync::textOf(const TemplateLevels &Of,
                            const TemplateArgumentChoice &Arguments,
                            const ASTContext &Ctx) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  for (const auto &[P, Argument] : llvm::zip(Of.parameters(), Arguments)) {
    if (!Argument)
      continue;
    Out << (Text.empty() ? "" : ", ");
    if (!P->getName().empty())
      Out << P->getName() << " = ";
    Argument->print(Ctx.getPrintingPolicy(), Out, /*IncludeType=*/false);
  }
  return Text;
}
