//===- Shrink.cpp ---------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"

using namespace oracle;

/// Each costs a run of the analysis.
static constexpr unsigned MaxTries = 300;

namespace {
/// Tries one smaller kernel after the other: every change is made where a
/// counter says, so that a change is found again in a copy of the kernel.
class Shrinker {
public:
  explicit Shrinker(unsigned Target) : Target(Target) {}
  /// The change number Target; false if there are not so many.
  bool apply(Kernel &K);

private:
  /// Is this the change to make?
  bool here() { return Count++ == Target; }
  bool block(Block &B);
  bool stmt(Block &B, size_t I);
  bool expression(ExprRef &E);

  unsigned Target, Count = 0;
};
} // namespace

static void replace(Block &B, size_t I, Block By) {
  B.erase(B.begin() + I);
  B.insert(B.begin() + I, By.begin(), By.end());
}

// By one of its parts, or by 0.
bool Shrinker::expression(ExprRef &E) {
  if (!E)
    return false;
  if (E->K != Expr::Kind::Number && here()) {
    E = number(0);
    return true;
  }
  for (const ExprRef &Part : {E->Left, E->Right})
    if (Part && E->K != Expr::Kind::Loaded && here()) {
      E = Part;
      return true;
    }
  if (!E->Left || E->K == Expr::Kind::Loaded)
    return false;
  Expr Copy = *E;
  if (!expression(Copy.If) && !expression(Copy.Left) && !expression(Copy.Right))
    return false;
  E = std::make_shared<Expr>(Copy);
  return true;
}

bool Shrinker::stmt(Block &B, size_t I) {
  if (here()) {
    replace(B, I, {});
    return true;
  }
  Stmt &S = B[I];
  for (const Block &Part : {S.Body, S.Else})
    if (!Part.empty() && here()) {
      replace(B, I, Part);
      return true;
    }
  if (block(S.Body) || block(S.Else))
    return true;
  const bool Waits = S.K == Stmt::Kind::Wait || S.K == Stmt::Kind::BulkWait;
  if (Waits && S.N > 0 && here()) {
    --S.N;
    return true;
  }
  for (ExprRef *Extra : {&S.Size, &S.Ignore, &S.Guard})
    if (*Extra && here()) {
      *Extra = nullptr;
      return true;
    }
  return expression(S.At.Slot) || expression(S.At.Index) ||
         expression(S.On.Slot) || expression(S.Source) || expression(S.Size) ||
         expression(S.Ignore) || expression(S.Guard) || expression(S.Value) ||
         expression(S.Bound);
}

bool Shrinker::block(Block &B) {
  for (size_t I = 0; I < B.size(); ++I)
    if (stmt(B, I))
      return true;
  return false;
}

bool Shrinker::apply(Kernel &K) { return block(K.Body); }

// A loop's variable is known in its body only.
static bool inScope(const ExprRef &E, const std::vector<bool> &Known) {
  return !E || ((E->K != Expr::Kind::Variable || Known[E->Value]) &&
                inScope(E->If, Known) && inScope(E->Left, Known) &&
                inScope(E->Right, Known));
}

static bool inScope(const Block &B, std::vector<bool> Known) {
  for (const Stmt &S : B) {
    if (S.K == Stmt::Kind::For)
      Known[S.Variable] = true;
    for (const ExprRef &E : {S.At.Slot, S.At.Index, S.On.Slot, S.Source, S.Size,
                             S.Ignore, S.Guard, S.Value, S.Bound})
      if (!inScope(E, Known))
        return false;
    if (!inScope(S.Body, Known) || !inScope(S.Else, Known))
      return false;
    if (S.K == Stmt::Kind::For)
      Known[S.Variable] = false;
  }
  return true;
}

static bool inScope(const Kernel &K) {
  std::vector<bool> Known = K.IsLoopVariable;
  Known.flip();
  return inScope(K.Body, std::move(Known));
}

Kernel oracle::shrink(Kernel K,
                      llvm::function_ref<bool(const Kernel &)> Holds) {
  unsigned Target = 0;
  for (unsigned Tries = 0; Tries < MaxTries; ++Tries) {
    Kernel Smaller = K;
    if (!Shrinker(Target).apply(Smaller))
      return K;
    if (inScope(Smaller) && Holds(Smaller))
      K = std::move(Smaller); // and the next change is number Target again
    else
      ++Target;
  }
  return K;
}
