//===- CanonicalStates.h - What cannot matter any more ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_ENGINE_CANONICALSTATES_H
#define CPASYNC_LIB_ENGINE_CANONICALSTATES_H

#include "lib/engine/EnginePart.h"
#include "lib/source/CounterUses.h"

namespace cpasync {

/// Forgets decisions and locals that cannot matter any more, so that paths
/// meet.
class CanonicalStates : EnginePart {
public:
  using EnginePart::EnginePart;

  /// Locals that nothing reads again, temporaries that nothing refers to.
  void forgetDeadLocals(State &S);
  /// What a local holds in threads that have left the kernel, or that do not
  /// ask for it any more, does not matter.
  void forgetOtherThreads(State &S);
  void forgetDeadConditions(State &S);
  /// It is in a loop that did not settle in the run before.
  bool isInUnsettled(const State &S) const;
  /// What the path has decided of numbers that are one of several is so from
  /// now on.
  void putInChosen(State &S);
  /// What paths that meet need to agree on; null: nothing. \p InLists: the path
  /// hangs on tables.
  const Contents *essence(const State &S, Memory::Entry E, bool InLists);

private:
  /// Replaces what locals hold by its value where the path has decided that.
  void putInDecided(State &S);

  /// Of a local that counts the rounds of a ring: what it has within two
  /// periods; null: it is none.
  const Contents *roundOf(const Object *O, const Contents &C);

  llvm::DenseMap<const Contents *, const Contents *> Essences;
  llvm::DenseMap<const clang::VarDecl *, CounterUses> Rings;
};

} // namespace cpasync

#endif // CPASYNC_LIB_ENGINE_CANONICALSTATES_H
