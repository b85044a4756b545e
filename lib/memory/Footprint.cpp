//===- Footprint.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/Footprint.h"
#include "lib/values/Bounds.h"
#include "lib/values/PathCondition.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace cpasync;

// An offset as the threads of a mask have it: no other thread is said to go
// farther than they do.
static const Int *ofThreads(ValueContext &V, const Int *Offset,
                            const PerThread *Mask) {
  const PerThread *Base = Offset->base();
  if (Base->isUniform() || Mask->isUniform())
    return Offset;
  PerThreadContext &L = V.lanes();
  const int64_t First = (*Base)[L.first(Mask)];
  std::vector<int64_t> Own;
  for (unsigned T = 0; T < L.threads(); ++T)
    Own.push_back((*Mask)[T] ? (*Base)[T] : First);
  return V.add(V.sub(Offset, V.known(Base)), V.known(L.perThread(Own)));
}

const Footprint *FootprintTable::get(const Object *Obj, const Int *Offset,
                                     int64_t Size, const PerThread *Mask) {
  assert(Size > 0 && "ends before it begins");
  const Footprint *&F = Table[{Obj, Offset, Size, Mask}];
  if (!F) {
    Pool.push_back(std::make_unique<Footprint>(
        Footprint{Obj, Offset, Size, Mask, unsigned(Pool.size() + 1)}));
    const Int *Own = Offset ? ofThreads(V, Offset, Mask) : nullptr;
    if (Own && Own->isKnown()) {
      Pool.back()->Lo = Own->base()->min();
      Pool.back()->Hi = Own->base()->max() + Size;
    } else if (Own) {
      const Interval R = PathCondition().bounds(V, Own);
      if (R.Lo != INT64_MIN && R.Hi < INT64_MAX - Size) {
        Pool.back()->Lo = R.Lo;
        Pool.back()->Hi = R.Hi + Size;
      }
    }
    F = Pool.back().get();
  }
  return F;
}

// Most pairs lie plainly apart; the table is for those that do not.
static bool plainlyApart(const Footprint &A, const Footprint &B) {
  return A.Obj != B.Obj || A.Hi <= B.Lo || B.Hi <= A.Lo;
}

static constexpr Overlap Apart;

const Overlap &FootprintTable::overlap(const Footprint *A, const Footprint *B) {
  if (plainlyApart(*A, *B))
    return Apart;
  auto [I, New] = Results.try_emplace((uint64_t(A->Id) << 32) | B->Id);
  if (New)
    I->second = compare(*A, *B, /*AcrossWarps=*/false);
  return I->second;
}

const Overlap &FootprintTable::overlapAcrossWarps(const Footprint *A,
                                                  const Footprint *B) {
  if (plainlyApart(*A, *B))
    return Apart;
  auto [I, New] =
      ResultsAcrossWarps.try_emplace((uint64_t(A->Id) << 32) | B->Id);
  if (New)
    I->second = compare(*A, *B, /*AcrossWarps=*/true);
  return I->second;
}

// What all threads of both have in common.
static const Int *commonTo(ValueContext &V, const Int *A, const Int *B) {
  const Int *Common = V.constant(0);
  for (const Int::Term &T : A->terms())
    if (T.A->isUniform() && T.Coefficient->isUniform() &&
        llvm::is_contained(B->terms(), T))
      Common = V.add(Common, V.mul(T.A->Alone, V.known(T.Coefficient)));
  return Common;
}

// Whatever the unknown parts are, but for what is the same in both.
bool FootprintTable::farApart(const Footprint &A, const Footprint &B) {
  const Int *Common = commonTo(V, A.Offset, B.Offset);
  const PathCondition Nothing;
  const Int *OfA = ofThreads(V, A.Offset, A.Mask),
            *OfB = ofThreads(V, B.Offset, B.Mask);
  const Interval IA = Nothing.bounds(V, V.sub(OfA, Common)),
                 IB = Nothing.bounds(V, V.sub(OfB, Common));
  auto Before = [](Interval X, int64_t Size, Interval Y) {
    return X.Hi < INT64_MAX - Size && X.Hi + Size <= Y.Lo;
  };
  return Before(IA, A.Size, IB) || Before(IB, B.Size, IA);
}

llvm::ArrayRef<Footprint::Span> FootprintTable::spansOf(const Footprint &F) {
  if (!F.Spans.empty())
    return F.Spans;
  const PerThread *Base = V.plain(F.Offset)->base();
  std::vector<int64_t> Begins;
  for (unsigned T = 0; T < V.lanes().threads(); ++T)
    if ((*F.Mask)[T])
      Begins.push_back((*Base)[T]);
  llvm::sort(Begins);
  for (int64_t Begin : Begins)
    if (!F.Spans.empty() && Begin <= F.Spans.back().second)
      F.Spans.back().second = Begin + F.Size;
    else
      F.Spans.push_back({Begin, Begin + F.Size});
  F.Spans.shrink_to_fit();
  return F.Spans;
}

