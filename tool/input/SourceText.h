//===- SourceText.h - Lines and tokens of source files ----------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A diagnostic knows a file and an offset; reports want lines, columns and
// the words around a place. Files are read once and kept: a fix may change
// them on disk before the report is written.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_TOOL_INPUT_SOURCETEXT_H
#define CPASYNC_TOOL_INPUT_SOURCETEXT_H

#include "checks/FrontEnd.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace cpasync {

class SourceText {
public:
  struct Token {
    unsigned Offset;
    unsigned Length;
  };

  explicit SourceText(std::unique_ptr<llvm::MemoryBuffer> Buffer);

  llvm::StringRef text() const { return Buffer->getBuffer(); }
  unsigned lineCount() const { return LineStarts.size(); }
  /// Line \p Number, counted from 1, without its end; empty if there is none.
  llvm::StringRef line(unsigned Number) const;

  /// Sets lines and columns from offset and length. The place stays invalid if
  /// the offset is not in the file.
  void locate(Place &P) const;
  /// The same for the token at the offset of \p P.
  void locateToken(Place &P) const;

  /// Every token but comments, in order.
  llvm::ArrayRef<Token> tokens() const;

private:
  void position(unsigned Offset, unsigned &Line, unsigned &Column) const;

  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  std::vector<unsigned> LineStarts;
  mutable std::vector<Token> Tokens;
};

class SourceCache {
public:
  /// Null if the file cannot be read. \p Directory is where relative paths
  /// start.
  const SourceText *get(llvm::StringRef File, llvm::StringRef Directory);

private:
  llvm::StringMap<std::unique_ptr<SourceText>> Files;
};

} // namespace cpasync

#endif // CPASYNC_TOOL_INPUT_SOURCETEXT_H
