//===- Instantiator.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/templates/Instantiator.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <memory>

using namespace clang;
using namespace cpasync;

/// The template that \p D is what is written in; null: it is none.
static TemplateDecl *templateAround(const NamedDecl *D) {
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    return F->getDescribedFunctionTemplate();
  if (const auto *C = dyn_cast<CXXRecordDecl>(D))
    return C->getDescribedClassTemplate();
  return nullptr;
}

std::optional<TemplateLevels> TemplateLevels::of(const NamedDecl *Pattern) {
  TemplateLevels Of;
  Of.Pattern = Pattern;
  for (const auto *D = Pattern; D && D->isTemplated();
       D = dyn_cast<NamedDecl>(D->getDeclContext())) {
    if (isa<ClassTemplatePartialSpecializationDecl>(D) ||
        !isa<FunctionDecl, CXXRecordDecl>(D))
      return std::nullopt;
    // A friend, or a local class: its template is not the place it stands in.
    if (isa<FunctionDecl>(D) && D != Pattern)
      return std::nullopt;
    if (TemplateDecl *T = templateAround(D))
      Of.Levels.insert(Of.Levels.begin(), T);
  }
  if (Of.Levels.empty())
    return std::nullopt;
  return Of;
}

std::vector<const NamedDecl *> TemplateLevels::parameters() const {
  std::vector<const NamedDecl *> All;
  for (const TemplateDecl *T : Levels)
    llvm::append_range(All, T->getTemplateParameters()->asArray());
  return All;
}

/// Takes the place of whoever is told of errors.
class Instantiator::ErrorCounter : public DiagnosticConsumer {
public:
  ErrorCounter(Instantiator &For, Result &To)
      : For(For), To(To), Engine(For.S.getDiagnostics()),
        Others(Engine.getClient()),
        HadFatalsAsError(Engine.getFatalsAsError()) {
    if (Engine.ownsClient())
      Owned = Engine.takeClient();
    Engine.setClient(this, /*ShouldOwnClient=*/false);
  }
  ~ErrorCounter() override {
    Engine.setFatalsAsError(HadFatalsAsError);
    if (Owned)
      Engine.setClient(Owned.release(), /*ShouldOwnClient=*/true);
    else
      Engine.setClient(Others, /*ShouldOwnClient=*/false);
  }
  ErrorCounter(const ErrorCounter &) = delete;
  ErrorCounter &operator=(const ErrorCounter &) = delete;

  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override {
    if (Level < DiagnosticsEngine::Error)
      return;
    // One that goes on without end in two places would never come to it.
    if (Info.getID() == diag::err_template_recursion_depth_exceeded)
      Engine.setFatalsAsError(false);
    for (const Sema::CodeSynthesisContext &X : For.S.CodeSynthesisContexts)
      if (X.Kind == Sema::CodeSynthesisContext::TemplateInstantiation &&
          X.Entity)
        For.Broken.insert(X.Entity->getCanonicalDecl());
    if (To.Errors++ > 0)
      return;
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    if (Info.hasSourceManager() && Info.getLocation().isValid())
      To.FirstError =
          "line " +
          std::to_string(Info.getSourceManager().getExpansionLineNumber(
              Info.getLocation())) +
          ": ";
    To.FirstError += Text.str();
  }

private:
  Instantiator &For;
  Result &To;
  DiagnosticsEngine &Engine;
  DiagnosticConsumer *Others;
  bool HadFatalsAsError;
  std::unique_ptr<DiagnosticConsumer> Owned;
};

namespace {
/// Whether code names something of a set.
class NamesOneOf : public RecursiveASTVisitor<NamesOneOf> {
public:
  explicit NamesOneOf(const llvm::DenseSet<const Decl *> &Set) : Set(Set) {}

