//===- Fingerprint.h - What identifies a finding over time ------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fingerprint is made of the check, the function and the object, and of the
// tokens of the statement at the finding's place: not of lines, layout,
// comments, the wording of the message or the rest of the file. Moving code,
// formatting it and editing other functions leave it as it is.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_REPORT_FINGERPRINT_H
#define CPASYNC_TOOL_REPORT_FINGERPRINT_H

#include "tool/input/SourceText.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cpasync {

/// The tokens of the statement around an offset, separated by blanks: from the
/// previous `;`, `{` or `}` to the next.
std::string statementAround(const SourceText &Text, unsigned Offset);

/// Sets both fingerprints of \p F, 16 hexadecimal digits each. They are equal
/// for findings in equal statements of one function, which listFindings()
/// numbers.
void setFingerprints(ReportedFinding &F, SourceCache &Sources,
                     llvm::StringRef Directory);

} // namespace cpasync

#endif // CPASYNC_TOOL_REPORT_FINGERPRINT_H
