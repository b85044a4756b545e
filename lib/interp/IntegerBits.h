//===- IntegerBits.h - Some bits of an integer ------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that is written as one thing and read as another: members of a union,
// bit-fields, halves of a word. Matrix descriptors are made so. The address in
// one stays what it is (MatrixDescriptors.h), whatever bits above it are asked
// for or set.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_INTEGERBITS_H
#define CPASYNC_LIB_INTERP_INTEGERBITS_H

#include "lib/values/Value.h"

namespace cpasync {

/// \p Count bits of \p I from bit \p Low on, as a number that is not negative
/// unless it has 64; null: not known.
const Int *bitsFrom(ValueContext &V, const Int *I, unsigned Low,
                    unsigned Count);
/// \p I with \p Count bits of \p New from bit \p Low on; null: not known.
const Int *withBits(ValueContext &V, const Int *I, const Int *New, unsigned Low,
                    unsigned Count);

/// The bytes \p Offset to \p Offset + \p Size, at most 8, of what holds
/// \p Bytes; null: not known.
const Int *bytesIn(ValueContext &V, const Contents &Bytes, int64_t Offset,
                   int64_t Size);
/// What is left of \p Of at \p Offset to \p End, a part of it that is not
/// empty; unknown: that is not known.
Cell partOf(ValueContext &V, const Cell &Of, int64_t Offset, int64_t End);

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_INTEGERBITS_H
