//===- DivergentExits.h - Some threads leave, others stay -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (threadIdx.x < Rows) return;` with Rows not known: no path on which all
// threads go one way shows that those who leave never wait for their copies,
// while those who stay meet at a barrier and read them. A third path does, with
// threads that can be the only ones for which the condition holds: those up to
// a bound, or any of those that look at numbers of their own. Threads that
// leave count at barriers only once they are gone, so that nothing is assumed
// of those that would come to another barrier.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_DIVERGENTEXITS_H
#define CPASYNC_LIB_INFERENCE_DIVERGENTEXITS_H

#include "lib/inference/PartialTiles.h"
#include "lib/state/State.h"

namespace cpasync {

class DivergentExits {
public:
  DivergentExits(Program &P, ValueContext &V)
      : P(P), V(V), L(V.lanes()), Tiles(P) {}

  /// Whether \p C compares numbers of the threads that are known with one that
  /// is the same for all: it may hold in all of them, and in none.
  static bool isBound(const Int *C);

  /// The threads' values of \p Symbol are loaded from there; null: not known.
  void noteLoad(const Int *Symbol, const Int *From);

  /// What the newest frame of \p C may still do from \p B on, and its callers.
  unsigned effectsToEnd(const Context &C, const clang::CFGBlock *B);

  /// How a condition can come out, and what it says of the path.
  struct Way {
    PathCondition Path;
    const PerThread *True, *False; ///< of the running threads
  };
  /// The side of a condition from which threads leave the kernel without a
  /// barrier, while those of the other come to one.
  struct Exit {
    bool OnTrue;
    bool AtOnce; ///< and nothing is done before the end
    /// Who stays may copy, and tiles may be left in part.
    bool OthersCopy;
    /// What is asked on that side first, and with which answer they leave; with
    /// the other they stay.
    llvm::SmallVector<std::pair<const clang::Expr *, bool>, 2> If;
  };
  std::optional<Exit> exitOf(const State &S, const clang::Expr *Condition,
                             const clang::CFGBlock *OnTrue,
                             const clang::CFGBlock *OnFalse);
  /// Ways in which \p C, not known for the threads \p Open, holds in some of
  /// them only, if some of \p Leaving would leave with copies in flight; the
  /// clearest first. Below a bound they may leave as well before the others
  /// copy: one way.
  std::vector<Way> waysToPart(const State &S, const Int *C,
                              const PerThread *Open, const Exit &To,
                              const PerThread *Leaving);

private:
  /// A phase that is waited for expects all who run, \p Leaving among them.
  bool areMissed(const State &S, const PerThread *Leaving);
  /// How a condition can hold in some threads only.
  struct DivergentExit {
    const Int *Condition;
    const PerThread *Key; ///< threads with one key go one way
    enum class Kind {
      UpToBound, ///< those with small keys
      One,       ///< those with one key
      Any,       ///< those with any keys
    } K;
  };
  /// The first of these that can be.
  using Choices = std::vector<const PerThread *>;

  unsigned effectsFrom(const clang::CFGBlock *B);
  /// What \p B itself does.
  unsigned effectsIn(const clang::CFGBlock *B);
  /// Threads of which a copy is in flight that no finding was made of.
  const PerThread *threadsWithCopies(const State &S);
  /// Threads with the same number here loaded \p Symbol from one address; null
  /// if that is not known.
  const PerThread *classesOf(const Atom *Symbol);
  std::optional<DivergentExit> partingOf(const Int *C);
  /// Threads of \p Open for which it holds, such that threads leave of which
  /// some are \p Copying.
  std::vector<Choices> choices(const DivergentExit &P, const PerThread *Open,
                               const PerThread *Copying, bool TrueLeaves);
  /// \p Stay: those of the two that others need not be told from, or null.
  std::optional<PathCondition>
  pathWith(const State &S, const DivergentExit &How, const PerThread *True,
           const PerThread *False, const PerThread *Stay);

  Program &P;
  ValueContext &V;
  PerThreadContext &L;
  PartialTiles Tiles;
  llvm::DenseMap<const clang::CFGBlock *, unsigned> EffectsFrom;
  llvm::DenseMap<const Atom *, const Int *> LoadedFrom;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_DIVERGENTEXITS_H
