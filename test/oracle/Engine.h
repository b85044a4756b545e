//===- Engine.h - What the analysis says of a file --------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TEST_ORACLE_ENGINE_H
#define CPASYNC_TEST_ORACLE_ENGINE_H

#include "lib/Finding.h"
#include <map>
#include <string>
#include <vector>

namespace oracle {

struct EngineFinding {
  cpasync::Finding F;
  unsigned CopyLine = 0, ReadLine = 0, WriteLine = 0, WaitLine = 0,
           OperandLine = 0; ///< of the file
};

struct EngineReport {
  std::vector<EngineFinding> Findings;
  std::vector<std::string> Gaps;
  bool Analysed = false; ///< it was looked at, with or without gaps
};

/// By kernel, for \p Arch, as "sm_80". Ends the program if the file does not
/// parse.
std::map<std::string, EngineReport> analyseFile(const std::string &Code,
                                                const std::string &Arch);

} // namespace oracle

#endif // CPASYNC_TEST_ORACLE_ENGINE_H