static bool areApart(llvm::ArrayRef<Footprint::Span> A,
                     llvm::ArrayRef<Footprint::Span> B) {
  while (!A.empty() && !B.empty())
    if (A.front().second <= B.front().first)
      A = A.drop_front();
    else if (B.front().second <= A.front().first)
      B = B.drop_front();
    else
      return false;
  return true;
}

// Addresses of the same object, one for each thread of a footprint.
namespace {
struct Side {
  const Footprint &F;
  const PerThread *Base;
};
} // namespace

// Pairs of threads that are looked at.
enum class Pairs { All, AcrossWarps, WithinWarps };

// Do threads of A and B meet, when everything is taken modulo Period bytes
// (0: as it is)?
static Overlap meet(Side A, Side B, int64_t Period, Pairs Of,
                    const PerThreadContext &L,
                    FootprintTable::PairFilter Counts) {
  const unsigned Threads = L.threads();
  const unsigned InStep = Of == Pairs::WithinWarps ? WarpThreads : L.inStep();
  auto Reduce = [&](int64_t X) {
    return Period ? ((X % Period) + Period) % Period : X;
  };
  std::vector<std::pair<int64_t, int>> Sorted;
  for (unsigned T = 0; T < Threads; ++T) {
    if (!(*B.F.Mask)[T])
      continue;
    const int64_t At = Reduce((*B.Base)[T]);
    Sorted.push_back({At, int(T)});
    if (Period) {
      Sorted.push_back({At - Period, int(T)});
      Sorted.push_back({At + Period, int(T)});
    }
  }
  llvm::sort(Sorted);
  for (unsigned T = 0; T < Threads; ++T) {
    if (!(*A.F.Mask)[T])
      continue;
    const int64_t Begin = Reduce((*A.Base)[T]), End = Begin + A.F.Size;
    // Those of B that end after Begin and start before End.
    auto I = llvm::upper_bound(
        Sorted, std::pair<int64_t, int>(Begin - B.F.Size, INT32_MAX));
    for (; I != Sorted.end() && I->first < End; ++I)
      if ((Of == Pairs::All ||
           (I->second / InStep == T / InStep) == (Of == Pairs::WithinWarps)) &&
          Counts(T, I->second))
        return {Overlap::Kind::Clash, int(T), I->second,
                std::max(Begin, I->first)};
  }
  return {};
}

namespace {
/// Where a thread may access at the least, and how much farther any may.
struct Reach {
  const PerThread *Least;
  int64_t Width;
};
} // namespace

/// Bytes: farther than any memory of a block reaches.
static constexpr int64_t Farthest = int64_t(1) << 32;

static std::optional<Reach> reachOfThreads(ValueContext &V, const Int *Offset) {
  PerThreadContext &L = V.lanes();
  std::vector<int64_t> Lo, Width(L.threads());
  for (unsigned T = 0; T < L.threads(); ++T)
    Lo.push_back((*Offset->base())[T]);
  for (const Int::Term &X : Offset->terms()) {
    const Interval Known = PathCondition().bounds(V, X.A->Alone);
    for (unsigned T = 0; T < L.threads(); ++T) {
      const Interval Of = scaled(Known, (*X.Coefficient)[T]);
      if (Of.Lo < -Farthest || Of.Hi > Farthest)
        return std::nullopt;
      Lo[T] += Of.Lo;
      Width[T] += Of.Hi - Of.Lo;
    }
  }
  return Reach{L.perThread(Lo), *llvm::max_element(Width)};
}

// No two threads come to one byte, as far as each may go.
bool FootprintTable::reachApart(const Footprint &A, const Footprint &B,
                                bool AcrossWarps) {
  const Int *Common = commonTo(V, A.Offset, B.Offset);
  const auto OfA = reachOfThreads(V, V.sub(A.Offset, Common)),
             OfB = reachOfThreads(V, V.sub(B.Offset, Common));
  if (!OfA || !OfB)
    return false;
  const Footprint AllOfA{A.Obj, A.Offset, A.Size + OfA->Width, A.Mask},
      AllOfB{B.Obj, B.Offset, B.Size + OfB->Width, B.Mask};
  return meet({AllOfA, OfA->Least}, {AllOfB, OfB->Least}, /*Period=*/0,
              AcrossWarps ? Pairs::AcrossWarps : Pairs::All, V.lanes(),
              [](unsigned, unsigned) { return true; })
             .K == Overlap::Kind::Disjoint;
}

