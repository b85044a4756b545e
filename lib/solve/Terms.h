//===- Terms.h - Integers as a solver takes them ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An Int is a mathematical number; what the program computes has a width. Sums,
// products and masks of 32 bits are those of the mathematical numbers modulo
// 2^32, whatever is cancelled or put in another order on the way, and what is
// compared is recorded with its type (TermOrigins): of 32 bits, comparisons are
// exact. Of more bits they are where both sides lie in [0, 2^31); so are
// division, remainder, minimum and maximum. Elsewhere, and of anything else,
// nothing is said: what is given to the solver follows from what a run decides,
// and may be less.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOLVE_TERMS_H
#define CPASYNC_LIB_SOLVE_TERMS_H

#include "lib/state/PathHistory.h"
#include "lib/state/TermOrigins.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/SMTAPI.h"
#include <map>
#include <vector>

namespace clang {
class ASTContext;
}

namespace cpasync {

/// Of what a kernel is given: integers are amounts, mostly.
struct GivenRange {
  bool IsAny = false; ///< or negative, or near the end of 32 bits
  int64_t Least = 0;  ///< that a parameter is
  /// All parameters have this value, and what is divided is as it mostly is:
  /// one run is looked for.
  std::optional<int64_t> Parameters;
};

/// Of one path: the newest are looked at.
inline constexpr size_t MaxDecisions = 256;

class Terms {
public:
  using Expr = llvm::SMTExprRef;
  Terms(llvm::SMTSolver &Solver, const clang::ASTContext &Ctx,
        const TermOrigins &Origins, GivenRange Given = {})
      : Solver(Solver), Ctx(Ctx), Origins(Origins), Given(Given) {}

  /// What follows from \p Condition being \p Holds in the thread.
  llvm::SMTExprRef implied(const Int *Condition, bool Holds, unsigned Thread);
  /// Gives the solver what follows from \p Decision. Of what differs by thread
  /// some threads are asked, \p Witnesses among them.
  void take(const PastDecision &Decision, PerThreadContext &L,
            llvm::ArrayRef<int> Witnesses);
  llvm::SMTExprRef value(const Int *I, unsigned Thread);
  /// From here on the symbol stands for another number.
  void renew(const Atom *Symbol);
  unsigned renewals(const Atom *Symbol) const {
    return Renewals.lookup(Symbol);
  }

  /// A symbol, and how often it had got another meaning.
  using Meaning = std::pair<const Atom *, unsigned>;
  /// Those that are the same in all threads, in the order in which they came,
  /// and what tables hold at places that the kernel can ask for again.
  llvm::ArrayRef<std::pair<Meaning, llvm::SMTExprRef>> uniform() const {
    return Uniform.getArrayRef();
  }
  /// It is in a table or says where, and nothing was decided about it.
  bool isOnlyLoaded(const Atom *Symbol) const { return Loads.contains(Symbol); }
  /// It is what an expression found in a table that has looked at other places,
  /// too.
  bool isOneOfSeveral(const Atom *A) const {
    const SymbolOrigin *From = Origins.of(A);
    return A->Kind == Atom::Op::Load && From && !LookedAt.lookup(From->E);
  }
  llvm::SMTExprRef constant(int64_t N);
  Expr isBetween(const Expr &X, int64_t Lo, int64_t Hi);

private:
  /// What a table holds there, in so many bits.
  struct TableEntry {
    const void *Table;
    int64_t Bits;
    Expr At, Is;
  };
  Expr loaded(const Atom *A, unsigned Thread);
  Expr fresh();
  Expr truth(bool B) { return Solver.mkBoolean(B); }
  /// A new truth value that is what \p Condition is, as far as that is said.
  Expr decided(const Int *Condition, unsigned Thread);
  Expr impliedByAtom(const Atom *A, bool Holds, unsigned Thread);
  /// Of what was compared, as it was.
  struct Pair {
    Expr Left, Right;
    unsigned Width;
    bool IsSigned;
  };
  Expr anyOf(const Int *Difference, unsigned Thread,
             llvm::function_ref<Expr(const Pair &)> Follows);
  Expr doesNotOverflow(const Int *I, const Expr &X);
  Expr impliedByLess(const Int *Difference, bool Holds, unsigned Thread);
  Expr impliedByEqual(const Int *Difference, bool Holds, unsigned Thread);
  Expr valueOf(const Atom *A, unsigned Thread);
  Expr newValueOf(const Atom *A, unsigned Thread);
  Expr symbol(const Atom *A, unsigned Thread);
  Expr divided(const Atom *A, unsigned Thread);
  Expr extreme(const Atom *A, unsigned Thread);
  Expr narrowed(Expr X, int ToBits);
  Expr low(const Expr &X);
  /// It lies in [0, 2^31).
  Expr isPlain(const Expr &X);
  bool isSigned(const Int *I) const;
  void addRange(const Expr &X, const Atom *Symbol);
  void addUsual(const Expr &X, const Atom *Symbol);

  llvm::SMTSolver &Solver;
  const clang::ASTContext &Ctx;
  const TermOrigins &Origins;
  const GivenRange Given;
  unsigned Names = 0;
  std::vector<TableEntry> Entries;    ///< loaded so far
  llvm::DenseSet<const Atom *> Loads; ///< isOnlyLoaded()
  /// What an expression found in a table; null: several things.
  llvm::DenseMap<const clang::Expr *, const Atom *> LookedAt;
  bool IsLoading = false;
  llvm::DenseMap<const Atom *, unsigned> Renewals;
  llvm::MapVector<Meaning, Expr> Uniform;
  std::map<std::pair<Meaning, unsigned>, Expr> Others; ///< of a thread or warp
  /// What operations give, until a symbol gets another meaning.
  llvm::DenseMap<std::pair<const Atom *, unsigned>, Expr> Known;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOLVE_TERMS_H
