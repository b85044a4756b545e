//===- Unroller.cpp -------------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unroller.h"

using namespace oracle;

int64_t Unroller::eval(const Expr &E) {
  switch (E.K) {
  case Expr::Kind::Number:
    return E.Value;
  case Expr::Kind::Thread:
    return Thread;
  case Expr::Kind::Parameter:
    return Parameters[E.Value];
  case Expr::Kind::Variable:
    return Variables[E.Value];
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

bool Unroller::access(const Stmt &S) {
  const Array &A = K.Arrays[S.At.Array];
  const int64_t Slot = S.At.Slot && A.Slots > 1 ? eval(*S.At.Slot) : 0;
  const int64_t Index = eval(*S.At.Index);
  const int64_t Byte = (Slot * A.Width + Index) * A.ElementBytes;
  if (Slot < 0 || Slot >= A.Slots || Index < 0 ||
      Index * A.ElementBytes + S.At.Bytes > A.Width * A.ElementBytes)
    return fail("line " + std::to_string(S.Line) + ": out of bounds");
  if (Byte % S.At.Bytes != 0)
    return fail("line " + std::to_string(S.Line) + ": misaligned");
  Op &O = add(S);
  O.Word = Base[S.At.Array] + unsigned(Byte / WordBytes);
  O.Words = S.At.Bytes / WordBytes;
  // There is one input for each size of copy.
  if (S.K == Stmt::Kind::Copy)
    O.Source = ((eval(*S.Source) * O.Words) << 4) + 2 * O.Words + 1;
  return true;
}

bool Unroller::run(const Block &B) {
  for (const Stmt &S : B) {
    if (!run(S))
      return false;
    ++At[Depth];
  }
  return true;
}

bool Unroller::runInside(const Block &B, uint16_t N) {
  if (Depth + 2 >= At.size())
    return fail("nested too deeply");
  At[++Depth] = N;
  At[++Depth] = 0;
  const bool GoesOn = run(B);
  At[Depth--] = 0;
  At[Depth--] = 0;
  return GoesOn;
}

bool Unroller::run(const Stmt &S) {
  if (Ops.size() > MaxOps)
    return fail("too long");
  switch (S.K) {
  case Stmt::Kind::Copy:
  case Stmt::Kind::Read:
  case Stmt::Kind::Store:
    return access(S);
  case Stmt::Kind::Commit:
  case Stmt::Kind::Wait:
  case Stmt::Kind::WaitAll:
  case Stmt::Kind::Barrier:
  case Stmt::Kind::WarpBarrier:
  case Stmt::Kind::NamedBarrier:
    add(S).N = S.N;
    Ops.back().Threads = S.Threads;
    return true;
  case Stmt::Kind::Assign:
    Variables[S.Variable] = eval(*S.Value);
    return true;
  case Stmt::Kind::If:
    return eval(*S.Value) ? runInside(S.Body, 0) : runInside(S.Else, 1);
  case Stmt::Kind::For: {
    uint16_t Iteration = 0;
    for (Variables[S.Variable] = eval(*S.Value);
         Variables[S.Variable] < eval(*S.Bound); ++Variables[S.Variable])
      if (!runInside(S.Body, Iteration++))
        return false;
    return true;
  }
  case Stmt::Kind::Return:
    return false;
  }
}
