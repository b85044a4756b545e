//===- NumberConditions.h - Static assertions on numbers --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the static assertions of a template ask of its parameters that are
// numbers, and its constants: those have a value. Conditions that hang on
// anything else are left to Clang, which is slow: it makes an instance for each
// try.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_TEMPLATES_NUMBERCONDITIONS_H
#define CPASYNC_LIB_TEMPLATES_NUMBERCONDITIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace cpasync {

struct TemplateLevels;

class NumberConditions {
public:
  explicit NumberConditions(const TemplateLevels &Of);

  /// For each parameter, outer templates first: a number; the size of a type,
  /// in bytes; none: anything else.
  using Values = std::vector<std::optional<int64_t>>;
  using Candidates = std::vector<llvm::SmallVector<int64_t, 16>>;
  /// Such numbers that all conditions hold, each the first of its \p Candidates
  /// that goes with those before it, or another if a condition names it; a
  /// parameter without candidates is as in \p Known. None: there are none, or
  /// they were not found in MaxTries.
  std::optional<Values> solve(const Values &Known,
                              const Candidates &Candidates) const;
  static constexpr unsigned MaxTries = 5000;

private:
  class Evaluator;
  class Solver;
  /// Parameters by depth and index.
  using Places = std::map<std::pair<unsigned, unsigned>, unsigned>;
  struct Condition {
    const clang::Expr *E;
    llvm::SmallVector<unsigned, 4> Parameters; ///< in order
    bool IsAsserted; ///< it holds; otherwise, it has a value
  };
  void add(const clang::Expr *E, bool IsAsserted);

  clang::ASTContext &Ctx;
  Places Parameters;
  std::vector<Condition> Conditions;
};

} // namespace cpasync

#endif // CPASYNC_LIB_TEMPLATES_NUMBERCONDITIONS_H
