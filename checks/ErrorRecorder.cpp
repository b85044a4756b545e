//===- ErrorRecorder.cpp - Where a file does not compile ------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/ErrorRecorder.h"
#include "checks/FrontEnd.h"
#include "checks/SemaAccess.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/Cuda.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <optional>

using namespace clang;
using namespace cpasync;

void ErrorRecorder::listen(DiagnosticsEngine &Diags) {
  // An engine that owns its client would delete it.
  if (Engine || Diags.ownsClient())
    return;
  Places.clear();
  Engine = &Diags;
  Next = Diags.getClient();
  Diags.setClient(this, /*ShouldOwnClient=*/false);
}

void ErrorRecorder::stop() {
  if (Engine)
    Engine->setClient(Next, /*ShouldOwnClient=*/false);
  Engine = nullptr;
}

/// `typedef unsigned long long uint64_t;`, and the C library has it as an
/// unsigned long of as many bits: where nvcc takes the first, it has not read
/// the second, which our headers or Clang's bring along.
static bool isOtherSpelling(const Diagnostic &Info) {
  if (!currentSema())
    return false;
  const ASTContext &Ctx = currentSema()->Context;
  const auto Type = [&](unsigned Argument) {
    return QualType::getFromOpaquePtr(
        llvm::bit_cast<void *>(Info.getRawArg(Argument)));
  };
  const QualType New = Type(1), Old = Type(2);
  return New->isIntegerType() && Old->isIntegerType() &&
         New->isSignedIntegerType() == Old->isSignedIntegerType() &&
         Ctx.getTypeSize(New) == Ctx.getTypeSize(Old);
}

/// A function of the host called in one of both sides: nvcc warns. Where Clang
/// says so at the end, it has kept the call.
static bool isCallOfBothSides(const Diagnostic &Info) {
  const auto Is = [&](unsigned Argument, CUDAFunctionTarget Target) {
    return Info.getRawArg(Argument) == uint64_t(Target);
  };
  return Is(0, CUDAFunctionTarget::Host) &&
         Is(3, CUDAFunctionTarget::HostDevice) && currentSema() &&
         !currentSema()->getCurFunctionDecl(/*AllowLambda=*/true);
}

/// Whether nvcc takes it and Clang has mended it by itself.
static bool isRepaired(const Diagnostic &Info) {
  switch (Info.getID()) {
  // `T __restrict__ X[4]`: Clang drops the word.
  case diag::err_typecheck_invalid_restrict_not_pointer:
  case diag::err_typecheck_invalid_restrict_not_pointer_noarg:
  // `template <class T> void get<0, T>(T *)`: another template called `get` for
  // both, without what is between '<' and '>'.
  case diag::err_function_template_partial_spec:
    return true;
  case diag::err_redefinition_different_typedef:
    return isOtherSpelling(Info);
  case diag::err_ref_bad_target:
    return isCallOfBothSides(Info);
  default:
    break;
  }
  // Clang goes on as if an edit that comes with an error had been made.
  if (Info.getNumFixItHints() == 0)
    return false;
  switch (Info.getID()) {
  case diag::err_missing_dependent_template_keyword:
  case diag::err_template_kw_missing:
  case diag::err_typename_missing:
  case diag::err_typename_missing_template:
    return true;
  default:
    return false;
  }
}

/// Whether what stands at \p Loc is a name, or `operator()`, with '<' behind
/// it.
static bool mayHaveArguments(SourceLocation Loc, const SourceManager &SM) {
  std::optional<Token> Next = Lexer::findNextToken(Loc, SM, LangOptions());
  while (Next && Next->isOneOf(tok::l_paren, tok::r_paren) &&
         SM.getBufferData(SM.getFileID(Loc))
             .substr(SM.getFileOffset(Loc))
             .starts_with("operator"))
    Next = Lexer::findNextToken(Next->getLocation(), SM, LangOptions());
  return Next && Next->is(tok::less);
}

