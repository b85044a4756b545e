//===- PerThread.h - One integer per thread of a block ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The concrete half of the value model: an integer that is the same in all
// threads of the block, or one integer for each. Interned, so that equal lanes
// are the same pointer and results of operations are remembered. A mask is
// PerThread whose integers are 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SUPPORT_PERTHREAD_H
#define CPASYNC_LIB_SUPPORT_PERTHREAD_H

#include "lib/support/Interner.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <cstdint>
#include <vector>

namespace cpasync {

/// Threads of a warp; warps are 0-31, 32-63, ...
inline constexpr unsigned WarpThreads = 32;
/// PTX ISA, "wgmma": four warps.
inline constexpr unsigned WarpgroupThreads = 128;

class PerThread {
public:
  bool isUniform() const { return Values.size() == 1; }
  /// The same in all threads of each warp.
  bool isUniformInWarps() const;
  /// The integer of thread \p T.
  int64_t operator[](unsigned T) const { return isUniform() ? Min : Values[T]; }
  int64_t min() const { return Min; }
  int64_t max() const { return Max; }
  bool isUniform(int64_t V) const { return isUniform() && Min == V; }
  /// Small, unique within a PerThreadContext, in order of creation.
  unsigned id() const { return Id; }

  using Key = llvm::ArrayRef<int64_t>;
  Key key() const { return Values; }
  static unsigned hash(Key K);

private:
  friend class PerThreadContext;
  llvm::ArrayRef<int64_t> Values; ///< one if uniform, else one for each thread
  int64_t Min = 0, Max = 0;
  unsigned Id = 0;
};

/// Operations on 64-bit integers, thread by thread. Division and remainder by
/// zero give 0 (the path is undefined anyway). Comparisons give 0 or 1.
enum class LaneOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  AShr,
  LShr,
  And,
  Or,
  Xor,
  Min,
  Max,
  Eq,
  Ne,
  Lt,
  Wrap, ///< second operand: width in bits, negative if signed
};

int64_t applyLaneOp(LaneOp Op, int64_t A, int64_t B);

class PerThreadContext {
public:
  explicit PerThreadContext(unsigned Threads)
      : Threads(Threads), Small(), All(uniform(1)), None(uniform(0)) {}
  unsigned threads() const { return Threads; }

  const PerThread *uniform(int64_t V);
  /// \p V has threads() elements; equal elements give uniform lanes.
  const PerThread *perThread(llvm::ArrayRef<int64_t> V);
  const PerThread *apply(LaneOp Op, const PerThread *A, const PerThread *B);
  /// Thread by thread Mask ? A : B.
  const PerThread *blend(const PerThread *Mask, const PerThread *A,
                         const PerThread *B);

  const PerThread *all() const { return All; }
  const PerThread *none() const { return None; }
  const PerThread *both(const PerThread *A, const PerThread *B) {
    return A == All ? B : B == All ? A : apply(LaneOp::And, A, B);
  }
  /// Threads of \p A that are not in \p B.
  const PerThread *except(const PerThread *A, const PerThread *B) {
    return B == None ? A : both(A, apply(LaneOp::Xor, B, All));
  }
  const PerThread *either(const PerThread *A, const PerThread *B) {
    return A == None ? B : B == None ? A : apply(LaneOp::Or, A, B);
  }
  static bool isEmpty(const PerThread *M) { return M->isUniform(0); }
  /// First thread of a mask; -1 if it is empty.
  int first(const PerThread *M) const;
  unsigned count(const PerThread *M) const;
  /// Threads with one of \p M among \p Neighbours that begin at a multiple.
  const PerThread *anyAmong(const PerThread *M, unsigned Neighbours);
  /// Threads that are ordered among themselves, as they run in step: a warp, or
  /// each is alone.
  unsigned inStep() const { return InStep; }
  void setInStep(unsigned Neighbours) { InStep = Neighbours; }
  /// \p M, and who runs in step with one of them.
  const PerThread *inStepWith(const PerThread *M) {
    return InStep == 1 ? M : anyAmong(M, InStep);
  }
  /// Memory in use, in bytes.
  size_t bytes() const {
    return Integers.getTotalMemory() + Table.bytes() + Results.getMemorySize();
  }

private:
  const PerThread *intern(llvm::ArrayRef<int64_t> V, int64_t Min, int64_t Max);

  unsigned Threads, InStep = WarpThreads;
  llvm::BumpPtrAllocator Integers;
  Interner<PerThread> Table;
  llvm::DenseMap<std::tuple<LaneOp, const PerThread *, const PerThread *>,
                 const PerThread *>
      Results;
  /// Uniform, from LeastSmall on, as far as asked for.
  std::array<const PerThread *, 2048> Small;
  static constexpr int64_t LeastSmall = -512;
  const PerThread *All, *None;
};

} // namespace cpasync

#endif // CPASYNC_LIB_SUPPORT_PERTHREAD_H
