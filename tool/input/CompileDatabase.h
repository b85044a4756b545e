//===- CompileDatabase.h - compile_commands.json of a build --- -*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's own reader of compilation databases guesses flags for files that are
// not listed before anybody can translate nvcc's, and drops what it does not
// know while it does so. Hence this one, which keeps commands as they are.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_COMPILEDATABASE_H
#define CPASYNC_TOOL_INPUT_COMPILEDATABASE_H

#include "tool/input/CompilerFlags.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cpasync {

/// How one CUDA file is compiled.
struct CudaCommand {
  std::string Directory; ///< absolute
  std::string File;      ///< absolute, without dots
  std::string RealPath;  ///< with symbolic links resolved, if it is there
  std::string Compiler;  ///< as written; launchers are skipped
  std::vector<std::string> Flags;
  Dialect Language = Dialect::Nvcc;
};

class CompileDatabase {
public:
  /// \p Path is a compile_commands.json or the directory it is in. The error
  /// names the file and, if it is broken, the place.
  static llvm::Expected<CompileDatabase> load(llvm::StringRef Path);

  const std::string &path() const { return Path; }
  /// In the order of the database.
  llvm::ArrayRef<CudaCommand> commands() const { return Commands; }

  /// Commands that compile \p File, an absolute path; symbolic links count as
  /// what they point to.
  std::vector<const CudaCommand *> commandsFor(llvm::StringRef File) const;

  /// The command of the file with the longest part of its path in common with
  /// \p File.
  const CudaCommand &nearest(llvm::StringRef File) const;

private:
  llvm::Error parse(llvm::StringRef Text, llvm::StringRef Base);

  std::string Path;
  std::vector<CudaCommand> Commands;
  llvm::StringMap<std::vector<size_t>> ByRealPath;
};

/// The folder that has the compile_commands.json for \p File, an absolute path:
/// the nearest above it, or the `build` in that. Empty: there is none.
std::string findDatabaseAbove(llvm::StringRef File);

/// \p Path with symbolic links resolved; itself if there is no such file.
std::string realPath(llvm::StringRef Path);

/// \p Path as an absolute one without "." and "..", seen from \p Directory.
std::string absolutePath(llvm::StringRef Path, llvm::StringRef Directory);

/// Splits a command line at its compiler: launchers such as ccache come before
/// it, flags after. \p Flags loses both.
std::string takeCompiler(std::vector<std::string> &Flags, Dialect &Language);

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_COMPILEDATABASE_H
