//===- PathCondition.h - What a path has decided ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conditions a path has taken, kept so that the same condition goes the
// same way later and related ones are decided: `k < tiles` taken with k = 3
// bounds `tiles` to 4 and above, which decides `k + 1 < tiles` at k = 2.
// Bounds are kept for linear forms over atoms, everything else as a choice.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_VALUES_PATHCONDITION_H
#define CPASYNC_LIB_VALUES_PATHCONDITION_H

#include "lib/support/Fingerprint.h"
#include "lib/values/Provenance.h"
#include "lib/values/Value.h"

namespace cpasync {

/// Threads for which a condition is known to hold, and not to hold. Disjoint;
/// unknown for the threads in neither.
struct Truth {
  const PerThread *True;
  const PerThread *False;
};

class PathCondition {
public:
  /// Operations looked into; operands are shared, so that looking further
  /// would take time exponential in it.
  static constexpr unsigned MaxDepth = 4;

  PathCondition() = default;
  /// What its answers hang on is noted in \p Facts.
  explicit PathCondition(FactTable *Facts) : Facts(Facts) {}

  /// Decides \p Condition (nonzero is true) in every thread.
  Truth decide(ValueContext &V, const Int *Condition) const;

  /// Adds that \p Condition is \p Holds in the threads \p Where, none of which
  /// decide() knows. False if that contradicts the path. \p Because: it
  /// follows from these facts, and from nothing new if there are any.
  bool assume(ValueContext &V, const Int *Condition, bool Holds,
              const PerThread *Where, llvm::ArrayRef<FactId> Because = {});

  /// Adds that \p Condition holds in the threads \p In and in no other. False
  /// if that contradicts the path.
  bool assumeOnlyIn(ValueContext &V, const Int *Condition, const PerThread *In);

  /// Bounds of \p I over all threads.
  Interval bounds(ValueContext &V, const Int *I) const;
  /// The same, for facts about \p I: the facts that they follow from.
  Interval bounds(ValueContext &V, const Int *I,
                  llvm::SmallVectorImpl<FactId> &Because) const;

  /// \p I with everything put in that the path has decided: symbols with one
  /// value left, selections whose condition is known for the threads \p Where.
  const Int *simplify(ValueContext &V, const Int *I, const PerThread *Where,
                      unsigned Depth = MaxDepth) const;
  /// One of two numbers: which one, \p By says.
  struct Selection {
    const Int *By, *IfSo, *IfNot;
  };
  /// That \p I makes by a uniform condition which is not decided; none: it
  /// makes none.
  std::optional<Selection> undecidedSelection(ValueContext &V, const Int *I,
                                              unsigned Depth = MaxDepth) const;

  struct Bound {
    const Int *Form; ///< base 0, coefficients uniform, coprime, first positive
    Interval Range;
    FactId Lo = 0, Hi = 0; ///< of the ends
    bool operator==(const Bound &O) const {
      return Form == O.Form && Range == O.Range;
    }
  };
  struct Choice {
    const Int *Condition;
    bool Holds;
    const PerThread *OnlyIn =
        nullptr; ///< Holds: in these threads; null: in all
    FactId Fact = 0;
    Truth truth(PerThreadContext &L) const;
    bool operator==(const Choice &O) const {
      return Condition == O.Condition && Holds == O.Holds && OnlyIn == O.OnlyIn;
    }
  };
  /// Sorted by Form/Condition id.
  llvm::ArrayRef<Bound> bounds() const { return Bounds; }
  llvm::ArrayRef<Choice> choices() const { return Choices; }
  /// Forgets what was decided about \p A and anything computed from it: the
  /// symbol is about to stand for a new value.
  void forget(const Atom *A);
  /// Forgets what was decided about forms and conditions that \p IsDead.
  void forgetIf(llvm::function_ref<bool(const Int *)> IsDead);

