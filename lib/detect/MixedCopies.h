//===- MixedCopies.h - Different data for one place -------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_DETECT_MIXEDCOPIES_H
#define CPASYNC_LIB_DETECT_MIXEDCOPIES_H

#include "lib/detect/CopiedData.h"
#include "lib/state/Exclusion.h"
#include "lib/state/ReadLiveness.h"

namespace cpasync {

/// Threads that copy different data to the same bytes in one instruction: which
/// of them stays is not said. Reported where the bytes are read.
class MixedCopies : RunPart {
public:
  MixedCopies(KernelRun &Run, ReadLiveness &Reads, Exclusion &Exclusive,
              CopiedData &Copied)
      : RunPart(Run), Reads(Reads), Exclusive(Exclusive), Copied(Copied) {}

  void noteMixedCopy(State &S, EventId Copy, Value Source,
                     const PerThread *Part);
  /// True if a finding was made: \p Read is of bytes with two writers.
  bool checkMixedCopies(State &S, EventId Read);
  /// False if the running threads may not all be here in one run.
  bool mayAllBeHere(const State &S);

private:
  /// Threads that copy to the same bytes in one instruction.
  struct Rivals {
    unsigned First, Second;
    CopiedData::Same Brings;
  };
  /// Calls \p Found with pairs of neighbours until it returns true.
  void forRivals(const State &S, const Footprint *To, Value Source,
                 llvm::function_ref<bool(Rivals)> Found);

  ReadLiveness &Reads;
  Exclusion &Exclusive;
  CopiedData &Copied;
};

} // namespace cpasync

#endif // CPASYNC_LIB_DETECT_MIXEDCOPIES_H
