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
struct ThreadStep {
  Stmt::Kind K;
  unsigned Line;
  Position At;
  unsigned Word = 0, Words = 0; ///< Copy, Read, Store
  int64_t Source = 0;           ///< Copy: a name for the first word of input
  unsigned Filled = 0;          ///< Copy: words of input; the rest is 0
  int64_t N = 0;         ///< waits: count; NamedBarrier: which; phases: Value
  unsigned Mbarrier = 0; ///< of all of the kernel
  unsigned Threads = 0;  ///< NamedBarrier, WarpBarrier
};

/// What a launch is given.
struct Inputs {
  std::vector<int64_t> Parameters;
  std::vector<unsigned> Patterns; ///< of what is loaded
};
/// How many patterns there are of \p L; four times \p More of them are random.
/// The first are the same in all threads.
unsigned patternsOf(const Load &L, unsigned More = 0);
bool isUniform(const Load &L, unsigned Pattern);

class Unroller {
public:
  Unroller(const Kernel &K, const std::vector<unsigned> &Base, unsigned Thread,
           const Inputs &In)
      : K(K), Base(Base), Thread(Thread), In(In),
        Variables(K.IsLoopVariable.size(), 0) {}

  std::vector<ThreadStep> Ops;
  std::string Invalid;
  /// Every loop that waits or synchronises ran a round, or would run none even
  /// if no parameter were 0 or less. The analysis takes it to be so.
  bool HasWork = true;

  void run() { run(K.Body); }

private:
  static constexpr size_t MaxOps = 20000;

  enum class Flow { Next, Break, Continue, Stop };

  int64_t eval(const Expr &E);
  int64_t load(unsigned Which, int64_t Tile) const;
  int64_t vote(const Stmt &S);
  Flow run(const Block &B);
  Flow run(const Stmt &S);
  /// As side, or iteration, number \p N of the statement.
  Flow runInside(const Block &B, uint16_t N);
  ThreadStep &add(const Stmt &S) {
    return Ops.emplace_back(ThreadStep{S.K, S.Line, At});
  }
  Flow access(const Stmt &S);
  Flow phase(const Stmt &S);
  bool setMbarrier(const Stmt &S, ThreadStep &O);
  Flow fail(std::string Why) {
    if (Invalid.empty())
      Invalid = std::move(Why);
    return Flow::Stop;
  }

  const Kernel &K;
  const std::vector<unsigned> &Base; ///< first word of each array
  unsigned Thread;
  bool isForNoWork(const Stmt &Loop) const;

  const Inputs &In;
  std::vector<int64_t> Variables;
  Position At = {};
  unsigned Depth = 0; ///< of At
};

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_UNROLLER_H
