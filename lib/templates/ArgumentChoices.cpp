//===- ArgumentChoices.cpp ------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/templates/ArgumentChoices.h"
#include "lib/source/Layouts.h"
#include "lib/templates/ArgumentSearch.h"
#include "lib/templates/Requirements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace clang;
using namespace cpasync;
using llvm::StringRef;

/// Classes that are tried for one parameter, and instances of one template.
static constexpr unsigned MaxClasses = 6, MaxOfTemplate = 2;
/// Templates that are arguments of each other.
static constexpr unsigned MaxDepth = 2;

// What one warp does alone hides what others would not wait for: lines are
// longer than a warp at first.
static const int Stages[] = {2, 4, 3, 5, 1, 8};
static const int Threads[] = {128, 256, 64, 96, 160, 192, 32, 512};
/// Of warps, or blocks of a tile.
static const int Counts[] = {4, 2, 8, 1, 3, 16};
static const int Vectors[] = {4, 8, 2, 1, 16};
static const int Bytes[] = {16, 8, 4, 32, 64, 128, 1024, 4096};
static const int Tiles[] = {64, 32, 128, 16, 8, 96, 256, 4, 2, 1};
static const int Lines[] = {256, 128, 64, 1024, 512, 32, 16, 8, 4, 2, 1};
static const int NoGroups[] = {0};
static const int CopySizes[] = {16, 8, 4};
static const int Halos[] = {1, 2, 3, 4, 8};
static const int Pads[] = {8, 0, 16, 4, 1};
static const int Taps[] = {3, 5, 4, 7, 1, 2};
static const int Bits[] = {8, 4, 6, 5, 10, 2, 1};
static const int Shifts[] = {0, 4, 8, 2, 3};
/// Not 0, which is a multiple of everything and of which nothing is done.
static const int AnyNumber[] = {64, 32, 128, 16, 8, 4, 2, 1, 3, 256, 5, 512};

namespace {
struct Meaning {
  StringRef Word; ///< in a name, in lower case
  llvm::ArrayRef<int> Numbers;
};
} // namespace

llvm::ArrayRef<int> cpasync::likelyNumbers(StringRef ParameterName) {
  // The first word that a name has: "ThreadsPerRow" counts threads,
  // "TileElems" what a tile has.
  static const Meaning Meanings[] = {
      {"bits", Bits},          {"shift", Shifts},     {"stage", Stages},
      {"pipe", Stages},        {"depth", Stages},     {"buffers", Stages},
      {"slots", Stages},       {"bytes", Bytes},      {"warps", Counts},
      {"threads", Threads},    {"nthr", Threads},     {"blocksize", Threads},
      {"block_size", Threads}, {"blockdim", Threads}, {"blocks", Counts},
      {"radius", Halos},       {"halo", Halos},       {"pad", Pads},
      {"skew", Pads},          {"taps", Taps},        {"ksize", Taps},
      {"filter", Taps},        {"tileelem", Lines},   {"tilelen", Lines},
      {"tilesize", Lines},     {"tile_size", Lines},  {"slotelem", Lines},
      {"chunk", Lines},        {"len", Lines},        {"hidden", Lines},
      {"bins", Lines},         {"width", Lines},      {"tile", Tiles},
      {"vec", Vectors},        {"items", Vectors},    {"pack", Vectors},
      {"unroll", Vectors},     {"elem", Vectors},     {"per", Vectors},
      {"block", Tiles},        {"dim", Tiles},        {"row", Tiles},
      {"col", Tiles},          {"head", Tiles},       {"size", Lines},
  };
  const std::string Name = ParameterName.lower();
  for (const Meaning &M : Meanings)
    if (StringRef(Name).contains(M.Word))
      return M.Numbers;
  return AnyNumber;
}

namespace {

using Choices = std::vector<TemplateArgument>;

class Guesser {
public:
  Guesser(const DeviceFunctions &Declared, Instantiator &Tries)
      : Declared(Declared), Tries(Tries), S(Tries.sema()), Ctx(S.Context) {}

