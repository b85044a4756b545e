//===- HostRun.h - Follows host code to its launches ------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the host functions that lead to launches, on every way where a condition
// is not known, with what is known of the variables that matter. A call of a
// function that the file defines is followed; what another one may change
// becomes unknown. Bounded: in steps, in ways that are told apart, in calls and
// in rounds of loops.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_LAUNCH_HOSTRUN_H
#define CPASYNC_LIB_LAUNCH_HOSTRUN_H

#include "lib/launch/HostFacts.h"
#include "lib/launch/HostValue.h"
#include "lib/launch/TensorMaps.h"
#include "lib/source/BlockShape.h"
#include "lib/source/Layouts.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"

namespace cpasync {

class HostRun {
public:
  struct Launch {
    const clang::FunctionDecl *Kernel = nullptr; ///< as it is defined
    /// Nothing: the number of threads is not known.
    std::optional<BlockShape> Block;
    clang::SourceLocation Loc;
    std::vector<TensorBox> Boxes; ///< those that are known
    ClusterShape Cluster; ///< that the launch asks for; the kernel may, too
  };

  HostRun(clang::ASTContext &Ctx, HostFacts &Facts)
      : Facts(Facts), Constants(Ctx) {}

  /// Follows \p Root, unless a call has led there before. Where that takes too
  /// long, the functions that it had not come to, or not through, by
  /// themselves.
  void follow(const clang::FunctionDecl *Root);
  /// Something was left out: it had too many steps, rounds or levels.
  bool isCutShort() const { return IsCutShort; }
  /// In the order in which they were come to.
  const std::vector<Launch> &launches() const { return Launches; }

private:
  friend class HostClusters;
  friend class HostTensorMaps;
  using Worlds = std::vector<HostWorld>;
  /// Where a statement leads to.
  struct Ways {
    Worlds Next, Break, Continue, Return;
    void addExits(Ways Of);
  };
  /// What an expression is, on one way.
  struct Outcome {
    HostWorld World;
    HostValue Value;
  };
  using Outcomes = std::vector<Outcome>;

  static constexpr unsigned MaxElements = HostPlace::MaxElements;
  /// The list that \p E is, or is initialised with; null: none.
  static const clang::InitListExpr *listOf(const clang::Expr *E);

  static void add(Worlds &To, HostWorld World);
  static void add(Worlds &To, Worlds More);

  // Statements.
  Ways run(const clang::Stmt *S, Worlds In);
  Ways runIf(const clang::IfStmt *S, const Worlds &In);
  Ways runSwitch(const clang::SwitchStmt *S, const Worlds &In);
  /// \p Label is for \p Value, or may be for what is not known.
  bool isCase(const clang::Stmt *Label, std::optional<int64_t> Value);
  /// Rounds of \p Body; a null \p Condition is not known.
  Ways runLoop(const clang::Expr *Condition, const clang::Stmt *Body,
               const clang::Expr *Step, Worlds In, bool BodyFirst);
  Ways runEach(const clang::CXXForRangeStmt *S, Worlds In);
  Worlds runEffects(const clang::Expr *E, const Worlds &In);
  Worlds declare(const clang::VarDecl *V, const Worlds &In);
  /// Divides \p In by whether \p Condition holds; returns whether that is
  /// known.
  bool decide(const clang::Expr *Condition, const Worlds &In, Worlds &Yes,
              Worlds &No);

  // Expressions.
  Outcomes evaluate(const clang::Expr *E, HostWorld World);
  /// Unknown if there are several, or none.
  HostValue only(const clang::Expr *E, const HostWorld &World);
  Outcomes evaluateUnary(const clang::UnaryOperator *E, HostWorld World);
  Outcomes evaluateBinary(const clang::BinaryOperator *E, HostWorld World);
  Outcomes evaluateChoice(const clang::ConditionalOperator *E, HostWorld World);
  Outcomes evaluateMember(const clang::MemberExpr *E, HostWorld World);
  Outcomes evaluateElement(const clang::ArraySubscriptExpr *E, HostWorld World);
  Outcomes evaluateList(const clang::InitListExpr *E, HostWorld World);
  Outcomes evaluateCast(const clang::CastExpr *E, HostWorld World);
  Outcomes decay(const clang::Expr *Array, HostWorld World);
  Outcomes assign(const clang::Expr *To, const clang::Expr *From,
                  HostWorld World);
  void write(const clang::Expr *To, const HostValue &New, HostWorld &World);
  HostValue valueOf(const clang::VarDecl *V, const HostWorld &World);
  HostValue load(const HostPlace &At, const HostWorld &World);
  HostValue objectOfMethod(const clang::CXXThisExpr *E,
                           const HostWorld &World) const;
  std::optional<HostPlace> placeOf(const clang::Expr *E,
                                   const HostWorld &World);

  // Calls.
  Outcomes call(const clang::CallExpr *E, HostWorld World);
  Outcomes construct(const clang::CXXConstructExpr *E, HostWorld World);
  Outcomes launch(const clang::CallExpr *E, HostWorld World);
  /// Binds the parameters of \p F, and goes on with those that are bound.
  Worlds bind(const clang::FunctionDecl *F,
              llvm::ArrayRef<const clang::Expr *> Arguments, HostWorld World);
  /// Runs the body of \p F, whose parameters are bound, for a caller that knows
  /// of \p Outer.
  Outcomes enter(const clang::FunctionDecl *F, Worlds In,
                 const HostWorld &Outer);
  bool canEnter(const clang::FunctionDecl *F) const;
  /// What \p E, which is not followed, may change is not known any more.
  Outcomes forget(const clang::Expr *E, HostWorld World);
  /// One step more; true if it is one too many.
  bool isSpent();
  /// Statements, expressions and initialisers inside each other; the stack has
  /// room for so many.
  static constexpr unsigned MaxNested = 600;
  /// Steps of one function that is followed, and all that it calls.
  static constexpr unsigned MaxSteps = 50000;
  /// Of all functions, before those that were cut short are left at that.
  static constexpr unsigned MaxAllSteps = 4 * MaxSteps;

  HostFacts &Facts;
  Layouts Constants;
  std::vector<const clang::FunctionDecl *>
      Stack; ///< being run, outermost first
  llvm::DenseSet<const clang::FunctionDecl *> Followed; ///< to their end
  std::vector<Launch> Launches;
  llvm::DenseSet<const clang::VarDecl *> Initialising; ///< may name itself
  unsigned Steps = 0, AllSteps = 0, Nested = 0;
  bool IsCutShort = false;
};

} // namespace cpasync

#endif // CPASYNC_LIB_LAUNCH_HOSTRUN_H
