//===- HostBodies.cpp - Bodies that are not parsed ------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body may be left out if nothing that is analysed can come from it:
//
// - Device code does not call a host function. What both sides call is marked,
//   or is constexpr, which Clang never skips; nor does it skip a function whose
//   body decides its type.
// - A function that is no template, and no member of one, names only what its
//   header declares, so it instantiates no kernel of the user's. Templates are
//   parsed: std::for_each may call a lambda that launches one.
// - A header that launches kernels is parsed as a whole. What is lost is a
//   kernel of a system header that only a function in another system header
//   uses, through a template that launches it.
// - Floating-point numbers are not followed. Arithmetic of __half and the like,
//   which the header that defines such a class declares, is as good without its
//   body: no pointer leads it to memory. Other functions of numbers may be sums
//   over a block, with barriers in them, and are parsed, and so is a header
//   that mentions any.
//
//===----------------------------------------------------------------------===//

#include "tool/input/HostBodies.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;

namespace {

class HostBodies : public ASTConsumer {
public:
  explicit HostBodies(const SourceManager &SM) : SM(SM) {}

  bool shouldSkipFunctionBody(Decl *D) override {
    const FunctionDecl *F = D->getAsFunction();
    if (!F || F->isTemplated() || F->hasAttr<CUDAGlobalAttr>() ||
        (F->hasAttr<CUDADeviceAttr>() && !isArithmetic(F)))
      return false;
    const SourceLocation Loc = SM.getExpansionLoc(F->getLocation());
    return SM.isInSystemHeader(Loc) && !launches(SM.getFileID(Loc));
  }

private:
  bool launches(FileID File) {
    return mentions(File, {"<<<", "__global__", "LaunchKernel"}, Launches);
  }
  bool synchronises(FileID File) {
    return mentions(File,
                    {"__shared__", "syncthreads", "syncwarp", ".sync()",
                     "bar.sync", "barrier", "cp.async", "pipeline"},
                    Synchronises);
  }
  bool mentions(FileID File, std::initializer_list<llvm::StringRef> Words,
                llvm::DenseMap<FileID, bool> &Known) {
    auto [It, New] = Known.try_emplace(File);
    if (New)
      It->second = llvm::any_of(Words, [&](llvm::StringRef Word) {
        return SM.getBufferData(File).contains(Word);
      });
    return It->second;
  }

  FileID fileOf(const Decl *D) {
    return SM.getFileID(SM.getExpansionLoc(D->getLocation()));
  }
  bool isArithmetic(const FunctionDecl *F) {
    if (isa<CXXMethodDecl>(F) || !isFloat(F->getReturnType()))
      return false;
    const FileID File = fileOf(F->getFirstDecl());
    bool IsOwn = isNumberOf(File, F->getReturnType());
    for (const ParmVarDecl *P : F->parameters()) {
      if (!isFloat(P->getType()) &&
          !P->getType()->isIntegralOrEnumerationType())
        return false;
      IsOwn |= isNumberOf(File, P->getType());
    }
    return IsOwn && !synchronises(File) && !synchronises(fileOf(F));
  }
  bool isNumberOf(FileID File, QualType T) {
    const auto *C = T->getAsCXXRecordDecl();
    return C && fileOf(C->getDefinition()) == File;
  }
  // __half, __nv_bfloat162 and the like are classes outside any namespace that
  // hide what they hold, and too small for a pointer. int4 hides nothing; the
  // small things of libraries, as a cuda::pipeline, are in their namespaces.
  static bool isFloat(QualType T) {
    constexpr unsigned MostBits = 32;
    const auto *C = T->getAsCXXRecordDecl();
    return T->isRealFloatingType() ||
           (C && C->hasDefinition() &&
            C->getDeclContext()->isTranslationUnit() && !C->isAggregate() &&
            !C->isEmpty() && C->getASTContext().getTypeSize(T) <= MostBits);
  }

  const SourceManager &SM;
  llvm::DenseMap<FileID, bool> Launches, Synchronises;
};

/// Puts the consumer above beside the one of clang-tidy's library, which makes
/// its action itself.
class HostBodiesAction : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 llvm::StringRef) override {
    return std::make_unique<HostBodies>(CI.getSourceManager());
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

llvm::ArrayRef<const char *> cpasync::skipHostBodies() {
  static const FrontendPluginRegistry::Add<HostBodiesAction> Action(
      "cpasync-host-bodies", "leave out bodies that only the host runs");
  static constexpr const char *Flags[] = {"-Xclang", "-skip-function-bodies"};
  return Flags;
}
