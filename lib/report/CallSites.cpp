//===- CallSites.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/CallSites.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

namespace {
/// The calls of each function, by where they and the function are written: all
/// instances of a template are one.
class CallSites : public RecursiveASTVisitor<CallSites> {
public:
  explicit CallSites(ASTContext &Ctx) : SM(Ctx.getSourceManager()) {
    TraverseAST(Ctx);
  }
  /// Calls of what the call at \p Call calls, itself included.
  size_t likeThat(SourceLocation Call) const {
    const auto Callee = CalleeAt.find(Call);
    return Callee == CalleeAt.end() ? 0 : CallsOf.at(Callee->second).size();
  }

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }
  bool TraverseDecl(Decl *D) {
    if (D && D->getLocation().isValid() &&
        SM.isInSystemHeader(D->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee(), *Body = nullptr;
    if (!F || !F->hasBody(Body))
      return true;
    const Stmt *Whole = C; // of an operator's call it begins elsewhere
    const SourceLocation Call = SM.getExpansionLoc(Whole->getBeginLoc()),
                         Callee = SM.getExpansionLoc(Body->getLocation());
    CalleeAt.try_emplace(Call, Callee);
    CallsOf[Callee].insert(Call);
    return true;
  }

private:
  const SourceManager &SM;
  llvm::DenseMap<SourceLocation, SourceLocation> CalleeAt;
  llvm::DenseMap<SourceLocation, llvm::DenseSet<SourceLocation>> CallsOf;
};
} // namespace

/// What is missing belongs before the access, wherever that is reached from.
static bool hangsOnCaller(const Finding &F) {
  switch (F.Kind) {
  case FindingKind::UnsynchronizedRead:
    return true;
  case FindingKind::ReadInFlight:
    return F.Cause == InFlightCause::NeverWaited;
  case FindingKind::Overwrite:
    return F.Overwritten != OverwriteCause::BulkReadOtherKind &&
           F.At.Copy != F.At.Write;
  default:
    return false;
  }
}

void cpasync::blameCalls(llvm::MutableArrayRef<Finding> Findings,
                         ASTContext &Ctx) {
  std::optional<CallSites> Sites;
  for (Finding &F : Findings) {
    if (F.Path.Calls.empty() || !hangsOnCaller(F))
      continue;
    if (!Sites)
      Sites.emplace(Ctx);
    for (const SourceLocation Call : F.Path.Calls)
      if (Sites->likeThat(Call) > 1)
        F.At.Call = Call;
  }
}
