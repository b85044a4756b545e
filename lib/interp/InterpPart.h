//===- InterpPart.h - A part of the interpreter -----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_INTERPPART_H
#define CPASYNC_LIB_INTERP_INTERPPART_H

#include "lib/detect/Detection.h"
#include "lib/interp/PathControl.h"
#include "lib/state/Symbols.h"

namespace cpasync {

class InBounds;
class Interpreter;
class SpecialRegisters;
class Arithmetic;
class AsmInterpreter;
class BlockBarriers;
class CallMemo;
class Calls;
class CopyOps;
class Evaluator;
class Lifetimes;
class MbarrierOps;
class PointerSets;
class ScopedCopies;
class SharedAccesses;
class StatePrinter;
class Storage;
class WarpOps;

/// Calls the other parts by a short name. They may be built later than this.
class InterpPart : protected RunPart {
public:
  explicit InterpPart(Interpreter &Interp);

protected:
  /// False: which of several numbers \p I is has to be decided first, and the
  /// operation is to do nothing.
  bool isDecided(const State &S, const Int *I);

  Interpreter &Interp;
  PathControl &Paths;
  PathRequest &Asked;
  FindingList &Findings;
  ReadLiveness &Reads;
  ComparisonLog &Comparisons;
  Detection &Detect;
  Symbols &Names;
  InBounds &Bounds;
  SpecialRegisters &Registers;
  Arithmetic &Math;
  AsmInterpreter &Ptx;
  BlockBarriers &Barriers;
  CallMemo &Memo;
  Calls &Frames;
  CopyOps &Copies;
  Evaluator &Eval;
  Lifetimes &Life;
  MbarrierOps &Phases;
  PointerSets &Pointers;
  ScopedCopies &Scoped;
  SharedAccesses &Accesses;
  StatePrinter &Printer;
  Storage &Store;
  WarpOps &Warps;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_INTERPPART_H
