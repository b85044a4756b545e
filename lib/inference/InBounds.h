//===- InBounds.h - Indices that stay in their subobject --------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_INBOUNDS_H
#define CPASYNC_LIB_INFERENCE_INBOUNDS_H

#include "lib/inference/AffineAddresses.h"
#include "lib/inference/RunAssumptions.h"
#include "lib/inference/Subobjects.h"
#include "lib/memory/IndexedPlace.h"
#include "lib/state/KernelRun.h"

namespace cpasync {

/// What expressions are worth on a path, evaluated again.
class ExpressionValues {
public:
  virtual Value eval(State &S, const clang::Expr *E) = 0;
  virtual Value address(State &S, const clang::Expr *E) = 0; ///< of a glvalue

protected:
  ~ExpressionValues() = default;
};

/// Takes indices to stay in the part of shared memory, or in the row of an
/// array, that they are said to index. This is a guess.
class InBounds : RunPart {
public:
  InBounds(KernelRun &Run, RunAssumptions &Known, DefUse &From,
           ExpressionValues &Eval)
      : RunPart(Run), Known(Known), Eval(Eval), Sums(From, P) {}

  /// \p Local holds \p To at its byte \p At.
  void notePart(const Object *Local, int64_t At, Value To);
  /// Which threads or rounds come by here is not known.
  static bool hangsOnUnknowns(const State &S);
  /// All who run now would go beyond the end of what \p To points to, or some,
  /// in a round that a loop may not have, and not in its first. They access it
  /// at \p At.
  bool isNoRound(State &S, Value To, clang::SourceLocation At);
  /// \p Index leaves the array \p Base, as no run does it: what the path has
  /// decided of how many rows or rounds there are is not so.
  bool decidedTooMany(const State &S, const clang::Expr *Base, Value From,
                      Value Index) const;
  /// \p To, which \p Index leads to from \p Base, but not in another part.
  Value indexed(State &S, const clang::Expr *Base, const clang::Expr *Index,
                Value From, Value To);
  /// Bytes of the row whose beginning \p E points to, at \p To; 0: it is none,
  /// or there is no \p Limit.
  int64_t rowAt(State &S, const clang::Expr *E, Value To, const void *Limit);
  /// The array whose beginning \p E points to; by its first row, it may be
  /// meant as a whole.
  static const clang::Expr *arrayAt(const clang::Expr *E);
  /// The most that \p Bytes are, which nobody knows (null: no one number),
  /// where they go to \p To in shared memory, the beginning of \p Array; 0:
  /// nothing tells.
  int64_t roomFor(State &S, const Int *Bytes, const clang::Expr *Array,
                  Value To);

  /// How shared memory is divided, and whether it matters.
  uint64_t parts(const State &S) const {
    return Divided.hash() << 1 | uint64_t(hangsOnUnknowns(S));
  }
  /// How often that had a say.
  unsigned TimesAsked = 0;

private:
  /// In a loop that may have such a round, one goes further beyond than the
  /// one before did. \p Leaves: beyond at all.
  bool goesFurther(State &S, LoopVisit &Loop, bool Leaves, Value P, int64_t To,
                   clang::SourceLocation At);

  Subobjects Divided;
  /// A place in a part that begins somewhere.
  struct OpenPlace {
    const Int *Begin, *Place; ///< bytes; the place from there
    int64_t Bytes;            ///< of the part
  };
  /// Where \p To lies, which hangs on numbers that nobody knows.
  std::optional<OpenPlace> openPlace(State &S, const clang::Expr *Base,
                                     const clang::Expr *Index, Value From,
                                     Value To);
  /// \p To, which is not known, but in the part that its known terms name.
  Value withinPart(State &S, const clang::Expr *Base, const clang::Expr *Index,
                   Value From, Value To);
  /// For each thread, what \p Base, which points to \p From, points into;
  /// empty: no part of anything.
  std::vector<Subobject> partsOf(State &S, const clang::Expr *Base, Value From);
  /// Begins the places of threads that go beyond a part, or did before.
  void begin(std::vector<IndexedPlace> &Places, const PerThread &Bytes);
  /// Lets \p Places of threads that \p To has beyond a part be in its room.
  void stayInPart(State &S, const AffineAddress &How, const clang::Expr *Base,
                  Value From, Value To, std::vector<IndexedPlace> &Places);
  /// The same as stayInPart() for rows.
  void stayInRows(State &S, const AffineAddress &How, Value To,
                  std::vector<IndexedPlace> &Places);
  /// \p To lies \p Offset behind the beginning of a row.
  /// The member of a class that all of these lie in; null: there is none.
  const void *memberOf(const Object *O, const RowPitches::Places &Begins);
  void stayInRow(State &S, const AffineAddress::Level &Level, Value To,
                 const PerThread &Offset, std::vector<IndexedPlace> &Places);

  RunAssumptions &Known;
  ExpressionValues &Eval;
  AffineAddresses Sums;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_INBOUNDS_H
