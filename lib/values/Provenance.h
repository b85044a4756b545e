//===- Provenance.h - What a path's decisions were needed for ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two paths in one state that decided differently have the same future if
// nothing that comes asks for what they differ in. Each bound and each choice
// of a PathCondition is a fact with a number; a fact that follows from others
// remembers which. An answer that would be another without a fact uses it, and
// all that it follows from; when that was is kept.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_PROVENANCE_H
#define CPASYNC_LIB_VALUES_PROVENANCE_H

#include "lib/values/OpenConditions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace cpasync {

/// 0 is no fact: always so.
using FactId = uint32_t;

class FactTable {
public:
  /// A fact that follows from \p From and from what was just decided.
  FactId add(llvm::ArrayRef<FactId> From);

  /// Uses of facts are ordered by moments.
  uint64_t nextMoment() { return ++Now; }
  void use(FactId F) { use(F, Now); }
  void use(FactId F, uint64_t At) { note(F, At, &Fact::Uses); }
  /// Whether it is used then is not known yet, and will be.
  void mayUse(FactId F, uint64_t At) { note(F, At, &Fact::MayUses); }
  void forgetMayUse(FactId F, uint64_t At);
  bool isUsed(FactId F, uint64_t Begin, uint64_t End) const {
    return isNoted(Facts[F].Uses, Begin, End);
  }
  bool mayBeUsed(FactId F, uint64_t Begin, uint64_t End) const {
    return isUsed(F, Begin, End) || isNoted(Facts[F].MayUses, Begin, End);
  }

  /// What no facts decided.
  OpenConditions Open;

  /// The lower end of what is being asked, the upper one, or any.
  enum class End : uint8_t { Low, High, Any };
  /// The answer that is being found may hang on \p F, a lower or upper bound of
  /// something that has the sign which Turn says in what was asked.
  void mention(FactId F, End Of = End::Any);

  /// While an answer is being found. Questions nest.
  class Question {
  public:
    explicit Question(FactTable *T);
    ~Question();
    Question(const Question &) = delete;
    /// The answer would be the same without what was mentioned.
    void dismiss();
    /// It hangs on what was mentioned about \p Ends: that is used, if this is
    /// no part of another question.
    void answer(End Ends = End::Any);
    /// Takes out what was mentioned about \p Ends, for a fact that follows.
    llvm::SmallVector<FactId, 4> take(End Ends = End::Any) const;

  private:
    FactTable *T;
    size_t First = 0;
    int OuterSign = 0;
  };

  /// While bounds of a part are found, which grows as the whole does (1),
  /// shrinks as it grows (-1), or neither (0).
  class Turn {
  public:
    Turn(FactTable *T, int Sign);
    ~Turn();
    Turn(const Turn &) = delete;
    /// Nothing came of it.
    void dismiss();

  private:
    FactTable *T;
    size_t First = 0;
    int OuterSign = 0;
  };

private:
  using Moments = llvm::SmallVector<uint64_t, 1>; ///< growing
  struct Fact {
    llvm::SmallVector<FactId, 2> From;
    Moments Uses, MayUses;
  };
  void note(FactId F, uint64_t At, Moments Fact::*To);
  static bool isNoted(const Moments &M, uint64_t Begin, uint64_t End);

  struct Mention {
    FactId F;
    End Of;
  };
  std::vector<Fact> Facts = std::vector<Fact>(1);
  uint64_t Now = 1;
  std::vector<Mention> Mentioned;
  unsigned Questions = 0; ///< being asked
  int Sign = 1;
};

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_PROVENANCE_H
