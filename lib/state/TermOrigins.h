//===- TermOrigins.h - What the program says of terms -----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers are mathematical ones and have no type. Whoever wants to know what a
// machine makes of them finds here what comparisons were of, and what symbols
// stand for in the program.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_STATE_TERMORIGINS_H
#define CPASYNC_LIB_STATE_TERMORIGINS_H

#include "lib/values/SymbolSet.h"
#include "clang/AST/OperationKinds.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cpasync {

/// Two integers that were compared, both of one type.
struct Comparands {
  const Int *Left, *Right;
  clang::QualType Type;
  bool operator==(const Comparands &) const = default;
};

/// What a symbol is in the program: a declaration, or what an expression gave.
struct SymbolOrigin {
  const clang::NamedDecl *Decl = nullptr;
  const clang::Expr *E = nullptr;
  clang::QualType Type;
  /// The parameter of the kernel that holds it, at the byte Atom::Number; null:
  /// none does.
  const clang::VarDecl *Holder = nullptr;
};

class TermOrigins {
public:
  /// \p A \p Op \p B was evaluated; \p By asked so, null: nobody in the
  /// program.
  void compared(ValueContext &V, clang::BinaryOperatorKind Op, const Int *A,
                const Int *B, clang::QualType Type,
                const clang::Expr *By = nullptr);
  /// The path knows the condition \p Written as \p Now, by \p Simplify: it
  /// compares the same two.
  void simplified(ValueContext &V, const Int *Written, const Int *Now,
                  llvm::function_ref<const Int *(const Int *)> Simplify);
  /// Those that were compared and are this far apart; mostly one.
  llvm::ArrayRef<Comparands> comparands(const Int *Difference) const;
  /// What counts as one number of those that are compared: a table for all that
  /// it holds. Null: it is where somebody is, with an item or in the grid.
  static const void *numberOf(const Atom *A);
  /// More than one comparison asked for it, or nobody needs to.
  bool isAskedTwice(const void *Number) const;
  /// All threads took the same number modulo \p Modulus: mostly, a ring is so
  /// long.
  void modulo(const Int *Modulus) {
    if (Modulus->terms().size() == 1)
      Moduli.insert(Modulus->terms()[0].A);
  }
  llvm::ArrayRef<const Atom *> moduli() const { return Moduli.getArrayRef(); }
  /// \p Visit of whatever was compared, and whether that was with something
  /// that threads have their own of.
  template <typename Fn> void forEachBound(Fn Visit) const {
    for (const auto &[Difference, Those] : Compared)
      for (const Comparands &C : Those) {
        Visit(C.Left, !C.Right->isUniform());
        Visit(C.Right, !C.Left->isUniform());
      }
  }

  /// It, or what is computed from it, may have gone beyond its type, and that
  /// says nothing against it: it was unsigned, or wider.
  void wraps(const Int *I) { Wrapping.add(I); }
  bool mayWrap(const Atom *Symbol) const { return Wrapping.contains(Symbol); }

  void named(const Int *Symbol, SymbolOrigin From) {
    Symbols.try_emplace(Symbol->terms()[0].A, From);
  }
  /// Null: it is not known.
  const SymbolOrigin *of(const Atom *Symbol) const {
    const auto I = Symbols.find(Symbol);
    return I == Symbols.end() ? nullptr : &I->second;
  }
  bool isParameter(const Atom *Symbol) const;
  /// An element of an array, of which nothing is known.
  bool isElement(const Atom *Name) const;

private:
  llvm::DenseMap<const Int *, llvm::SmallVector<Comparands, 1>> Compared;
  llvm::DenseMap<const Atom *, SymbolOrigin> Symbols;
  llvm::DenseMap<const void *, llvm::SmallPtrSet<const clang::Expr *, 2>>
      AskedBy;
  llvm::SmallSetVector<const Atom *, 4> Moduli;
  SymbolSet Wrapping;
};

} // namespace cpasync

#endif // CPASYNC_LIB_STATE_TERMORIGINS_H
