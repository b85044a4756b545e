//===- Unroller.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unroller.h"
#include <algorithm>

using namespace oracle;

/// Mixes three numbers into one that looks random.
static uint64_t hash(uint64_t A, uint64_t B, uint64_t C) {
  uint64_t X = (A * 1000003 + B) * 1000003 + C + 0x9e3779b97f4a7c15;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9;
  X = (X ^ (X >> 27)) * 0x94d049bb133111eb;
  return X ^ (X >> 31);
}

/// In bytes; larger copies are of several.
static constexpr unsigned LargestElement = 16;

/// Of what threads load, after those that are the same in all threads.
enum Pattern { Alternating, FirstHalf, Only, AllBut, FirstRandom };

/// Patterns that are the same in all threads: one for all tiles, or by the
/// tile's number modulo 3.
static constexpr unsigned TilePeriod = 3;
static unsigned uniformPatterns(const Load &L) {
  return L.EachTile ? 1U << TilePeriod : 2;
}

unsigned oracle::patternsOf(const Load &L, unsigned More) {
  const bool Differs = L.SameFor != Load::Of::Block;
  return uniformPatterns(L) + (Differs ? FirstRandom + 1 : 0) +
         (Differs || L.EachTile ? 4 * More : 0);
}

bool oracle::isUniform(const Load &L, unsigned Pattern) {
  return L.SameFor == Load::Of::Block || Pattern < uniformPatterns(L);
}

int64_t Unroller::load(unsigned Which, int64_t Tile) const {
  const Load &L = K.Loads[Which];
  const unsigned Pattern = In.Patterns[Which];
  if (Pattern < uniformPatterns(L))
    return Pattern >> (L.EachTile ? Tile % TilePeriod : 0) & 1;
  const unsigned P = Pattern - uniformPatterns(L);
  if (L.SameFor == Load::Of::Block)
    return hash(Which + P, 0, Tile) & 1;
  const bool OfWarp = L.SameFor == Load::Of::Warp;
  const unsigned Who = OfWarp ? Thread / WarpSize : Thread;
  const unsigned Number = OfWarp ? K.Threads / WarpSize : K.Threads;
  switch (P) {
  case Alternating:
    return (Who + Tile) & 1;
  case FirstHalf:
    return Who < Number / 2;
  case Only:
    return Who == (Tile + 5) % Number;
  case AllBut:
    return Who != (Tile + Number - 1) % Number;
  default:
    return hash(Which + P, Who, Tile) & 1;
  }
}

int64_t Unroller::vote(const Stmt &S) {
  const unsigned Own = Thread;
  int64_t Holds = 0;
  for (Thread = 0; Thread < K.Threads; ++Thread)
    Holds += eval(*S.Value) != 0;
  Thread = Own;
  switch (static_cast<BlockVote>(S.N)) {
  case BlockVote::And:
    return Holds == K.Threads;
  case BlockVote::Or:
    return Holds > 0;
  case BlockVote::Count:
    return Holds;
  }
}

int64_t Unroller::eval(const Expr &E) {
  switch (E.K) {
  case Expr::Kind::Number:
    return E.Value;
  case Expr::Kind::Thread:
    return Thread;
  case Expr::Kind::Parameter:
    return In.Parameters[E.Value];
  case Expr::Kind::Variable:
    return Variables[E.Value];
  case Expr::Kind::Loaded:
    return load(E.Value, E.Left ? eval(*E.Left) : 0);
  case Expr::Kind::Select:
    return eval(*E.If) ? eval(*E.Left) : eval(*E.Right);
  case Expr::Kind::Binary:
    break;
  }
  const int64_t A = eval(*E.Left), B = eval(*E.Right);
  switch (E.O) {
  case Expr::Op::Add:
    return A + B;
  case Expr::Op::Sub:
    return A - B;
  case Expr::Op::Mul:
    return A * B;
  case Expr::Op::Div:
  case Expr::Op::Rem:
    if (A < 0 || B <= 0) {
      fail("division of or by a negative number");
      return 0;
    }
    return E.O == Expr::Op::Div ? A / B : A % B;
  case Expr::Op::And:
    return A & B;
  case Expr::Op::Xor:
    return A ^ B;
  case Expr::Op::Less:
    return A < B;
  case Expr::Op::Equal:
    return A == B;
  case Expr::Op::Both:
    return A && B;
  }
}

bool Unroller::setMbarrier(const Stmt &S, ThreadStep &O) {
  const bool IsAlone = K.Mbarriers[S.On.Array] == 1;
  const int64_t Slot = S.On.Slot && !IsAlone ? eval(*S.On.Slot) : 0;
  if (Slot < 0 || Slot >= K.Mbarriers[S.On.Array])
    return false;
  O.Mbarrier = Slot;
  for (unsigned A = 0; A < S.On.Array; ++A)
    O.Mbarrier += K.Mbarriers[A];
  return true;
}

Unroller::Flow Unroller::phase(const Stmt &S) {
  ThreadStep &O = add(S);
  if (!setMbarrier(S, O))
    return fail("line " + std::to_string(S.Line) + ": no such mbarrier");
  O.N = S.Value ? eval(*S.Value) : 0;
  if (S.K == Stmt::Kind::WaitPhase && (O.N < 0 || O.N > 1))
    return fail("line " + std::to_string(S.Line) + ": no parity");
  return Flow::Next;
}

