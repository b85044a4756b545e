//===- AffineAddresses.h - The numbers an address is the sum of -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the kernel writes them down, through the variables and arguments that they
// come from (DefUse.h). What they are on a path, only that path can tell: here
// is what is the same on all, and is looked for once.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INFERENCE_AFFINEADDRESSES_H
#define CPASYNC_LIB_INFERENCE_AFFINEADDRESSES_H

#include "lib/inference/DefUse.h"
#include "lib/support/Fingerprint.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace cpasync {

/// One of the numbers that an address is the sum of.
struct Addend {
  const clang::Expr *E;
  int64_t Factor;             ///< bytes by which each of E counts
  bool IsConstant = false;    ///< whoever comes by, and whenever
  bool HangsOnThread = false; ///< on its place in the block
  bool CanAsk = false;   ///< it is a number, and can be evaluated once more
  bool IsLoaded = false; ///< it is a number from memory, or a function's
};

/// How an address is written down.
struct AffineAddress {
  /// Addends that count by as many bytes.
  struct Level {
    int64_t Unit = 0;  ///< so many
    int64_t Pitch = 0; ///< of rows that they are places in, bytes; 0: none
    bool Goes = false; ///< on and on, with rounds that nobody counts
    const void *Limit = nullptr; ///< of them; a declaration
    bool IsRowOfAll = false;     ///< which row does not hang on the thread
    llvm::SmallVector<Addend, 2> Addends;
  };
  bool IndexGoes = false; ///< on and on
  bool Goes = false;      ///< something does
  int64_t Least = 0;      ///< unit of numbers, bytes; 0: there are none
  /// Bytes of the rows that a number of the whole block counts, which does not
  /// go on with rounds; 0: there are none.
  int64_t Slot = 0;
  bool HasParts = false; ///< places in these can be asked for, or are loaded
  llvm::SmallVector<Level, 3> Levels; ///< units that grow
};

class AffineAddresses {
public:
  AffineAddresses(const DefUse &From, Program &P) : From(From), P(P) {}
  /// How \p Index, if not null, leads on from \p Base.
  const AffineAddress &of(const Context &C, const clang::Expr *Base,
                          const clang::Expr *Index);

private:
  llvm::SmallVector<Addend, 6> addends(const Context &C,
                                       const clang::Expr *Base,
                                       const clang::Expr *Index) const;
  AffineAddress::Level level(const Context &C, int64_t Unit,
                             llvm::ArrayRef<Addend> Sum) const;

  const DefUse &From;
  Program &P;
  llvm::DenseMap<Fingerprint::Digest, std::unique_ptr<AffineAddress>> Known;
};

} // namespace cpasync

#endif // CPASYNC_LIB_INFERENCE_AFFINEADDRESSES_H
