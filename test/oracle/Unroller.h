//===- Unroller.h - What one thread does ------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_UNROLLER_H
#define CPASYNC_TEST_ORACLE_UNROLLER_H

#include "Kernel.h"
#include <array>

namespace oracle {

/// Where an operation stands: the statement in its block, then the side of the
/// branch or the iteration, then the statement in there, and so on. Ordered as
/// threads in step get to them.
using Position = std::array<uint16_t, 24>;

/// What one thread does, with nothing left to evaluate.
struct Op {
  Stmt::Kind K;
  unsigned Line;
  Position At;
  unsigned Word = 0, Words = 0; ///< Copy, Read, Store
  int64_t Source = 0;           ///< Copy: a name for the first word of input
  int64_t N = 0;                ///< Wait: count; NamedBarrier: which
  unsigned Threads = 0;         ///< NamedBarrier
};

class Unroller {
public:
  Unroller(const Kernel &K, const std::vector<unsigned> &Base, unsigned Thread,
           const std::vector<int64_t> &Parameters)
      : K(K), Base(Base), Thread(Thread), Parameters(Parameters),
        Variables(K.IsLoopVariable.size(), 0) {}

  std::vector<Op> Ops;
  std::string Invalid;

  /// False: the thread has left the kernel, or cannot go on.
  bool run(const Block &B);

private:
  static constexpr size_t MaxOps = 20000;

  int64_t eval(const Expr &E);
  bool run(const Stmt &S);
  /// As side, or iteration, number \p N of the statement.
  bool runInside(const Block &B, uint16_t N);
  Op &add(const Stmt &S) { return Ops.emplace_back(Op{S.K, S.Line, At}); }
  bool access(const Stmt &S);
  bool fail(std::string Why) {
    if (Invalid.empty())
      Invalid = std::move(Why);
    return false;
  }

  const Kernel &K;
  const std::vector<unsigned> &Base; ///< first word of each array
  unsigned Thread;
  const std::vector<int64_t> &Parameters;
  std::vector<int64_t> Variables;
  Position At = {};
  unsigned Depth = 0; ///< of At
};

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_UNROLLER_H