  /// Everything that \p O says is so here, by the same forms and conditions.
  bool implies(const PathCondition &O) const;
  bool operator==(const PathCondition &O) const {
    return Bounds == O.Bounds && Choices == O.Choices;
  }
  /// Keeps the facts that are \p Needed.
  void keepIf(llvm::function_ref<bool(FactId)> Needed);
  /// Calls \p Do with each fact of \p O, which this implies, and the fact here
  /// that it follows from.
  void
  forGrounds(const PathCondition &O,
             llvm::function_ref<void(FactId OfOther, FactId Here)> Do) const;
  /// The forms and conditions of what was used since \p Moment.
  llvm::SmallVector<const Int *, 2> usedSince(uint64_t Moment) const;
  /// What is known by these forms and conditions is used.
  void use(llvm::ArrayRef<const Int *> Known) const;
  void useAll() const;
  void addTo(Fingerprint &F) const;
  /// Questions asked so far whose answer may be another on another path.
  unsigned &timesAsked() const { return Asked.Times; }

private:
  /// Does not tell two conditions apart.
  struct Tally {
    unsigned Times = 0;
    Knowledge By = 0;
    /// Another thing is known, or one less.
    void renew(FactTable *Facts) { By = Facts ? Facts->Open.next() : 0; }
    bool operator==(const Tally &) const { return true; }
  };
  static Interval impliedBy(const Bound &B, const Atom *A, bool &IsNegated);
  /// What these say is mentioned to the question they are part of.
  Interval bounds(ValueContext &V, const Int *I, unsigned Depth) const;
  Interval formBounds(ValueContext &V, const Int *Form, unsigned Depth) const;
  void raiseByRemainders(ValueContext &V, const Int *Form, unsigned Depth,
                         Interval &R) const;
  void narrowByQuotients(ValueContext &V, const Int *Form, unsigned Depth,
                         Interval &R) const;
  Interval atomBounds(ValueContext &V, const Atom *A, unsigned Depth) const;
  /// The same, with what was decided about it alone.
  Interval atomOrKnown(ValueContext &V, const Atom *A, unsigned Depth) const;
  /// Narrows \p R by \p Range, which \p B says, of what it says it of or of
  /// the negative of that.
  void tighten(Interval &R, const Bound &B, Interval Range,
               bool IsNegated) const;
  /// Of \p I, where everything else is excluded.
  std::optional<int64_t> onlyValue(ValueContext &V, const Int *I) const;
  Truth decideOpen(ValueContext &V, const Int *Condition) const;
  Truth chosen(PerThreadContext &L, const Choice &K) const;
  /// `a && b && c`, or with `||`.
  Truth decideChain(ValueContext &V, const Atom *A) const;
  /// `x == 0` or `x < 0`.
  Truth decideComparison(ValueContext &V, const Atom *A) const;
  bool narrow(ValueContext &V, const Int *Form, Interval To,
              llvm::ArrayRef<FactId> Because);
  /// \p C is `x == 0` or `x < 0`, the atom \p A.
  bool assumeComparison(ValueContext &V, const Int *C, const Atom *A,
                        bool Holds, const PerThread *Where,
                        llvm::ArrayRef<FactId> Because);
  bool choose(PerThreadContext &L, const Int *Condition, bool Holds,
              const PerThread *Where, llvm::ArrayRef<FactId> Because);
  void mention(FactId F, FactTable::End Of = FactTable::End::Any) const {
    if (Facts)
      Facts->mention(F, Of);
  }
  const Bound *find(const Int *Form) const;
  const Choice *findChoice(const Int *Condition) const;

  llvm::SmallVector<Bound, 4> Bounds;
  llvm::SmallVector<Choice, 4> Choices;
  FactTable *Facts = nullptr;
  mutable Tally Asked;
};

/// Adds to \p Known that \p Condition is \p Holds in all threads, unless it is
/// known of some already.
void assumeIfOpen(ValueContext &V, PathCondition &Known, const Int *Condition,
                  bool Holds, llvm::ArrayRef<FactId> Because);
/// The same of \p Form, that it lies where \p Of, a bound of some form, does.
void assumeIfOpen(ValueContext &V, PathCondition &Known, const Int *Form,
                  const PathCondition::Bound &Of);

/// \p I, where it is one of two numbers (isChosen), as the one that \p Decided
/// says for all threads; nothing else is put in.
const Int *asChosen(ValueContext &V, const PathCondition &Decided,
                    const Int *I);

} // namespace cpasync

#endif // CPASYNC_LIB_VALUES_PATHCONDITION_H
