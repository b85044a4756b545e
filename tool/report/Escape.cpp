//===- Escape.cpp - Text that may be shown --------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Escape.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace cpasync;
using llvm::StringRef;

/// Where toUtf8() puts bytes that are no UTF-8: the end of a plane for private
/// use.
static constexpr llvm::UTF32 FirstByte = 0x10FE00;

/// Takes the first character off \p Text; if that is no UTF-8, the first byte,
/// and \p Character stays empty.
static StringRef takeCharacter(StringRef &Text,
                               std::optional<llvm::UTF32> &Character) {
  const llvm::UTF8 *At = Text.bytes_begin();
  llvm::UTF32 Value = 0;
  const bool IsUtf8 =
      llvm::convertUTF8Sequence(&At, Text.bytes_end(), &Value,
                                llvm::strictConversion) == llvm::conversionOK;
  Character = IsUtf8 ? std::optional(Value) : std::nullopt;
  const size_t Length =
      IsUtf8 ? static_cast<size_t>(At - Text.bytes_begin()) : 1;
  const StringRef Taken = Text.take_front(Length);
  Text = Text.drop_front(Length);
  return Taken;
}

std::string cpasync::escaped(StringRef Text) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  std::optional<llvm::UTF32> Character;
  while (!Text.empty()) {
    if (Text.consume_front("##[")) {
      OS << "#<U+0023>[";
      continue;
    }
    const StringRef Bytes = takeCharacter(Text, Character);
    if (!Character)
      OS << llvm::format("<%02X>", static_cast<unsigned char>(Bytes.front()));
    else if (llvm::sys::unicode::isPrintable(static_cast<int>(*Character)))
      OS << Bytes;
    else
      OS << llvm::format("<U+%04X>", *Character);
  }
  return Result;
}

std::string cpasync::escapedPath(StringRef Path) {
  std::string Result = escaped(Path);
  // The log drops blanks before a command.
  if (StringRef(Result).ltrim().starts_with("::"))
    Result.insert(0, "./");
  return Result;
}

std::string cpasync::toUtf8(StringRef Bytes) {
  std::string Result;
  std::optional<llvm::UTF32> Character;
  while (!Bytes.empty()) {
    const StringRef Taken = takeCharacter(Bytes, Character);
    // A character that stands for a byte elsewhere goes byte by byte, too.
    if (Character &&
        (*Character < FirstByte || *Character > FirstByte + 0xFF)) {
      Result += Taken;
      continue;
    }
    for (const unsigned char Byte : Taken) {
      char Buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
      char *End = Buffer;
      llvm::ConvertCodePointToUTF8(FirstByte + Byte, End);
      Result.append(Buffer, End);
    }
  }
  return Result;
}

std::string cpasync::fromUtf8(StringRef Text) {
  std::string Result;
  std::optional<llvm::UTF32> Character;
  while (!Text.empty()) {
    const StringRef Taken = takeCharacter(Text, Character);
    if (Character && *Character >= FirstByte && *Character <= FirstByte + 0xFF)
      Result += static_cast<char>(*Character - FirstByte);
    else
      Result += Taken;
  }
  return Result;
}
