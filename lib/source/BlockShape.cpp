//===- BlockShape.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/BlockShape.h"
#include "lib/source/Expressions.h"
#include "lib/source/Layouts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

using namespace clang;
using namespace cpasync;

static std::optional<unsigned> constantInt(const Expr *E, ASTContext &Ctx) {
  const auto N = Layouts(Ctx).integer(E);
  const int64_t V = N ? int64Of(*N) : 0;
  if (V < 1 || V > 1024)
    return std::nullopt;
  return unsigned(V);
}

// dim3(16, 16), 256, or a variable that is initialised once with either.
static std::optional<BlockShape> constantDim3(const Expr *E, ASTContext &Ctx,
                                              int Depth = 0) {
  if (!E || Depth > 8)
    return std::nullopt;
  E = withoutCopies(E);
  if (const auto *F = dyn_cast<CXXFunctionalCastExpr>(E))
    return constantDim3(F->getSubExpr(), Ctx, Depth + 1);
  if (const auto *L = dyn_cast<InitListExpr>(E);
      L && L->getNumInits() == 1 && L->getType()->isRecordType())
    return constantDim3(L->getInit(0), Ctx, Depth + 1);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V || !V->getInit())
      return std::nullopt;
    if (V->getType()->isRecordType())
      return constantDim3(V->getInit(), Ctx, Depth + 1);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (C->getNumArgs() == 0)
      return std::nullopt;
    unsigned D[3] = {1, 1, 1};
    for (unsigned I = 0; I < C->getNumArgs() && I < 3; ++I) {
      const Expr *A = C->getArg(I);
      if (const auto *Def = dyn_cast<CXXDefaultArgExpr>(A))
        A = Def->getExpr();
      std::optional<unsigned> N = constantInt(A, Ctx);
      if (!N) {
        const auto *R = dyn_cast<DeclRefExpr>(A->IgnoreParenImpCasts());
        const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
        N = V && V->getInit() ? constantInt(V->getInit(), Ctx) : std::nullopt;
      }
      if (!N)
        return std::nullopt;
      D[I] = *N;
    }
    BlockShape S{D[0], D[1], D[2]};
    if (S.threads() > 1024)
      return std::nullopt;
    return S;
  }
  if (std::optional<unsigned> N = constantInt(E, Ctx))
    return BlockShape{*N};
  return std::nullopt;
}

namespace {
class LaunchFinder : public RecursiveASTVisitor<LaunchFinder> {
public:
  LaunchFinder(ASTContext &Ctx,
               std::map<const FunctionDecl *, BlockShape> &Launches)
      : Ctx(Ctx), Launches(Launches) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *E) {
    // The grid, then the block; before them, two more arguments where device
    // code launches, as every lambda may.
    const CallExpr *Config = E->getConfig();
    if (!Config)
      return true;
    llvm::SmallVector<const Expr *, 2> Dims;
    llvm::copy_if(Config->arguments(), std::back_inserter(Dims),
                  [](const Expr *A) { return A->getType()->isRecordType(); });
    if (Dims.size() == 2)
      add(E->getCallee(), Dims[1]);
    return true;
  }

  // cudaLaunchKernel(kernel, grid, block, ...), cudaLaunchKernelEx(config,
  // kernel, ...)
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *F = E->getDirectCallee();
    if (!F || !F->getIdentifier() || E->getNumArgs() < 2)
      return true;
    const llvm::StringRef Name = F->getName();
    if (Name == "cudaLaunchKernelEx" || Name == "cudaLaunchKernelExC")
      add(E->getArg(1), blockOf(E->getArg(0)));
    else if (E->getNumArgs() > 2 && (Name == "cudaLaunchKernel" ||
                                     Name == "cudaLaunchCooperativeKernel"))
      add(E->getArg(0), E->getArg(2));
    return true;
  }

  // Config.blockDim = Block: what comes before the launch counts for it.
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) {
    if (E->getOperator() != OO_Equal)
      return true;
    const auto *M = dyn_cast<MemberExpr>(E->getArg(0)->IgnoreParenImpCasts());
    const auto *D = M && isBlockDim(M->getMemberDecl())
                        ? dyn_cast<DeclRefExpr>(M->getBase())
                        : nullptr;
    if (D)
      Assigned[D->getDecl()] = E->getArg(1);
    return true;
  }

