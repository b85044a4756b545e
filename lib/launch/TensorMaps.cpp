//===- TensorMaps.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/TensorMaps.h"
#include "lib/launch/HostFacts.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// CUDA Driver API, cuTensorMapEncodeTiled.
static constexpr int64_t MaxExtent = 256, MaxStride = 8, RowUnit = 16;

static bool isTensorMap(QualType T) {
  const RecordDecl *R = T->getAsRecordDecl();
  return R && R->getName() == "CUtensorMap_st";
}

bool cpasync::holdsTensorMap(QualType T) {
  T = QualType(T->getBaseElementTypeUnsafe(), 0);
  if (isTensorMap(T))
    return true;
  const RecordDecl *R = T->getAsRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  if (!R)
    return false;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(R))
    if (llvm::any_of(Class->bases(), [](const CXXBaseSpecifier &Base) {
          return holdsTensorMap(Base.getType());
        }))
      return true;
  // One that is invalid may be of the class itself.
  return llvm::any_of(R->fields(), [](const FieldDecl *F) {
    return !F->isInvalidDecl() && holdsTensorMap(F->getType());
  });
}

EncodingCall cpasync::encodingOf(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  if (E->getNumArgs() != 12 || (F && definitionOf(F)->hasBody()))
    return {};
  const QualType To = E->getArg(0)->getType()->getPointeeType();
  if (To.isNull() || !isTensorMap(To))
    return {};
  return {E->getArg(0), E->getArg(1), E->getArg(2),
          E->getArg(6), E->getArg(7), E->getArg(8)};
}

/// In bytes; 0: packed, or none. CUDA Driver API, CUtensorMapDataType.
static int64_t sizeOfElement(int64_t Type) {
  static constexpr int64_t Sizes[] = {/*UINT8*/ 1,
                                      /*UINT16*/ 2,
                                      /*UINT32*/ 4,
                                      /*INT32*/ 4,
                                      /*UINT64*/ 8,
                                      /*INT64*/ 8,
                                      /*FLOAT16*/ 2,
                                      /*FLOAT32*/ 4,
                                      /*FLOAT64*/ 8,
                                      /*BFLOAT16*/ 2,
                                      /*FLOAT32_FTZ*/ 4,
                                      /*TFLOAT32*/ 4,
                                      /*TFLOAT32_FTZ*/ 4};
  return Type >= 0 && Type < int64_t(std::size(Sizes)) ? Sizes[Type] : 0;
}

std::optional<int64_t> cpasync::boxBytes(int64_t ElementType,
                                         llvm::ArrayRef<int64_t> Box,
                                         llvm::ArrayRef<int64_t> Strides) {
  int64_t Bytes = sizeOfElement(ElementType);
  for (const auto &[Axis, Extent, Stride] : llvm::enumerate(Box, Strides)) {
    if (Extent < 1 || Extent > MaxExtent || Stride < 1 || Stride > MaxStride)
      return std::nullopt;
    // Along the first axis there are no strides.
    Bytes *= Axis == 0 ? Extent : llvm::divideCeil(Extent, Stride);
    if (Axis == 0 && Bytes % RowUnit != 0)
      return std::nullopt;
  }
  return Bytes ? std::optional(Bytes) : std::nullopt;
}
