//===- Analyses.h - One file after another, in the background ---*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_LSP_ANALYSES_H
#define CPASYNC_TOOL_LSP_ANALYSES_H

#include "tool/lsp/Documents.h"
#include "tool/lsp/EditorReport.h"
#include "tool/run/ChildProcess.h"
#include "tool/run/Options.h"
#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace cpasync {

/// Analyses files in a child at a time, which sees the documents as they were
/// when it was started. Whatever becomes of the child, there is a report.
class Analyses {
public:
  /// \p Done hears of each file whose report is new.
  Analyses(const Options &Opts, const Documents &Open,
           std::function<void(const std::string &File)> Done)
      : Opts(Opts), Open(Open), Done(std::move(Done)) {}
  Analyses(const Analyses &) = delete;
  Analyses &operator=(const Analyses &) = delete;
  ~Analyses() { cancel(); }

  /// By real path, as all files here: the last one of each.
  const std::map<std::string, EditorReport> &reports() const { return Reports; }

  /// Analyses \p File at once; what is at work begins again when it is done.
  void opened(const std::string &File);
  /// The same, if it is open, and for the open files that read it or may do so.
  void changed(const std::string &File);
  /// Forgets \p File and returns what was known of it.
  EditorReport forget(const std::string &File);
  /// Ends what is at work, and what would be next.
  void cancel();

  /// What says that there is something for read(); nothing: nobody is at work.
  std::optional<int> pipe() const;
  void read();

private:
  struct Work {
    std::string File;
    ChildProcess Child;
  };

  bool mayRead(const std::string &Reader, const std::string &File) const;
  void startWith(std::deque<std::string> Files);
  void kill();
  void startNext();
  void accept(const std::string &File, EditorReport Report);

  const Options &Opts;
  const Documents &Open;
  const std::function<void(const std::string &)> Done;
  std::map<std::string, EditorReport> Reports;
  std::deque<std::string> Waiting;
  std::optional<Work> Running;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_LSP_ANALYSES_H
