//===- MatrixReads.cpp - Matrix products of shared operands ---------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async reads its operands from when it is issued until a
// wgmma.wait_group of the warpgroup has completed its group: data have to be
// there before, and stay until then. PTX ISA, "Asynchronous
// Multiply-and-Accumulate Instruction: wgmma.mma_async".
//
//===----------------------------------------------------------------------===//

#include "lib/interp/CopyOps.h"
#include "lib/interp/Interpreter.h"
#include "lib/interp/MatrixDescriptors.h"
#include "clang/AST/ASTContext.h"

using namespace clang;
using namespace cpasync;

bool CopyOps::matrixRead(State &S, const void *Site, SourceLocation At,
                         Value Descriptor) {
  Run.Effects.note();
  Descriptor = Run.simplify(S, Descriptor);
  const Value Place = Descriptor.isInt() ? placeOfDescriptor(V, Descriptor.I)
                                         : Value::unknown();
  if (!Place.isPtr())
    return false;
  // No warp of a warpgroup begins before the others have come, whatever the
  // PTX ISA says of "wgmma.fence": where one was late, products never missed
  // what that had stored or copied (H100; the machine code has WARPGROUP.ARRIVE
  // there).
  S.Copies.unordered().meetInWarpgroups(L, Footprints, S.Active);
  // Which rows and columns are read is a matter of strides and swizzles: the
  // unit at the address is among them.
  // It goes on until it is waited for.
  Accesses.beginRead(S, Run.siteOf(S, Site, At), Place, DescriptorUnit);
  Interp.Known.FoundProxies = true;
  Event E{Event::Kind::Wgmma, Site, Run.userLoc(S, At)};
  E.Bytes = Store.footprint(S, Place, DescriptorUnit);
  E.May = S.May;
  const EventId Id = Events.intern(std::move(E));
  Detect.Sources.check(S, Id);
  S.Copies.startRead(&BlockCopies::ThreadClass::Wgmma, L, Events, Id, S.Active);
  TraceNode N{TraceStep::Kind::MatrixRead, Events[Id].Loc, Id, S.Active};
  N.Name = Run.nameOf(Place.Obj);
  Run.trace(S, N);
  Printer.printState(S, "matrix product", Events[Id].Loc);
  return true;
}
