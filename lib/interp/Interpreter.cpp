//===- Interpreter.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/interp/Interpreter.h"

using namespace clang;
using namespace cpasync;

Interpreter::Interpreter(KernelRun &Run, PathControl &Paths,
                         RunAssumptions Known, bool ElectLast)
    : Run(Run), Paths(Paths), Known(std::move(Known)), Detect(Run),
      Names(Run, this->Known.Unsettled), From(Run.P, Run.Shape),
      Leaving(Run.P, Run.V), Met(Run.Facts, Run.Written, Run.Events),
      Bounds(Run, this->Known, From, Eval), Registers(*this), Math(*this),
      Ptx(*this), Barriers(*this), Memo(*this), Frames(*this), Copies(*this),
      Eval(*this), Life(*this), Phases(*this), Pointers(*this), Scoped(*this),
      Accesses(*this), Printer(*this), Store(*this), Warps(*this, ElectLast) {}

bool InterpPart::isDecided(const State &S, const Int *I) {
  const auto Open =
      S.Condition.undecidedSelection(V, I ? asIn(V, I, S.Active) : nullptr);
  if (Open)
    Asked.decideFirst(*Open);
  return !Open;
}

InterpPart::InterpPart(Interpreter &Interp)
    : RunPart(Interp.Run), Interp(Interp), Paths(Interp.Paths),
      Asked(Interp.Paths.Requested), Findings(Interp.Detect.Findings),
      Reads(Interp.Detect.Reads), Comparisons(Interp.Detect.Comparisons),
      Detect(Interp.Detect), Names(Interp.Names), Bounds(Interp.Bounds),
      Registers(Interp.Registers), Math(Interp.Math), Ptx(Interp.Ptx),
      Barriers(Interp.Barriers), Memo(Interp.Memo), Frames(Interp.Frames),
      Copies(Interp.Copies), Eval(Interp.Eval), Life(Interp.Life),
      Phases(Interp.Phases), Pointers(Interp.Pointers), Scoped(Interp.Scoped),
      Accesses(Interp.Accesses), Printer(Interp.Printer), Store(Interp.Store),
      Warps(Interp.Warps) {}
