//===- AccessIndex.cpp ----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/memory/AccessIndex.h"
#include "lib/memory/FootprintSet.h"

using namespace cpasync;

namespace {
/// An access and its place in the list.
struct Entry {
  Access A;
  size_t Place;
  bool operator==(const Entry &) const = default;
};

const Footprint *bytesOf(const Entry &E) { return E.A.Bytes; }
} // namespace

// By bytes, copies last; those of one footprint in any order that is fixed.
static bool isBefore(const Access &A, const Access &B) {
  if (A.IsCopy != B.IsCopy)
    return B.IsCopy;
  if (A.Bytes != B.Bytes)
    return comesBefore(A.Bytes, B.Bytes);
  return std::tuple(A.Event, A.Wait, A.Before, A.After, A.HasUnknowns) <
         std::tuple(B.Event, B.Wait, B.Before, B.After, B.HasUnknowns);
}

struct AccessIndex::Run {
  explicit Run(std::vector<Entry> List) : Sorted(std::move(List)) {
    FirstCopy = llvm::partition_point(
                    Sorted, [](const Entry &E) { return !E.A.IsCopy; }) -
                Sorted.begin();
    Fingerprint F;
    for (const auto &[A, Place] : Sorted) {
      Reach = std::max(Reach, reachOf(A.Bytes));
      HasUnknowns |= A.HasUnknowns;
      F.add(uint64_t(A.Event) << 32 | A.Wait);
      F.add(A.Bytes);
      F.add(A.After);
      for (const uint64_t Word : A.Before.words())
        F.add(Word);
      F.add(Place);
    }
    Digest = F.digest();
  }
  llvm::ArrayRef<Entry> copies() const {
    return llvm::ArrayRef(Sorted).drop_front(FirstCopy);
  }
  llvm::ArrayRef<Entry> others() const {
    return llvm::ArrayRef(Sorted).take_front(FirstCopy);
  }

  std::vector<Entry> Sorted;
  size_t FirstCopy;
  int64_t Reach = 0; ///< the largest of their footprints
  bool HasUnknowns = false;
  Fingerprint::Digest Digest;
};

static bool isSortedBefore(const Entry &A, const Entry &B) {
  return isBefore(A.A, B.A) || (A.A == B.A && A.Place < B.Place);
}

void AccessIndex::append(llvm::ArrayRef<Access> New) {
  std::vector<Entry> Sorted;
  size_t Place = size();
  for (const Access &A : New)
    Sorted.push_back({A, Place++});
  llvm::sort(Sorted, isSortedBefore);
  while (!Runs.empty() && Runs.back()->Sorted.size() <= Sorted.size()) {
    const std::vector<Entry> &Older = Runs.back()->Sorted;
    std::vector<Entry> Both;
    Both.reserve(Older.size() + Sorted.size());
    std::ranges::merge(Older, Sorted, std::back_inserter(Both), isSortedBefore);
    Sorted = std::move(Both);
    Runs.pop_back();
  }
  Runs.push_back(std::make_shared<const Run>(std::move(Sorted)));
}

size_t AccessIndex::size() const {
  size_t N = 0;
  for (const auto &R : Runs)
    N += R->Sorted.size();
  return N;
}

bool AccessIndex::contains(const Access &A) const {
  return llvm::any_of(Runs, [&](const auto &R) {
    auto I = llvm::partition_point(
        R->Sorted, [&](const Entry &E) { return isBefore(E.A, A); });
    return I != R->Sorted.end() && I->A == A;
  });
}

void AccessIndex::addTo(llvm::SmallVectorImpl<Access> &List) const {
  std::vector<const Access *> InOrder(size());
  for (const auto &R : Runs)
    for (const Entry &E : R->Sorted)
      InOrder[E.Place] = &E.A;
  for (const Access *A : InOrder)
    List.push_back(*A);
}

void AccessIndex::findRivals(
    FootprintTable &F, const Footprint *Bytes, bool OnlyCopies,
    llvm::SmallVectorImpl<const Access *> &Found) const {
  std::vector<const Entry *> Rivals;
  auto Add = [&](llvm::ArrayRef<Entry> Same) {
    const Footprint *Theirs = Same.front().A.Bytes;
    // The first is known of most pairs, from when the copy was in flight.
    if (F.overlap(Bytes, Theirs).K != Overlap::Kind::Disjoint &&
        (llvm::any_of(Same, [](const Entry &E) { return E.A.OfPhase; }) ||
         F.overlapAcrossWarps(Bytes, Theirs).K != Overlap::Kind::Disjoint))
      for (const Entry &E : Same)
        Rivals.push_back(&E);
    return false;
  };
  for (const auto &R : Runs) {
    anyTouching<Entry>(R->copies(), R->Reach, Bytes, Add);
    if (!OnlyCopies)
      anyTouching<Entry>(R->others(), R->Reach, Bytes, Add);
  }
  llvm::sort(Rivals, [](const Entry *A, const Entry *B) {
    return A->Place < B->Place;
  });
  for (const Entry *E : Rivals)
    Found.push_back(&E->A);
}

bool AccessIndex::any(llvm::function_ref<bool(const Access &)> Counts) const {
  return llvm::any_of(Runs, [&](const auto &R) {
    return llvm::any_of(R->Sorted, [&](const Entry &E) { return Counts(E.A); });
  });
}

bool AccessIndex::anyWithUnknowns(
    llvm::function_ref<bool(const Access &)> Counts) const {
  return llvm::any_of(Runs, [&](const auto &R) {
    return R->HasUnknowns && llvm::any_of(R->Sorted, [&](const Entry &E) {
             return E.A.HasUnknowns && Counts(E.A);
           });
  });
}

bool AccessIndex::operator==(const AccessIndex &O) const {
  return llvm::equal(Runs, O.Runs, [](const auto &A, const auto &B) {
    return A == B || (A->Digest == B->Digest && A->Sorted == B->Sorted);
  });
}

void AccessIndex::addTo(Fingerprint &F) const {
  F.addList(Runs, [&](const auto &R) {
    F.add(R->Digest.first);
    F.add(R->Digest.second);
  });
}