Unroller::Flow Unroller::access(const Stmt &S) {
  const Array &A = K.Arrays[S.At.Array];
  const int64_t Slot = S.At.Slot && A.Slots > 1 ? eval(*S.At.Slot) : 0;
  const int64_t Index = eval(*S.At.Index);
  const int64_t Byte = (Slot * A.Width + Index) * A.ElementBytes;
  if (Slot < 0 || Slot >= A.Slots || Index < 0 ||
      Index * A.ElementBytes + S.At.Bytes > A.Width * A.ElementBytes)
    return fail("line " + std::to_string(S.Line) + ": out of bounds");
  if (Byte % std::min(S.At.Bytes, LargestElement) != 0)
    return fail("line " + std::to_string(S.Line) + ": misaligned");
  ThreadStep &O = add(S);
  O.Word = Base[S.At.Array] + unsigned(Byte / WordBytes);
  O.Words = S.At.Bytes / WordBytes;
  if (!S.Source)
    return Flow::Next;
  // There is one input for each size of element.
  const unsigned Unit = std::min(S.At.Bytes, LargestElement) / WordBytes;
  O.Source = ((eval(*S.Source) * Unit) << 4) + 2 * Unit + 1;
  if (S.K == Stmt::Kind::BulkLoad && !setMbarrier(S, O))
    return fail("line " + std::to_string(S.Line) + ": no such mbarrier");
  const int64_t Size = S.Size ? eval(*S.Size) : S.At.Bytes;
  if (Size < 0 || Size > S.At.Bytes)
    return fail("line " + std::to_string(S.Line) + ": bad size");
  O.Filled = S.Ignore && eval(*S.Ignore) ? 0 : Size / WordBytes;
  return Flow::Next;
}

Unroller::Flow Unroller::run(const Block &B) {
  for (const Stmt &S : B) {
    if (Flow F = run(S); F != Flow::Next)
      return F;
    ++At[Depth];
  }
  return Flow::Next;
}

Unroller::Flow Unroller::runInside(const Block &B, uint16_t N) {
  if (Depth + 2 >= At.size())
    return fail("nested too deeply");
  At[++Depth] = N;
  At[++Depth] = 0;
  const Flow F = run(B);
  At[Depth--] = 0;
  At[Depth--] = 0;
  return F;
}

static bool hangsOnParametersOnly(const Expr *E) {
  return !E || ((E->K == Expr::Kind::Number || E->K == Expr::Kind::Parameter ||
                 E->K == Expr::Kind::Binary) &&
                hangsOnParametersOnly(E->Left.get()) &&
                hangsOnParametersOnly(E->Right.get()));
}

static bool orders(const Block &B) {
  return std::ranges::any_of(B, [](const Stmt &S) {
    return (S.K >= Stmt::Kind::Commit && S.K <= Stmt::Kind::BulkWait) ||
           orders(S.Body) || orders(S.Else);
  });
}

bool Unroller::isForNoWork(const Stmt &Loop) const {
  if (!hangsOnParametersOnly(Loop.Value.get()) ||
      !hangsOnParametersOnly(Loop.Bound.get()) || !orders(Loop.Body))
    return false;
  Inputs Least = In;
  for (int64_t &P : Least.Parameters)
    P = std::max<int64_t>(P, 1);
  auto Runs = [&](const Inputs &Given) {
    Unroller U(K, Base, Thread, Given);
    return U.eval(*Loop.Value) < U.eval(*Loop.Bound);
  };
  return !Runs(In) && Runs(Least);
}

Unroller::Flow Unroller::run(const Stmt &S) {
  if (Ops.size() > MaxOps)
    return fail("too long");
  switch (S.K) {
  case Stmt::Kind::Copy:
    if (S.Guard && !eval(*S.Guard))
      return Flow::Next;
    return access(S);
  case Stmt::Kind::BulkLoad:
  case Stmt::Kind::BulkStore:
  case Stmt::Kind::Read:
  case Stmt::Kind::Store:
    return access(S);
  case Stmt::Kind::Init:
  case Stmt::Kind::Arrive:
  case Stmt::Kind::Announce:
  case Stmt::Kind::ArriveWith:
  case Stmt::Kind::WaitPhase:
    return phase(S);
  case Stmt::Kind::Commit:
  case Stmt::Kind::Wait:
  case Stmt::Kind::WaitAll:
  case Stmt::Kind::Barrier:
  case Stmt::Kind::WarpBarrier:
  case Stmt::Kind::NamedBarrier:
  case Stmt::Kind::NamedArrive:
  case Stmt::Kind::Fence:
  case Stmt::Kind::BulkCommit:
  case Stmt::Kind::BulkWait:
    add(S).N = S.N + (S.Value ? eval(*S.Value) : 0);
    Ops.back().Threads = S.Threads;
    return Flow::Next;
  case Stmt::Kind::VoteBarrier:
    Variables[S.Variable] = vote(S);
    add(S);
    return Flow::Next;
  case Stmt::Kind::Assign:
    Variables[S.Variable] = eval(*S.Value);
    return Flow::Next;
  case Stmt::Kind::If:
    return eval(*S.Value) ? runInside(S.Body, 0) : runInside(S.Else, 1);
  case Stmt::Kind::For: {
    uint16_t Iteration = 0;
    HasWork &= !isForNoWork(S);
    for (Variables[S.Variable] = eval(*S.Value);
         Variables[S.Variable] < eval(*S.Bound); ++Variables[S.Variable]) {
      const Flow F = runInside(S.Body, Iteration++);
      if (F == Flow::Stop)
        return F;
      if (F == Flow::Break)
        break;
    }
    return Flow::Next;
  }
  case Stmt::Kind::Break:
    return Flow::Break;
  case Stmt::Kind::Continue:
    return Flow::Continue;
  case Stmt::Kind::Return:
    return Flow::Stop;
  }
}
