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

const FieldDecl *Layouts::memberAt(QualType T, int64_t At) {
  const FieldDecl *Found = nullptr;
  while (At >= 0) {
    T = Ctx.getBaseElementType(T);
    const RecordDecl *R = T->getAsRecordDecl();
    const int64_t Size = R && !R->isUnion() ? sizeOf(T) : 0;
    if (Size <= 0)
      return Found;
    At %= Size;
    const auto Holds = [&](const FieldDecl *F) {
      const std::optional<int64_t> Begin = offsetOf(F);
      return Begin && *Begin <= At && At < *Begin + sizeOf(F->getType());
    };
    const auto Member = llvm::find_if(R->fields(), Holds);
    if (Member == R->field_end())
      return Found;
    Found = *Member;
    At -= *offsetOf(Found);
    T = Found->getType();
  }
  return Found;
}

std::string Layouts::pathTo(QualType &T, int64_t &At, int64_t Size) {
  std::string Path;
  const auto GoInto = [&](std::optional<int64_t> Begin, QualType Part) {
    if (!Begin || At < *Begin || At >= *Begin + sizeOf(Part))
      return false;
    At -= *Begin;
    T = Part;
    return true;
  };
  while (At != 0 || sizeOf(T) > Size) {
    if (const ConstantArrayType *Array = Ctx.getAsConstantArrayType(T)) {
      T = Array->getElementType();
      const int64_t Each = sizeOf(T);
      if (Each <= 0)
        return {};
      Path += "[" + std::to_string(At / Each) + "]";
      At %= Each;
      continue;
    }
    const RecordDecl *R = T->getAsRecordDecl();
    if (!R || R->isUnion())
      return Path;
    const auto Member = llvm::find_if(R->fields(), [&](const FieldDecl *F) {
      return !F->isBitField() && F->getIdentifier() &&
             GoInto(offsetOf(F), F->getType());
    });
    if (Member != R->field_end()) {
      Path += "." + Member->getName().str();
      continue;
    }
    const auto *C = dyn_cast<CXXRecordDecl>(R);
    if (!C || llvm::none_of(C->bases(), [&](const CXXBaseSpecifier &B) {
          const CXXRecordDecl *Base = B.getType()->getAsCXXRecordDecl();
          return !B.isVirtual() && Base && Base->hasDefinition() &&
                 !Base->isEmpty() && GoInto(offsetOf(Base, C), B.getType());
        }))
      return Path;
  }
  return Path;
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
