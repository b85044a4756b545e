//===- Interpreter.h - What runs statements ---------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_INTERPRETER_H
#define CPASYNC_LIB_INTERP_INTERPRETER_H

#include "lib/inference/DivergentExits.h"
#include "lib/inference/InBounds.h"
#include "lib/interp/Arithmetic.h"
#include "lib/interp/AsmInterpreter.h"
#include "lib/interp/BlockBarriers.h"
#include "lib/interp/CallMemo.h"
#include "lib/interp/Calls.h"
#include "lib/interp/CopyOps.h"
#include "lib/interp/Evaluator.h"
#include "lib/interp/Lifetimes.h"
#include "lib/interp/MbarrierOps.h"
#include "lib/interp/PointerSets.h"
#include "lib/interp/ScopedCopies.h"
#include "lib/interp/SharedAccesses.h"
#include "lib/interp/SpecialRegisters.h"
#include "lib/interp/StatePrinter.h"
#include "lib/interp/Storage.h"
#include "lib/interp/WarpOps.h"
#include "lib/state/Subsumption.h"

namespace cpasync {

/// All that runs statements, and what it knows of the run.
class Interpreter {
public:
  /// \p ElectLast: where one thread of a warp is elected, take the last one.
  Interpreter(KernelRun &Run, PathControl &Paths, RunAssumptions Known,
              bool ElectLast);

  KernelRun &Run;
  PathControl &Paths;
  RunAssumptions Known;
  Detection Detect;
  Symbols Names;
  DefUse From;
  DivergentExits Leaving;
  Subsumption Met;
  InBounds Bounds;
  SpecialRegisters Registers;
  Arithmetic Math;
  AsmInterpreter Ptx;
  BlockBarriers Barriers;
  CallMemo Memo;
  Calls Frames;
  CopyOps Copies;
  Evaluator Eval;
  Lifetimes Life;
  MbarrierOps Phases;
  PointerSets Pointers;
  ScopedCopies Scoped;
  SharedAccesses Accesses;
  StatePrinter Printer;
  Storage Store;
  WarpOps Warps;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_INTERPRETER_H
