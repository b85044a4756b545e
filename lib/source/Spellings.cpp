//===- Spellings.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Spellings.h"
#include "lib/source/FunctionInfo.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace clang;
using namespace cpasync;

class Spellings::Finder : public RecursiveASTVisitor<Finder> {
public:
  Finder(Spellings &To, Program &P)
      : To(To), P(P), Ctx(P.context()), SM(To.SM) {}

  bool TraverseDecl(Decl *D) {
    if (D && D->getLocation().isValid() &&
        SM.isInSystemHeader(D->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitGCCAsmStmt(GCCAsmStmt *A) {
    add(A, nullptr, A->getNumInputs() + A->getNumOutputs() == 0);
    return true;
  }
  bool VisitCallExpr(CallExpr *C) {
    if (const FunctionDecl *F = C->getDirectCallee())
      add(C, F, false);
    return true;
  }

private:
  bool isZero(const Expr *E) {
    const auto N = P.layouts().integer(E);
    return N && N->isZero();
  }
  Meaning meaning(const Stmt *S, unsigned Depth = 0);
  void add(const Stmt *S, const FunctionDecl *Callee, bool Plain);

  Spellings &To;
  Program &P;
  ASTContext &Ctx;
  const SourceManager &SM;
  unsigned Count = 0;
  /// Names in it must mean the same wherever the function or macro is known.
  const llvm::Regex Portable{
      "^[A-Za-z_][A-Za-z_0-9]*(<[0-9, ]*>)?\\([0-9]*\\)$"};
};

Spellings::Meaning Spellings::Finder::meaning(const Stmt *S, unsigned Depth) {
  constexpr unsigned MaxDepth = 8; // wrappers of wrappers
  if (!S || Depth > MaxDepth)
    return MeansNothing;
  if (const auto *A = dyn_cast<GCCAsmStmt>(S)) {
    const AsmInfo &Info = P.recognizer().inlineAsm(A);
    if (Info.Effects != EffectGroup || Info.Ops.size() != 1)
      return MeansNothing;
    const PtxOp &Op = Info.Ops[0];
    if (!Op.Inst->Guard.empty())
      return MeansNothing;
    if (Op.Kind == PtxOpKind::Commit)
      return Commits;
    if (Op.Kind == PtxOpKind::WaitAll)
      return WaitsAll;
    if (Op.Kind != PtxOpKind::WaitGroup || !Op.Size)
      return MeansNothing;
    if (Op.Size->K == PtxOperand::Kind::Immediate)
      return Op.Size->Imm == 0 ? WaitsZero : MeansNothing;
    if (Op.Size->K != PtxOperand::Kind::AsmOperand || A->getNumOutputs() ||
        unsigned(Op.Size->AsmIndex) >= A->getNumInputs())
      return MeansNothing;
    const Expr *N = A->getInputExpr(Op.Size->AsmIndex);
    return isZero(N) ? WaitsZero : MeansNothing;
  }
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F)
      return MeansNothing;
    switch (P.recognizer().api(F)) {
    case ApiKind::Commit:
      return Commits;
    case ApiKind::WaitAll:
      return WaitsAll;
    case ApiKind::WaitGroup:
    case ApiKind::PipelineWait:
      return isZero(C->getArg(0)) ? WaitsZero : MeansNothing;
    case ApiKind::None:
      break;
    default:
      return MeansNothing;
    }
    if (C->getNumArgs() || !F->hasBody(Body) || !P.isThinWrapper(Body) ||
        (P.effects(Body) & ~(EffectsOfAccesses | EffectStop)) != EffectGroup)
      return MeansNothing;
    return meaning(Body->getBody(), Depth + 1);
  }
  // One statement with a meaning, and nothing that could skip it.
  if (!isa<CompoundStmt>(S) && !isa<Expr>(S))
    return MeansNothing;
  for (const Stmt *Child : S->children())
    if (Meaning M = meaning(Child, Depth))
      return M;
  return MeansNothing;
}

void Spellings::Finder::add(const Stmt *S, const FunctionDecl *Callee,
                            bool Plain) {
  const CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(S->getSourceRange()), SM,
      Ctx.getLangOpts());
  if (Range.isInvalid())
    return;
  const StringRef Text = Lexer::getSourceText(Range, SM, Ctx.getLangOpts());
  const bool IsMacro = S->getBeginLoc().isMacroID();
  if ((IsMacro || !Plain) && !Portable.match(Text))
    return;
  const Meaning Means = meaning(S);
  if (!Means)
    return;
  Spelling New{SM.getFileOffset(Range.getBegin()), Count++, Text.str(), {}};
  if (IsMacro) {
    New.Declared = SM.getSpellingLoc(S->getBeginLoc());
  } else if (Callee) {
    if (isa<CXXMethodDecl>(Callee))
      return;
    New.Declared = Callee->getLocation();
    New.Context = Callee->getDeclContext()->getRedeclContext();
  }
  To.Found[{SM.getFileID(Range.getBegin()), Means}].push_back(std::move(New));
}