  bool isFound(const FunctionDecl *F) {
    look(F);
    return Found;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) { return look(E->getDecl()); }
  bool VisitMemberExpr(MemberExpr *E) { return look(E->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    return look(E->getConstructor());
  }
  bool VisitVarDecl(VarDecl *D) {
    return look(D->getType()->getAsCXXRecordDecl());
  }
  bool VisitTypeLoc(TypeLoc T) {
    return look(T.getType()->getAsCXXRecordDecl());
  }

private:
  /// Goes on while there is nothing.
  bool look(const Decl *D) {
    if (!D || Found || !Seen.insert(D->getCanonicalDecl()).second)
      return !Found;
    Found = Set.contains(D->getCanonicalDecl());
    if (const auto *In = dyn_cast<CXXRecordDecl>(D->getDeclContext()))
      look(In);
    const FunctionDecl *F = D->getAsFunction();
    const FunctionDecl *Body = nullptr;
    if (!Found && F && F->isTemplateInstantiation() && F->hasBody(Body))
      TraverseStmt(Body->getBody());
    return !Found;
  }

  const llvm::DenseSet<const Decl *> &Set;
  llvm::DenseSet<const Decl *> Seen;
  bool Found = false;
};
} // namespace

/// The arguments of one level as Clang wants them; none after a default.
static TemplateArgumentListInfo
written(Sema &S, const TemplateDecl *T,
        llvm::ArrayRef<std::optional<TemplateArgument>> Arguments) {
  const SourceLocation Loc = T->getLocation();
  TemplateArgumentListInfo Info(Loc, Loc);
  for (const auto &[Parameter, Argument] :
       llvm::zip(T->getTemplateParameters()->asArray(), Arguments)) {
    if (!Argument)
      break;
    QualType Type;
    if (Argument->getKind() == TemplateArgument::Integral)
      Type = Argument->getIntegralType();
    Info.addArgument(
        S.getTrivialTemplateArgumentLoc(*Argument, Type, Loc, Parameter));
  }
  return Info;
}

/// What \p Pattern, a member of a template, has become in \p Of.
template <typename T> static T *memberOf(CXXRecordDecl *Of, const T *Pattern) {
  for (Decl *D : Of->decls()) {
    auto *Member = dyn_cast<T>(D);
    if (!Member)
      continue;
    const T *From = nullptr;
    if constexpr (std::is_base_of_v<RedeclarableTemplateDecl, T>)
      From = cast_or_null<T>(Member->getInstantiatedFromMemberTemplate());
    else if constexpr (std::is_same_v<CXXRecordDecl, T>)
      From = Member->getInstantiatedFromMemberClass();
    else
      From = cast_or_null<T>(Member->getInstantiatedFromMemberFunction());
    if (From && From->getCanonicalDecl() == Pattern->getCanonicalDecl())
      return Member;
  }
  return nullptr;
}

CXXRecordDecl *Instantiator::complete(CXXRecordDecl *C) {
  const QualType T = S.Context.getCanonicalTagType(C);
  if (S.RequireCompleteType(C->getLocation(), T, diag::err_incomplete_type))
    return nullptr;
  return C->getDefinition();
}

void Instantiator::defineConstructors(CXXRecordDecl *Of) {
  for (CXXConstructorDecl *C : Of->ctors())
    if (C->isImplicitlyInstantiable() && !C->isDefined())
      S.InstantiateFunctionDefinition(Of->getLocation(), C,
                                      /*Recursive=*/true);
}

CXXRecordDecl *Instantiator::makeClass(CXXRecordDecl *In,
                                       const CXXRecordDecl *Pattern,
                                       TemplateArgumentListInfo &Arguments) {
  CXXRecordDecl *Made = nullptr;
  if (ClassTemplateDecl *T = Pattern->getDescribedClassTemplate()) {
    ClassTemplateDecl *Member = In ? memberOf(In, T) : T;
    const QualType Type =
        Member
            ? S.CheckTemplateIdType(ElaboratedTypeKeyword::None,
                                    TemplateName(Member), Member->getLocation(),
                                    Arguments, /*Scope=*/nullptr,
                                    /*ForNestedNameSpecifier=*/false)
            : QualType();
    Made = Type.isNull() ? nullptr : Type->getAsCXXRecordDecl();
  } else if (In) {
    Made = memberOf(In, Pattern);
  }
  return Made ? complete(Made) : nullptr;
}

FunctionDecl *Instantiator::makeFunction(CXXRecordDecl *In,
                                         const FunctionDecl *Pattern,
                                         TemplateArgumentListInfo &Arguments) {
  FunctionDecl *Made = nullptr;
  if (FunctionTemplateDecl *T = Pattern->getDescribedFunctionTemplate()) {
    FunctionTemplateDecl *Member = In ? memberOf(In, T) : T;
    Sema::CheckTemplateArgumentInfo Checked;
    if (!Member ||
        S.CheckTemplateArgumentList(Member, Member->getLocation(), Arguments,
                                    DefaultArguments(),
                                    /*PartialTemplateArgs=*/false, Checked))
      return nullptr;
    Made = S.InstantiateFunctionDeclaration(
        Member,
        TemplateArgumentList::CreateCopy(S.Context, Checked.CanonicalConverted),
        Member->getLocation());
  } else if (const auto *M = dyn_cast<CXXMethodDecl>(Pattern); M && In) {
    Made = memberOf(In, M);
  }
  if (!Made)
    return nullptr;
  S.InstantiateFunctionDefinition(Pattern->getLocation(), Made,
                                  /*Recursive=*/true,
                                  /*DefinitionRequired=*/true,
                                  /*AtEndOfTU=*/true);
  // It will be run for objects that somebody has made.
  if (In)
    defineConstructors(In);
  for (const ParmVarDecl *Parm : Made->parameters())
    if (auto *C = Parm->getType().getNonReferenceType()->getAsCXXRecordDecl();
        C && C->getDefinition())
      defineConstructors(C->getDefinition());
  const FunctionDecl *Body = nullptr;
  return Made->hasBody(Body) ? const_cast<FunctionDecl *>(Body) : nullptr;
}

NamedDecl *Instantiator::make(const TemplateLevels &Of,
                              const TemplateArgumentChoice &Arguments) {
  // From the outermost template inwards, through classes between them.
  std::vector<const NamedDecl *> Way;
  for (const auto *D = Of.Pattern; D && D->isTemplated();
       D = dyn_cast<NamedDecl>(D->getDeclContext()))
    Way.insert(Way.begin(), D);
  llvm::ArrayRef Rest(Arguments);
  CXXRecordDecl *In = nullptr;
  for (const NamedDecl *D : Way) {
    TemplateArgumentListInfo Info;
    if (const TemplateDecl *T = templateAround(D)) {
      const size_t N = T->getTemplateParameters()->size();
      Info = written(S, T, Rest.take_front(N));
      Rest = Rest.drop_front(N);
    }
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      return makeFunction(In, F, Info);
    In = makeClass(In, cast<CXXRecordDecl>(D), Info);
    if (!In)
      return nullptr;
  }
  return In;
}

Instantiator::Result
Instantiator::instantiate(const TemplateLevels &Of,
                          const TemplateArgumentChoice &Arguments) {
  Result R;
  if (S.getDiagnostics().hasFatalErrorOccurred() || ++Made > MaxInstances ||
      Cost.isSpentNow()) {
    R.Errors = 1;
    R.FirstError = S.getDiagnostics().hasFatalErrorOccurred()
                       ? "behind a fatal error there are no instances"
                   : Cost.reason().empty()
                       ? "too many instances were tried"
                       : "given up after the " + Cost.reason();
    return R;
  }
  const bool HadErrors = S.getDiagnostics().hasErrorOccurred();
  const ErrorCounter Counter(*this, R);
  // That of the parser is gone, and built-in functions are declared in it.
  Scope Outermost(/*Parent=*/nullptr, Scope::DeclScope, S.getDiagnostics());
  Outermost.setEntity(S.Context.getTranslationUnitDecl());
  const llvm::SaveAndRestore InScope(S.TUScope, &Outermost);
  R.Instance = make(Of, Arguments);
  // Whoever comes behind looks at no file with errors.
  if (!HadErrors)
    S.getDiagnostics().Reset(/*soft=*/true);
  if (!R.Instance && R.Errors == 0) {
    R.Errors = 1;
    R.FirstError = "there is no such instance";
  }
  const auto *F = dyn_cast_or_null<FunctionDecl>(R.Instance);
  if (R.Errors == 0 &&
      (R.Instance->isInvalidDecl() ||
       Broken.contains(R.Instance->getCanonicalDecl()) ||
       (F && !Broken.empty() && NamesOneOf(Broken).isFound(F)))) {
    R.Errors = 1;
    R.FirstError = "something that it uses does not compile";
  }
  return R;
}
