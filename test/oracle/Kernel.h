//===- Kernel.h - A tiny language for kernels -------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the generated kernels are made of: shared arrays, copies into them,
// groups, barriers, mbarriers, bulk copies, reads and stores, under loops and
// branches whose conditions know the thread, the parameters, local integers and
// what the input holds, but never what shared memory holds. A thread therefore
// does the same whatever the others do, if at another time.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_KERNEL_H
#define CPASYNC_TEST_ORACLE_KERNEL_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace oracle {

inline constexpr unsigned WarpSize = 32;
/// Shared memory is looked at in words; no access is smaller.
inline constexpr unsigned WordBytes = 4;

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;

/// An integer expression with the meaning it has in C++.
struct Expr {
  enum class Kind {
    Number,
    Thread,
    Parameter,
    Variable,
    Loaded, ///< number Value; if not null, of tile Left for whom Right says
    Binary,
    Select
  };
  enum class Op { Add, Sub, Mul, Div, Rem, And, Xor, Less, Equal, Both };
  Kind K = Kind::Number;
  int64_t Value = 0; ///< Number; Parameter, Variable: which
  Op O = Op::Add;
  ExprRef If, Left, Right; ///< Select: If ? Left : Right
};

/// What a thread loads from global memory: 0 or 1.
struct Load {
  enum class Of { Block, Warp, Thread };
  Of SameFor = Of::Thread;
  bool EachTile = false; ///< loaded where it is used; else at the top
  ExprRef who() const;
};

/// Elements of one size; in a pool of their own, or in the pool of the block at
/// an offset, where arrays may lie on top of each other.
struct Array {
  unsigned ElementBytes = 4;
  unsigned Slots = 1; ///< 1: one-dimensional
  unsigned Width = 0; ///< elements of a slot
  bool InPool = false;
  unsigned PoolOffset = 0; ///< bytes
  unsigned bytes() const { return ElementBytes * Slots * Width; }
};

/// Bytes of shared memory that one thread touches at once.
struct Place {
  unsigned Array = 0;
  ExprRef Slot; ///< null: 0
  ExprRef Index;
  unsigned Bytes = 4; ///< 4, 8 or 16; of a bulk copy any multiple of 16
};

/// One mbarrier of an array.
struct Phases {
  unsigned Array = 0;
  ExprRef Slot; ///< null: 0
};

enum class BlockVote { And, Or, Count };

struct Stmt {
  enum class Kind {
    Copy,
    Commit,
    Wait,         ///< for all but the N newest groups
    WaitAll,      ///< as commit and wait for 0
    Barrier,      ///< of the block
    VoteBarrier,  ///< of the block; Variable = vote number N on Value
    WarpBarrier,  ///< of Threads neighbours
    NamedBarrier, ///< number N + Value, for Threads threads
    NamedArrive,  ///< as that, but does not wait
    Arrive,       ///< at On
    Announce,     ///< Value bytes for the phase of On
    ArriveWith,   ///< both
    WaitPhase,    ///< until the phase of On with parity Value is complete
    Fence,        ///< between the proxies
    BulkCommit,   ///< of bulk stores
    BulkWait,     ///< for all but the N newest groups of bulk stores
    Init,         ///< On, for Value arrivals
    BulkLoad,     ///< from element Source of the input; completes on On
    BulkStore,    ///< to element Source of the output
    Read,
    Store,
    Assign, ///< Variable = Value
    If,     ///< Value ? Body : Else
    For,    ///< for Variable from Value, while below Bound
    Break,
    Continue,
    Return,
  };
  Kind K = Kind::Commit;
  Place At;
  Phases On;
  ExprRef Source; ///< copies: which element of the input or output
  ExprRef Size;   ///< Copy: bytes of it, the rest is 0; null: all
  ExprRef Ignore; ///< Copy: whether all is 0
  ExprRef Guard;  ///< Copy: whether it is one
  int64_t N = 0;
  unsigned Threads = 0;
  unsigned Variable = 0;
  bool OnlyReads = false; ///< BulkWait: until they have read
  ExprRef Value, Bound;
  std::vector<Stmt> Body, Else;
  unsigned Line = 0; ///< of its kernel's text, 1-based; set by the printer
};
using Block = std::vector<Stmt>;

struct Kernel {
  /// How asynchronous operations are spelled.
  enum class Spelling { Ptx, PtxOfWrappers, Pipeline, Mixed };
  std::string Name;
  std::string Family;     ///< which generator made it
  unsigned FirstLine = 1; ///< of the file; set by the printer
  unsigned Threads = 64;
  Spelling Spelled = Spelling::Ptx;
  /// Reads and stores are calls of functions that do nothing else.
  bool AccessesByCalls = false;
  std::vector<Array> Arrays;
  bool InBulk = false;                 ///< it has bulk copies
  std::vector<unsigned> Mbarriers;     ///< how many each array of them has
  std::vector<int64_t> ParameterLimit; ///< values -1 up to and including this
  std::vector<Load> Loads;
  std::vector<bool> IsLoopVariable; ///< by variable; others start at 0
  Block Body;
  /// Of this kernel, for a line of the file.
  unsigned lineOf(unsigned InFile) const { return InFile - FirstLine + 1; }
  unsigned poolBytes() const {
    unsigned Size = 0;
    for (const Array &A : Arrays)
      if (A.InPool && A.PoolOffset + A.bytes() > Size)
        Size = A.PoolOffset + A.bytes();
    return Size;
  }
};

// Short names for the generators.

inline ExprRef number(int64_t N) {
  return std::make_shared<Expr>(Expr{Expr::Kind::Number, N});
}
inline ExprRef thread() {
  return std::make_shared<Expr>(Expr{Expr::Kind::Thread});
}
inline ExprRef parameter(unsigned I) {
  return std::make_shared<Expr>(Expr{Expr::Kind::Parameter, I});
}
inline ExprRef variable(unsigned I) {
  return std::make_shared<Expr>(Expr{Expr::Kind::Variable, I});
}
inline ExprRef loaded(unsigned I, ExprRef Tile = nullptr,
                      ExprRef Who = nullptr) {
  return std::make_shared<Expr>(Expr{Expr::Kind::Loaded, I, Expr::Op::Add,
                                     nullptr, std::move(Tile), std::move(Who)});
}
inline ExprRef binary(ExprRef A, Expr::Op O, ExprRef B) {
  return std::make_shared<Expr>(
      Expr{Expr::Kind::Binary, 0, O, nullptr, std::move(A), std::move(B)});
}
inline ExprRef binary(ExprRef A, Expr::Op O, int64_t B) {
  return binary(std::move(A), O, number(B));
}
inline ExprRef select(ExprRef If, ExprRef A, ExprRef B) {
  return std::make_shared<Expr>(Expr{Expr::Kind::Select, 0, Expr::Op::Add,
                                     std::move(If), std::move(A),
                                     std::move(B)});
}

inline ExprRef Load::who() const {
  switch (SameFor) {
  case Of::Block:
    return number(0);
  case Of::Warp:
    return binary(thread(), Expr::Op::Div, WarpSize);
  case Of::Thread:
    return thread();
  }
}

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_KERNEL_H