/// `"mov.u32 %0, %laneid;"`: nvcc takes a register for what it is, and Clang
/// wants '%%' there. So it is from \p Loc to the end of the string.
static void noteRegisters(SourceLocation Loc, const SourceManager &SM) {
  const auto [File, Offset] = SM.getDecomposedLoc(Loc);
  const llvm::StringRef Text = SM.getBufferData(File);
  // Clang points behind the letter.
  for (size_t I = Offset < 2 ? 0 : Offset - 2; I + 1 < Text.size(); ++I) {
    if (Text[I] == '"') { // the next literal is part of it
      I = Text.find_first_not_of(" \t\r\n", I + 1);
      if (I == llvm::StringRef::npos || Text[I] != '"')
        return;
    } else if (Text[I] == '%' &&
               (llvm::isAlpha(Text[I + 1]) || Text[I + 1] == '_')) {
      MissingKeyword K;
      K.Where.File = SM.getFilename(Loc).str();
      K.Where.Offset = I;
      K.Text = "%";
      frontEnd().Report.MissingKeywords.push_back(std::move(K));
    } else if (Text[I] == '%' || Text[I] == '\\') {
      ++I;
    }
  }
}

/// `Traits<T>::cast<4>(X)`, `Load.operator()<4>(X)`: Clang has read comparisons
/// and points at their beginning. Where the name of the template is behind
/// that.
static SourceLocation templateName(const Diagnostic &Info,
                                   const SourceManager &SM) {
  const IdentifierInfo *Id =
      Info.getArgKind(0) == DiagnosticsEngine::ak_identifierinfo
          ? Info.getArgIdentifier(0)
          : nullptr;
  const auto [File, Offset] = SM.getDecomposedLoc(Info.getLocation());
  const llvm::StringRef Text = SM.getBufferData(File);
  Lexer Lex(SM.getLocForStartOfFile(File), LangOptions(), Text.begin(),
            Text.begin() + Offset, Text.end());
  SourceLocation Found;
  for (Token T; !Lex.LexFromRawLexer(T) && T.isNot(tok::semi);) {
    if (T.is(tok::less) && Found.isValid())
      return Found;
    const bool IsName =
        T.is(tok::raw_identifier) &&
        T.getRawIdentifier() == (Id ? Id->getName() : "operator");
    // Between `operator` and '<' there is "()".
    if (IsName || Id || !T.isOneOf(tok::l_paren, tok::r_paren))
      Found = IsName ? T.getLocation() : SourceLocation();
  }
  return {};
}

/// Tells the front end where Clang would need a keyword to go on.
static void noteMissingKeyword(const Diagnostic &Info) {
  const SourceManager *SM =
      Info.hasSourceManager() ? &Info.getSourceManager() : nullptr;
  if (!frontEnd().HidesRepaired || !SM || !Info.getLocation().isFileID() ||
      isRepaired(Info))
    return;
  MissingKeyword K;
  SourceLocation Loc = Info.getLocation();
  switch (Info.getID()) {
  case diag::err_asm_invalid_escape:
    noteRegisters(Info.getLocation(), *SM);
    return;
  case diag::err_typename_missing:
    K.Text = "typename ";
    break;
  case diag::err_template_kw_missing:
    Loc = templateName(Info, *SM);
    if (Loc.isInvalid())
      return;
    K.Text = "template ";
    break;
  case diag::err_missing_dependent_template_keyword:
    K.Text = "template ";
    break;
  case diag::err_found_in_dependent_base:
    K.Text = "this->";
    break;
  // A template of members, compared with what is meant as its arguments.
  case diag::err_bound_member_function:
  case diag::err_ovl_unresolvable:
    if (!mayHaveArguments(Info.getLocation(), *SM))
      return;
    K.Text = "template ";
    break;
  default:
    return;
  }
  K.Where.File = SM->getFilename(Loc).str();
  K.Where.Offset = SM->getFileOffset(Loc);
  frontEnd().Report.MissingKeywords.push_back(std::move(K));
}

/// Whether nothing that Clang builds depends on \p Info.
static bool isMereWarning(const Diagnostic &Info) {
  return Info.getDiags()->getDiagnosticIDs()->isWarningOrExtension(
      Info.getID());
}

void ErrorRecorder::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                     const Diagnostic &Info) {
  // Notes belong to what they follow.
  if (Level != DiagnosticsEngine::Note)
    IsHiding = frontEnd().HidesRepaired && isRepaired(Info);
  if (IsHiding)
    return;
  noteMissingKeyword(Info);
  // Templates that go on without end in two places end at the second one that
  // is too deep, and with it all that would still have to be instantiated.
  if (Info.getID() == diag::err_template_recursion_depth_exceeded && Engine)
    Engine->setFatalsAsError(false);
  if (Level >= DiagnosticsEngine::Error && Info.getLocation().isValid() &&
      !isRepaired(Info) && !isMereWarning(Info))
    Places.push_back(Info.getLocation());
  Next->HandleDiagnostic(Level, Info);
}
