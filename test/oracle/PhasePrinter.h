//===- PhasePrinter.h - Mbarriers and bulk copies as CUDA C++ ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_PHASEPRINTER_H
#define CPASYNC_TEST_ORACLE_PHASEPRINTER_H

#include "Kernel.h"

namespace oracle {

/// The functions that these statements call.
extern const char *const PhasePreamble;

/// Expressions of a statement, as text.
struct PhaseOperands {
  std::string Mbarrier, Shared, Global; ///< addresses
  std::string Value;
};

/// A statement about mbarriers, bulk copies or proxies.
std::string phaseText(const Stmt &S, Kernel::Spelling Spelled,
                      const PhaseOperands &O);

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_PHASEPRINTER_H
