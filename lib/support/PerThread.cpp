//===- PerThread.cpp ------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/support/PerThread.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>

using namespace cpasync;

static int64_t wrap(int64_t V, int64_t Width) {
  bool Signed = Width < 0;
  unsigned Bits = Signed ? -Width : Width;
  if (Bits == 0 || Bits >= 64)
    return V;
  uint64_t U = static_cast<uint64_t>(V) & ((uint64_t(1) << Bits) - 1);
  if (Signed && (U >> (Bits - 1)) != 0)
    U |= ~((uint64_t(1) << Bits) - 1);
  return static_cast<int64_t>(U);
}

int64_t cpasync::applyLaneOp(LaneOp Op, int64_t A, int64_t B) {
  auto U = [](int64_t V) { return static_cast<uint64_t>(V); };
  auto S = [](uint64_t V) { return static_cast<int64_t>(V); };
  switch (Op) {
  case LaneOp::Add:
    return S(U(A) + U(B));
  case LaneOp::Sub:
    return S(U(A) - U(B));
  case LaneOp::Mul:
    return S(U(A) * U(B));
  case LaneOp::Div:
    return B == 0 ? 0 : (B == -1 ? S(0 - U(A)) : A / B);
  case LaneOp::Rem:
    return B == 0 || B == -1 ? 0 : A % B;
  case LaneOp::Shl:
    return B < 0 || B > 63 ? 0 : S(U(A) << B);
  case LaneOp::AShr:
    return A >> std::min(U(B), U(63));
  case LaneOp::LShr:
    return B < 0 || B > 63 ? 0 : S(U(A) >> B);
  case LaneOp::And:
    return A & B;
  case LaneOp::Or:
    return A | B;
  case LaneOp::Xor:
    return A ^ B;
  case LaneOp::Min:
    return std::min(A, B);
  case LaneOp::Max:
    return std::max(A, B);
  case LaneOp::Eq:
    return A == B;
  case LaneOp::Ne:
    return A != B;
  case LaneOp::Lt:
    return A < B;
  case LaneOp::Wrap:
    return wrap(A, B);
  }
  return 0;
}

bool PerThread::isUniformInWarps() const {
  for (size_t T = 1; T < Values.size(); ++T)
    if (T % WarpThreads && Values[T] != Values[T - 1])
      return false;
  return true;
}

unsigned PerThread::hash(Key K) {
  if (K.size() == 1)
    return llvm::DenseMapInfo<uint64_t>::getHashValue(K[0]);
  return llvm::xxh3_64bits(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(K.data()), K.size() * sizeof(K[0])));
}

const PerThread *PerThreadContext::intern(llvm::ArrayRef<int64_t> V,
                                          int64_t Min, int64_t Max) {
  return Table.get(V, [&](PerThread &New) {
    New.Values = V.copy(Integers);
    New.Min = Min;
    New.Max = Max;
    New.Id = Table.size();
  });
}

const PerThread *PerThreadContext::uniform(int64_t V) {
  if (V < LeastSmall || V >= LeastSmall + int64_t(Small.size()))
    return intern(V, V, V);
  const PerThread *&Known = Small[V - LeastSmall];
  if (!Known)
    Known = intern(V, V, V);
  return Known;
}

const PerThread *PerThreadContext::perThread(llvm::ArrayRef<int64_t> V) {
  auto [Min, Max] = std::minmax_element(V.begin(), V.end());
  return *Min == *Max ? uniform(*Min) : intern(V, *Min, *Max);
}

const PerThread *PerThreadContext::apply(LaneOp Op, const PerThread *A,
                                         const PerThread *B) {
  if (A->isUniform() && B->isUniform())
    return uniform(applyLaneOp(Op, A->min(), B->min()));
  const PerThread *&Known = Results[{Op, A, B}];
  if (Known)
    return Known;
  std::vector<int64_t> V(Threads);
  for (unsigned T = 0; T < Threads; ++T)
    V[T] = applyLaneOp(Op, (*A)[T], (*B)[T]);
  return Known = perThread(V);
}

const PerThread *PerThreadContext::blend(const PerThread *Mask,
                                         const PerThread *A,
                                         const PerThread *B) {
  if (A == B || Mask->isUniform(1))
    return A;
  if (Mask->isUniform(0))
    return B;
  std::vector<int64_t> V(Threads);
  for (unsigned T = 0; T < Threads; ++T)
    V[T] = (*Mask)[T] ? (*A)[T] : (*B)[T];
  return perThread(V);
}

const PerThread *PerThreadContext::anyAmong(const PerThread *M,
                                            unsigned Neighbours) {
  if (M->isUniform())
    return M;
  std::vector<int64_t> V(Threads);
  for (unsigned Begin = 0; Begin < Threads; Begin += Neighbours) {
    const unsigned End = std::min(Begin + Neighbours, Threads);
    bool Any = false;
    for (unsigned T = Begin; T < End; ++T)
      Any |= (*M)[T] != 0;
    std::fill(V.begin() + Begin, V.begin() + End, Any);
  }
  return perThread(V);
}

int PerThreadContext::first(const PerThread *M) const {
  for (unsigned T = 0; T < Threads; ++T)
    if ((*M)[T])
      return T;
  return -1;
}

unsigned PerThreadContext::count(const PerThread *M) const {
  unsigned N = 0;
  for (unsigned T = 0; T < Threads; ++T)
    N += (*M)[T] != 0;
  return N;
}
