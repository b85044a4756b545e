//===- Uri.cpp - Paths and columns as other formats want them -------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Uri.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace cpasync;
using llvm::StringRef;

std::string cpasync::pathToUri(StringRef Path) {
  std::string Uri = llvm::sys::path::is_absolute(Path) ? "file://" : "";
  // "a:b" would read as a scheme.
  if (Uri.empty() &&
      Path.take_until([](char C) { return C == '/'; }).contains(':'))
    Uri = "./";
  for (const char C : Path) {
    if (llvm::isAlnum(C) || StringRef("/-._~:").contains(C))
      Uri += C;
    else
      (Uri += '%') += llvm::toHex(StringRef(&C, 1));
  }
  return Uri;
}

unsigned cpasync::characterColumn(StringRef Line, unsigned ByteColumn) {
  // Continuation bytes of UTF-8 begin no character.
  return ByteColumn - llvm::count_if(Line.take_front(ByteColumn - 1),
                                     [](char C) { return (C & 0xC0) == 0x80; });
}

unsigned cpasync::utf16Column(StringRef Line, unsigned ByteColumn) {
  // What takes four bytes in UTF-8 takes two units here.
  return characterColumn(Line, ByteColumn) +
         llvm::count_if(Line.take_front(ByteColumn - 1),
                        [](char C) { return (C & 0xF8) == 0xF0; });
}
