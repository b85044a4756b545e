//===- HostClusters.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/HostClusters.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;
using namespace cpasync;

// CUDA Runtime API, cudaLaunchAttributeClusterDimension: the driver API has the
// same number.
static constexpr int64_t ClusterDimension = 4;
/// A launch has few.
static constexpr int64_t MaxAttributes = 16;

/// A member, and what type it has; unknown: there is none of that name.
static std::pair<HostValue, QualType> member(const HostValue &Of, QualType T,
                                             llvm::StringRef Name) {
  const RecordDecl *R = T.isNull() ? nullptr : T->getAsRecordDecl();
  if (R && Of.K == HostValue::Kind::Structure)
    for (const FieldDecl *Field : R->fields())
      if (Field->getIdentifier() && Field->getName() == Name &&
          Field->getFieldIndex() < Of.Members.size())
        return {Of.Members[Field->getFieldIndex()], Field->getType()};
  return {};
}

/// The number of blocks along an axis; 0: not known.
static unsigned along(const HostValue &Of, QualType T, llvm::StringRef Axis) {
  const int64_t N = member(Of, T, Axis).first.number().value_or(0);
  return N >= 1 && N <= ClusterShape::MaxBlocks ? unsigned(N) : 0;
}

ClusterShape HostClusters::clusterOf(const HostValue &Config, QualType T,
                                     const HostWorld &World) {
  const auto Count = member(Config, T, "numAttrs").first.number();
  if (!Count || *Count < 0 || *Count > MaxAttributes)
    return {};
  const auto [First, PointerType] = member(Config, T, "attrs");
  ClusterShape Shape{1, 1, 1};
  for (int64_t I = 0; I < *Count; ++I) {
    const auto At = First.pointee(I);
    if (!At)
      return {};
    const QualType OfAttribute = PointerType->getPointeeType();
    const HostValue Attribute = Run.load(*At, World);
    const auto Id = member(Attribute, OfAttribute, "id").first.number();
    if (!Id)
      return {};
    if (*Id != ClusterDimension)
      continue;
    auto [Value, OfValue] = member(Attribute, OfAttribute, "val");
    if (OfValue.isNull())
      std::tie(Value, OfValue) = member(Attribute, OfAttribute, "value");
    const auto [Dim, OfDim] = member(Value, OfValue, "clusterDim");
    Shape = {along(Dim, OfDim, "x"), along(Dim, OfDim, "y"),
             along(Dim, OfDim, "z")};
  }
  return Shape;
}
