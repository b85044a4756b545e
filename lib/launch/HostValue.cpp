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
  Place.Members.push_back(Field);
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

std::optional<int64_t> HostValue::number() const {
  return K == Kind::Integer ? std::optional(Number) : std::nullopt;
}

HostValue HostWorld::read(const HostPlace &At) const {
  auto I = Variables.find(At.Variable);
  if (I == Variables.end())
    return {};
  const HostValue *V = &I->second;
  for (unsigned Field : At.Members) {
    if (Field >= V->Members.size())
      return {};
    V = &V->Members[Field];
  }
  return *V;
}

void HostWorld::write(const HostPlace &At, HostValue New) {
  HostValue *V = &Variables[At.Variable];
  for (unsigned Field : At.Members) {
    if (V->K != HostValue::Kind::Structure)
      *V = HostValue::structure(Field + 1);
    if (Field >= V->Members.size())
      V->Members.resize(Field + 1);
    V = &V->Members[Field];
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
