//===- SpecialRegisters.cpp -----------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/SpecialRegisters.h"
#include "lib/interp/ApiCall.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace cpasync;

Value SpecialRegisters::read(llvm::StringRef Name) {
  auto PerThread = [&](auto Fn) {
    auto [I, New] = Known.try_emplace(Name);
    if (New) {
      std::vector<int64_t> R(Shape.threads());
      for (unsigned T = 0; T < Shape.threads(); ++T)
        R[T] = Fn(T);
      I->second = V.known(L.perThread(R));
    }
    return Value::integer(I->second);
  };
  if (Name.starts_with("tid."))
    ++Run.ThreadIndexUses;
  if (Name == "tid.x")
    return PerThread([&](unsigned T) { return T % Shape.X; });
  if (Name == "tid.y")
    return PerThread([&](unsigned T) { return T / Shape.X % Shape.Y; });
  if (Name == "tid.z")
    return PerThread([&](unsigned T) { return T / (Shape.X * Shape.Y); });
  if (Name == "ntid.x")
    return Value::integer(V.constant(Shape.X));
  if (Name == "ntid.y")
    return Value::integer(V.constant(Shape.Y));
  if (Name == "ntid.z")
    return Value::integer(V.constant(Shape.Z));
  if (Name == "laneid")
    return PerThread([](unsigned T) { return T % 32; });
  if (Name == "warpsize")
    return Value::integer(V.constant(32));
  bool Count = Name.starts_with("nctaid.");
  Run.Effects.note(); // the path may know something of it
  if (Count || Name.starts_with("ctaid."))
    return Value::integer(V.symbol(Symbols::GridNames + Count, Name.back(),
                                   Uniformity::Block,
                                   {Count ? 1 : 0, INT32_MAX},
                                   /*Stable=*/true));
  return Value::unknown();
}

bool apis::specialRegister(const ApiCall &C) {
  const auto &[I, S, E, F, K] = C;
  const llvm::StringRef Name = I.Run.P.recognizer().specialRegister(F);
  // A header asks for all three to number the threads of any block.
  if (Name.starts_with("tid.") &&
      !I.Run.Ctx.getSourceManager().isInSystemHeader(
          S.frame().Fn->decl()->getLocation())) {
    if (Name == "tid.y" || Name == "tid.z")
      I.Registers.Uses.asks(Name == "tid.y" ? 1 : 2, I.Run.userLoc(S, C.loc()));
  }
  Value Val = I.Registers.read(Name);
  if (Val.isUnknown())
    Val = I.Names.freshSymbol(S, E, Uniformity::Thread);
  C.setResult(Val);
  return true;
}
