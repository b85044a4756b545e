//===- Doubts.h - What hangs on what was not analysed ------------*- C++
//-*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_REPORT_DOUBTS_H
#define CPASYNC_LIB_REPORT_DOUBTS_H

#include "lib/Finding.h"
#include "llvm/ADT/ArrayRef.h"

namespace cpasync {

/// Something in the kernel or in what it calls does not compile at \p Loc: says
/// so in its report and in \p Findings.
void doubt(clang::SourceLocation Loc, KernelReport &Report,
           llvm::MutableArrayRef<Finding> Findings);

/// Drops what hangs on what was not analysed.
void dropUncertain(std::vector<Finding> &Findings, const KernelReport &Report);

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_DOUBTS_H
