//===- Layouts.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Layouts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

/// Bytes of a constant that is evaluated at most: Clang holds every element of
/// an array as an object of some 70 bytes.
static constexpr int64_t MaxConstantBytes = 1 << 22;

/// Clang evaluates the alignment that an attribute asks for whenever it lays
/// out what it is on.
static bool hasUnknownAlignment(const Decl *D) {
  return llvm::any_of(
      D->specific_attrs<AlignedAttr>(), [](const AlignedAttr *A) {
        return A->isAlignmentDependent() || A->isAlignmentErrorDependent();
      });
}

bool Layouts::hasLayout(const RecordDecl *R) {
  if (!R->isCompleteDefinition() || R->isInvalidDecl() ||
      R->isDependentType() || hasUnknownAlignment(R))
    return false;
  if (const auto *C = dyn_cast<CXXRecordDecl>(R))
    for (const CXXBaseSpecifier &B : C->bases())
      if (!B.getType()->getAsCXXRecordDecl() || !isKnown(B.getType()))
        return false;
  return llvm::all_of(R->fields(), [&](const FieldDecl *F) {
    const QualType T = F->getType();
    const Expr *Bits = F->getBitWidth();
    if (F->isInvalidDecl() || hasUnknownAlignment(F) ||
        (Bits && (Bits->isValueDependent() || Bits->containsErrors())))
      return false;
    // A reference and the open array at the end have a place all the same.
    return T->isReferenceType() || T->isIncompleteArrayType()
               ? !T->isDependentType()
               : isKnown(T);
  });
}

bool Layouts::isKnown(const RecordDecl *R) {
  R = R->getDefinition();
  if (!R)
    return false;
  // A class that contains itself has no layout.
  const auto [I, New] = Records.try_emplace(R, false);
  if (!New)
    return I->second;
  const bool Known = hasLayout(R);
  return Records[R] = Known;
}

bool Layouts::isKnown(QualType T) {
  if (T.isNull())
    return false;
  T = T.getNonReferenceType();
  while (true) {
    if (T->isDependentType() || T->isUndeducedType() || T->containsErrors())
      return false;
    if (const ArrayType *A = Ctx.getAsArrayType(T)) {
      if (!isa<ConstantArrayType>(A))
        return false;
      T = A->getElementType();
    } else if (const auto *A = T->getAs<AtomicType>()) {
      T = A->getValueType();
    } else {
      break;
    }
  }
  if (const auto *R = T->getAsRecordDecl())
    return isKnown(R);
  // The name of overloaded functions, and the like, has a type but no value.
  return !T->isIncompleteType() && !T->isFunctionType() &&
         !T->isPlaceholderType();
}

int64_t Layouts::sizeOf(QualType T) {
  T = T.getNonReferenceType();
  const auto I = Sizes.find(T);
  if (I != Sizes.end())
    return I->second;
  const int64_t Size = isKnown(T) ? Ctx.getTypeSizeInChars(T).getQuantity() : 0;
  return Sizes[T] = Size;
}

int64_t Layouts::alignmentOf(QualType T) {
  return isKnown(T) ? Ctx.getTypeAlignInChars(T).getQuantity() : 1;
}

int64_t Layouts::alignmentOf(const VarDecl *D) {
  QualType T = D->getType();
  if (T->isIncompleteArrayType())
    T = Ctx.getAsArrayType(T)->getElementType();
  return isKnown(T) && !hasUnknownAlignment(D)
             ? Ctx.getDeclAlign(D).getQuantity()
             : 1;
}

std::optional<int64_t> Layouts::offsetOf(const FieldDecl *F) {
  const auto Bits = bitOffsetOf(F);
  return Bits ? std::optional(*Bits / Ctx.getCharWidth()) : std::nullopt;
}

std::optional<Layouts::Part> Layouts::partAt(QualType T, int64_t At) {
  if (At < 0)
    return std::nullopt;
  if (const ConstantArrayType *Array = Ctx.getAsConstantArrayType(T)) {
    const QualType Element = Array->getElementType();
    const int64_t Each = sizeOf(Element);
    return Each > 0
               ? std::optional(Part{Element, At % Each, nullptr, At / Each})
               : std::nullopt;
  }
  const RecordDecl *R = T->getAsRecordDecl();
  if (!R || R->isUnion())
    return std::nullopt;
  const auto Holds = [&](std::optional<int64_t> Begin, QualType Of) {
    return Begin && *Begin <= At && At < *Begin + sizeOf(Of);
  };
  for (const FieldDecl *F : R->fields())
    if (const auto Begin = offsetOf(F); Holds(Begin, F->getType()))
      return Part{F->getType(), At - *Begin, F};
  const auto *C = dyn_cast<CXXRecordDecl>(R);
  if (C && C->hasDefinition())
    for (const CXXBaseSpecifier &B : C->bases()) {
      const CXXRecordDecl *Base = B.getType()->getAsCXXRecordDecl();
      if (B.isVirtual() || !Base || !Base->hasDefinition() || Base->isEmpty())
        continue;
      if (const auto Begin = offsetOf(Base, C); Holds(Begin, B.getType()))
        return Part{B.getType(), At - *Begin};
    }
  return std::nullopt;
}

