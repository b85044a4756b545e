//===- CopyRequest.h - A copy about to be issued ----------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_COPYREQUEST_H
#define CPASYNC_LIB_INTERP_COPYREQUEST_H

#include "lib/inference/TileSizes.h"
#include "lib/state/State.h"
#include "clang/AST/Expr.h"
#include <optional>

namespace cpasync {

/// What a copy is asked for, however it is spelled.
struct CopyRequest {
  const void *Site;
  clang::SourceLocation Loc;
  Value Dst, Src;
  Value Size, SrcSize; ///< SrcSize: Unknown if there is none
  const clang::Expr *SizeExpr = nullptr;
  const clang::Expr *SrcSizeExpr = nullptr;
  bool CacheGlobal = false;
  clang::CharSourceRange CacheModifier; ///< `cg` in the file, if editable
  int64_t Bytes = 0;   ///< of all copies of Size together, if there are several
  bool Shared = false; ///< which thread copies which of them is not said
  bool HasSrcSize = false;
  bool Pipeline = false; ///< __pipeline_memcpy_async: SrcSize is zfill
  llvm::StringRef Malformed;
  /// It adds to what is there, or the like.
  bool Reduces = false;
  /// To a block of the cluster: from shared memory, not from registers.
  bool FromShared = false;
  /// What such a copy reads until it is complete.
  llvm::SmallVector<EventId, 2> Reads;
  /// A bulk copy, which completes with a phase of this mbarrier.
  std::optional<Value> Mbarrier;
  /// To the same place in each block of the cluster that has a bit in it.
  std::optional<Value> Blocks;
  /// A tile of a tensor, of the box in the tensor map \p Map.
  bool Tensor = false;
  Value Map;
  TileSizes::Tile Tile{}; ///< if Tensor
};

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_COPYREQUEST_H
