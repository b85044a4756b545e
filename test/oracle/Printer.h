//===- Printer.h - Kernels as CUDA C++ --------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_PRINTER_H
#define CPASYNC_TEST_ORACLE_PRINTER_H

#include "Kernel.h"

namespace oracle {

/// A file with these kernels. Notes in kernels and statements where they are.
std::string print(std::vector<Kernel> &Kernels);

/// One kernel with its line numbers.
std::string listing(const Kernel &K);

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_PRINTER_H