namespace {
/// Two remainders, by one number, of numbers that are a known distance apart:
/// the slots of a ring whose beginning is not known.
struct Turns {
  const Int *Difference; ///< of the remainders, Coefficient times
  int64_t Coefficient;
  int64_t Ahead; ///< the first one is so far ahead, or By less
  int64_t By;
};
} // namespace

static std::optional<Turns> turnsIn(ValueContext &V, const Int *D) {
  const auto IsRemainder = [](const Int::Term &T) {
    return T.A->Kind == Atom::Op::Rem && T.A->B->isConstant() &&
           T.A->B->constant() > 0 && T.Coefficient->isUniform();
  };
  for (const Int::Term &X : D->terms())
    for (const Int::Term &Y : D->terms()) {
      if (X.A == Y.A || !IsRemainder(X) || !IsRemainder(Y) ||
          X.A->B != Y.A->B || X.Coefficient->min() + Y.Coefficient->min() != 0)
        continue;
      const Int *Apart = V.sub(X.A->A, Y.A->A);
      if (!Apart->isConstant())
        continue;
      const int64_t By = X.A->B->constant();
      const int64_t Ahead = ((Apart->constant() % By) + By) % By;
      return Turns{V.mul(V.constant(X.Coefficient->min()),
                         V.sub(X.A->Alone, Y.A->Alone)),
                   X.Coefficient->min(), Ahead, By};
    }
  return std::nullopt;
}

Overlap FootprintTable::compare(const Footprint &A, const Footprint &B,
                                bool AcrossWarps, PairFilter Counts) {
  if (A.Obj != B.Obj || PerThreadContext::isEmpty(A.Mask) ||
      PerThreadContext::isEmpty(B.Mask))
    return {};
  if (!A.Offset || !B.Offset)
    return {Overlap::Kind::Unknown};
  const unsigned Threads = V.lanes().threads();
  const Int *AtA = V.plain(A.Offset), *AtB = V.plain(B.Offset);
  const PerThread *LA = AtA->base(), *LB = AtB->base();
  const Int *D = V.sub(AtA, AtB);
  if (const std::optional<Turns> Of = turnsIn(V, D)) {
    auto With = [&](int64_t Difference) {
      const Int *Offset = V.add(V.sub(A.Offset, Of->Difference),
                                V.constant(Of->Coefficient * Difference));
      return compare(Footprint{A.Obj, Offset, A.Size, A.Mask}, B, AcrossWarps,
                     Counts);
    };
    const Overlap R = With(Of->Ahead);
    return With(Of->Ahead - Of->By).K == R.K ? R
                                             : Overlap{Overlap::Kind::Unknown};
  }

  // The same thread: the unknown part cancels whatever it is.
  const PerThread *Both = V.lanes().both(A.Mask, B.Mask);
  if (D->isKnown() && !AcrossWarps && !PerThreadContext::isEmpty(Both))
    for (unsigned T = 0; T < Threads; ++T) {
      if (!(*Both)[T])
        continue;
      int64_t Distance = (*D->base())[T]; // A - B
      if (Distance < B.Size && -Distance < A.Size && Counts(T, T))
        return {Overlap::Kind::Clash, int(T), int(T),
                AtA->isKnown() ? (*LA)[T] + (Distance < 0 ? -Distance : 0)
                               : -1};
    }

  // Different threads: the unknown part must be the same in all of them. What
  // does not cancel moves one side by a multiple of Period.
  auto IsUniform = [](const Int::Term &T) {
    return T.A->isUniform() && T.Coefficient->isUniform();
  };
  int64_t Period = 0;
  for (const Int::Term &T : D->terms())
    Period = std::gcd(Period, T.Coefficient->min());
  if (llvm::all_of(AtA->terms(), IsUniform) &&
      llvm::all_of(AtB->terms(), IsUniform)) {
    if (!Period &&
        (LA->max() + A.Size <= LB->min() || LB->max() + B.Size <= LA->min() ||
         areApart(spansOf(A), spansOf(B))))
      return {};
    Overlap R =
        meet({A, LA}, {B, LB}, Period,
             AcrossWarps ? Pairs::AcrossWarps : Pairs::All, V.lanes(), Counts);
    if (R.K == Overlap::Kind::Disjoint || !Period) {
      if (!AtA->isKnown())
        R.Byte = -1;
      return R;
    }
  }
  // It may be the same in all threads of a warp only.
  auto IsSameInWarp = [](const Int::Term &T) {
    return T.A->Same >= Uniformity::Warp && T.Coefficient->isUniformInWarps();
  };
  const bool AreApart = V.lanes().inStep() < WarpThreads;
  if (D->isKnown() && (!AcrossWarps || AreApart) &&
      llvm::all_of(AtA->terms(), IsSameInWarp)) {
    Overlap R = meet({A, LA}, {B, LB}, 0, Pairs::WithinWarps, V.lanes(),
                     [&](unsigned Thread, unsigned Other) {
                       return !(AcrossWarps && Thread == Other) &&
                              Counts(Thread, Other);
                     });
    R.Byte = -1;
    if (R.K == Overlap::Kind::Clash)
      return R;
  }
  return {farApart(A, B) || reachApart(A, B, AcrossWarps)
              ? Overlap::Kind::Disjoint
              : Overlap::Kind::Unknown};
}

