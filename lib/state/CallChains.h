//===- CallChains.h - The calls around a step -------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_CALLCHAINS_H
#define CPASYNC_LIB_STATE_CALLCHAINS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace clang {
class Expr;
class FunctionDecl;
} // namespace clang

namespace cpasync {

/// A call, and those around it.
struct CallChain {
  const CallChain *Caller; ///< null: the root calls it
  const clang::FunctionDecl *Fn;
  const clang::Expr *Call; ///< null: nobody wrote it
  clang::SourceLocation Loc;
  unsigned Depth = 0; ///< calls, itself included
};

/// Each chain once, so that equal ones are the same pointer.
class CallChains {
public:
  const CallChain *get(const CallChain &Of) {
    const auto [I, New] = Known.try_emplace(
        {{Of.Caller, Of.Fn}, {Of.Call, Of.Loc.getRawEncoding()}});
    if (New) {
      Chains.push_back(Of);
      Chains.back().Depth = (Of.Caller ? Of.Caller->Depth : 0) + 1;
      I->second = &Chains.back();
    }
    return I->second;
  }
  /// The newest \p Calls of \p Chain, as if \p Caller had made them.
  const CallChain *movedTo(const CallChain *Caller, const CallChain *Chain,
                           size_t Calls) {
    if (Calls == 0 || !Chain)
      return Caller;
    return get({movedTo(Caller, Chain->Caller, Calls - 1), Chain->Fn,
                Chain->Call, Chain->Loc});
  }

private:
  using Key =
      std::pair<std::pair<const CallChain *, const clang::FunctionDecl *>,
                std::pair<const clang::Expr *, unsigned>>;
  std::deque<CallChain> Chains;
  llvm::DenseMap<Key, const CallChain *> Known;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_CALLCHAINS_H