const FieldDecl *Layouts::memberAt(QualType T, int64_t At) {
  T = Ctx.getBaseElementType(T);
  if (const int64_t Size = sizeOf(T); Size > 0)
    At %= Size;
  const FieldDecl *Found = nullptr;
  while (const auto In = partAt(T, At)) {
    if (In->Member)
      Found = In->Member;
    T = In->Type;
    At = In->At;
  }
  return Found;
}

std::string Layouts::pathTo(QualType &T, int64_t &At, int64_t Size) {
  std::string Path;
  while (At != 0 || sizeOf(T) > Size) {
    const auto In = partAt(T, At);
    if (!In)
      break;
    if (const FieldDecl *F = In->Member) {
      if (F->isBitField() || !F->getIdentifier())
        break;
      Path += "." + F->getName().str();
    } else if (In->Index) {
      Path += "[" + std::to_string(*In->Index) + "]";
    }
    T = In->Type;
    At = In->At;
  }
  return Path;
}

Layouts::Extent Layouts::reachedFrom(QualType T, int64_t At, QualType Pointee) {
  Extent R = {0, sizeOf(T)};
  const int64_t Least = sizeOf(Pointee); // 0: anything
  while (Least > 0 && T->isRecordType() &&
         !Ctx.hasSameUnqualifiedType(T, Pointee)) {
    const auto In = partAt(T, At);
    if (!In || (In->Member && In->Member->isBitField()) ||
        sizeOf(In->Type) < Least)
      break;
    R = {R.Begin + At - In->At, sizeOf(In->Type)};
    T = In->Type;
    At = In->At;
  }
  return R;
}

std::optional<int64_t> Layouts::bitOffsetOf(const FieldDecl *F) {
  return isKnown(F->getParent()) ? std::optional(Ctx.getFieldOffset(F))
                                 : std::nullopt;
}

std::optional<int64_t> Layouts::offsetOf(const CXXRecordDecl *Base,
                                         const CXXRecordDecl *Of) {
  if (!Base || !Of || !isKnown(Of))
    return std::nullopt;
  return Ctx.getASTRecordLayout(Of).getBaseClassOffset(Base).getQuantity();
}

static bool canBeEvaluated(const Expr *E) {
  return E && !E->isValueDependent() && !E->containsErrors();
}

int64_t cpasync::int64Of(const llvm::APSInt &N) {
  return N.extOrTrunc(64).getSExtValue();
}

std::optional<llvm::APSInt> Layouts::integer(const Expr *E) {
  Expr::EvalResult R;
  if (!canBeEvaluated(E) || !E->getType()->isIntegralOrEnumerationType() ||
      !E->EvaluateAsInt(R, Ctx) || R.Val.getInt().getBitWidth() > 64)
    return std::nullopt;
  return R.Val.getInt();
}

bool Layouts::isFloatingZero(const Expr *E) const {
  bool IsOther = false;
  return canBeEvaluated(E) && E->getType()->isRealFloatingType() &&
         E->EvaluateAsBooleanCondition(IsOther, Ctx) && !IsOther;
}

std::optional<APValue> Layouts::structure(const Expr *E) {
  Expr::EvalResult R;
  if (!canBeEvaluated(E) || !isKnown(E->getType()) ||
      sizeOf(E->getType()) > MaxConstantBytes ||
      !E->EvaluateAsConstantExpr(R, Ctx) || !R.Val.isStruct())
    return std::nullopt;
  return std::move(R.Val);
}

const APValue *Layouts::initialValue(const VarDecl *D) {
  if (D->isInvalidDecl() || !canBeEvaluated(D->getAnyInitializer()) ||
      !isKnown(D->getType()) || sizeOf(D->getType()) > MaxConstantBytes)
    return nullptr;
  return D->evaluateValue();
}
