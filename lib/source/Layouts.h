//===- Layouts.h - Sizes, alignments and places of members ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that asks Clang for the layout of a type, or for the value of a
// constant. Code that does not compile leaves declarations behind that have
// none, and Clang crashes when it is asked for it: a class that is incomplete,
// invalid or dependent, or has a member or a base that is.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_LAYOUTS_H
#define CPASYNC_LIB_SOURCE_LAYOUTS_H

#include "clang/AST/Type.h"
#include "clang/AST/TypeOrdering.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <optional>

namespace clang {
class APValue;
class ASTContext;
class CXXRecordDecl;
class Expr;
class FieldDecl;
class RecordDecl;
class VarDecl;
} // namespace clang

namespace cpasync {

/// The low 64 bits of \p N, as the engine keeps every integer.
int64_t int64Of(const llvm::APSInt &N);

class Layouts {
public:
  explicit Layouts(clang::ASTContext &Ctx) : Ctx(Ctx) {}

  /// The compiler can lay out an object of that type. References count as what
  /// they refer to; functions and void have no layout.
  bool isKnown(clang::QualType T);
  bool isKnown(const clang::RecordDecl *R);

  /// In bytes; 0 if it is not known.
  int64_t sizeOf(clang::QualType T);
  /// In bytes; 1 if it is not known.
  int64_t alignmentOf(clang::QualType T);
  /// With its attributes; in bytes, 1 if it is not known.
  int64_t alignmentOf(const clang::VarDecl *D);
  /// In bytes from the beginning of its class.
  std::optional<int64_t> offsetOf(const clang::FieldDecl *F);
  std::optional<int64_t> bitOffsetOf(const clang::FieldDecl *F); ///< in bits
  /// The member, of classes in each other the innermost, that holds the byte
  /// \p At of an object of type \p T or of an array of such; null: there is
  /// none.
  const clang::FieldDecl *memberAt(clang::QualType T, int64_t At);
  /// The way from an object of type \p T to what has no more than \p Size bytes
  /// at its byte \p At, as `.Member[3]`; 0: to what has no parts. Members of a
  /// base count as its own. \p T and \p At are what is there: where a type does
  /// not tell, At stays above 0 or T too large.
  std::string pathTo(clang::QualType &T, int64_t &At, int64_t Size);
  /// Bytes of an object.
  struct Extent {
    int64_t Begin, Size;
  };
  /// Of an object of type \p T, what somebody may reach who is given a pointer
  /// to a \p Pointee at its byte \p At: the member that begins an array or is
  /// of that class, and no member beside it.
  Extent reachedFrom(clang::QualType T, int64_t At, clang::QualType Pointee);
  /// \p Base is a direct base of \p Of, and not virtual.
  std::optional<int64_t> offsetOf(const clang::CXXRecordDecl *Base,
                                  const clang::CXXRecordDecl *Of);

  /// The integer of at most 64 bits that \p E always is, if the compiler can
  /// tell.
  std::optional<llvm::APSInt> integer(const clang::Expr *E);
  /// \p E is a floating-point zero of either sign, and the compiler can tell.
  bool isFloatingZero(const clang::Expr *E) const;
  /// The structure that \p E always is, if the compiler can tell; not null.
  std::optional<clang::APValue> structure(const clang::Expr *E);
  /// What \p D is initialised with, if that is a constant; null if not, or if
  /// it is larger than any table that indices are taken from.
  const clang::APValue *initialValue(const clang::VarDecl *D);

private:
  /// An element, a member or else a base.
  struct Part {
    clang::QualType Type;
    int64_t At; ///< in it
    const clang::FieldDecl *Member = nullptr;
    std::optional<int64_t> Index; ///< of an element
  };
  /// What holds the byte \p At of a \p T; none if it has no parts there.
  std::optional<Part> partAt(clang::QualType T, int64_t At);
  bool hasLayout(const clang::RecordDecl *R);

  clang::ASTContext &Ctx;
  llvm::DenseMap<clang::QualType, int64_t> Sizes; ///< found so far
  llvm::DenseMap<const clang::RecordDecl *, bool> Records;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_LAYOUTS_H