  std::optional<std::vector<ParameterChoices>>
  choices(const TemplateLevels &Of, const Requirements &Asked,
          std::string &Unknown) {
    const std::vector<const NamedDecl *> Parameters = Of.parameters();
    std::vector<ParameterChoices> All;
    for (const auto &[I, P] : llvm::enumerate(Parameters)) {
      // A default counts if nothing behind it has to be given.
      const bool IsLast = llvm::all_of(
          llvm::ArrayRef(Parameters).drop_front(I), [&](const NamedDecl *X) {
            return maySkip(X) || depthOf(X) != depthOf(P);
          });
      ParameterChoices Of;
      if (!IsLast) {
        Of = choicesFor(P, Asked);
        if (Of.All.empty()) {
          Unknown = P->getName().str();
          return std::nullopt;
        }
      }
      All.push_back(std::move(Of));
    }
    return All;
  }

private:
  static unsigned depthOf(const NamedDecl *P) {
    if (const auto *T = dyn_cast<TemplateTypeParmDecl>(P))
      return T->getDepth();
    if (const auto *N = dyn_cast<NonTypeTemplateParmDecl>(P))
      return N->getDepth();
    return cast<TemplateTemplateParmDecl>(P)->getDepth();
  }
  /// It has a default, which is meant, or may be empty.
  static bool maySkip(const NamedDecl *P) {
    if (P->isTemplateParameterPack())
      return true;
    if (const auto *T = dyn_cast<TemplateTypeParmDecl>(P))
      return T->hasDefaultArgument();
    if (const auto *N = dyn_cast<NonTypeTemplateParmDecl>(P))
      return N->hasDefaultArgument();
    return cast<TemplateTemplateParmDecl>(P)->hasDefaultArgument();
  }

  /// Its default alone, if that hangs on no other parameter.
  Choices defaultOf(const NamedDecl *P) {
    if (const auto *N = dyn_cast<NonTypeTemplateParmDecl>(P)) {
      const Expr *E = N->hasDefaultArgument()
                          ? N->getDefaultArgument().getSourceExpression()
                          : nullptr;
      if (!E || E->isValueDependent() || N->getType()->isDependentType())
        return {};
      if (const auto Value = Layouts(Ctx).integer(E))
        return {{Ctx, *Value, N->getType().getUnqualifiedType()}};
    } else if (const auto *T = dyn_cast<TemplateTypeParmDecl>(P)) {
      if (T->hasDefaultArgument()) {
        const TemplateArgument &A = T->getDefaultArgument().getArgument();
        if (!A.isDependent())
          return {A};
      }
    }
    return {};
  }

  ParameterChoices choicesFor(const NamedDecl *P, const Requirements &Asked) {
    if (Choices Default = defaultOf(P); !Default.empty())
      return {std::move(Default)};
    if (const auto *N = dyn_cast<NonTypeTemplateParmDecl>(P)) {
      const Requirements::OfNumber &Of = Asked.of(N);
      return {numbers(N, Of), Of.Is == Requirements::Role::WaitCount ? 1u : 3u};
    }
    if (const auto *T = dyn_cast<TemplateTypeParmDecl>(P)) {
      const Requirements::OfType &Of = Asked.of(T);
      return {Of.Members.empty() ? plainTypes() : classesWith(Of)};
    }
    return {};
  }

  Choices numbers(const NonTypeTemplateParmDecl *P,
                  const Requirements::OfNumber &Of) {
    const QualType T = P->getType();
    Choices Found;
    if (T->isDependentType())
      return Found;
    const auto Add = [&](const llvm::APSInt &N) {
      Found.emplace_back(Ctx, N, T.getUnqualifiedType());
    };
    if (const auto *E = T->getAsEnumDecl()) {
      for (const EnumConstantDecl *C : E->enumerators())
        Add(C->getInitVal());
    } else if (T->isBooleanType()) {
      Add(Ctx.MakeIntValue(1, T));
      Add(Ctx.MakeIntValue(0, T));
    } else if (T->isIntegerType()) {
      llvm::SmallVector<int64_t, 16> Numbers;
      llvm::append_range(Numbers, Of.Is == Requirements::Role::WaitCount
                                      ? llvm::ArrayRef(NoGroups)
                                  : Of.Is == Requirements::Role::CopySize
                                      ? llvm::ArrayRef(CopySizes)
                                      : likelyNumbers(P->getName()));
      for (int N : AnyNumber)
        if (!llvm::is_contained(Numbers, N))
          Numbers.push_back(N);
      for (int64_t N : Numbers)
        Add(Ctx.MakeIntValue(N, T));
    }
    return Found;
  }

