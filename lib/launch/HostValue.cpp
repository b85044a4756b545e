//===- HostValue.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/launch/HostValue.h"

using namespace cpasync;

HostPlace HostPlace::member(unsigned Field) const {
  HostPlace Place = *this;
  Place.Parts.push_back({Field, /*IsElement=*/false});
  return Place;
}

HostPlace HostPlace::element(unsigned Index) const {
  HostPlace Place = *this;
  Place.Parts.push_back({Index, /*IsElement=*/true});
  return Place;
}

HostPlace HostPlace::whole() const {
  HostPlace Place = *this;
  while (!Place.Parts.empty() && Place.Parts.back().IsElement)
    Place.Parts.pop_back();
  return Place;
}

HostValue HostValue::integer(int64_t Number) {
  HostValue V;
  V.K = Kind::Integer;
  V.Number = Number;
  return V;
}

HostValue HostValue::function(const clang::FunctionDecl *F) {
  HostValue V;
  V.K = Kind::Function;
  V.Called = F;
  return V;
}

HostValue HostValue::address(HostPlace At) {
  HostValue V;
  V.K = Kind::Address;
  V.At = std::move(At);
  return V;
}

HostValue HostValue::structure(unsigned Fields) {
  HostValue V;
  V.K = Kind::Structure;
  V.Members.resize(Fields);
  return V;
}

HostValue HostValue::tensorMap(int64_t BoxBytes, clang::SourceLocation From) {
  HostValue V;
  V.K = Kind::TensorMap;
  V.Number = BoxBytes;
  V.Encoded = From;
  return V;
}

std::optional<int64_t> HostValue::number() const {
  return K == Kind::Integer ? std::optional(Number) : std::nullopt;
}

std::optional<HostPlace> HostValue::pointee(int64_t Next) const {
  if (K != Kind::Address)
    return std::nullopt;
  if (Next == 0)
    return At;
  if (At.Parts.empty() || !At.Parts.back().IsElement)
    return std::nullopt;
  const int64_t Index = At.Parts.back().Index + Next;
  if (Index < 0 || Index >= HostPlace::MaxElements)
    return std::nullopt;
  HostPlace Place = At;
  Place.Parts.back().Index = unsigned(Index);
  return Place;
}

HostValue HostValue::part(const HostPlace &At) const {
  const HostValue *V = this;
  for (const HostPlace::Part &Part : At.Parts) {
    if (Part.Index >= V->Members.size())
      return {};
    V = &V->Members[Part.Index];
  }
  return *V;
}

void HostValue::rebase(HostVariable From, const HostPlace &To) {
  if (K == Kind::Address && At.Variable == From) {
    HostPlace Place = To;
    Place.Parts.append(At.Parts.begin(), At.Parts.end());
    At = std::move(Place);
  }
  for (HostValue &Member : Members)
    Member.rebase(From, To);
}

HostValue HostWorld::read(const HostPlace &At) const {
  auto I = Variables.find(At.Variable);
  return I == Variables.end() ? HostValue() : I->second.part(At);
}

void HostWorld::write(const HostPlace &At, HostValue New) {
  if (const HostVariable From = std::exchange(New.BuiltIn, {}))
    New.rebase(From, At);
  HostValue *V = &Variables[At.Variable];
  for (const HostPlace::Part &Part : At.Parts) {
    if (V->K != HostValue::Kind::Structure)
      *V = HostValue::structure(Part.Index + 1);
    if (Part.Index >= V->Members.size())
      V->Members.resize(Part.Index + 1);
    V = &V->Members[Part.Index];
  }
  *V = std::move(New);
}

void HostWorld::leave(const HostWorld &Outer) {
  std::erase_if(Variables,
                [&](const auto &X) { return !Outer.holds(X.first); });
}

void HostWorld::join(const HostWorld &Other) {
  for (auto &[Variable, Value] : Variables)
    if (Value != Other.read({Variable, {}}))
      Value = {};
  if (Returned != Other.Returned)
    Returned = {};
  for (const auto &[Variable, Value] : Other.Variables)
    Variables.try_emplace(Variable);
}
