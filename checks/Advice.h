//===- Advice.h - What to do about a finding --------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where no single edit repairs every path, the last note says which rule the
// repaired kernel keeps, at the place where the edit belongs.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_CHECKS_ADVICE_H
#define CPASYNC_CHECKS_ADVICE_H

#include "checks/Messages.h"

namespace cpasync {

/// Every finding has one.
Note adviceNote(const Finding &F);

} // namespace cpasync

#endif // CPASYNC_CHECKS_ADVICE_H
