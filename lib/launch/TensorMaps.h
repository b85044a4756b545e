//===- TensorMaps.h - Boxes that host code encodes --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor copy moves the box of its tensor map, which the host encodes. CUDA
// Driver API, cuTensorMapEncodeTiled.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_LAUNCH_TENSORMAPS_H
#define CPASYNC_LIB_LAUNCH_TENSORMAPS_H

#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace clang {
class CallExpr;
class Expr;
} // namespace clang

namespace cpasync {

/// A call of cuTensorMapEncodeTiled, by its name or through the pointer that
/// the driver gives; null: it is none. What is not named here says nothing of
/// the box.
struct EncodingCall {
  const clang::Expr *Map = nullptr; ///< the address that it is written to
  const clang::Expr *ElementType = nullptr, *Rank = nullptr, *Box = nullptr,
                    *Strides = nullptr, *Interleave = nullptr;
  explicit operator bool() const { return Map; }
};
EncodingCall encodingOf(const clang::CallExpr *E);

/// \p T is a tensor map, or has one in it.
bool holdsTensorMap(clang::QualType T);

/// The bytes that a copy moves: of \p Box elements of \p ElementType, a
/// CUtensorMapDataType, every \p Strides-th of them. Nothing: that is not
/// known, or the driver refuses it.
std::optional<int64_t> boxBytes(int64_t ElementType,
                                llvm::ArrayRef<int64_t> Box,
                                llvm::ArrayRef<int64_t> Strides);

/// Of a tensor map that a kernel is launched with.
struct TensorBox {
  unsigned Parameter;        ///< of the kernel, from 0
  int64_t Offset;            ///< of the map in it, in bytes
  int64_t Bytes;             ///< that a copy moves
  clang::SourceLocation Loc; ///< where it is encoded
};

} // namespace cpasync

#endif // CPASYNC_LIB_LAUNCH_TENSORMAPS_H
