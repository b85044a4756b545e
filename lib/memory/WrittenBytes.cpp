//===- WrittenBytes.cpp ---------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/WrittenBytes.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace cpasync;

// More ranges than this are made fewer by taking what lies between as written.
static constexpr size_t MaxRanges = 256;
static constexpr unsigned MaxGrainBits = 20; // a megabyte

unsigned WrittenBytes::hash(const Key &K) {
  llvm::hash_code H = llvm::hash_combine_range(K.second);
  for (const ByteRange &R : K.first)
    H = llvm::hash_combine(H, R.Obj, R.Lo, R.Hi);
  return static_cast<unsigned>(H);
}

static bool startsBefore(const ByteRange &A, const ByteRange &B) {
  return std::tie(A.Obj->Id, A.Lo) < std::tie(B.Obj->Id, B.Lo);
}

// Joins what overlaps or touches in a sorted list.
static void join(std::vector<ByteRange> &Sorted) {
  size_t Last = 0;
  for (const ByteRange &R : Sorted) {
    ByteRange &L = Sorted[Last];
    if (R.Obj == L.Obj && R.Lo <= L.Hi)
      L.Hi = std::max(L.Hi, R.Hi);
    else
      Sorted[++Last] = R;
  }
  if (!Sorted.empty())
    Sorted.resize(Last + 1);
}

static std::vector<ByteRange> unionOf(llvm::ArrayRef<ByteRange> A,
                                      llvm::ArrayRef<ByteRange> B) {
  std::vector<ByteRange> R(A.size() + B.size());
  std::merge(A.begin(), A.end(), B.begin(), B.end(), R.begin(), startsBefore);
  join(R);
  if (R.size() <= MaxRanges)
    return R;
  auto Coarsen = [](std::vector<ByteRange> &X, unsigned GrainBits) {
    auto Down = [=](int64_t Byte) { return Byte >> GrainBits << GrainBits; };
    for (ByteRange &Y : X) {
      Y.Lo = Down(Y.Lo);
      Y.Hi = -Down(-Y.Hi);
    }
    join(X);
  };
  // So many arrays that the largest grain leaves too many: none is better.
  std::vector<ByteRange> Coarsest = R;
  Coarsen(Coarsest, MaxGrainBits);
  if (Coarsest.size() > MaxRanges)
    return Coarsest;
  for (unsigned GrainBits = 5; R.size() > MaxRanges; ++GrainBits)
    Coarsen(R, GrainBits);
  return R;
}

static bool isKnown(const Footprint *F) {
  return F->Offset && F->Offset->isKnown();
}

const WrittenBytes *
WrittenBytesTable::get(llvm::ArrayRef<ByteRange> Known,
                       llvm::ArrayRef<const Footprint *> Elsewhere) {
  return Pool.get({Known, Elsewhere}, [&](WrittenBytes &W) {
    W.Known = Known;
    W.Elsewhere = Elsewhere;
  });
}

llvm::ArrayRef<ByteRange> WrittenBytesTable::rangesOf(const Footprint *F) {
  auto [I, New] = Ranges.try_emplace(F);
  std::vector<ByteRange> &R = I->second;
  if (New) {
    const PerThread *At = F->Offset->base();
    for (unsigned T = 0; T < Footprints.lanes().threads(); ++T)
      if ((*F->Mask)[T])
        R.push_back({F->Obj, (*At)[T], (*At)[T] + F->Size});
    llvm::sort(R, startsBefore);
    join(R);
  }
  return R;
}

const WrittenBytes *WrittenBytesTable::with(const WrittenBytes *W,
                                            const Footprint *F) {
  auto [I, New] = Results.try_emplace({W, F});
  if (!New)
    return I->second;
  if (isKnown(F))
    return I->second = get(unionOf(W->Known, rangesOf(F)), W->Elsewhere);
  std::vector<const Footprint *> More = W->Elsewhere;
  auto At = llvm::lower_bound(More, F,
                              [](auto *A, auto *B) { return A->Id < B->Id; });
  if (At == More.end() || *At != F)
    More.insert(At, F);
  return I->second = get(W->Known, More);
}

const WrittenBytes *WrittenBytesTable::unite(const WrittenBytes *A,
                                             const WrittenBytes *B) {
  if (A == B)
    return A;
  const WrittenBytes *R = get(unionOf(A->Known, B->Known), A->Elsewhere);
  for (const Footprint *F : B->Elsewhere)
    R = with(R, F);
  return R;
}

