//===- HostTensorMaps.cpp -------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/HostTensorMaps.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace cpasync;

// CUDA Driver API, cuTensorMapEncodeTiled.
static constexpr unsigned MaxRank = 5;

std::optional<int64_t> HostTensorMaps::boxOf(const EncodingCall &Of,
                                             const HostWorld &World) {
  const int64_t Rank = Run.only(Of.Rank, World).number().value_or(0);
  const auto ElementType = Run.only(Of.ElementType, World).number();
  if (Rank < 1 || Rank > MaxRank || !ElementType ||
      Run.only(Of.Interleave, World).number() != 0)
    return std::nullopt;
  llvm::SmallVector<int64_t, MaxRank> Extents[2];
  for (const auto &[E, To] :
       {std::pair(Of.Box, &Extents[0]), std::pair(Of.Strides, &Extents[1])}) {
    const HostValue First = Run.only(E, World);
    for (int64_t I = 0; I < Rank; ++I) {
      const auto At = First.pointee(I);
      To->push_back(At ? Run.load(*At, World).number().value_or(0) : 0);
    }
  }
  return boxBytes(*ElementType, Extents[0], Extents[1]);
}

HostRun::Outcomes HostTensorMaps::encode(const CallExpr *E, HostWorld World) {
  const EncodingCall Of = encodingOf(E);
  const auto To = Run.only(Of.Map, World).pointee(0);
  if (!To)
    return Run.forget(E, std::move(World));
  const auto Bytes = boxOf(Of, World);
  World.write(*To, Bytes ? HostValue::tensorMap(*Bytes, E->getBeginLoc())
                         : HostValue());
  return {{std::move(World), {}}};
}

void HostTensorMaps::collectBoxes(const HostValue &Of, QualType T, TensorBox In,
                                  std::vector<TensorBox> &Boxes) {
  if (Of.K == HostValue::Kind::TensorMap) {
    In.Bytes = Of.Number;
    In.Loc = Of.Encoded;
    Boxes.push_back(In);
  } else if (Of.K == HostValue::Kind::Structure && T->isArrayType()) {
    const QualType Element(T->getPointeeOrArrayElementType(), 0);
    for (const HostValue &Member : Of.Members) {
      collectBoxes(Member, Element, In, Boxes);
      In.Offset += Run.Constants.sizeOf(Element);
    }
  } else if (const RecordDecl *R = T->getAsRecordDecl();
             R && Of.K == HostValue::Kind::Structure) {
    for (const auto &[Field, Member] : llvm::zip(R->fields(), Of.Members))
      if (const auto Offset = Run.Constants.offsetOf(Field)) {
        TensorBox Inner = In;
        Inner.Offset += *Offset;
        collectBoxes(Member, Field->getType(), Inner, Boxes);
      }
  }
}

std::vector<TensorBox> HostTensorMaps::boxesOf(const LaunchCall &Of,
                                               const FunctionDecl *Kernel,
                                               const HostWorld &World) {
  std::vector<TensorBox> Boxes;
  const HostValue Packed = Of.Packed ? Run.only(Of.Packed, World) : HostValue();
  for (const auto &[I, P] : llvm::enumerate(Kernel->parameters())) {
    if (!holdsTensorMap(P->getType()))
      continue;
    HostValue Value;
    if (I < Of.Arguments.size())
      Value = Run.only(Of.Arguments[I], World);
    else if (const auto At = Packed.pointee(I))
      if (const auto Argument = Run.load(*At, World).pointee(0))
        Value = Run.load(*Argument, World);
    collectBoxes(Value, P->getType(), {unsigned(I), 0, 0, {}}, Boxes);
  }
  return Boxes;
}
