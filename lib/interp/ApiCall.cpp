//===- ApiCall.cpp --------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/ApiCall.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clang;
using namespace cpasync;

Value ApiCall::arg(unsigned Index) const {
  if (Index >= E->getNumArgs())
    return Value::unknown();
  const Expr *A = E->getArg(Index);
  return A->isGLValue() ? I.Eval.address(S, A) : I.Eval.eval(S, A);
}

bool apis::run(const ApiCall &C) {
  // To hand on what it was given, as std::move does, is not to use it.
  if (C.Kind != ApiKind::Address)
    ++C.I.Run.V.Uses.Times;
  switch (C.Kind) {
  case ApiKind::None:
    return false;
#define ASYNC_API(Kind, Effects, Handler, ...)                                 \
  case ApiKind::Kind:                                                          \
    return Handler(C);
#include "lib/source/AsyncApis.def"
  }
  llvm_unreachable("a kind without a row does not compile");
}

static bool leaveOut(const ApiCall &C, std::string Reason) {
  const auto &[I, S, E, F, K] = C;
  I.Run.gap(S, C.loc(), std::move(Reason));
  I.Barriers.unknownOrder(S);
  S.Copies.history().storeAnywhere(I.Run.Written);
  I.Frames.unknownCall(S, {}, E);
  return true;
}

bool apis::unmodelled(const ApiCall &C) {
  return leaveOut(C, "'" + C.Callee->getQualifiedNameAsString() +
                         "' is not analysed yet");
}

// Its name has the architecture, or the first of them: "..._SM_90__".
bool apis::tooEarlyArch(const ApiCall &C) {
  C.I.Run.guessOrder(C.S);
  const llvm::StringRef Arch =
      C.Callee->getName().split("_SM_").second.split('_').first;
  return leaveOut(C, "this needs sm_" + Arch.str() +
                         ", and another architecture is compiled for");
}

// Not std::move of a range.
bool apis::address(const ApiCall &C) {
  if (C.E->getNumArgs() == 1)
    C.setResult(C.arg(0));
  return C.E->getNumArgs() == 1;
}

bool apis::extremum(const ApiCall &C) {
  const auto &[I, S, E, F, K] = C;
  if (E->getNumArgs() != 2 || !E->getType()->isIntegralOrEnumerationType())
    return false;
  Value A, B;
  if (E->getArg(0)->isGLValue() || E->getArg(1)->isGLValue()) {
    A = I.Store.load(S, C.arg(0), E->getArg(0)->getType(), E->getArg(0));
    B = I.Store.load(S, C.arg(1), E->getArg(1)->getType(), E->getArg(1));
  } else {
    A = C.arg(0);
    B = C.arg(1);
  }
  Value R;
  if (A.isInt() && B.isInt())
    R = Value::integer(I.Run.V.apply(
        K == ApiKind::Minimum ? Atom::Op::Min : Atom::Op::Max, A.I, B.I));
  if (E->isGLValue()) { // std::min returns a reference
    const Object *O = I.Run.local(S, E, "", I.Run.P.sizeOf(E->getType()));
    Value Place = Value::pointer(O, I.Run.V.constant(0));
    I.Store.storeBytes(S, Place, I.Run.P.sizeOf(E->getType()), R, E);
    R = Place;
  }
  C.setResult(R);
  return true;
}
