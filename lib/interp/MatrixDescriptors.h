//===- MatrixDescriptors.h - Addresses within descriptors -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix descriptor is a 64-bit integer whose bits 0 to 13 are bits 4 to 17
// of a shared address; above are strides and the swizzle mode (PTX ISA,
// "Shared Memory Matrix Layout", "Matrix Descriptor Format"). Kernels put it
// together by shifts and masks and advance it by additions.
//
// Such an integer is the number of units in the object, plus a symbol for where
// the object begins. The symbol counts in steps of 2^14 units: whatever masks
// lower bits does not see it.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_INTERP_MATRIXDESCRIPTORS_H
#define CPASYNC_LIB_INTERP_MATRIXDESCRIPTORS_H

#include "lib/values/Value.h"

namespace cpasync {

/// Bytes: what an address in a descriptor counts.
inline constexpr int64_t DescriptorUnit = 16;

/// \p Place, a known place in a shared object, in units.
const Int *descriptorAddress(ValueContext &V, Value Place);
/// \p I has such an address in it.
bool holdsDescriptorAddress(const Int *I);
/// \p A with the fields \p B, or the reverse; null: they are not just those of
/// a descriptor. Only in the threads \p Active; what is before an array in
/// others has fields of any kind.
const Int *withDescriptorFields(ValueContext &V, const Int *A, const Int *B,
                                const PerThread *Active);
/// The place in shared memory that \p Descriptor names; Unknown: none is known.
Value placeOfDescriptor(ValueContext &V, const Int *Descriptor);

} // namespace cpasync

#endif // CPASYNC_LIB_INTERP_MATRIXDESCRIPTORS_H
