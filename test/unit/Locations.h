//===- Locations.h - Places in no file --------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_UNIT_LOCATIONS_H
#define CPASYNC_TEST_UNIT_LOCATIONS_H

#include "clang/Basic/SourceLocation.h"

namespace cpasync {

/// A place that is equal to no other; 0: none.
inline clang::SourceLocation loc(unsigned N) {
  return clang::SourceLocation::getFromRawEncoding(N);
}

} // namespace cpasync

#endif // CPASYNC_TEST_UNIT_LOCATIONS_H