  /// Elements of matrices.
  Choices plainTypes() {
    Choices Found = {TemplateArgument(Ctx.FloatTy)};
    for (StringRef Name : {"__half", "__nv_bfloat16"})
      if (const CXXRecordDecl *C = classNamed(Name))
        Found.emplace_back(Ctx.getCanonicalTagType(C));
    for (QualType T : {Ctx.SignedCharTy, Ctx.IntTy, Ctx.UnsignedIntTy,
                       Ctx.UnsignedCharTy, Ctx.DoubleTy})
      Found.emplace_back(T);
    if (const CXXRecordDecl *C = classNamed("float4"))
      Found.emplace_back(Ctx.getCanonicalTagType(C));
    Found.emplace_back(Ctx.getPointerType(Ctx.FloatTy));
    return Found;
  }
  const CXXRecordDecl *classNamed(StringRef Name) {
    for (const NamedDecl *D :
         Ctx.getTranslationUnitDecl()->lookup(&Ctx.Idents.get(Name)))
      if (const auto *C = dyn_cast<CXXRecordDecl>(D); C && C->getDefinition())
        return C->getDefinition();
    return nullptr;
  }

  bool isUsers(const Decl *D) const {
    return !Ctx.getSourceManager().isInSystemHeader(D->getLocation());
  }
  static bool hasAll(const CXXRecordDecl *C, const Requirements::OfType &Of) {
    return llvm::all_of(Of.Members, [&](DeclarationName Name) {
      return C->hasMemberName(Name);
    });
  }

  /// Classes of the file, the last ones first: a kernel follows what it is
  /// written for. Vectors of CUDA have members, too.
  Choices classesWith(const Requirements::OfType &Of) {
    Choices Found;
    for (const CXXRecordDecl *C : llvm::reverse(Declared.Classes))
      if (Found.size() < MaxClasses && isUsers(C) && hasAll(C, Of) &&
          !isa<ClassTemplateSpecializationDecl>(C))
        Found.emplace_back(Ctx.getCanonicalTagType(C));
    for (ClassTemplateDecl *C : llvm::reverse(Declared.ClassTemplates))
      if (Found.size() < MaxClasses && isUsers(C) &&
          C->getTemplatedDecl()->hasDefinition() &&
          hasAll(C->getTemplatedDecl(), Of))
        llvm::append_range(Found, instancesOf(C, Of));
    for (StringRef Name : {"float4", "float2", "int4", "uint4", "__half2"})
      if (const CXXRecordDecl *C = classNamed(Name); C && hasAll(C, Of))
        Found.emplace_back(Ctx.getCanonicalTagType(C));
    return Found;
  }
  const Choices &instancesOf(ClassTemplateDecl *C,
                             const Requirements::OfType &User) {
    static const Choices None;
    const std::pair Key(C, User.OfMembers);
    if (Depth == MaxDepth && !OfTemplate.contains(Key))
      return None;
    const auto [It, New] = OfTemplate.try_emplace(Key);
    const CXXRecordDecl *Pattern = C->getTemplatedDecl()->getDefinition();
    const auto Of = TemplateLevels::of(Pattern);
    if (!New || !Of)
      return It->second;
    ++Depth;
    std::string Unused;
    std::vector<FoundInstance> Instances;
    Requirements Asked(Pattern);
    Asked.askOfMembers(Pattern, User);
    if (const auto All = choices(*Of, Asked, Unused))
      Instances = findInstances(*Of, *All, MaxOfTemplate, Tries, Unused);
    --Depth;
    Choices &Found = OfTemplate[Key];
    for (const FoundInstance &X : Instances)
      Found.emplace_back(
          Ctx.getCanonicalTagType(cast<CXXRecordDecl>(X.Instance)));
    return Found;
  }

  const DeviceFunctions &Declared;
  Instantiator &Tries;
  Sema &S;
  ASTContext &Ctx;
  /// And by what is asked of the types that an instance hands on.
  std::map<std::pair<const ClassTemplateDecl *,
                     decltype(Requirements::OfType::OfMembers)>,
           Choices>
      OfTemplate;
  unsigned Depth = 0;
};
} // namespace

std::optional<std::vector<ParameterChoices>>
cpasync::argumentChoices(const TemplateLevels &Of,
                         const DeviceFunctions &Declared, Instantiator &Tries,
                         std::string &Unknown) {
  return Guesser(Declared, Tries)
      .choices(Of, Requirements(Of.Pattern), Unknown);
}
