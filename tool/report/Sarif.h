//===- Sarif.h - SARIF 2.1.0 ------------------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GitHub refuses a file above certain sizes and shows a part of one above
// others; detail gives way before findings do, and a notification says so.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_SARIF_H
#define CPASYNC_TOOL_REPORT_SARIF_H

#include "tool/report/RunReport.h"

namespace cpasync {

/// GitHub's documented limits on an upload.
struct SarifLimits {
  size_t Results = 25000; ///< more are refused
  size_t ShownResults = 5000;
  size_t Steps = 1000;  ///< of a code flow that are shown
  size_t Related = 100; ///< locations of a result that are shown
  size_t CompressedBytes = 10 << 20;
};

/// The text of the log.
std::string sarifLog(const RunReport &Run, const SarifLimits &Limits = {});

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_SARIF_H
