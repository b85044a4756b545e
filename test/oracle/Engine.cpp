//===- Engine.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "lib/Analysis.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace oracle;

static unsigned lineOf(const clang::SourceManager &SM,
                       clang::SourceLocation Loc) {
  return Loc.isValid() ? SM.getExpansionLineNumber(Loc) : 0;
}

std::map<std::string, EngineReport>
oracle::analyseFile(const std::string &Code, const std::string &Arch) {
  const std::vector<std::string> Flags = {"-x",
                                          "cuda",
                                          "--cuda-device-only",
                                          "--no-offload-arch=all",
                                          "--offload-arch=" + Arch,
                                          "-nocudainc",
                                          "-nocudalib",
                                          "-Wno-unknown-cuda-version",
                                          "-resource-dir",
                                          CPASYNC_RESOURCE_DIR,
                                          "-include",
                                          CPASYNC_CUDA_HEADERS
                                          "/cpasync_prelude.h",
                                          "-isystem",
                                          CPASYNC_CUDA_HEADERS "/include"};
  std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(Code, Flags, "kernels.cu");
  if (!Unit || Unit->getDiagnostics().hasErrorOccurred()) {
    llvm::errs() << Code << "error: this file does not parse\n";
    std::exit(2);
  }
  cpasync::AnalysisOptions Options;
  Options.Verify = true;
  const cpasync::AnalysisResult Result =
      cpasync::analyze(Unit->getASTContext(), Options);
  std::map<std::string, EngineReport> Reports;
  for (const cpasync::KernelReport &K : Result.Kernels) {
    EngineReport &R = Reports[K.Name];
    R.Analysed = true;
    for (const cpasync::AnalysisGap &G : K.Gaps)
      R.Gaps.push_back(G.Reason);
  }
  const clang::SourceManager &SM = Unit->getSourceManager();
  for (const cpasync::Finding &F : Result.Findings)
    Reports[F.Kernel.Name].Findings.push_back(
        {F, lineOf(SM, F.At.Copy), lineOf(SM, F.At.Read),
         lineOf(SM, F.At.Write), lineOf(SM, F.At.Wait),
         lineOf(SM, F.At.Operand)});
  return Reports;
}
