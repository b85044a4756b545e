//===- SemaAccess.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "checks/SemaAccess.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/SemaConsumer.h"
#include <memory>

using namespace clang;

static Sema *Current = nullptr;

namespace {
class Listener : public SemaConsumer {
  void InitializeSema(Sema &S) override { Current = &S; }
  void ForgetSema() override { Current = nullptr; }
};

class Action : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 llvm::StringRef) override {
    return std::make_unique<Listener>();
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};
} // namespace

void cpasync::watchSema() {
  static const FrontendPluginRegistry::Add<Action> Plugin(
      "cpasync-sema", "tell the checks which Sema is at work");
}

Sema *cpasync::currentSema() { return Current; }
