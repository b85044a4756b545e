//===- MemoryCalls.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/ApiCall.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using namespace cpasync;

bool apis::atomic(const ApiCall &C) {
  const auto &[I, S, E, F, K] = C;
  const SourceLocation Loc = E->getBeginLoc();
  const Value Place = C.arg(0);
  const QualType T = E->getArg(0)->getType()->getPointeeType();
  if (Place.isPtr() && Place.Obj->isShared() && !T.isNull())
    I.Accesses.sharedAtomic(S, E, Loc, Place, I.Run.P.sizeOf(T));
  else
    I.Store.forgetTarget(S, Place);
  // What was there before may go to a place of its own.
  for (unsigned Index = 1; Index < E->getNumArgs(); ++Index)
    if (E->getArg(Index)->getType()->isPointerType())
      I.Store.forgetTarget(S, C.arg(Index));
  I.Frames.unknownCall(S, {}, E);
  return true;
}

// What is touched is what is certain: at least a byte, or nobody would ask.
bool apis::moveMemory(const ApiCall &C) {
  const auto &[I, S, E, F, K] = C;
  const bool IsCopy = K == ApiKind::MemoryCopy;
  const SourceLocation Loc = E->getBeginLoc();
  const Value To = I.Eval.eval(S, E->getArg(0));
  const Value From = IsCopy ? I.Eval.eval(S, E->getArg(1)) : Value::unknown();
  const Value Size = I.Run.simplify(S, I.Eval.eval(S, E->getArg(2)));
  const bool IsKnown = Size.isInt() && Size.I->isConstant();
  const int64_t Bytes = IsKnown ? Size.I->constant() : 1;
  const auto IsShared = [](const Value &P) {
    return P.isPtr() && P.Obj->isShared();
  };
  if (!IsKnown && (IsShared(To) || IsShared(From)) && !S.Copies.isIdle())
    I.Run.gap(S, Loc,
              "number of bytes of this access to shared memory is not known");
  if (IsShared(From))
    I.Accesses.sharedRead(S, E, Loc, From, Bytes);
  if (IsShared(To))
    I.Accesses.sharedWrite(S, E, Loc, To, Bytes);
  else
    I.Store.forgetTarget(S, To);
  if (!IsKnown && IsShared(To))
    S.Copies.history().storeAnywhere(I.Run.Written);
  C.setResult(To);
  return true;
}

bool apis::matrixAccess(const ApiCall &C) {
  const auto &[I, S, E, F, K] = C;
  if (E->getNumArgs() < 3)
    return true;
  const bool IsLoad = C.Kind == ApiKind::MatrixLoad;
  const Expr *Fragment = E->getArg(IsLoad ? 0 : 1);
  const Expr *Place = E->getArg(IsLoad ? 1 : 0);
  Value At = I.Eval.eval(S, Place);
  Value Pitch = I.Eval.eval(S, E->getArg(2));
  if (!At.isPtr() || !At.Obj->isShared())
    return true;
  const auto *T = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Fragment->getType()->getAsCXXRecordDecl());
  int64_t Element = Place->getType()->isPointerType()
                        ? I.Run.P.sizeOf(Place->getType()->getPointeeType())
                        : 0;
  if (!T || T->getTemplateArgs().size() < 5 || !Pitch.isInt() || !Element) {
    I.Run.gap(E->getBeginLoc(), "shape of the matrix fragment is not known");
    return true;
  }
  const TemplateArgumentList &Args = T->getTemplateArgs();
  auto Name = [&](unsigned Index) -> std::string {
    if (Index >= Args.size() || Args[Index].getKind() != TemplateArgument::Type)
      return "";
    const CXXRecordDecl *D = Args[Index].getAsType()->getAsCXXRecordDecl();
    return D ? D->getNameAsString() : "";
  };
  auto Extent = [&](unsigned Index) -> int64_t {
    return Args[Index].getKind() == TemplateArgument::Integral
               ? int64Of(Args[Index].getAsIntegral())
               : 0;
  };
  int64_t M = Extent(1), N = Extent(2), Depth = Extent(3);
  std::string Use = Name(0), Layout = Name(5);
  int64_t Rows = Use == "matrix_b" ? Depth : M;
  int64_t Columns = Use == "matrix_a" ? Depth : N;
  if (Layout == "col_major")
    std::swap(Rows, Columns);
  LoadedParts Parts;
  const Value To = IsLoad ? I.Eval.address(S, Fragment) : Value::unknown();
  for (int64_t R = 0; R < Rows; ++R) {
    Value Row = I.Math.offsetBy(
        At, I.Run.V.mul(Pitch.I, I.Run.V.constant(R * Element)));
    if (IsLoad)
      I.Accesses.sharedRead(S, E, E->getBeginLoc(), Row, Columns * Element,
                            ReadLiveness::isFollowed(To) ? &Parts : nullptr);
    else
      I.Accesses.sharedWrite(S, E, E->getBeginLoc(), Row, Columns * Element);
  }
  if (!IsLoad || !ReadLiveness::isFollowed(To))
    return true;
  const int64_t Size = I.Run.P.sizeOf(Fragment->getType());
  I.Store.storeBytes(S, To, Size, Value::unknown(), E);
  for (LoadedPart &Part : Parts)
    Part.End = Size; // which of it comes from which row is not said
  I.Detect.Reads.place(S, To, Parts);
  return true;
}
