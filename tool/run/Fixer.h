//===- Fixer.h - Apply fixes to files ---------------------------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_RUN_FIXER_H
#define CPASYNC_TOOL_RUN_FIXER_H

#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "tool/report/FileReport.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <string>
#include <vector>

namespace cpasync {

/// Applies fixes file by file, while others are still analysed. A file is only
/// changed if it is what was analysed, or what this object made of that.
class Fixer {
public:
  /// \p Slow: also those that keep copies from overlapping.
  Fixer(clang::tidy::ClangTidyContext &Context, bool Slow)
      : Context(Context), Slow(Slow) {}

  /// Applies the fixes of \p Errors, which are the findings of \p Report, and
  /// puts a note below each that says how it went.
  void fix(std::vector<clang::tidy::ClangTidyError> &Errors,
           const FileReport &Report, llvm::StringRef Directory);

  /// \p Base, but with the texts that the findings of \p Report speak of.
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
  asAnalysed(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Base,
             const FileReport &Report) const;

  /// Says what was applied by fix(), and what was not; false if a file could
  /// not be changed.
  bool report();

private:
  /// A file that was changed: what it was, what was done and what it is.
  struct Change {
    std::string Before;
    clang::tooling::Replacements Edits;
    std::string BeforeDigest;
    std::string AfterDigest;
  };

  llvm::Error apply(const std::string &File, const std::string &Digest,
                    clang::tooling::Replacements Edits);
  llvm::Expected<std::string> edited(llvm::StringRef File, llvm::StringRef Text,
                                     const clang::tooling::Replacements &Edits);

  clang::tidy::ClangTidyContext &Context;
  bool Slow;
  std::map<std::string, Change> Changes; ///< by file
  std::vector<std::string> Failures;     ///< of the last fix()
  unsigned Wanted = 0;                   ///< replacements, of the last fix()
  unsigned Applied = 0;
  unsigned Left = 0; ///< slow ones, by the last fix()
};

} // namespace cpasync

#endif // CPASYNC_TOOL_RUN_FIXER_H
