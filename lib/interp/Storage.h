//===- Storage.h - Loads, stores and copies of objects ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_STORAGE_H
#define CPASYNC_LIB_INTERP_STORAGE_H

#include "lib/interp/InterpPart.h"
#include "clang/AST/ExprCXX.h"

namespace cpasync {

/// What locals hold; accesses of shared memory are handed on.
class Storage : InterpPart {
public:
  using InterpPart::InterpPart;

  Value load(State &S, Value Pointer, clang::QualType T, const clang::Expr *E);
  void store(State &S, Value Pointer, Value V, clang::QualType T,
             const clang::Stmt *At);
  void storeBytes(State &S, Value Pointer, int64_t Size, Value V,
                  const clang::Stmt *At);
  /// To the member \p F at \p To, which may be a bit-field.
  void storeMember(State &S, Value To, const clang::FieldDecl *F, Value V,
                   const clang::Stmt *At);
  void copyObject(State &S, Value To, Value From, clang::QualType T,
                  const clang::Expr *At);
  void initialise(State &S, Value To, const clang::Expr *Init,
                  clang::QualType T);
  void fillFromConstant(Memory &Mem, const Object *O, int64_t Offset,
                        const clang::APValue &V, clang::QualType T);
  void forgetTarget(State &S, Value Pointer);
  /// The same, of one \p Pointee: members beside it stay.
  void forgetTarget(State &S, Value To, clang::QualType Pointee);
  const Footprint *footprint(const State &S, Value Pointer, int64_t Size);
  /// Places in \p Of, an object or what a pointer points to; unknown, and a
  /// gap, where its class has no layout.
  Value memberOf(State &S, Value Of, const clang::FieldDecl *F);
  Value baseOf(State &S, Value Of, clang::QualType Base,
               const clang::CXXRecordDecl *Class);
  Value noLayout(State &S, const clang::RecordDecl *Class);

  Memory Constants; ///< of variables outside functions; the same on all paths

private:
  /// What a local, or a variable outside functions, holds there.
  Value loadKept(State &S, Value P, clang::QualType T, const clang::Expr *E);
  /// What the active threads have loaded there.
  Value loadedHere(State &S, Value Loaded);
  /// The value of \p New, stored over \p Kept, which is part of \p Old; threads
  /// that do not store keep theirs. \p IsFirst: of what it is stored over.
  Value besideKept(State &S, const Cell &New, const Cell &Kept,
                   const Contents &Old, bool IsFirst);
  Value loadBitField(State &S, Value Place, const clang::FieldDecl *F);
  /// Adds what the member of type \p T at \p At of \p From holds, if that is a
  /// number or a pointer: \p E copies them all.
  void loadMember(State &S, Value From, int64_t At, clang::QualType T,
                  const clang::Expr *E, llvm::SmallVectorImpl<Cell> &To);
  void loadMembers(State &S, Value From, int64_t At, clang::QualType T,
                   const clang::Expr *E, llvm::SmallVectorImpl<Cell> &To);
  std::optional<Value> oneOf(const Contents &Bytes, Value P, int64_t Size);
  /// Puts together what an object holds once the active threads have set
  /// [\p Begin, \p End) to \p New: what it held around that, and there in the
  /// threads that did not.
  void keepOthers(const State &S, const Contents &Old, int64_t Begin,
                  int64_t End, llvm::SmallVectorImpl<Cell> &New);
  void initialiseList(State &S, Value To, const clang::InitListExpr *List,
                      clang::QualType T);
  void initialiseMember(State &S, Value Of, const clang::FieldDecl *F,
                        const clang::Expr *Init);
  void initialiseStdList(State &S, Value To,
                         const clang::CXXStdInitializerListExpr *List,
                         clang::QualType T);
  /// Null if nothing is known of \p O.
  const Contents *contentsOf(const State &S, const Object *O) const {
    return O->K == Object::Kind::Device ? Constants.find(O) : S.Mem.find(O);
  }
  Value loadedSymbol(State &S, const clang::Expr *E, Value From);
  /// Null: it is no number of a table that other threads may ask for.
  const Int *loadFromTable(State &S, const clang::Expr *E, Value From);
  Value pointerFrom(State &S, const Object *Base, int64_t Offset,
                    clang::QualType T);
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_STORAGE_H
