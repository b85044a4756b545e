//===- Builder.h - What generators have in common ---------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_BUILDER_H
#define CPASYNC_TEST_ORACLE_BUILDER_H

#include "Generator.h"
#include <algorithm>

namespace oracle {

/// What the families share.
class Builder {
public:
  Builder(Random &R, const char *Family) : R(R) {
    K.Family = Family;
    K.Threads = R.percent(80) ? 64 : 128;
    K.Spelled = R.oneOf({Kernel::Spelling::Ptx, Kernel::Spelling::PtxOfWrappers,
                         Kernel::Spelling::Pipeline, Kernel::Spelling::Mixed});
    K.AccessesByCalls =
        K.Threads == 128 || K.Spelled == Kernel::Spelling::PtxOfWrappers;
  }

protected:
  static Stmt simple(Stmt::Kind Kind) {
    Stmt S;
    S.K = Kind;
    return S;
  }
  static Stmt commit() { return simple(Stmt::Kind::Commit); }
  static Stmt barrier() { return simple(Stmt::Kind::Barrier); }
  static Stmt wait(int64_t N) {
    Stmt S = simple(Stmt::Kind::Wait);
    S.N = std::clamp<int64_t>(N, 0, 8); // what __pipeline_wait_prior takes
    return S;
  }
  static Stmt assign(unsigned Variable, ExprRef Value) {
    Stmt S = simple(Stmt::Kind::Assign);
    S.Variable = Variable;
    S.Value = std::move(Value);
    return S;
  }
  static Stmt branch(ExprRef If, Block Then, Block Else = {}) {
    Stmt S = simple(Stmt::Kind::If);
    S.Value = std::move(If);
    S.Body = std::move(Then);
    S.Else = std::move(Else);
    return S;
  }
  static Stmt loop(unsigned Variable, ExprRef From, ExprRef Bound, Block Body) {
    Stmt S = simple(Stmt::Kind::For);
    S.Variable = Variable;
    S.Value = std::move(From);
    S.Bound = std::move(Bound);
    S.Body = std::move(Body);
    return S;
  }
  unsigned newVariable(bool IsLoop) {
    K.IsLoopVariable.push_back(IsLoop);
    return K.IsLoopVariable.size() - 1;
  }
  unsigned newParameter(int64_t Limit) {
    K.ParameterLimit.push_back(Limit);
    return K.ParameterLimit.size() - 1;
  }
  /// For one access of \p Bytes by every thread to each slot.
  unsigned newArray(unsigned Bytes, unsigned Slots) {
    Array A;
    A.ElementBytes = R.percent(80) ? Bytes : 4;
    A.Slots = Slots;
    A.Width = K.Threads * Bytes / A.ElementBytes;
    K.Arrays.push_back(A);
    return K.Arrays.size() - 1;
  }
  /// The access of the thread \p Who.
  Place place(unsigned Array, unsigned Bytes, ExprRef Slot,
              const ExprRef &Who) {
    const unsigned Scale = Bytes / K.Arrays[Array].ElementBytes;
    return {Array, std::move(Slot),
            Scale == 1 ? Who : binary(Who, Expr::Op::Mul, Scale), Bytes};
  }
  static Stmt access(Stmt::Kind Kind, Place P) {
    Stmt S = simple(Kind);
    S.At = std::move(P);
    return S;
  }
  /// The element of thread \p Who in tile number \p Tile of the input.
  Stmt copy(Place To, const ExprRef &Tile, ExprRef Who) const {
    Stmt S = access(Stmt::Kind::Copy, std::move(To));
    S.Source = binary(binary(Tile, Expr::Op::Mul, K.Threads), Expr::Op::Add,
                      std::move(Who));
    return S;
  }

  /// Whose element a thread reads.
  enum class Reader { Own, Pair, OtherWarp, Next, Reversed };
  Reader anyReader() {
    return R.percent(45) ? Reader::Own
                         : R.oneOf({Reader::Pair, Reader::OtherWarp,
                                    Reader::Next, Reader::Reversed});
  }
  ExprRef whose(Reader Who) const {
    switch (Who) {
    case Reader::Own:
      return thread();
    case Reader::Pair:
      return binary(thread(), Expr::Op::Xor, 1);
    case Reader::OtherWarp:
      return binary(thread(), Expr::Op::Xor, 32);
    case Reader::Next:
      return binary(binary(thread(), Expr::Op::Add, 1), Expr::Op::Rem,
                    K.Threads);
    case Reader::Reversed:
      return binary(number(K.Threads - 1), Expr::Op::Sub, thread());
    }
  }

  Random &R;
  Kernel K;
};

/// Rings.cpp: a prologue, a loop that reads one slot and fills another, an
/// epilogue.
Kernel ring(Random &R);

/// Named.cpp: warps that copy and warps that read, with barriers of their own.
Kernel handover(Random &R);

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_BUILDER_H