Spellings::Spellings(Program &P) : SM(P.context().getSourceManager()) {
  Finder(*this, P).TraverseAST(P.context());
  for (auto &[Where, List] : Found)
    llvm::sort(List, [](const Spelling &A, const Spelling &B) {
      return std::pair(A.Offset, A.Place) < std::pair(B.Offset, B.Place);
    });
}

StringRef Spellings::nearest(unsigned Wanted, SourceLocation At,
                             const FunctionDecl *In) const {
  const auto [File, Offset] = SM.getDecomposedLoc(At);
  const DeclContext *Around = In->getEnclosingNamespaceContext();
  auto IsKnown = [&](const Spelling &S) {
    return (S.Declared.isInvalid() ||
            SM.isBeforeInTranslationUnit(S.Declared, At)) &&
           (!S.Context || S.Context->isTranslationUnit() ||
            S.Context->Equals(Around));
  };
  const Spelling *Best = nullptr;
  auto Rank = [Offset = Offset](const Spelling &S) {
    return std::pair(std::abs(int64_t(S.Offset) - int64_t(Offset)), S.Place);
  };
  for (const unsigned Means : {Commits, WaitsZero, WaitsAll}) {
    const auto List = Found.find({File, Means});
    if (!(Means & Wanted) || List == Found.end())
      continue;
    // Outwards from there, the nearer neighbour first.
    const Spelling *Begin = List->second.data(),
                   *End = Begin + List->second.size();
    const Spelling *Next = std::partition_point(
        Begin, End, [&](const Spelling &S) { return S.Offset < Offset; });
    const Spelling *Last = Next; // behind the one before
    while (Last != Begin || Next != End) {
      const bool Back =
          Next == End || (Last != Begin && Rank(Last[-1]) < Rank(*Next));
      const Spelling &S = Back ? *--Last : *Next++;
      if (Best && Rank(S).first > Rank(*Best).first)
        break;
      if ((!Best || Rank(S) < Rank(*Best)) && IsKnown(S))
        Best = &S;
    }
  }
  return Best ? StringRef(Best->Text) : StringRef();
}

StringRef Spellings::within(unsigned Wanted, SourceRange Range) const {
  const auto [File, Begin] = SM.getDecomposedLoc(Range.getBegin());
  const unsigned End = SM.getFileOffset(Range.getEnd());
  const Spelling *Last = nullptr;
  for (const unsigned Means : {Commits, WaitsZero, WaitsAll}) {
    const auto List = Found.find({File, Means});
    if (!(Means & Wanted) || List == Found.end())
      continue;
    for (const Spelling &S : List->second)
      if (Begin <= S.Offset && S.Offset < End &&
          (!Last || Last->Offset < S.Offset))
        Last = &S;
  }
  return Last ? StringRef(Last->Text) : StringRef();
}