private:
  static bool isBlockDim(const NamedDecl *D) {
    return D->getIdentifier() && D->getName() == "blockDim";
  }

  static const ReturnStmt *firstReturn(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return nullptr;
    if (const auto *R = dyn_cast<ReturnStmt>(S))
      return R;
    for (const Stmt *Child : S->children())
      if (const ReturnStmt *R = firstReturn(Child))
        return R;
    return nullptr;
  }

  // The block of a launch with this configuration; null if that is not plain.
  const Expr *blockOf(const Expr *Config, int Depth = 0) const {
    if (!Config || Depth > 8)
      return nullptr;
    const Expr *E = withoutCopies(Config);
    if (const auto *A = dyn_cast<UnaryOperator>(E);
        A && A->getOpcode() == UO_AddrOf)
      return blockOf(A->getSubExpr(), Depth + 1);
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      if (auto I = Assigned.find(D->getDecl()); I != Assigned.end())
        return I->second;
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return V ? blockOf(V->getInit(), Depth + 1) : nullptr;
    }
    if (const auto *L = dyn_cast<InitListExpr>(E)) {
      const RecordDecl *R = L->getType()->getAsRecordDecl();
      if (R)
        for (const FieldDecl *F : R->fields())
          if (isBlockDim(F) && F->getFieldIndex() < L->getNumInits())
            return L->getInit(F->getFieldIndex());
      return nullptr;
    }
    // A function that puts it together, of what it is given.
    const auto *C = dyn_cast<CallExpr>(E);
    const FunctionDecl *Callee = C ? C->getDirectCallee() : nullptr, *Body;
    if (!Callee || !Callee->hasBody(Body))
      return nullptr;
    const ReturnStmt *Return = firstReturn(Body->getBody());
    const Expr *Block =
        Return ? blockOf(Return->getRetValue(), Depth + 1) : nullptr;
    const auto *D =
        Block ? dyn_cast<DeclRefExpr>(withoutCopies(Block)) : nullptr;
    const auto *Given = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
    if (!Given)
      return Block;
    const unsigned Index = Given->getFunctionScopeIndex();
    return Given->getDeclContext() == Body && Index < C->getNumArgs()
               ? C->getArg(Index)
               : nullptr;
  }

  void add(const Expr *Kernel, const Expr *Block) {
    if (std::optional<BlockShape> S = constantDim3(Block, Ctx))
      forEachKernel(Kernel, [&](const FunctionDecl *F) {
        const FunctionDecl *Body = nullptr;
        Launches.emplace(F->hasBody(Body) ? Body : F, *S);
      });
  }

  // A kernel, its address, or a variable that is initialised with either;
  // where a condition chooses, both.
  static void forEachKernel(const Expr *E,
                            llvm::function_ref<void(const FunctionDecl *)> Do,
                            int Depth = 0) {
    if (!E || Depth > 8)
      return;
    E = E->IgnoreParenCasts();
    if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      forEachKernel(C->getTrueExpr(), Do, Depth + 1);
      forEachKernel(C->getFalseExpr(), Do, Depth + 1);
    } else if (const auto *A = dyn_cast<UnaryOperator>(E)) {
      if (A->getOpcode() == UO_AddrOf || A->getOpcode() == UO_Deref)
        forEachKernel(A->getSubExpr(), Do, Depth + 1);
    } else if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      if (const auto *F = dyn_cast<FunctionDecl>(D->getDecl()))
        Do(F);
      else if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
        forEachKernel(V->getInit(), Do, Depth + 1);
    }
  }

  ASTContext &Ctx;
  std::map<const FunctionDecl *, BlockShape> &Launches;
  /// By configuration, what its block was set to last.
  llvm::DenseMap<const ValueDecl *, const Expr *> Assigned;
};
} // namespace

LaunchTable::LaunchTable(ASTContext &Ctx) : Ctx(Ctx) {
  LaunchFinder(Ctx, Launches).TraverseAST(Ctx);
}

std::optional<BlockShape>
LaunchTable::shapeOf(const FunctionDecl *Kernel) const {
  auto I = Launches.find(Kernel);
  if (I != Launches.end())
    return I->second;
  if (const auto *A = Kernel->getAttr<CUDALaunchBoundsAttr>())
    if (std::optional<unsigned> N = constantInt(A->getMaxThreads(), Ctx))
      return BlockShape{*N, 1, 1, /*Assumed=*/false, /*Open=*/true};
  return std::nullopt;
}

std::string BlockShape::text() const {
  std::string Text = std::to_string(X);
  if (Y * Z > 1)
    Text += "x" + std::to_string(Y);
  if (Z > 1)
    Text += "x" + std::to_string(Z);
  return Text + (threads() == 1 ? " thread" : " threads");
}
