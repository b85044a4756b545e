//===- PtxScanner.h - Characters, names and constants of PTX ----*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lower half of the inline-PTX reader: a position in a template and what
// can be read there without knowing about statements. Grammar: PTX ISA,
// "Comments", "Identifiers", "Constants" and "Constant Expressions".
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_PTX_PTXSCANNER_H
#define CPASYNC_LIB_PTX_PTXSCANNER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <optional>
#include <string>

namespace cpasync {

bool isPtxNameStart(char C);
bool isPtxNameChar(char C);

/// Functions named `read` return false when the text is not what they read;
/// fail() has then been called and the position is somewhere behind the start,
/// but never behind a ';'.
class PtxScanner {
public:
  explicit PtxScanner(llvm::StringRef Text) : Text(Text) {}

  /// The character \p Ahead of the position, '\0' behind the end.
  char peek(size_t Ahead = 0) const {
    return Pos + Ahead < Text.size() ? Text[Pos + Ahead] : '\0';
  }
  bool atEnd() const { return Pos >= Text.size(); }
  bool consume(char C);
  /// Skips white space and comments, and the '%' of GCC's "%{", "%|", "%}".
  void skipBlanks();
  /// Skips the rest of the line.
  void skipLine();
  /// Remembers why reading stopped here. Returns false.
  bool fail(const llvm::Twine &Message);

  /// A possibly empty run of name characters. "%=" (GCC's number unique to the
  /// asm statement) and "%0" inside a name are kept as written.
  llvm::StringRef name();
  /// A modifier without its dot: "ca", "L2::128B", "4x".
  llvm::StringRef modifier();
  /// Everything up to the next ',' or ';' or closing bracket that is not
  /// inside brackets of its own.
  bool readRaw(std::string &Raw);

  /// An unsigned integer: decimal, 0x, 0b, octal, with or without 'U'.
  bool readInteger(int64_t &Value);
  /// A whole constant expression, or only `a * b / c` for \p ProductOnly.
  bool readConstant(int64_t &Value, bool ProductOnly = false);
  /// `1.5`, `-2e10`, `0f3F800000`, `0d3FF0000000000000`. Moves only on success.
  bool readFloat(std::string &Spelling);
  /// An operator of constant expressions comes next.
  bool atOperator() const;

  const llvm::StringRef Text;
  size_t Pos = 0;
  size_t FailOffset = 0;
  std::string FailMessage;
  /// Where a comment starts that has no end.
  std::optional<size_t> UnterminatedComment;

private:
  bool readBinary(int64_t &Value, unsigned MinPrecedence, unsigned Nest);
  bool readConditional(int64_t &Value, unsigned Nest);
  bool readUnary(int64_t &Value, unsigned Nest);
};

} // namespace cpasync

#endif // CPASYNC_LIB_PTX_PTXSCANNER_H