const WrittenBytes *WrittenBytesTable::forget(const WrittenBytes *W,
                                              const Atom *A) {
  auto Stays = [&](const Footprint *F) { return !dependsOn(F->Offset, A); };
  if (llvm::all_of(W->Elsewhere, Stays))
    return W;
  std::vector<const Footprint *> Rest;
  llvm::copy_if(W->Elsewhere, std::back_inserter(Rest), Stays);
  const WrittenBytes *R = get(W->Known, Rest);
  for (const Footprint *F : W->Elsewhere)
    if (!Stays(F))
      R = with(R, Footprints.forget(F, A));
  return R;
}

/// The first of \p Known that does not end before \p R, if it is in the same
/// object.
static const ByteRange *firstNotBefore(llvm::ArrayRef<ByteRange> Known,
                                       const ByteRange &R) {
  const auto *I =
      llvm::lower_bound(Known, R, [](const ByteRange &A, const ByteRange &B) {
        return std::tie(A.Obj->Id, A.Hi) <= std::tie(B.Obj->Id, B.Lo);
      });
  return I != Known.end() && I->Obj == R.Obj ? I : nullptr;
}

bool WrittenBytesTable::mayTouchElsewhere(const WrittenBytes *W,
                                          const Footprint *F) {
  return llvm::any_of(W->Elsewhere, [&](const Footprint *X) {
    return Footprints.overlap(F, X).K != Overlap::Kind::Disjoint;
  });
}

bool WrittenBytesTable::mayTouch(const WrittenBytes *W, const Footprint *F) {
  if (mayTouchElsewhere(W, F))
    return true;
  auto Touches = [&](const ByteRange &R) {
    const ByteRange *I = firstNotBefore(W->Known, R);
    return I && I->Lo < R.Hi;
  };
  if (isKnown(F))
    return llvm::any_of(rangesOf(F), Touches);
  return Touches({F->Obj, INT64_MIN, INT64_MAX});
}

bool WrittenBytesTable::leavesOut(const WrittenBytes *W, const Footprint *F) {
  if (!isKnown(F))
    return false;
  if (mayTouchElsewhere(W, F))
    return !PerThreadContext::isEmpty(threadsLeftOut(W, F, /*Some=*/true));
  auto IsIn = [&](const ByteRange &R) {
    const ByteRange *I = firstNotBefore(W->Known, R);
    return I && I->Lo <= R.Lo && R.Hi <= I->Hi;
  };
  return !llvm::all_of(rangesOf(F), IsIn);
}

void WrittenBytesTable::noteGrowth(const WrittenBytes *Then,
                                   const WrittenBytes *Now) {
  if (Then == Now)
    return;
  auto Spread = [&](const Object *O) {
    note(Footprints.get(O, nullptr, 1, Footprints.lanes().all()));
  };
  for (const ByteRange &R : Now->Known)
    if (!llvm::is_contained(Then->Known, R))
      Spread(R.Obj);
  for (const Footprint *F : Now->Elsewhere)
    if (!llvm::is_contained(Then->Elsewhere, F))
      Spread(F->Obj);
}

const PerThread *WrittenBytesTable::threadsLeftOut(const WrittenBytes *W,
                                                   const Footprint *F,
                                                   bool Some) {
  PerThreadContext &L = Footprints.lanes();
  if (!isKnown(F))
    return L.none();
  std::vector<int64_t> Not(L.threads());
  for (unsigned T = 0; T < L.threads(); ++T) {
    if (!(*F->Mask)[T])
      continue;
    const int64_t Lo = (*F->Offset->base())[T];
    const ByteRange *I = firstNotBefore(W->Known, {F->Obj, Lo, Lo + F->Size});
    const bool Misses = !I || I->Lo >= Lo + F->Size;
    Not[T] = Misses || (Some && (Lo < I->Lo || I->Hi < Lo + F->Size));
  }
  const PerThread *Threads = L.perThread(Not);
  return mayTouchElsewhere(W, Footprints.restrict(F, Threads)) ? L.none()
                                                               : Threads;
}

int64_t WrittenBytesTable::firstByteLeftOut(const WrittenBytes *W,
                                            const Footprint *F,
                                            unsigned Thread) {
  const int64_t Lo = (*F->Offset->base())[Thread];
  const ByteRange *I = firstNotBefore(W->Known, {F->Obj, Lo, Lo + F->Size});
  return I && I->Lo <= Lo ? I->Hi : Lo;
}
