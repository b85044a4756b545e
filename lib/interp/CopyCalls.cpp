//===- CopyCalls.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/ApiCall.h"

using namespace clang;
using namespace cpasync;

bool apis::copyIntrinsic(const ApiCall &C) {
  const auto &[I, S, E, F, K] = C;
  const SourceLocation Loc = E->getBeginLoc();
  llvm::StringRef Name = F->getName();
  CopyRequest R;
  R.Site = E;
  R.Loc = Loc;
  R.Dst = C.arg(0);
  R.Src = C.arg(1);
  R.CacheGlobal = Name.contains("_cg_");
  int64_t Size = Name.contains("global_16")  ? 16
                 : Name.contains("global_8") ? 8
                                             : 4;
  R.Size = Value::integer(I.Run.V.constant(Size));
  if (E->getNumArgs() > 2) {
    R.HasSrcSize = true;
    R.SrcSize = C.arg(2);
    R.SrcSizeExpr = E->getArg(2);
  }
  I.Copies.copy(S, R);
  return true;
}

bool apis::pipelineCopy(const ApiCall &C) {
  const auto &[I, S, E, F, K] = C;
  const SourceLocation Loc = E->getBeginLoc();
  CopyRequest R;
  R.Site = E;
  R.Loc = Loc;
  R.Dst = C.arg(0);
  R.Src = C.arg(1);
  R.Size = C.arg(2);
  R.SizeExpr = E->getNumArgs() > 2 ? E->getArg(2) : nullptr;
  R.Pipeline = true;
  if (E->getNumArgs() > 3 && !isa<CXXDefaultArgExpr>(E->getArg(3))) {
    R.HasSrcSize = true;
    R.SrcSize = C.arg(3);
    R.SrcSizeExpr = E->getArg(3);
  }
  I.Copies.copy(S, R);
  return true;
}

bool apis::commit(const ApiCall &C) {
  C.I.Copies.commit(C.S, C.E, C.loc());
  return true;
}

bool apis::waitGroup(const ApiCall &C) {
  C.I.Copies.wait(C.S, C.E, C.loc(), C.arg(0),
                  C.E->getNumArgs() ? C.E->getArg(0) : nullptr,
                  C.Kind == ApiKind::PipelineWait);
  return true;
}

bool apis::waitAll(const ApiCall &C) {
  C.I.Copies.waitAll(C.S, C.E, C.loc());
  return true;
}

bool apis::copyArrive(const ApiCall &C) {
  const bool Counts = C.Callee->getName().contains("noinc") ||
                      C.Callee->getName().starts_with("__pipeline");
  if (C.I.Phases.arriveWithCopies(C.S, C.E, C.loc(), C.arg(0), Counts))
    return true;
  C.I.Run.gap(C.loc(), "which mbarrier this is is not known");
  C.I.Barriers.unknownOrder(C.S);
  return true;
}

bool apis::groupCopy(const ApiCall &C) {
  return C.I.Scoped.groupCopy(C.S, C.E) || unmodelled(C);
}

bool apis::bulkLoad(const ApiCall &C) {
  return C.I.Scoped.bulkLoad(C.S, C.E) || unmodelled(C);
}

bool apis::scopedCopy(const ApiCall &C) {
  return C.I.Scoped.scopedCopy(C.S, C.E) || unmodelled(C);
}