namespace {
/// Where places in a row begin, and between which bytes from there they lie.
struct Row {
  const Int *Begin;
  Interval Reach{0, 0};
};
} // namespace

// None if there is nothing in it that nobody knows.
static std::optional<Row> rowOf(ValueContext &V, const Int *Offset) {
  Row R{Offset};
  for (const Int::Term &T : Offset->terms()) {
    // What all threads have is part of where the row begins.
    if (T.A->Kind != Atom::Op::Within && T.A->isUniform())
      continue;
    const Interval Known = PathCondition().bounds(V, T.A->Alone);
    if (!T.Coefficient->isUniform() || Known.Lo == INT64_MIN ||
        Known.Hi == INT64_MAX)
      return std::nullopt;
    const int64_t Times = T.Coefficient->min();
    const Interval Of = scaled(Known, Times);
    R.Begin = V.sub(R.Begin, V.mul(T.A->Alone, V.constant(Times)));
    R.Reach = {R.Reach.Lo + Of.Lo, R.Reach.Hi + Of.Hi};
  }
  return R.Begin == Offset ? std::nullopt : std::optional(R);
}

std::optional<unsigned> FootprintTable::coveredThread(
    const Footprint *A, llvm::ArrayRef<const Footprint *> Others,
    llvm::function_ref<bool(int64_t Lo, int64_t Hi)> IsBlank) {
  const auto R = A->Offset ? rowOf(V, A->Offset) : std::nullopt;
  if (!R)
    return std::nullopt;
  // Counted from an unknown part that must be the same for all.
  const Int *Unknown = V.sub(R->Begin, V.known(R->Begin->base()));
  if (!Unknown->isUniform())
    return std::nullopt;
  std::vector<Footprint::Span> Spans;
  for (const Footprint *F : Others)
    if (F->Obj == A->Obj && F->Offset &&
        V.sub(F->Offset, V.known(F->Offset->base())) == Unknown)
      llvm::append_range(Spans, spansOf(*F));
  llvm::sort(Spans);
  auto IsCovered = [&](int64_t Lo, int64_t Hi) {
    bool Any = false;
    for (const auto &[Begin, End] : Spans) {
      if (End <= Lo)
        continue;
      if (Begin >= Hi)
        break;
      if (Begin > Lo && !(Unknown->isKnown() && IsBlank(Lo, Begin)))
        return false;
      Any = true;
      Lo = End;
    }
    return Any && (Lo >= Hi || (Unknown->isKnown() && IsBlank(Lo, Hi)));
  };
  const PerThread *Begin = R->Begin->base();
  std::optional<int64_t> Last; // most threads have the same row
  for (unsigned T = 0; T < V.lanes().threads(); ++T) {
    if (!(*A->Mask)[T] || Last == (*Begin)[T])
      continue;
    Last = (*Begin)[T];
    if (IsCovered(*Last + R->Reach.Lo, *Last + R->Reach.Hi + A->Size))
      return T;
  }
  return std::nullopt;
}

const Footprint *FootprintTable::forget(const Footprint *F, const Atom *Gone) {
  if (!dependsOn(F->Offset, Gone))
    return F;
  const Int *Offset = V.known(F->Offset->base());
  int64_t Lost = 0; // what is lost of one has nothing to do with another
  for (const Int::Term &T : F->Offset->terms()) {
    const Int *Now = T.A->Alone;
    if (dependsOn(Now, Gone)) {
      const bool IsPlace = T.A->Kind == Atom::Op::Within;
      const Interval R = IsPlace ? Interval{0, T.A->B->constant() - 1}
                                 : PathCondition().bounds(V, Now);
      if (R.Lo < -Farthest || R.Hi > Farthest)
        return get(F->Obj, nullptr, F->Size, F->Mask);
      const int64_t Places = R.Hi - R.Lo + 1;
      const void *Of = IsPlace ? nullptr : this;
      Now = V.add(V.constant(R.Lo),
                  somewhere(V, Of, Places + 4 * Farthest * Lost++, Places));
    }
    Offset = V.add(Offset, V.mul(Now, V.known(T.Coefficient)));
  }
  return get(F->Obj, Offset, F->Size, F->Mask);
}
